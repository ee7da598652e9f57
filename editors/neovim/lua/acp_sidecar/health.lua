--- `:checkhealth acp_sidecar`: a table of what is needed, what there is, and what to do.

local config = require("acp_sidecar.config")
local contract = require("acp_sidecar.contract")
local server = require("acp_sidecar.server")

local M = {}

local PROGRAM_MS, ANSWER_MS = 10000, 5000

local function check_neovim()
  local version = tostring(vim.version())
  if vim.fn.has("nvim-0.11") == 1 then
    vim.health.ok("Neovim " .. version)
  else
    vim.health.error("Neovim " .. version .. " is too old", { "Install Neovim 0.11 or newer." })
  end
end

-- What `--version` says; else nil, and why.
local function version_of(cmd)
  local full = vim.list_extend(vim.deepcopy(cmd), { "--version" })
  local ok, job = pcall(vim.system, full, { text = true, env = config.values.server.env })
  if not ok then
    return nil, tostring(job)
  end
  local result = job:wait(PROGRAM_MS)
  if result.code == 0 then
    return vim.trim(result.stdout)
  end
  local lines = vim.split(vim.trim(result.stderr), "\n")
  return nil, ("status %d %s"):format(result.code, lines[#lines])
end

local function check_python()
  local found
  require("acp_sidecar.install").find_python(function(program, why)
    found = { program = program, why = why }
  end)
  vim.wait(PROGRAM_MS, function()
    return found ~= nil
  end, 20)
  if found and found.program then
    local version =
      vim.trim(vim.system({ found.program, "--version" }, { text = true }):wait().stdout)
    vim.health.ok(("%s (%s) can install it"):format(version, vim.fn.exepath(found.program)))
  else
    vim.health.error("No Python that can install it", { found and found.why or "None answers." })
  end
end

local function tell_no_server()
  if server.is_half_made() then
    vim.health.error(
      "No server: an installation in " .. server.venv() .. " did not finish",
      { ":Acp install makes it anew." }
    )
  else
    vim.health.error(
      "No server is installed",
      { "Run :Acp install; or put `acp-sidecar` on PATH, or set server.cmd." }
    )
  end
  check_python()
end

local REPAIR = {
  ["setting server.cmd"] = "Mend the setting server.cmd; without it, acp-sidecar is looked for.",
  PATH = "Install it anew there, or set server.cmd to another.",
  [":Acp install"] = "Run :Acp install; it makes it anew.",
}

local function check_server()
  local cmd, origin = server.command()
  if not cmd then
    tell_no_server()
    return false
  end
  local version, why = version_of(cmd)
  local command = table.concat(cmd, " ")
  if version then
    vim.health.ok(("Server: %s, from %s (%s)"):format(version, origin, command))
  else
    vim.health.error(
      ("The server from %s does not work: %s: %s"):format(origin, command, why),
      { REPAIR[origin] }
    )
  end
  return version ~= nil
end

local function check_protocol(client)
  local theirs = vim.tbl_get(client.server_capabilities, "experimental", "acp", "version")
  local ours = contract.version
  if theirs == ours then
    vim.health.ok("Editor protocol: version " .. ours)
    return
  end
  local older = type(theirs) == "number" and theirs > ours and "this plugin: git pull in its clone"
    or "the server: :Acp install, then :Acp restart"
  vim.health.error(
    ("The server speaks version %s of the editor protocol, this plugin %d"):format(
      tostring(theirs),
      ours
    ),
    { "Update " .. older .. "." }
  )
end

local function state_of_server()
  local state, why = require("acp_sidecar.client").ask("acp.state", ANSWER_MS)
  if state then
    return state
  end
  vim.health.error(
    "The server does not tell its state: " .. (why or "?"),
    { ":Acp log tells more; :Acp restart starts it anew." }
  )
end

local function advice_for(agent)
  local advice = {}
  if agent.installHint then
    advice[1] = "To install it: " .. agent.installHint
  end
  advice[#advice + 1] = ":Acp agents starts it again."
  return advice
end

local function check_agent(agent)
  local command = table.concat(agent.command, " ")
  local program = agent.command[1]
  local text = ("Agent %s: %s, %s"):format(agent.name, agent.state, command)
  if agent.failure then
    vim.health.error(text .. ": " .. agent.failure, advice_for(agent))
  elseif agent.protocolVersion then
    vim.health.ok(text .. ", ACP version " .. agent.protocolVersion)
  elseif program and vim.fn.executable(program) == 0 then
    vim.health.warn(text .. ": there is no program " .. program, advice_for(agent))
  else
    vim.health.info(text)
  end
end

local function check_running()
  local client = require("acp_sidecar.client").get()
  if not client then
    vim.health.info("The server does not run. Agents are told of after :Acp start.")
  elseif not client.initialized then
    vim.health.info("The server is starting. Check again in a moment.")
  else
    check_protocol(client)
    local found = state_of_server()
    if found then
      vim.iter(found.agents):each(check_agent)
      vim.iter(found.problems):each(function(problem)
        vim.health.warn(problem.message)
      end)
    end
  end
end

--- What `:checkhealth` calls.
function M.check()
  vim.health.start("acp_sidecar")
  check_neovim()
  if check_server() then
    check_running()
  end
end

return M
