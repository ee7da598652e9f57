--- Pure: hunks as extmarks, and as entries of a quickfix list.

local M = {}

--- Whether the user still has to say something about a hunk that can be drawn.
---@param hunk acp_sidecar.HunkView
function M.is_open(hunk)
  return hunk.open and hunk.range ~= nil
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

local function bytes(text, column)
  return vim.str_byteindex(text, "utf-32", column, false)
end

--- The pieces of a line, those that have changed in a group of their own.
local function chunks_of(text, words, group)
  local chunks, at = {}, 0
  for _, word in ipairs(words or {}) do
    local first, last = bytes(text, word.start), bytes(text, word["end"])
    if first > at then
      chunks[#chunks + 1] = { text:sub(at + 1, first), group }
    end
    if last > first then
      chunks[#chunks + 1] = { text:sub(first + 1, last), { group, group .. "Word" } }
    end
    at = math.max(at, last)
  end
  if at < #text or #chunks == 0 then
    chunks[#chunks + 1] = { text == "" and " " or text:sub(at + 1), group }
  end
  return chunks
end

local function virtual(absent, group, row, above)
  local chunks = {}
  for _, line in ipairs(absent) do
    chunks[#chunks + 1] = chunks_of(line.text, line.words, group)
  end
  return { row = row, options = { virt_lines = chunks, virt_lines_above = above, priority = 60 } }
end

local function real_words(row, text, words, group)
  local marks = {}
  for _, word in ipairs(words or {}) do
    local first, last = bytes(text, word.start), bytes(text, word["end"])
    if last > first then
      marks[#marks + 1] = {
        row = row,
        column = first,
        options = { end_col = last, hl_group = group .. "Word", priority = 110, strict = false },
      }
    end
  end
  return marks
end

local function words_of(hunk)
  local found = {}
  for _, word in ipairs(hunk.words or {}) do
    found[word.line] = found[word.line] or {}
    table.insert(found[word.line], word)
  end
  return found
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
---@return {row: integer, column?: integer, options: vim.api.keyset.set_extmark}[]
function M.marks(hunk, line_count)
  local side, marks, absent = SIDES[hunk.state] or SIDES.applied, {}, {}
  local words = words_of(hunk)
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
        vim.list_extend(marks, real_words(row, text, words[index - 1], side.groups.line))
      end
      row = row + 1
    elseif mark ~= "\\" then
      absent[#absent + 1] = { text = text, words = words[index - 1] }
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

local VERBS = { add = "add", delete = "delete", modify = "change", move = "move", copy = "copy" }

--- What becomes of a whole file, in a few words.
---@param file acp_sidecar.FileView
---@return string
function M.operation(file)
  local text = VERBS[file.operation] or file.operation
  if file.oldPath then
    text = ("%s %s → %s"):format(text, file.oldPath:match("[^/]*$"), file.path:match("[^/]*$"))
  end
  local kind = file.fileType
  return (kind and kind ~= "text") and ("%s (%s)"):format(text, kind) or text
end

--- A mark at a file's first line for what no hunk shows: that it is new, goes, or is renamed.
---@param set acp_sidecar.SetDelta
---@param file acp_sidecar.FileView
---@return {row: integer, options: vim.api.keyset.set_extmark}
function M.file_mark(set, file)
  local text = (" %s: %s "):format(file.state, M.operation(file))
  return {
    row = 0,
    options = {
      virt_text = { { text, "AcpFile" }, { " " .. set.title, "Comment" } },
      virt_text_pos = "eol",
      priority = 70,
    },
  }
end

--- A line about a file that has no hunks.
---@param set acp_sidecar.SetDelta
---@param file acp_sidecar.FileView
function M.file_title(set, file)
  return ("[%s] %s, %s"):format(file.choice or file.state, M.operation(file), set.title)
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
