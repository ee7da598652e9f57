--- Change sets: drawn in their buffers, walked through, accepted, rejected, compared.

local client = require("acp_sidecar.client")
local config = require("acp_sidecar.config")
local render = require("acp_sidecar.render.hunks")

---@class acp_sidecar.ReviewSet: acp_sidecar.SetDelta
---@field files acp_sidecar.FileView[] by index of the file plus one

local M = { sets = {}, order = {}, namespace = vim.api.nvim_create_namespace("acp_sidecar.review") }

local mapped = {} ---@type table<integer, boolean>
local COMMANDS = { accept = "acp.review.accept", reject = "acp.review.reject" }

local function highlights()
  for name, link in pairs({
    AcpAdd = "DiffAdd",
    AcpDelete = "DiffDelete",
    AcpAddWord = "DiffText",
    AcpDeleteWord = "DiffText",
    AcpFile = "DiagnosticVirtualTextInfo",
    AcpSignProposed = "DiagnosticSignWarn",
    AcpSignApplied = "DiagnosticSignOk",
  }) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

local function told_by_calls()
  local paths = {}
  for _, set in pairs(M.sets) do
    for _, file in ipairs(set.toolCallId and set.files or {}) do
      paths[file.path] = true
    end
  end
  return paths
end

--- All files of all sets, in order. The net change of a session tells the same twice: of it, only
--- files that no tool call tells of.
---@return {set: acp_sidecar.ReviewSet, file: acp_sidecar.FileView}[]
function M.files()
  local found, told = {}, told_by_calls()
  for _, id in ipairs(M.order) do
    local set = M.sets[id]
    for _, file in ipairs(set.files) do
      if set.toolCallId or not told[file.path] then
        found[#found + 1] = { set = set, file = file }
      end
    end
  end
  return found
end

--- All hunks that are wanted, in order.
---@return {set: acp_sidecar.ReviewSet, file: acp_sidecar.FileView, hunk: acp_sidecar.HunkView}[]
function M.hunks(wanted)
  local found = {}
  for _, entry in ipairs(M.files()) do
    for _, hunk in ipairs(entry.file.hunks) do
      if wanted(hunk, entry.file, entry.set) then
        found[#found + 1] = { set = entry.set, file = entry.file, hunk = hunk }
      end
    end
  end
  return found
end

local function is_of(file, buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local path = vim.uv.fs_realpath(name) or name
  return file.path == path or file.path == name or file.oldPath == path or file.oldPath == name
end

local function in_buffer(buffer)
  return M.hunks(function(hunk, file)
    return render.is_open(hunk) and is_of(file, buffer)
  end)
end

-- Files whose change is more than their hunks, or has none: new, gone, moved, binary.
local function whole_files(buffer)
  return vim.tbl_filter(function(entry)
    local file = entry.file
    return file.open and (file.operation ~= "modify" or #file.hunks == 0) and is_of(file, buffer)
  end, M.files())
end

local function map(buffer)
  if mapped[buffer] or not config.values.review.maps then
    return
  end
  mapped[buffer] = true
  vim.keymap.set(
    "n",
    "]a",
    "<Plug>(acp-next-hunk)",
    { buffer = buffer, desc = "Next hunk of the agent" }
  )
  vim.keymap.set(
    "n",
    "[a",
    "<Plug>(acp-previous-hunk)",
    { buffer = buffer, desc = "Previous hunk of the agent" }
  )
end

local function unmap(buffer)
  if mapped[buffer] then
    mapped[buffer] = nil
    pcall(vim.keymap.del, "n", "]a", { buffer = buffer })
    pcall(vim.keymap.del, "n", "[a", { buffer = buffer })
  end
end

--- Draw a buffer's hunks anew.
---@param buffer integer
function M.redraw(buffer)
  if not client.is_file(buffer) then
    return
  end
  vim.api.nvim_buf_clear_namespace(buffer, M.namespace, 0, -1)
  local entries, lines = in_buffer(buffer), vim.api.nvim_buf_line_count(buffer)
  for _, entry in ipairs(entries) do
    for _, mark in ipairs(render.marks(entry.hunk, lines)) do
      vim.api.nvim_buf_set_extmark(buffer, M.namespace, mark.row, mark.column or 0, mark.options)
    end
  end
  require("acp_sidecar.above").make_room(buffer, M.namespace)
  for _, entry in ipairs(whole_files(buffer)) do
    local mark = render.file_mark(entry.set, entry.file)
    vim.api.nvim_buf_set_extmark(buffer, M.namespace, mark.row, 0, mark.options)
  end
  if #entries > 0 then
    map(buffer)
  else
    unmap(buffer)
  end
end

local function redraw_all()
  highlights()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    M.redraw(buffer)
  end
end

local function merge(delta)
  local old = M.sets[delta.changeSet]
  if not old then
    M.order[#M.order + 1] = delta.changeSet
  end
  local files = old and old.files or {}
  for _, file in ipairs(delta.files) do
    files[file.file + 1] = file
  end
  for index = #files, delta.fileCount + 1, -1 do
    files[index] = nil
  end
  M.sets[delta.changeSet] = vim.tbl_extend("force", delta, { files = files })
end

--- Take news of change sets.
---@param delta acp_sidecar.ReviewDelta
function M.update(delta)
  vim.iter(delta.changeSets):each(merge)
  for _, id in ipairs(delta.removed) do
    M.sets[id] = nil
  end
  M.order = vim.tbl_filter(function(id)
    return M.sets[id] ~= nil
  end, M.order)
  require("acp_sidecar.sessions").reload()
  redraw_all()
end

--- Go to the next (1) or the previous (-1) open hunk of the buffer, round its end.
---@param direction 1|-1
function M.jump(direction)
  local rows = {}
  for _, entry in ipairs(in_buffer(0)) do
    rows[#rows + 1] = math.max(1, entry.hunk.range.startLine)
  end
  table.sort(rows)
  if #rows == 0 then
    return vim.notify("acp-sidecar: nothing to review in this buffer")
  end
  local here, target = vim.api.nvim_win_get_cursor(0)[1], nil
  for index = direction > 0 and 1 or #rows, direction > 0 and #rows or 1, direction do
    if (rows[index] - here) * direction > 0 then
      target = rows[index]
      break
    end
  end
  target = target or (direction > 0 and rows[1] or rows[#rows])
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { math.min(target, vim.api.nvim_buf_line_count(0)), 0 })
end

--- The open hunks of the current buffer that touch lines `first` to `last`, from 1.
local function touching(first, last)
  return vim.tbl_filter(function(entry)
    local range = entry.hunk.range
    return range.startLine <= last and math.max(range.startLine, range.endLine) >= first
  end, in_buffer(0))
end

local function tell(result)
  for _, failure in ipairs(result and result.failed or {}) do
    vim.notify("acp-sidecar: " .. failure.reason, vim.log.levels.WARN)
  end
end

-- One after the other: the lines of the next hunk are known only when the last one is done.
local function each(command, entries, index)
  local entry = entries[index]
  if not entry then
    return
  end
  local arguments =
    { changeSet = entry.set.changeSet, file = entry.file.file, hunk = entry.hunk.hunk }
  client.execute(command, arguments, function(result)
    tell(result)
    each(command, entries, index + 1)
  end)
end

local function each_file(command, entries, index)
  local entry = entries[index]
  if entry then
    local arguments = { changeSet = entry.set.changeSet, file = entry.file.file }
    client.execute(command, arguments, function(result)
      tell(result)
      each_file(command, entries, index + 1)
    end)
  end
end

local function files_of_buffer()
  return vim.tbl_filter(function(entry)
    return is_of(entry.file, vim.api.nvim_get_current_buf())
  end, M.files())
end

-- A hunk is taken whole: say so where only a part of it was selected.
local function tell_partial(entries, first, last)
  for _, entry in ipairs(entries) do
    local range = entry.hunk.range
    if range.startLine < first or range.endLine > last then
      vim.notify(
        ("acp-sidecar: lines %d to %d are one hunk, which is taken as a whole"):format(
          range.startLine,
          range.endLine
        )
      )
    end
  end
end

--- Accept or reject what is meant.
---@param action "accept"|"reject"
---@param scope "hunk"|"file"|"all"
---@param first? integer first line, for hunks; the cursor's by default
---@param last? integer
function M.choose(action, scope, first, last)
  local command = COMMANDS[action]
  if scope == "all" then
    return client.execute(command, {}, tell)
  elseif scope == "file" then
    return each_file(command, files_of_buffer(), 1)
  end
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local entries = touching(first or line, last or line)
  if #entries > 0 then
    if first and last then
      tell_partial(entries, first, last)
    end
    return each(command, entries, 1)
  end
  local whole = whole_files(vim.api.nvim_get_current_buf())
  if #whole == 0 then
    return vim.notify("acp-sidecar: no hunk here; ]a goes to the next one")
  end
  each_file(command, whole, 1)
end

local function hunk_item(set, file, hunk)
  local line = hunk.range and hunk.range.startLine or hunk.newStart
  return {
    filename = file.path,
    lnum = math.max(1, line),
    text = render.title(set, hunk),
    type = hunk.state == "conflict" and "W" or "I",
  }
end

local function items(wanted)
  local found = {}
  for _, entry in ipairs(M.files()) do
    local set, file = entry.set, entry.file
    if wanted(file) then
      if file.operation ~= "modify" or #file.hunks == 0 then
        local path = file.operation == "move" and not vim.uv.fs_stat(file.path) and file.oldPath
        found[#found + 1] = {
          filename = path or file.path,
          lnum = 1,
          text = render.file_title(set, file),
          type = "I",
        }
      end
      for _, hunk in ipairs(file.hunks) do
        found[#found + 1] = hunk_item(set, file, hunk)
      end
    end
  end
  return found
end

--- All hunks and files as a quickfix list, or those of the current file as a location list.
---@param is_local? boolean
function M.list(is_local)
  local buffer = vim.api.nvim_get_current_buf()
  local found = items(function(file)
    return not is_local or is_of(file, buffer)
  end)
  if #found == 0 then
    return vim.notify("acp-sidecar: nothing to review" .. (is_local and " in this file" or ""))
  end
  local what = { title = "Changes by the agent", items = found }
  if is_local then
    vim.fn.setloclist(0, {}, " ", what)
    vim.cmd("lopen")
  else
    vim.fn.setqflist({}, " ", what)
    vim.cmd("botright copen")
  end
end

local function scratch(text, filetype)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(
    buffer,
    0,
    -1,
    false,
    vim.split((text:gsub("\n$", "")), "\n", { plain = true })
  )
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = filetype
  return buffer
end

local function show_diff(texts)
  local filetype = vim.filetype.match({ filename = texts.path }) or ""
  local before, after = scratch(texts.before.text, filetype), scratch(texts.after.text, filetype)
  vim.cmd.tabnew()
  local name = vim.fn.fnamemodify(texts.path, ":t")
  for _, side in ipairs({ { before, "before" }, { after, "after" } }) do
    if side[2] == "after" then
      vim.cmd("rightbelow vsplit")
    end
    vim.api.nvim_win_set_buf(0, side[1])
    vim.wo.winbar = name .. ", " .. side[2]
    vim.cmd.diffthis()
  end
end

local function newest_file(wanted)
  local found
  for _, entry in ipairs(M.files()) do
    if wanted(entry.file) then
      found = { changeSet = entry.set.changeSet, file = entry.file.file }
    end
  end
  return found
end

--- Compare the newest change of the current file, else of any, side by side in a tab.
function M.diff()
  local buffer = vim.api.nvim_get_current_buf()
  local arguments = newest_file(function(file)
    return is_of(file, buffer)
  end) or newest_file(function()
    return true
  end)
  if not arguments then
    return vim.notify("acp-sidecar: nothing to review")
  end
  client.execute("acp.review.texts", arguments, show_diff)
end

function M.reset()
  M.sets, M.order = {}, {}
  redraw_all()
end

return M
