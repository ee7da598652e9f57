--- Pure: hunks as extmarks, and as entries of a quickfix list.

local M = {}

local UNDECIDED = { proposed = true, applied = true }

--- Whether the user still has to say something about a hunk. What was proposed, asked and not
--- written was refused: nothing is to be said of it any more.
---@param hunk acp_sidecar.HunkView
---@param set acp_sidecar.ReviewSet
function M.is_open(hunk, set)
  local refused = hunk.state == "proposed" and set.asked and not set.pending
  return UNDECIDED[hunk.state] == true and hunk.choice == nil and hunk.range ~= nil and not refused
end

--- The changed lines of a hunk without the context around them; positions are indices from 1.
local function core(lines)
  local first, last = 1, #lines
  while first <= last and lines[first]:sub(1, 1) == " " do
    first = first + 1
  end
  while last >= first and lines[last]:sub(1, 1) == " " do
    last = last - 1
  end
  return first, last
end

local function virtual(texts, group, row, above)
  local chunks = {}
  for _, text in ipairs(texts) do
    chunks[#chunks + 1] = { { text == "" and " " or text, group } }
  end
  return { row = row, options = { virt_lines = chunks, virt_lines_above = above, priority = 60 } }
end

local function real(row, sign, groups)
  return {
    row = row,
    options = {
      sign_text = sign,
      sign_hl_group = groups.sign,
      line_hl_group = groups.line,
      priority = 60,
    },
  }
end

local SIDES = {
  proposed = {
    present = "-",
    sign = "-",
    groups = { sign = "AcpSignProposed", line = "AcpDelete" },
    virtual = "AcpAdd",
  },
  applied = {
    present = "+",
    sign = "+",
    groups = { sign = "AcpSignApplied", line = "AcpAdd" },
    virtual = "AcpDelete",
  },
}

--- Extmarks for one open hunk. Rows count from 0; the side that the text does not have is virtual.
---@param hunk acp_sidecar.HunkView
---@param line_count integer lines of the buffer
---@return {row: integer, options: vim.api.keyset.set_extmark}[]
function M.marks(hunk, line_count)
  local side, marks, absent = SIDES[hunk.state], {}, {}
  local row = hunk.range.startLine - 1
  local function flush()
    if #absent > 0 then
      local above = row <= 0
      local anchor = above and 0 or math.min(row, line_count) - 1
      marks[#marks + 1] = virtual(absent, side.virtual, anchor, above)
      absent = {}
    end
  end
  local first, last = core(hunk.lines)
  for index = first, last do
    local mark, text = hunk.lines[index]:sub(1, 1), hunk.lines[index]:sub(2)
    if mark == side.present or mark == " " then
      flush()
      if mark == side.present and row < line_count then
        marks[#marks + 1] = real(row, side.sign, side.groups)
      end
      row = row + 1
    elseif mark ~= "\\" then
      absent[#absent + 1] = text
    end
  end
  flush()
  if not vim.iter(marks):any(function(mark)
    return mark.options.sign_text ~= nil
  end) then
    local at = math.max(0, math.min(hunk.range.startLine - 1, line_count - 1))
    marks[#marks + 1] =
      real(at, hunk.state == "proposed" and "+" or "_", { sign = side.groups.sign })
  end
  return marks
end

--- A line about a hunk.
---@param set acp_sidecar.SetDelta
---@param hunk acp_sidecar.HunkView
function M.title(set, hunk)
  local added, removed = 0, 0
  for _, line in ipairs(hunk.lines) do
    added = added + (line:sub(1, 1) == "+" and 1 or 0)
    removed = removed + (line:sub(1, 1) == "-" and 1 or 0)
  end
  local reason = hunk.reason ~= "" and " (" .. hunk.reason .. ")" or ""
  return ("[%s] +%d -%d %s%s"):format(hunk.choice or hunk.state, added, removed, set.title, reason)
end

return M
