--- Terminals of the agent in terminal buffers. Output is asked for when one is opened, so that late
--- opening shows everything; from then on what is pushed is appended.

local client = require("acp_sidecar.client")
local sessions = require("acp_sidecar.sessions")

---@class acp_sidecar.ShownTerminal
---@field sessionId string
---@field terminalId string
---@field command? string
---@field exitStatus? acp_sidecar.TerminalExit
---@field buffer? integer
---@field channel? integer
---@field next? integer bytes shown so far
---@field asking? boolean

local M = { all = {}, order = {} } ---@type {all: table<string, acp_sidecar.ShownTerminal>, order: string[]}

local function key(params)
  return params.sessionId .. "\n" .. params.terminalId
end

local function of(params)
  local id = key(params)
  if not M.all[id] then
    M.all[id] = { sessionId = params.sessionId, terminalId = params.terminalId }
    M.order[#M.order + 1] = id
  end
  return M.all[id]
end

local function is_shown(terminal)
  return terminal.channel ~= nil and vim.api.nvim_buf_is_valid(terminal.buffer)
end

local function send(terminal, text)
  vim.api.nvim_chan_send(terminal.channel, text)
end

local function new_buffer(terminal)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = "hide"
  vim.keymap.set("n", "<C-c>", function()
    client.execute(
      "acp.terminal.stop",
      { sessionId = terminal.sessionId, terminalId = terminal.terminalId }
    )
  end, { buffer = buffer, desc = "Stop the command" })
  return buffer
end

-- As Neovim has its own terminals.
local function dress(window, terminal)
  local set = vim.wo[window][0]
  set.winbar = (terminal.command or terminal.terminalId):gsub("%%", "%%%%"):gsub("%c", " ") .. ""
  set.number, set.relativenumber, set.signcolumn = false, false, "no"
  set.wrap, set.list, set.foldcolumn, set.scrolloff = false, false, "0", 0
end

-- Neovim follows a terminal's end only where the cursor is there.
local function go_to_end(window, buffer)
  vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(buffer), 0 })
end

-- The emulator is begun in its window: where its size changes afterwards, Neovim loses lines that
-- it is given at that moment.
local function begin(terminal, buffer, windows)
  terminal.buffer, terminal.next, terminal.told = buffer, 0, nil
  for _, window in ipairs(windows) do
    vim.api.nvim_win_set_buf(window, buffer)
    dress(window, terminal)
  end
  terminal.channel = vim.api.nvim_win_call(windows[1], function()
    return vim.api.nvim_open_term(buffer, {})
  end)
  for _, window in ipairs(windows) do
    go_to_end(window, buffer)
  end
end

local function name_of(terminal)
  return ("acp-terminal://%s/%s"):format(terminal.sessionId, terminal.terminalId)
end

-- What scrolled out of an emulator cannot be cleared: another one takes its place, or will when it
-- is opened again.
local function clear(terminal)
  local old, windows = terminal.buffer, vim.fn.win_findbuf(terminal.buffer)
  terminal.channel = nil
  if #windows > 0 then
    begin(terminal, new_buffer(terminal), windows)
  end
  vim.api.nvim_buf_delete(old, { force = true })
  if #windows > 0 then
    vim.api.nvim_buf_set_name(terminal.buffer, name_of(terminal))
  end
end

local function put(terminal, params)
  if params.reset and terminal.next > 0 then
    clear(terminal)
    if not is_shown(terminal) then
      return
    end
  end
  if params.skipped and params.skipped > 0 and (params.offset or 0) > terminal.next then
    send(terminal, ("\27[2m[%d bytes are no longer kept]\27[0m\r\n"):format(params.skipped))
  end
  local data = params.data and vim.base64.decode(params.data) or ""
  local known = math.max(0, terminal.next - (params.offset or terminal.next))
  if #data > known then
    send(terminal, data:sub(known + 1))
  end
  terminal.next = math.max(terminal.next, params.next or terminal.next)
end

local function tell_end(terminal)
  local status = terminal.exitStatus
  if status and is_shown(terminal) and not terminal.told then
    terminal.told = true
    local how = status.signal and ("signal " .. status.signal)
      or ("status " .. tostring(status.exitCode))
    send(terminal, "\r\n\27[2m[ended with " .. how .. "]\27[0m\r\n")
  end
end

local function catch_up(terminal)
  terminal.asking = true
  local arguments =
    { sessionId = terminal.sessionId, terminalId = terminal.terminalId, offset = terminal.next }
  client.execute("acp.terminal.output", arguments, function(params)
    terminal.asking = false
    if not is_shown(terminal) then
      return
    end
    put(terminal, params)
    if params.more then
      return catch_up(terminal)
    end
    tell_end(terminal)
  end)
end

--- Take news of a terminal.
---@param params acp_sidecar.TerminalParams
function M.update(params)
  local terminal = of(params)
  terminal.command = params.command or terminal.command
  terminal.exitStatus = params.exitStatus or (not params.reset and terminal.exitStatus or nil)
  if not is_shown(terminal) or terminal.asking then
    return
  end
  if params.reset or (params.offset or terminal.next) <= terminal.next then
    put(terminal, params)
    tell_end(terminal)
  else
    catch_up(terminal)
  end
end

local function show(terminal)
  local fresh = not is_shown(terminal)
  local buffer = fresh and new_buffer(terminal) or terminal.buffer
  if #vim.fn.win_findbuf(buffer) == 0 then
    local place = { split = "below", win = -1, height = 12 }
    local window = vim.api.nvim_open_win(buffer, false, place)
    if not fresh then
      dress(window, terminal)
      go_to_end(window, buffer)
    else
      begin(terminal, buffer, { window })
      vim.api.nvim_buf_set_name(buffer, name_of(terminal))
    end
  end
  if fresh then
    catch_up(terminal)
  end
  return terminal.buffer
end

--- Open a terminal: by id, or the newest one, or after a question if there are several.
---@param terminal_id? string
function M.open(terminal_id)
  local here = vim.tbl_filter(function(id)
    local terminal = M.all[id]
    return (terminal_id == nil and terminal.sessionId == sessions.last)
      or terminal.terminalId == terminal_id
  end, M.order)
  if #here == 0 then
    return vim.notify("acp-sidecar: the agent has run nothing")
  elseif #here == 1 then
    return show(M.all[here[1]])
  end
  vim.ui.select(vim.iter(here):rev():totable(), {
    prompt = "Terminal: ",
    format_item = function(id)
      return M.all[id].command or M.all[id].terminalId
    end,
  }, function(id)
    if id then
      show(M.all[id])
    end
  end)
end

--- Ids for completion.
function M.ids()
  return vim.tbl_map(function(id)
    return M.all[id].terminalId
  end, M.order)
end

function M.reset()
  M.all, M.order = {}, {} -- the buffers stay
end

return M
