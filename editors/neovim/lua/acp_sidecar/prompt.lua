--- Sending prompts: from the command line, or from a buffer with history and completion.

local client = require("acp_sidecar.client")
local sessions = require("acp_sidecar.sessions")

local M = { history = {} } ---@type {history: string[], buffer: integer?, context: acp_sidecar.ContextItem[]?}

local at = 0 -- how far back in the history the buffer is

local function diagnostics(buffer, first, last)
  local found = {}
  for _, item in ipairs(vim.diagnostic.get(buffer)) do
    if item.lnum >= first and item.lnum < last then
      found[#found + 1] = {
        range = {
          start = { line = item.lnum, character = item.col },
          ["end"] = { line = item.end_lnum or item.lnum, character = item.end_col or item.col },
        },
        message = item.message,
        severity = item.severity,
        source = item.source,
      }
    end
  end
  return #found > 0 and found or nil
end

--- What a prompt about lines of a buffer carries.
---@param buffer integer
---@param first integer from 1
---@param last integer included
---@return acp_sidecar.ContextItem
function M.context_of(buffer, first, last)
  return {
    uri = vim.uri_from_bufnr(buffer),
    range = {
      start = { line = first - 1, character = 0 },
      ["end"] = { line = last, character = 0 },
    },
    diagnostics = diagnostics(buffer, first - 1, last),
  }
end

local function mentions(text)
  local found = {}
  local session = sessions.current()
  local folder = session and session.cwd or vim.fn.getcwd()
  for name in text:gmatch("%f[%S]@(%S+)") do
    local path = vim.startswith(name, "/") and name or vim.fs.joinpath(folder, name)
    if vim.fn.filereadable(path) == 1 then
      found[#found + 1] = { uri = vim.uri_from_fname(path) }
    end
  end
  return found
end

--- Send a prompt.
---@param text string
---@param context? acp_sidecar.ContextItem[]
---@param fresh? boolean in a new session
function M.send(text, context, fresh)
  local all = vim.list_extend(mentions(text), context or {})
  if M.history[#M.history] ~= text then
    M.history[#M.history + 1] = text
  end
  local function go(session)
    client.execute("acp.prompt", {
      text = text,
      sessionId = session,
      context = #all > 0 and all or nil,
    })
  end
  if not fresh then
    return go(sessions.last)
  end
  client.execute("acp.session.new", {}, function(reference)
    go(reference.sessionId)
  end)
end

local function content()
  return table.concat(vim.api.nvim_buf_get_lines(M.buffer, 0, -1, false), "\n")
end

local function set_content(text)
  local lines = vim.split(text, "\n", { plain = true })
  vim.api.nvim_buf_set_lines(M.buffer, 0, -1, false, lines)
  vim.api.nvim_win_set_cursor(0, { #lines, #lines[#lines] })
end

--- Send what the prompt buffer holds, and empty it.
function M.submit()
  local text = vim.trim(content())
  if text ~= "" then
    set_content("")
    at = 0
    M.send(text, M.context, M.fresh)
    M.context, M.fresh = nil, nil
  end
end

--- Put an earlier (1) or a later (-1) prompt into the buffer.
---@param direction 1|-1
function M.recall(direction)
  at = math.max(0, math.min(#M.history, at + direction))
  set_content(at == 0 and "" or M.history[#M.history - at + 1])
end

local function commands_matching(lead)
  local items = {}
  for _, command in ipairs((sessions.current() or {}).availableCommands or {}) do
    if vim.startswith(command.name, lead) then
      items[#items + 1] = { word = "/" .. command.name, menu = command.description }
    end
  end
  return items
end

local function files_matching(lead)
  local session = sessions.current()
  local folder = session and session.cwd or vim.fn.getcwd()
  local items = {}
  local inside = lead:match("^(.*/)") or ""
  for name, kind in vim.fs.dir(vim.fs.joinpath(folder, inside)) do
    local path = inside .. name .. (kind == "directory" and "/" or "")
    if vim.startswith(path, lead) and not vim.startswith(name, ".") then
      items[#items + 1] = { word = "@" .. path }
    end
  end
  table.sort(items, function(a, b)
    return a.word < b.word
  end)
  return items
end

--- 'completefunc' of the prompt buffer: `/command` at its start, `@file` anywhere.
function M.complete(find_start, base)
  if find_start == 1 then
    local before = vim.api.nvim_get_current_line():sub(1, vim.api.nvim_win_get_cursor(0)[2])
    local start = before:find("@%S*$") or (vim.fn.line(".") == 1 and before:find("^/%S*$"))
    return start and start - 1 or -3
  end
  local mark, lead = base:sub(1, 1), base:sub(2)
  return mark == "/" and commands_matching(lead) or files_matching(lead)
end

local function map_keys(buffer)
  local function map(modes, key, action, description)
    vim.keymap.set(modes, key, action, { buffer = buffer, desc = description })
  end
  map("n", "<CR>", M.submit, "Send the prompt")
  map({ "n", "i" }, "<C-s>", M.submit, "Send the prompt")
  map("n", "<C-c>", "<Plug>(acp-cancel)", "Cancel the turn")
  map({ "n", "i" }, "<C-p>", function()
    M.recall(1)
  end, "Earlier prompt")
  map({ "n", "i" }, "<C-n>", function()
    M.recall(-1)
  end, "Later prompt")
  for _, mark in ipairs({ "@", "/" }) do
    map("i", mark, mark .. "<C-x><C-u>", "Complete")
  end
end

local function make_buffer()
  M.buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(M.buffer, "acp-prompt://")
  vim.bo[M.buffer].bufhidden = "hide"
  vim.bo[M.buffer].filetype = "markdown"
  vim.bo[M.buffer].completefunc = "v:lua.require'acp_sidecar.prompt'.complete"
  map_keys(M.buffer)
end

--- Open the prompt buffer below, in Insert mode.
---@param context? acp_sidecar.ContextItem[]
---@param fresh? boolean
function M.open(context, fresh)
  M.context, M.fresh = context, fresh
  if not M.buffer or not vim.api.nvim_buf_is_valid(M.buffer) then
    make_buffer()
  end
  local window = vim.fn.bufwinid(M.buffer)
  if window == -1 then
    window = vim.api.nvim_open_win(M.buffer, true, { split = "below", win = -1, height = 5 })
    vim.wo[window][0].winbar = "Prompt: <CR> or <C-s> sends, <C-c> cancels, @file, /command"
  end
  vim.api.nvim_set_current_win(window)
  vim.cmd.startinsert()
end

return M
