--- Files that another Neovim has open, or left a swap file of: they are loaded and nobody is asked.

local M = {}

-- Whoever meets a swap file gets one of another name.
local function has_other_swap_file(buffer)
  local own = vim.fn.swapname(buffer)
  return own ~= "" and not vim.endswith(own, ".swp")
end

-- Neovim 0.11 throws an error for a swap file, 0.12 has the user press a key.
local function load_quietly(buffer)
  local before = vim.o.shortmess
  vim.opt.shortmess:append("A")
  local ok = pcall(vim.fn.bufload, buffer)
  vim.o.shortmess = before
  return ok
end

--- Load a buffer. One with a swap file becomes read-only, so that whoever types into it is warned.
---@param buffer integer
---@return boolean loaded
function M.load(buffer)
  if vim.api.nvim_buf_is_loaded(buffer) then
    return true
  end
  local ok = load_quietly(buffer)
  local loaded = vim.api.nvim_buf_is_loaded(buffer)
  if loaded and has_other_swap_file(buffer) then
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
