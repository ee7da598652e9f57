--- Pure: an agent's caret, label and range as extmarks.

local M = {}

--- Names of highlight groups; a colour is an index that may be larger than their number.
---@param colour integer
---@return string
function M.group(colour)
  return "AcpAgent" .. (colour % 6)
end

--- Extmarks for one place, clamped to the lines that the buffer has.
---@param presence acp_sidecar.PresencePayload
---@param line_count integer
---@param range_group string
---@return {row: integer, options: vim.api.keyset.set_extmark}[]
function M.marks(presence, line_count, range_group)
  local first = math.max(0, math.min(presence.range.start.line, line_count - 1))
  local past = presence.range["end"].line + (presence.range["end"].character > 0 and 1 or 0)
  local last = math.max(first, math.min(past - 1, line_count - 1))
  local group = M.group(presence.colour)
  local marks = {
    {
      row = first,
      options = {
        virt_text = {
          { "▏", group },
          { " " .. presence.agent .. ": " .. presence.kind .. " ", group },
        },
        virt_text_pos = "eol",
        sign_text = "▶",
        sign_hl_group = group,
        priority = 90,
      },
    },
  }
  for row = first, last do
    marks[#marks + 1] = { row = row, options = { line_hl_group = range_group, priority = 80 } }
  end
  return marks
end

return M
