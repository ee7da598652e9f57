--- Finds the server program, and installs it on request.

local config = require("acp_sidecar.config")

local M = {}

--- The folder of the virtual environment that `:Acp install` makes.
function M.venv()
  return vim.fs.joinpath(vim.fn.stdpath("data"), "acp-sidecar", "venv")
end

local function in_venv(name)
  local windows = vim.fn.has("win32") == 1
  return vim.fs.joinpath(
    M.venv(),
    windows and "Scripts" or "bin",
    windows and name .. ".exe" or name
  )
end

--- The command that starts the server, and where it comes from; nil if there is none.
---@return string[]? cmd
---@return string origin
function M.command()
  local set = config.values.server.cmd
  if #set > 0 then
    return set, "setting server.cmd"
  elseif vim.fn.executable("acp-sidecar") == 1 then
    return { vim.fn.exepath("acp-sidecar") }, "PATH"
  elseif vim.fn.executable(in_venv("acp-sidecar")) == 1 then
    return { in_venv("acp-sidecar") }, ":Acp install"
  end
  return nil, "none: run :Acp install, or set server.cmd"
end

local NEW_ENOUGH = "import sys, venv; sys.exit(sys.version_info < (3, 11))"

-- The first Python that can make the environment; distributions name newer ones apart.
local function python()
  for _, version in ipairs({ "3", "3.14", "3.13", "3.12", "3.11", "" }) do
    local name = "python" .. version
    if vim.fn.executable(name) == 1 then
      local checked = vim.system({ name, "-c", NEW_ENOUGH }):wait(10000)
      if checked.code == 0 then
        return name
      end
    end
  end
end

local function run(steps, index, done)
  local step = steps[index]
  if not step then
    return done(true)
  end
  vim.notify(("acp-sidecar: %s (%d/%d)"):format(step.title, index, #steps))
  local function show(_, line)
    if line and vim.trim(line) ~= "" then
      vim.schedule(function()
        local text = ("acp-sidecar (%d/%d): %s"):format(index, #steps, vim.trim(line))
        vim.api.nvim_echo({ { text:gsub("%c", " "):sub(1, vim.o.columns - 12) } }, false, {})
      end)
    end
  end
  vim.system(step.cmd, { text = true, stdout = show }, function(result)
    vim.schedule(function()
      if result.code ~= 0 then
        vim.notify(
          "acp-sidecar: " .. step.title .. " failed:\n" .. (result.stderr or ""),
          vim.log.levels.ERROR
        )
        return done(false)
      end
      run(steps, index + 1, done)
    end)
  end)
end

--- Make a virtual environment with the server in it, telling each step.
---@param done? fun(ok: boolean)
function M.install(done)
  local program = python()
  if not program then
    vim.notify("acp-sidecar: Python 3.11 or newer is needed; none is on PATH", vim.log.levels.ERROR)
    return done and done(false)
  end
  run(
    {
      { title = "making a virtual environment", cmd = { program, "-m", "venv", M.venv() } },
      {
        title = "installing the server",
        cmd = {
          in_venv("python"),
          "-m",
          "pip",
          "install",
          "--disable-pip-version-check",
          "--progress-bar=off",
          "--upgrade",
          config.values.server.package,
        },
      },
    },
    1,
    function(ok)
      if ok then
        vim.notify("acp-sidecar: installed; :Acp start")
      end
      if done then
        done(ok)
      end
    end
  )
end

return M
