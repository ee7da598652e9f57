--- Runs a program that the user has asked for in a terminal of their own, such as a sign-in.

local M = {}

local function open(title)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = "hide"
  vim.cmd("botright 15split")
  vim.api.nvim_win_set_buf(0, buffer)
  vim.wo[0][0].winbar = title:gsub("%%", "%%%%"):gsub("%c", " ") .. ""
  return buffer
end

-- It has the answer that the program has ended with; a window of a failure stays to be read.
local function finish(thread, buffer, code)
  if code == 0 and vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  coroutine.resume(thread, { exitCode = code })
end

--- The handler of `acp/runInTerminal`: waits until the program has ended. Closing the buffer ends
--- the program, and counts as no exit status.
---@param params acp_sidecar.RunInTerminalParams
---@return acp_sidecar.RunInTerminalResult|userdata
function M.run(params)
  local thread, buffer = assert(coroutine.running()), open(params.title)
  local command = vim.list_extend({ params.command }, params.args)
  local ok, job = pcall(vim.fn.jobstart, command, {
    term = true,
    cwd = params.cwd,
    env = next(params.env) and params.env or nil,
    on_exit = function(_, code)
      vim.schedule(function()
        local closed = not vim.api.nvim_buf_is_valid(buffer)
        finish(thread, buffer, not closed and code or vim.NIL)
      end)
    end,
  })
  if not ok or job <= 0 then
    vim.api.nvim_buf_delete(buffer, { force = true })
    vim.notify("acp-sidecar: " .. params.command .. " could not be run", vim.log.levels.ERROR)
    return vim.NIL
  end
  vim.cmd.startinsert()
  return coroutine.yield()
end

return M
