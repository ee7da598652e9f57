--- Permission requests: floats that take no focus, stacked; or `vim.ui.select`.

local config = require("acp_sidecar.config")
local render = require("acp_sidecar.render.permission")

---@class acp_sidecar.OpenPermission
---@field params acp_sidecar.PermissionParams
---@field thread thread the request's handler, which waits for the answer
---@field since integer milliseconds
---@field buffer integer?
---@field window integer?
---@field tab integer? the tab page of the window
---@field rule integer which of the suggested rules to remember; 0 is none

local M = { open = {} } ---@type {open: acp_sidecar.OpenPermission[]}

local function find(id)
  for index, entry in ipairs(M.open) do
    if entry.params.permissionId == id then
      return index, entry
    end
  end
end

local function size(lines)
  local width = 24
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line) + 2)
  end
  local height = 0
  width = math.min(width, math.max(20, vim.o.columns - 4))
  for _, line in ipairs(lines) do
    height = height + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  return width, math.min(height, math.max(3, vim.o.lines - 6))
end

local function arrange()
  local bottom = vim.o.lines - vim.o.cmdheight - 1
  for _, entry in ipairs(M.open) do
    if entry.window and vim.api.nvim_win_is_valid(entry.window) then
      local height = vim.api.nvim_win_get_height(entry.window)
      vim.api.nvim_win_set_config(entry.window, {
        relative = "editor",
        anchor = "SE",
        row = math.max(height + 2, bottom),
        col = vim.o.columns,
      })
      bottom = bottom - height - 2
    end
  end
end

local function close(entry)
  if entry.window and vim.api.nvim_win_is_valid(entry.window) then
    vim.api.nvim_win_close(entry.window, true)
  end
  if entry.buffer and vim.api.nvim_buf_is_valid(entry.buffer) then
    vim.api.nvim_buf_delete(entry.buffer, { force = true })
  end
end

local function settle(id, answer)
  local index, entry = find(id)
  if not index or not entry then
    return
  end
  table.remove(M.open, index)
  close(entry)
  arrange()
  coroutine.resume(entry.thread, answer)
end

local function is_inert(entry)
  return vim.uv.now() - entry.since < 1000 * (entry.params.inert or 0)
end

local function answer_of(entry, option)
  if not option then
    return vim.NIL
  end
  local rule = render.rules(entry.params)[entry.rule]
  return { optionId = option.optionId, remember = rule and rule.remember }
end

local function press(entry, option)
  if not is_inert(entry) then
    settle(entry.params.permissionId, answer_of(entry, option))
  end
end

