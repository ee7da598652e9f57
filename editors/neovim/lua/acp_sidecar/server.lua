--- Finds the server program, and what it would be installed from.

local config = require("acp_sidecar.config")

local M = {}

local NAME = "acp-sidecar"

--- The folder of the virtual environment that `:Acp install` makes.
function M.venv()
  return vim.fs.joinpath(vim.fn.stdpath("data"), NAME, "venv")
end

--- The file that says that the environment is complete; without it the environment is not used.
function M.stamp()
  return vim.fs.joinpath(M.venv(), "acp-sidecar-installed")
end

--- The path of a program in the virtual environment.
---@param name string
function M.program(name)
  local windows = vim.fn.has("win32") == 1
  return vim.fs.joinpath(
    M.venv(),
    windows and "Scripts" or "bin",
    windows and name .. ".exe" or name
  )
end

--- Whether `:Acp install` has made what is there, to its end.
function M.is_installed()
  return vim.uv.fs_stat(M.stamp()) ~= nil and vim.fn.executable(M.program(NAME)) == 1
end

--- Whether an installation was begun and not finished.
function M.is_half_made()
  return not M.is_installed() and vim.uv.fs_stat(M.venv()) ~= nil
end

--- The command that starts the server, and where it comes from; nil if there is none.
---@return string[]? cmd
---@return string origin
function M.command()
  local set = config.values.server.cmd
  if #set > 0 then
    return set, "setting server.cmd"
  elseif vim.fn.executable(NAME) == 1 then
    return { vim.fn.exepath(NAME) }, "PATH"
  elseif M.is_installed() then
    return { M.program(NAME) }, ":Acp install"
  end
  return nil, "none: run :Acp install, or set server.cmd"
end

-- The project that this plugin is a folder of; its links are followed.
local function clone()
  local here = debug.getinfo(1, "S").source:sub(2)
  local found = vim.fs.root(vim.uv.fs_realpath(here) or here, "pyproject.toml")
  return found and vim.uv.fs_stat(vim.fs.joinpath(found, "acp_sidecar")) and found or nil
end

--- What pip is given: the setting, else the clone that this plugin is in, else the package's name.
---@return string
function M.source()
  local set = config.values.server.package
  if set ~= "" then
    return set:sub(1, 1) == "~" and vim.fs.normalize(set) or set
  end
  return clone() or NAME
end

return M
