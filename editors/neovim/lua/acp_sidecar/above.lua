--- Virtual lines above the first line of a buffer: Neovim shows them only where a window that is
--- scrolled to the top leaves room for them.

local M = {}

local function count(buffer, namespace)
  local found = 0
  local marks = vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, { 0, -1 }, { details = true })
  for _, mark in ipairs(marks) do
    found = found + (mark[4].virt_lines_above and #mark[4].virt_lines or 0)
  end
  return found
end

--- Make room in all windows that show the first line of a buffer.
---@param buffer integer
---@param namespace integer of the virtual lines
function M.make_room(buffer, namespace)
  local wanted = count(buffer, namespace)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(window, function()
      local view = vim.fn.winsaveview()
      if view.topline == 1 and view.topfill ~= wanted then
        vim.fn.winrestview({ topfill = wanted })
      end
    end)
  end
end

return M
