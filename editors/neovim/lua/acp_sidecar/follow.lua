--- Moves the followed window to where the agent is, and reports what the user does in it.

local client = require("acp_sidecar.client")
local config = require("acp_sidecar.config")
local swap = require("acp_sidecar.swap")

local M = { state = nil, window = nil } ---@type {state: acp_sidecar.FollowPayload?, window: integer?}

local group = vim.api.nvim_create_augroup("acp_sidecar.follow", {})
local shown_move = 0
local chosen ---@type integer? the window that the user has dedicated
local moving = false -- what happens meanwhile is ours
local own ---@type {buffer: integer, line: integer, top: integer, tick: integer, move: integer}? what our last move made

local function is_ordinary(window)
  local buffer = vim.api.nvim_win_get_buf(window)
  return vim.api.nvim_win_get_config(window).relative == ""
    and vim.bo[buffer].buftype == ""
    and not vim.wo[window].winfixbuf
    and not vim.wo[window].previewwindow
    and not vim.wo[window].diff
end

-- The window that the user is in while they type, select or answer is never taken.
local function is_free(window)
  return is_ordinary(window)
    and (window ~= vim.api.nvim_get_current_win() or vim.api.nvim_get_mode().mode == "n")
end

local function split()
  local current = vim.api.nvim_get_current_win()
  local buffer = vim.api.nvim_win_get_buf(current)
  return vim.api.nvim_open_win(buffer, false, { split = "right", win = current })
end

local function auto(buffer)
  local windows = vim.tbl_filter(is_free, vim.api.nvim_tabpage_list_wins(0))
  local current = vim.api.nvim_get_current_win()
  table.sort(windows, function(a, b)
    local function rank(window)
      return (window == M.window and 4 or 0)
        + (vim.api.nvim_win_get_buf(window) == buffer and 2 or 0)
        + (window ~= current and 1 or 0)
    end
    local left, right = rank(a), rank(b)
    return left == right and a < b or left > right
  end)
  return windows[1]
end

local function pick(buffer)
  if chosen and vim.api.nvim_win_is_valid(chosen) then
    return is_free(chosen) and chosen or nil
  end
  if config.values.follow.window == "split" then
    chosen = split()
    return chosen
  end
  return auto(buffer)
end

-- A file that another Neovim has open is shown read-only: nobody is asked in the middle of a move.
local function load(path)
  local buffer = vim.fn.bufadd(path)
  if not swap.load(buffer) then
    return nil
  end
  vim.bo[buffer].buflisted = true
  return buffer
end

local function view_of(window)
  return vim.api.nvim_win_call(window, function()
    return { top = vim.fn.line("w0"), line = vim.fn.line("."), bottom = vim.fn.line("w$") }
  end)
end

local function place_cursor(window, first, last)
  vim.api.nvim_win_set_cursor(window, { first, 0 })
  vim.api.nvim_win_call(window, function()
    if vim.fn.foldclosed(first) ~= -1 then
      vim.cmd("normal! zv")
    end
    local height = vim.api.nvim_win_get_height(window)
    local top = vim.fn.line("w0")
    if first < top or math.min(last, first + height - 1) > vim.fn.line("w$") then
      local middle = math.floor((first + last) / 2) - math.floor(height / 2)
      vim.fn.winrestview({ topline = math.max(1, math.min(middle, first)) })
    end
  end)
end

local function show(window, buffer, range)
  if vim.api.nvim_win_get_buf(window) ~= buffer then
    vim.api.nvim_win_call(window, function()
      vim.cmd("keepalt keepjumps buffer " .. buffer)
    end)
  end
  local count = vim.api.nvim_buf_line_count(buffer)
  local first = math.min(range.start.line + 1, count)
  place_cursor(window, first, math.max(first, math.min(range["end"].line, count)))
end

local function record(window, move)
  local view, buffer = view_of(window), vim.api.nvim_win_get_buf(window)
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  return { buffer = buffer, line = view.line, top = view.top, tick = tick, move = move }
end

