--- acp-sidecar for Neovim: draws what the server decides.
--- `setup` is optional; without it all settings have their defaults.

local M = {}

--- Take settings; see `:help acp-sidecar-settings`. Wrong ones keep their default and are told.
---@param options? table
function M.setup(options)
  local problems = require("acp_sidecar.config").load(options or {})
  for _, problem in ipairs(problems) do
    vim.notify("acp-sidecar: " .. problem, vim.log.levels.WARN)
  end
end

--- A component for the status line: what the current session does and whether it is followed.
---@return string text empty while no server runs
function M.statusline()
  local client = package.loaded["acp_sidecar.client"]
  if not client or not client.get() then
    return ""
  end
  local status = require("acp_sidecar.render.status")
  return status.line(require("acp_sidecar.sessions").current(), require("acp_sidecar.follow").state)
end

return M
