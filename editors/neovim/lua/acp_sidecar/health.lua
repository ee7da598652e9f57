--- `:checkhealth acp_sidecar`: a table of what is needed, what there is, and what to do.

local M = {}

local function check_neovim()
  local version = tostring(vim.version())
  if vim.fn.has("nvim-0.11") == 1 then
    vim.health.ok("Neovim " .. version)
  else
    vim.health.error("Neovim " .. version .. " is too old", { "Install Neovim 0.11 or newer." })
  end
end

local function version_of(cmd)
  local full = vim.list_extend(vim.deepcopy(cmd), { "--version" })
  local ok, job =
    pcall(vim.system, full, { text = true, env = require("acp_sidecar.config").values.server.env })
  local result = ok and job:wait(10000)
  return result and result.code == 0 and vim.trim(result.stdout) or nil
end

local function check_server()
  local cmd, origin = require("acp_sidecar.server").command()
  if not cmd then
    return vim.health.error(
      "No server",
      { "Run :Acp install, or `pip install acp-sidecar`, or set server.cmd." }
    )
  end
  local version = version_of(cmd)
  if version then
    vim.health.ok(("Server: %s, from %s (%s)"):format(version, origin, table.concat(cmd, " ")))
  else
    vim.health.error(
      "The server does not answer --version: " .. table.concat(cmd, " "),
      { "Run :Acp install anew." }
    )
  end
  return version ~= nil
end

local function state()
  local client = require("acp_sidecar.client").get()
  if not client then
    return vim.health.info(
      "The server does not run; :Acp start, then check again, tells about agents."
    )
  end
  local params = { command = "acp.state", arguments = { vim.empty_dict() } }
  local answer = client:request_sync("workspace/executeCommand", params, 5000)
  return answer and answer.result
end

local function check_agents(found)
  for _, agent in ipairs(found.agents) do
    local text = ("Agent %s: %s, %s"):format(
      agent.name,
      agent.state,
      table.concat(agent.command, " ")
    )
    if agent.failure then
      vim.health.error(text, { agent.failure, ":Acp agents starts it again." })
    elseif agent.protocolVersion then
      vim.health.ok(text .. ", ACP version " .. agent.protocolVersion)
    else
      vim.health.info(text)
    end
  end
  for _, problem in ipairs(found.problems) do
    vim.health.warn(problem.message)
  end
end

function M.check()
  vim.health.start("acp_sidecar")
  check_neovim()
  if check_server() then
    local found = state()
    if found then
      check_agents(found)
    end
  end
end

return M
