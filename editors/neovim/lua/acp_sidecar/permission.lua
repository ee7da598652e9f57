--- Permission requests: floats that take no focus, stacked; or `vim.ui.select`.

local config = require("acp_sidecar.config")
local render = require("acp_sidecar.render.permission")

---@class acp_sidecar.OpenPermission
---@field params acp_sidecar.PermissionParams
---@field thread thread the request's handler, which waits for the answer
---@field since integer milliseconds
---@field buffer integer?
---@field window integer?

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

local function press(entry, option)
  if is_inert(entry) then
    return
  end
  settle(entry.params.permissionId, option and { optionId = option.optionId } or vim.NIL)
end

local function map_keys(entry)
  local function map(key, option)
    vim.keymap.set("n", key, function()
      press(entry, option)
    end, { buffer = entry.buffer, nowait = true })
  end
  for index, option in ipairs(entry.params.options) do
    map(tostring(index), option)
  end
  map("q")
  map("<Esc>")
end

local function show(entry)
  local lines, first = render.lines(entry.params)
  entry.buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(entry.buffer, 0, -1, false, lines)
  vim.bo[entry.buffer].modifiable = false
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
  vim.wo[entry.window].wrap = true
  vim.wo[entry.window].winfixbuf = true
  vim.api.nvim_win_set_cursor(entry.window, { math.min(first, #lines), 0 })
  map_keys(entry)
  arrange()
end

local function select(entry)
  local lines = render.lines(entry.params)
  local names = {}
  for _, option in ipairs(entry.params.options) do
    names[#names + 1] = option.name
  end
  local id = entry.params.permissionId
  local title = table.concat(vim.list_slice(lines, 1, #lines - #names - 2), "\n")
  vim.ui.select(
    names,
    { prompt = title .. "\n", kind = "acp_sidecar.permission" },
    function(_, index)
      vim.schedule(function()
        local option = index and entry.params.options[index]
        settle(id, option and { optionId = option.optionId } or vim.NIL)
      end)
    end
  )
end

--- The handler of `acp/permission`: waits for the answer.
---@param params acp_sidecar.PermissionParams
---@return acp_sidecar.PermissionAnswer|userdata
function M.ask(params)
  local entry = { params = params, thread = assert(coroutine.running()), since = vim.uv.now() }
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
function M.answer(number)
  local entry = M.open[1]
  local option = entry and entry.params.options[number]
  if not option then
    return vim.notify("acp-sidecar: there is no such option", vim.log.levels.WARN)
  end
  settle(entry.params.permissionId, { optionId = option.optionId })
end

function M.reset()
  for _, entry in ipairs(M.open) do
    close(entry) -- nobody waits for an answer any more
  end
  M.open = {}
end

return M