local function go(target)
  local buffer = load(target.path)
  local window = buffer and pick(buffer)
  if not buffer or not window then
    return
  end
  moving = true
  local ok = pcall(show, window, buffer, target.range)
  moving = false
  M.window = ok and window or nil
  own = ok and record(window, target.move) or nil
end

local function is_as_left(window)
  if not own or vim.api.nvim_win_get_buf(window) ~= own.buffer then
    return false
  end
  local view = view_of(window)
  return view.line == own.line and view.top == own.top
end

--- Do something that may change the followed view by itself, such as reloading a file.
---@param act fun()
function M.keep(act)
  local window = M.window
  local ours = window and vim.api.nvim_win_is_valid(window) and is_as_left(window)
  act()
  if ours and vim.api.nvim_win_is_valid(window) then
    own = record(window, own.move)
  end
end

--- Take the state of following; go to a target that has a new move.
---@param state acp_sidecar.FollowPayload
function M.update(state)
  require("acp_sidecar.presence").draw(state.presence)
  M.state = state
  local target = state.target
  local live = state.mode == "on" and (state.paused == nil or state.paused == "trail")
  if target and target.move ~= shown_move then
    shown_move = target.move
    if live then
      go(target)
    end
  end
  vim.cmd.redrawstatus({ bang = true })
end

local function report(kind, buffer, move)
  client.notify("acp/userActivity", { kind = kind, uri = vim.uri_from_bufnr(buffer), move = move })
end

--- Report a change of the view in the followed window; ours if it is as our last move left it.
local function report_view(kind)
  local window = M.window
  if moving or not window or not vim.api.nvim_win_is_valid(window) then
    return
  end
  local buffer, view = vim.api.nvim_win_get_buf(window), view_of(window)
  if not own or not client.is_file(buffer) then
    return
  elseif buffer ~= own.buffer then
    report("switched", buffer)
    own = nil
  elseif view.line ~= own.line or (kind == "scrolled" and view.top ~= own.top) then
    report(kind, buffer)
    own = nil
  else
    report(kind, buffer, own.move)
  end
end

local function on_current(kind)
  return function()
    if vim.api.nvim_get_current_win() == M.window then
      report_view(kind)
    end
  end
end

-- A window that gets another size scrolls by itself: that is nobody's wish.
local function on_scroll()
  local change = M.window and vim.v.event[tostring(M.window)]
  if not change then
    return
  elseif
    own
    and (change.height ~= 0 or change.width ~= 0)
    and vim.api.nvim_win_is_valid(M.window)
  then
    own = vim.api.nvim_win_get_buf(M.window) == own.buffer and record(M.window, own.move) or own
  end
  report_view("scrolled")
end

local function on_typed(event)
  local is_ours = own and own.tick == vim.api.nvim_buf_get_changedtick(event.buf)
  if
    vim.api.nvim_get_current_win() == M.window
    and not moving
    and client.is_file(event.buf)
    and not (is_ours and event.event == "TextChanged")
  then
    report("typed", event.buf)
    own = nil
  end
end

local function on_closed(event)
  if tonumber(event.match) == M.window then
    report("closed", event.buf)
    M.window, own = nil, nil
  end
end

--- Begin to report.
function M.watch()
  vim.api.nvim_clear_autocmds({ group = group })
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, callback = callback })
  end
  on({ "CursorMoved", "CursorMovedI", "ModeChanged" }, on_current("selected"))
  on("WinScrolled", on_scroll)
  on("BufWinEnter", on_current("switched"))
  on({ "TextChanged", "TextChangedI", "InsertEnter" }, on_typed)
  on("WinClosed", on_closed)
end

--- Dedicate the current window to following.
function M.use_this_window()
  chosen = vim.api.nvim_get_current_win()
  M.window = chosen
end

function M.reset()
  M.state, own, shown_move = nil, nil, 0
end

return M