local function write(entry)
  local lines, first = render.lines(entry.params, entry.rule)
  vim.bo[entry.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(entry.buffer, 0, -1, false, lines)
  vim.bo[entry.buffer].modifiable = false
  return lines, math.min(first, #lines)
end

-- Walks through what may be remembered; only the answer makes a rule of it.
local function next_rule(entry)
  if not is_inert(entry) then
    entry.rule = (entry.rule + 1) % (#render.rules(entry.params) + 1)
    local width, height = size((write(entry)))
    vim.api.nvim_win_set_config(entry.window, { width = width, height = height })
    arrange()
  end
end

local function map_keys(entry)
  local function map(key, option)
    vim.keymap.set("n", key, function()
      press(entry, option)
    end, { buffer = entry.buffer, nowait = true })
  end
  for index, option in ipairs(entry.params.options) do
    if index < 10 then -- the others by `:Acp permissions NUMBER`
      map(tostring(index), option)
    end
  end
  if #render.rules(entry.params) > 0 then
    vim.keymap.set("n", "r", function()
      next_rule(entry)
    end, { buffer = entry.buffer, nowait = true, desc = "Choose what to remember" })
  end
  map("q")
  map("<Esc>")
end

local function show(entry)
  entry.buffer = vim.api.nvim_create_buf(false, true)
  local lines, first = write(entry)
  vim.bo[entry.buffer].bufhidden = "wipe"
  vim.bo[entry.buffer].filetype = "acp-permission"
  local width, height = size(lines)
  entry.window = vim.api.nvim_open_win(entry.buffer, false, {
    relative = "editor",
    anchor = "SE",
    row = vim.o.lines - 1,
    col = vim.o.columns,
    width = width,
    height = height,
    style = "minimal",
    border = "rounded",
    title = (" %s asks · :Acp permissions "):format(entry.params.agent),
    noautocmd = true,
  })
  entry.tab = vim.api.nvim_get_current_tabpage()
  vim.wo[entry.window].wrap = true
  vim.wo[entry.window].winfixbuf = true
  vim.api.nvim_win_set_cursor(entry.window, { first, 0 })
  map_keys(entry)
  arrange()
end

local function label_of(item)
  return item.name or item.label
end

local select

-- By `vim.ui.select`: what to remember is asked first, the question itself comes again after it.
local function select_rule(entry)
  local items = { { label = "Nothing" } }
  vim.list_extend(items, render.rules(entry.params))
  vim.ui.select(items, { prompt = "Remember: ", format_item = label_of }, function(item, index)
    entry.rule = item and index - 1 or 0
    vim.schedule(function()
      select(entry)
    end)
  end)
end

function select(entry)
  if not find(entry.params.permissionId) then
    return -- settled meanwhile
  end
  local lines, first = render.lines(entry.params, entry.rule)
  local items = vim.deepcopy(entry.params.options)
  local rules = render.rules(entry.params)
  if #rules > 0 then
    local now = rules[entry.rule] and rules[entry.rule].label or "no"
    items[#items + 1] = { name = "Remember: " .. now .. " …", is_rule = true }
  end
  vim.ui.select(items, {
    prompt = table.concat(vim.list_slice(lines, 1, first - 2), "\n") .. "\n",
    kind = "acp_sidecar.permission",
    format_item = label_of,
  }, function(item)
    vim.schedule(function()
      if item and item.is_rule then
        return select_rule(entry)
      end
      settle(entry.params.permissionId, answer_of(entry, item))
    end)
  end)
end

--- The handler of `acp/permission`: waits for the answer.
---@param params acp_sidecar.PermissionParams
---@return acp_sidecar.PermissionAnswer|userdata
function M.ask(params)
  local thread = assert(coroutine.running())
  local entry = { params = params, thread = thread, since = vim.uv.now(), rule = 0 }
  M.open[#M.open + 1] = entry
  if config.values.permission.ui == "select" then
    vim.schedule(function()
      select(entry)
    end)
  else
    show(entry)
  end
  return coroutine.yield()
end

--- A permission is over, whoever settled it.
---@param params acp_sidecar.PermissionSettledParams
function M.settled(params)
  settle(params.permissionId, vim.NIL)
end

--- Go to the oldest open float; open it again if its window was closed.
function M.focus()
  local entry = M.open[1]
  if not entry then
    return vim.notify("acp-sidecar: nothing is asked")
  end
  if config.values.permission.ui == "select" then
    return select(entry)
  end
  if not entry.window or not vim.api.nvim_win_is_valid(entry.window) then
    show(entry)
  end
  vim.api.nvim_set_current_win(entry.window)
end

--- Answer the oldest open permission by the number of an option, as the command line does.
---@param number integer
---@param scope? "session"|"workspace" remember it so far, by the first rule that is suggested
function M.answer(number, scope)
  local entry = M.open[1]
  local option = entry and entry.params.options[number]
  if not option then
    return vim.notify("acp-sidecar: there is no such option", vim.log.levels.WARN)
  end
  for index, rule in ipairs(scope and render.rules(entry.params) or {}) do
    if rule.remember.scope == scope then
      entry.rule = index
      break
    end
  end
  settle(entry.params.permissionId, answer_of(entry, option))
end

-- A float belongs to a tab: it goes where the user goes, and keeps how long it has been seen. One
-- that the user has closed stays closed; one that went with its tab does not.
local function follow_tab()
  local here = vim.api.nvim_get_current_tabpage()
  for _, entry in ipairs(M.open) do
    local shown = entry.window and vim.api.nvim_win_is_valid(entry.window)
    local lost = entry.tab and not vim.api.nvim_tabpage_is_valid(entry.tab)
    if lost or (shown and entry.tab ~= here) then
      close(entry)
      show(entry)
    end
  end
end

local group = vim.api.nvim_create_augroup("acp_sidecar.permission", {})
vim.api.nvim_create_autocmd("TabEnter", { group = group, callback = vim.schedule_wrap(follow_tab) })
vim.api.nvim_create_autocmd("VimResized", { group = group, callback = arrange })

function M.reset()
  for _, entry in ipairs(M.open) do
    close(entry) -- nobody waits for an answer any more
  end
  M.open = {}
end

return M
