--- Files that another Neovim has open, or left a swap file of: they are loaded and nobody is asked.

local M = {}

--- Load a buffer. One with a swap file becomes read-only, so that whoever types into it is warned.
---@param buffer integer
---@return boolean loaded
function M.load(buffer)
  if vim.api.nvim_buf_is_loaded(buffer) then
    return true
  end
  local ok, problem = pcall(vim.fn.bufload, buffer)
  local loaded = vim.api.nvim_buf_is_loaded(buffer)
  if not ok and loaded and tostring(problem):find("E325") then -- it is loaded all the same
    vim.bo[buffer].readonly = true
    return true
  end
  return ok and loaded
end

--- Do something that changes buffers; read-only ones do not warn of it.
---@param buffers integer[]
---@param act fun()
function M.change(buffers, act)
  local guarded = vim.tbl_filter(function(buffer)
    return vim.bo[buffer].readonly
  end, buffers)
  for _, buffer in ipairs(guarded) do
    vim.bo[buffer].readonly = false
  end
  act()
  for _, buffer in ipairs(guarded) do
    vim.bo[buffer].readonly = true
  end
end

return M
