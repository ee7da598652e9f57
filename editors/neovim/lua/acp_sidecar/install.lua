--- Installs the server into a virtual environment of its own, when the user has asked for it.

local server = require("acp_sidecar.server")

local M = {}

-- Distributions name newer Pythons apart.
local PYTHONS = { "python3", "python3.14", "python3.13", "python3.12", "python3.11", "python" }
local PROBE = "import sys\nif sys.version_info < (3, 11): sys.exit(3)\nimport venv, ensurepip"
local TOO_OLD, PROBE_MS, TAIL = 3, 10000, 3
local NO_PYTHON =
  "Python 3.11 or newer is needed, and is not on PATH. Install it, then :Acp install"
local NO_VENV = "%s lacks its modules venv and ensurepip (on Debian and Ubuntu: apt install %s-venv)."
  .. " Install them, then :Acp install"

local running ---@type vim.SystemObj? the step that is being done
local waiting ---@type (fun(ok: boolean))[]? called when the installation has ended

local function tell(text, level)
  vim.notify("acp-sidecar: " .. text, level)
end

--- Find the first Python that can make the environment.
---@param done fun(program: string?, why: string?) why there is none, and what to do
function M.find_python(done)
  local lacking
  local function try(index)
    local name = PYTHONS[index]
    if not name then
      return done(nil, lacking and NO_VENV:format(lacking, lacking) or NO_PYTHON)
    elseif vim.fn.executable(name) == 0 then
      return try(index + 1)
    end
    vim.system({ name, "-c", PROBE }, { timeout = PROBE_MS }, function(result)
      vim.schedule(function()
        if result.code == 0 then
          return done(name)
        end
        lacking = lacking or (result.code ~= TOO_OLD and name or nil)
        try(index + 1)
      end)
    end)
  end
  try(1)
end

local function log_path()
  return vim.fs.joinpath(vim.fn.stdpath("log"), "acp-sidecar-install.log")
end

local function write(path, text, mode)
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  local file = io.open(path, mode)
  if file then
    file:write(text)
    file:close()
  end
end

local function trimmed_lines(text)
  return vim.tbl_filter(function(line)
    return line ~= ""
  end, vim.tbl_map(vim.trim, vim.split(text, "[\r\n]+")))
end

