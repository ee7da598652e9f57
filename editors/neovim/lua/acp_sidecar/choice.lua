--- A choice among labelled items, by `vim.ui.select`.

local M = {}

---@class acp_sidecar.Choice
---@field label string

--- Let the user choose; nothing happens without a choice.
---@generic T: acp_sidecar.Choice
---@param items T[]
---@param prompt string
---@param done fun(item: T)
function M.select(items, prompt, done)
  vim.ui.select(items, {
    prompt = prompt,
    kind = "acp_sidecar",
    format_item = function(item)
      return item.label
    end,
  }, function(item)
    if item then
      done(item)
    end
  end)
end

return M
