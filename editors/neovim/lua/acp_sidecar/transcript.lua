--- Transcript buffers: Markdown that grows as the session does.

local client = require("acp_sidecar.client")
local config = require("acp_sidecar.config")
local model = require("acp_sidecar.render.blocks")
local sessions = require("acp_sidecar.sessions")
local status = require("acp_sidecar.render.status")

---@class acp_sidecar.Transcript
---@field blocks acp_sidecar.Blocks
---@field buffer integer?

local M = { all = {} } ---@type {all: table<string, acp_sidecar.Transcript>}

local PLAIN_FROM = 1000 -- lines from which on a transcript is shown without highlighting

local function of(session)
  M.all[session] = M.all[session] or { blocks = model.new() }
  return M.all[session]
end

local function is_shown(transcript)
  return transcript.buffer ~= nil and vim.api.nvim_buf_is_loaded(transcript.buffer)
end

-- A window follows the end only when its cursor is there.
local function windows_at_end(buffer)
  local last = vim.api.nvim_buf_line_count(buffer)
  return vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_cursor(window)[1] >= last - 1
  end, vim.fn.win_findbuf(buffer))
end

local function write(buffer, change)
  local row = change.row
  if change.inside then
    local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1]
    vim.api.nvim_buf_set_text(buffer, row, #line, row, #line, change.lines)
  else
    vim.api.nvim_buf_set_lines(buffer, row, row + change.removed, false, change.lines)
  end
end

-- Vim's Markdown syntax costs tens of milliseconds for each change of a large buffer.
local function spare(buffer)
  if vim.bo[buffer].syntax ~= "OFF" and vim.api.nvim_buf_line_count(buffer) > PLAIN_FROM then
    vim.treesitter.stop(buffer)
    vim.bo[buffer].syntax = "OFF"
  end
end

local function edit(buffer, make)
  local following = windows_at_end(buffer)
  vim.bo[buffer].modifiable = true
  make()
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  spare(buffer)
  local last = vim.api.nvim_buf_line_count(buffer)
  for _, window in ipairs(following) do
    vim.api.nvim_win_set_cursor(window, { last, 0 })
  end
end

local function text_of(blocks)
  local lines = {}
  for _, block in ipairs(blocks.list) do
    local change =
      model.apply(model.new(), vim.tbl_extend("force", block, { text = table.concat(block.text) }))
    vim.list_extend(lines, change.lines)
  end
  return lines
end

--- Take blocks, new ones and changes.
---@param params acp_sidecar.TranscriptParams
function M.update(params)
  local transcript = of(params.sessionId)
  local changes = {}
  if params.reset then
    transcript.blocks = model.new()
  end
  for _, delta in ipairs(params.blocks) do
    changes[#changes + 1] = model.apply(transcript.blocks, delta)
  end
  if is_shown(transcript) then
    edit(transcript.buffer, function()
      if params.reset then
        vim.api.nvim_buf_set_lines(transcript.buffer, 0, -1, false, {})
      end
      for _, change in ipairs(changes) do
        write(transcript.buffer, change)
      end
    end)
  end
end

--- 'foldexpr' of transcript buffers.
function M.fold()
  local transcript = M.all[vim.b.acp_session]
  return transcript and model.fold(transcript.blocks, vim.v.lnum - 1) or 0
end

--- 'winbar' of transcript windows.
function M.winbar()
  local buffer = vim.api.nvim_win_get_buf(vim.g.statusline_winid or 0)
  return status.winbar(sessions.all[vim.b[buffer].acp_session])
end

local function place_under_cursor()
  local word = vim.fn.expand("<cWORD>"):gsub("^[`(%[<]+", ""):gsub("[`)%]>,.;]+$", "")
  local line = vim.api.nvim_get_current_line()
  local column = vim.api.nvim_win_get_cursor(0)[2] + 1
  for first, target, last in line:gmatch("()%b[]%(([^)]*)%)()") do
    if first <= column and column < last then
      word = target
    end
  end
  return word
end

local function read_place(text)
  text = vim.uri_decode(text:gsub("^<", ""):gsub(">$", "") .. "")
  text = text:gsub("^file://", "")
  local path, line = text:match("^(.-)[:#]L?(%d+)")
  return path or text, tonumber(line)
end

local function absolute(path)
  local session = sessions.all[vim.b.acp_session]
  local folder = session and session.cwd or vim.fn.getcwd()
  return vim.startswith(path, "/") and path or vim.fs.joinpath(folder, path)
end

--- Open the place under the cursor in another window.
function M.open_place()
  local path, line = read_place(place_under_cursor())
  path = absolute(path)
  if not vim.uv.fs_stat(path) then
    return vim.notify("acp-sidecar: no file here")
  end
  local here = vim.api.nvim_get_current_win()
  vim.cmd.wincmd("p")
  if vim.api.nvim_get_current_win() == here or vim.bo.buftype ~= "" then
    vim.cmd("aboveleft split")
  end
  vim.cmd.edit(vim.fn.fnameescape(path))
  if line then
    vim.api.nvim_win_set_cursor(0, { math.min(line, vim.api.nvim_buf_line_count(0)), 0 })
  end
end

local function make_buffer(session, transcript)
  local buffer = vim.api.nvim_create_buf(false, true)
  transcript.buffer = buffer
  vim.api.nvim_buf_set_name(buffer, "acp-transcript://" .. session)
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "hide"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].undolevels = -1
  vim.bo[buffer].filetype = "markdown"
  vim.b[buffer].acp_session = session
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, text_of(transcript.blocks))
  vim.bo[buffer].modifiable = false
  for _, key in ipairs({ "<CR>", "gf" }) do
    vim.keymap.set(
      "n",
      key,
      M.open_place,
      { buffer = buffer, desc = "Open the place under the cursor" }
    )
  end
  vim.keymap.set("n", "i", "<Plug>(acp-prompt)", { buffer = buffer, desc = "Write a prompt" })
  vim.keymap.set("n", "<C-c>", "<Plug>(acp-cancel)", { buffer = buffer, desc = "Cancel the turn" })
  return buffer
end

local function dress(window)
  local set = vim.wo[window][0]
  set.foldmethod, set.foldexpr, set.foldlevel =
    "expr", "v:lua.require'acp_sidecar.transcript'.fold()", 0
  set.winbar = "%{%v:lua.require'acp_sidecar.transcript'.winbar()%}"
  set.wrap, set.linebreak, set.number, set.signcolumn = true, true, false, "no"
  set.conceallevel = 2
end

--- Show a session's transcript, the current one's by default; the cursor stays where it is.
---@param session? string
function M.open(session)
  session = session or sessions.last
  if not session then
    return vim.notify("acp-sidecar: no session yet; :Acp prompt")
  end
  local transcript = of(session)
  local buffer = is_shown(transcript) and transcript.buffer or make_buffer(session, transcript)
  if
    #vim.fn.win_findbuf(buffer) == 0
    or not vim.iter(vim.fn.win_findbuf(buffer)):any(function(window)
      return vim.api.nvim_win_get_tabpage(window) == vim.api.nvim_get_current_tabpage()
    end)
  then
    local window = vim.api.nvim_open_win(buffer, false, {
      split = "below",
      win = -1,
      height = config.values.transcript.height,
    })
    dress(window)
    vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(buffer), 0 })
  end
  if #transcript.blocks.list == 0 then
    client.execute("acp.transcript.blocks", { sessionId = session }, function(params)
      M.update(vim.tbl_extend("force", params, { reset = true }))
    end)
  end
  return buffer
end

function M.reset()
  M.all = {} -- the buffers stay: what was said can still be read
end

return M