-- What went wrong: pip marks it; other programs say it last.
local function cause(output)
  local lines = trimmed_lines(output)
  local marked = vim.tbl_filter(function(line)
    return vim.startswith(line, "ERROR:")
  end, lines)
  return table.concat(marked[1] and marked or vim.list_slice(lines, #lines - TAIL + 1), " ")
end

local function show(title, chunk)
  local lines = trimmed_lines(chunk)
  if #lines > 0 then
    local text = ("acp-sidecar: %s: %s"):format(title, lines[#lines]):gsub("%c", " ")
    vim.api.nvim_echo({ { text:sub(1, vim.o.columns - 12) } }, false, {})
  end
end

---@class acp_sidecar.Step
---@field title string
---@field cmd string[]

-- Detached: a group of its own, so that what it starts can be ended with it.
local function start(step, heard, ended)
  local options = {
    text = true,
    detach = true,
    env = { PIP_USER = "0", PYTHONUNBUFFERED = "1" },
    stdout = heard,
    stderr = heard,
  }
  local ok, started = pcall(vim.system, step.cmd, options, function(result)
    vim.schedule(function()
      running = nil
      ended(result.code)
    end)
  end)
  if ok then
    running = started
  else
    heard(nil, tostring(started))
    ended(-1)
  end
end

---@param steps acp_sidecar.Step[]
---@param done fun(ok: boolean, output: string) of the last step that was done
local function run(steps, done, index)
  index = index or 1
  local step, output = steps[index], {}
  local title = ("%s (%d/%d)"):format(step.title, index, #steps)
  local function heard(_, chunk)
    if chunk then
      output[#output + 1] = chunk
      vim.schedule(function()
        show(title, chunk)
      end)
    end
  end
  tell(title)
  start(step, heard, function(code)
    local text = table.concat(output)
    write(log_path(), ("$ %s\n%s\n"):format(table.concat(step.cmd, " "), text), "a")
    if code ~= 0 or index == #steps then
      return done(code == 0, text)
    end
    run(steps, done, index + 1)
  end)
end

local function steps_with(python, afresh)
  local make = { python, "-m", "venv" }
  if afresh then
    make[#make + 1] = "--clear" -- what is left of an installation that did not finish
  end
  make[#make + 1] = server.venv()
  local pip = { server.program("python"), "-m", "pip", "install", "--upgrade", "--no-input" }
  vim.list_extend(pip, { "--disable-pip-version-check", "--progress-bar=off", server.source() })
  return {
    { title = "making a virtual environment", cmd = make },
    { title = "installing the server", cmd = pip },
    { title = "trying the server", cmd = { server.program("acp-sidecar"), "--version" } },
  }
end

-- Another Neovim may be installing into the same folder. Held by a process that lives.
local function lock()
  local path = server.venv() .. ".lock"
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  for _ = 1, 2 do
    local file = vim.uv.fs_open(path, "wx", 420)
    if file then
      vim.uv.fs_write(file, tostring(vim.uv.os_getpid()))
      vim.uv.fs_close(file)
      return path
    end
    local holder = tonumber(vim.trim(table.concat(vim.fn.readfile(path))))
    if holder and vim.uv.kill(holder, 0) == 0 then
      return nil, ("process %d is installing it; if that is wrong, delete %s"):format(holder, path)
    end
    vim.uv.fs_unlink(path)
  end
  return nil, "cannot write " .. path
end

local function tell_installed(version)
  local _, origin = server.command()
  local text = vim.trim(version) .. " is installed"
  if origin ~= ":Acp install" then
    text = text .. ", but not used: the one from " .. origin .. " goes first"
  elseif require("acp_sidecar.client").get() then
    text = text .. "; :Acp restart starts it"
  end
  tell(text)
end

local function tell_failed(output, kept)
  local next_step = "; once that is mended, :Acp install tries again (all of it: %s)"
  tell(
    "the server could not be installed: "
      .. cause(output)
      .. next_step:format(log_path())
      .. (kept and "; the one installed before is kept" or ""),
    vim.log.levels.ERROR
  )
end

local function finish(ok)
  local called = waiting or {}
  waiting = nil
  for _, done in ipairs(called) do
    done(ok)
  end
end

-- An update that failed has mostly changed nothing; then the server still says its version.
local function after_failure(output, was_installed)
  if not was_installed then
    tell_failed(output, false)
    return finish(false)
  end
  start({ cmd = { server.program("acp-sidecar"), "--version" } }, function() end, function(code)
    if code == 0 then
      write(server.stamp(), "", "w")
    end
    tell_failed(output, code == 0)
    finish(false)
  end)
end

local function install_with(python)
  local held, why = lock()
  if not held then
    tell("not installed: " .. why, vim.log.levels.ERROR)
    return finish(false)
  end
  local was_installed = server.is_installed()
  vim.uv.fs_unlink(server.stamp())
  write(log_path(), "", "w")
  run(steps_with(python, not was_installed), function(ok, output)
    vim.uv.fs_unlink(held)
    if not ok then
      return after_failure(output, was_installed)
    end
    write(server.stamp(), output, "w")
    tell_installed(output)
    finish(true)
  end)
end

local function end_with_neovim()
  vim.api.nvim_create_autocmd("VimLeavePre", {
    group = vim.api.nvim_create_augroup("acp_sidecar.install", {}),
    callback = function()
      if running then
        vim.uv.kill(-running.pid, "sigterm")
        vim.uv.fs_unlink(server.venv() .. ".lock")
      end
    end,
  })
end

--- Make or update the virtual environment with the server in it, telling each step.
--- An installation that goes on already is waited for.
---@param done? fun(ok: boolean)
function M.install(done)
  if waiting then
    waiting[#waiting + 1] = done
    return tell("the server is being installed; wait until it is told how that ended")
  end
  waiting = { done }
  end_with_neovim()
  M.find_python(function(python, why)
    if python then
      return install_with(python)
    end
    tell(why, vim.log.levels.ERROR)
    finish(false)
  end)
end

--- Ask whether to install the server, since there is none; nothing is done without a yes.
---@param installed fun() called once it is there
function M.offer(installed)
  local function done(ok)
    if ok then
      installed()
    end
  end
  if waiting then
    return M.install(done)
  end
  local prompt = ("acp-sidecar: no server is installed%s. Install it with pip, from %s into %s?"):format(
    server.is_half_made() and " (an installation did not finish)" or "",
    server.source(),
    server.venv()
  )
  vim.ui.select({ "Install", "Not now" }, { prompt = prompt }, function(choice)
    if choice == "Install" then
      return M.install(done)
    end
    tell("nothing was installed; :Acp install does it, or set server.cmd", vim.log.levels.WARN)
  end)
end

return M
