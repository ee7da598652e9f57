--- Pure: a transcript as an ordered list of blocks, each of whole lines.
--- Applying a delta says which lines of the document to replace, as little as possible.

local M = {}

---@class acp_sidecar.Block
---@field id string
---@field kind string
---@field status string
---@field head string
---@field text string[] pieces, joined only when a block is written anew
---@field tail string
---@field start integer row of its first line, from 0
---@field size integer lines, with the empty one that ends it

---@class acp_sidecar.Blocks
---@field list acp_sidecar.Block[]
---@field index table<string, integer>
---@field rows integer lines of all blocks

--- What to do with the document: replace `removed` lines at `row`, or append text in a line.
---@class acp_sidecar.Change
---@field row integer
---@field removed integer
---@field lines string[]
---@field inside? boolean `lines` continue the end of line `row`

---@return acp_sidecar.Blocks
function M.new()
  return { list = {}, index = {}, rows = 0 }
end

local function lines_of(block)
  local body = table.concat(block.text) .. block.tail
  local text = block.head
  if text ~= "" and body ~= "" then
    text = text .. "\n\n" .. body
  elseif body ~= "" then
    text = body
  end
  local lines = vim.split((text:gsub("\n+$", "")), "\n", { plain = true })
  lines[#lines + 1] = ""
  return lines
end

local function shift(blocks, from, by)
  blocks.rows = blocks.rows + by
  if by ~= 0 then
    for index = from, #blocks.list do
      blocks.list[index].start = blocks.list[index].start + by
    end
  end
end

local function insert(blocks, delta)
  local block = {
    id = delta.id,
    kind = delta.kind,
    status = delta.status or "",
    head = delta.head or "",
    text = { (delta.text or "") .. (delta.append or "") },
    tail = delta.tail or "",
    start = blocks.rows,
  }
  local lines = lines_of(block)
  block.size = #lines
  blocks.list[#blocks.list + 1] = block
  blocks.index[block.id] = #blocks.list
  blocks.rows = blocks.rows + #lines
  return { row = block.start, removed = 0, lines = lines }
end

local function only_appends(block, delta)
  return delta.append
    and block.tail == ""
    and #table.concat(block.text, "", #block.text) > 0
    and not (delta.text or delta.head or delta.tail)
    and not block.text[#block.text]:find("\n$")
    and not delta.append:find("\n$")
end

local function append(blocks, position, block, delta)
  block.text[#block.text + 1] = delta.append
  local lines = vim.split(delta.append, "\n", { plain = true })
  local row = block.start + block.size - 2
  block.size = block.size + #lines - 1
  shift(blocks, position + 1, #lines - 1)
  return { row = row, removed = 0, lines = lines, inside = true }
end

local function rewrite(blocks, position, block, delta)
  if delta.text then
    block.text = { delta.text }
  end
  if delta.append then
    block.text[#block.text + 1] = delta.append
  end
  block.head, block.tail = delta.head or block.head, delta.tail or block.tail
  local lines, removed = lines_of(block), block.size
  block.size = #lines
  shift(blocks, position + 1, #lines - removed)
  return { row = block.start, removed = removed, lines = lines }
end

--- Apply a block of `acp/transcript`.
---@param blocks acp_sidecar.Blocks
---@param delta acp_sidecar.TranscriptBlock
---@return acp_sidecar.Change?
function M.apply(blocks, delta)
  local position = blocks.index[delta.id]
  if not position then
    return insert(blocks, delta)
  end
  local block = blocks.list[position]
  block.status = delta.status or block.status
  if only_appends(block, delta) then
    return append(blocks, position, block, delta)
  elseif delta.text or delta.append or delta.head or delta.tail then
    return rewrite(blocks, position, block, delta)
  end
end

--- The block of a row, found by halving.
---@param blocks acp_sidecar.Blocks
---@param row integer from 0
---@return acp_sidecar.Block?
function M.at(blocks, row)
  local low, high = 1, #blocks.list
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if blocks.list[middle].start <= row then
      low = middle
    else
      high = middle - 1
    end
  end
  return blocks.list[low]
end

local FOLDED = { thought = true, tool_call = true, terminal = true }

--- What 'foldexpr' wants for a row: thoughts, tool calls and terminals fold below their first line.
---@param blocks acp_sidecar.Blocks
---@param row integer from 0
---@return string|integer
function M.fold(blocks, row)
  local block = M.at(blocks, row)
  if not block or not FOLDED[block.kind] or block.size < 3 then
    return 0
  end
  local place = row - block.start
  return place == 0 and ">1" or place < block.size - 1 and 1 or 0
end

return M
