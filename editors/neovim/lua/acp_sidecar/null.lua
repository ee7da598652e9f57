--- JSON's null, which is `vim.NIL` since Neovim 0.12 and was nothing before. Here it is nothing.

local M = {}

--- Take null out of what was decoded: fields that are null are not there. A list keeps its length.
---@param value any
---@return any value the same table, changed; nil for null
function M.drop(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) ~= "table" then
    return value
  end
  for key, each in pairs(value) do
    if type(each) == "table" then
      M.drop(each)
    elseif each == vim.NIL and type(key) == "string" then
      value[key] = nil
    end
  end
  return value
end

return M
