--- Sending prompts: from the command line, or from a buffer with history, in which the server
--- completes commands and files. The buffer's name says for which session.

local client = require("acp_sidecar.client")
local config = require("acp_sidecar.config")
local queue = require("acp_sidecar.queue")
local sessions = require("acp_sidecar.sessions")
local status = require("acp_sidecar.render.status")

local M = { history = {} } ---@type {history: string[], buffer: integer?, context: acp_sidecar.ContextItem[]?, fresh: boolean?}

local NAME = "acp-prompt://prompt"

local group = vim.api.nvim_create_augroup("acp_sidecar.prompt", {})
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

local function tell_queued(result)
  if result.queued then
    vim.notify("acp-sidecar: it is sent when the turn ends; :Acp queue shows what waits")
  end
end

--- Send a prompt. Files that its text names as `@path` go with it.
---@param text string
---@param context? acp_sidecar.ContextItem[]
---@param fresh? boolean in a new session
function M.send(text, context, fresh)
  if M.history[#M.history] ~= text then
    M.history[#M.history + 1] = text
  end
  local function go(session)
    local arguments = { text = text, sessionId = session, context = context }
    client.execute("acp.prompt", arguments, tell_queued)
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

--- Put a prompt that was taken out of the queue into the buffer, above what is written there.
---@param text string
function M.put_back(text)
  M.open(M.context, M.fresh)
  local written = vim.trim(content())
  set_content(written == "" and text or text .. "\n" .. written)
end

local function address()
  local session = not M.fresh and sessions.last
  return session and ("%s?session=%s"):format(NAME, vim.uri_encode(session, "rfc2396")) or NAME
end

-- Renaming leaves a buffer of the old name behind.
local function rename(buffer, name)
  local old = vim.api.nvim_buf_get_name(buffer)
  vim.api.nvim_buf_call(buffer, function()
    vim.cmd("silent keepalt file " .. vim.fn.fnameescape(name))
  end)
  for _, other in ipairs(vim.api.nvim_list_bufs()) do
    if other ~= buffer and vim.api.nvim_buf_get_name(other) == old then
      vim.api.nvim_buf_delete(other, { force = true })
    end
  end
end

--- The current session, or what waits in it, is another: name the buffer after it and draw.
function M.refresh()
  if not M.buffer or not vim.api.nvim_buf_is_loaded(M.buffer) then
    return
  end
  if vim.api.nvim_buf_get_name(M.buffer) ~= address() then
    client.detach(M.buffer)
    rename(M.buffer, address())
  end
  client.attach(M.buffer)
  queue.draw(M.buffer)
end

--- 'winbar' of the prompt's windows.
function M.winbar()
  return status.prompt(M.fresh and {} or sessions.current())
end

-- Neovim takes only the first word of what the server offers, and paths may have blanks.
local function whole_word(item)
  return { word = item.textEdit and item.textEdit.newText or item.label }
end

local function watch(buffer)
  vim.api.nvim_clear_autocmds({ group = group })
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = callback })
  end
  on("LspAttach", function(event)
    local options = { autotrigger = config.values.prompt.complete, convert = whole_word }
    vim.lsp.completion.enable(true, event.data.client_id, buffer, options)
  end)
  on("LspDetach", function(event)
    vim.lsp.completion.enable(false, event.data.client_id, buffer)
  end)
  on({ "TextChanged", "TextChangedI" }, function()
    queue.draw(buffer)
  end)
end

local function map_keys(buffer)
  local function map(modes, key, action, description)
    vim.keymap.set(modes, key, action, { buffer = buffer, desc = description })
  end
  map("n", "<CR>", M.submit, "Send the prompt")
  map({ "n", "i" }, "<C-s>", M.submit, "Send the prompt")
  map("n", "<C-c>", "<Plug>(acp-cancel)", "Cancel the turn")
  for key, direction in pairs({ ["<C-p>"] = 1, ["<C-n>"] = -1 }) do
    local description = direction > 0 and "Earlier prompt" or "Later prompt"
    local recall = ("<Cmd>lua require'acp_sidecar.prompt'.recall(%d)<CR>"):format(direction)
    map("n", key, recall, description)
    vim.keymap.set("i", key, function()
      return vim.fn.pumvisible() == 1 and key or recall
    end, { buffer = buffer, expr = true, desc = description .. ", or through the menu" })
  end
end

local function make_buffer()
  M.buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(M.buffer, NAME)
  vim.bo[M.buffer].bufhidden = "hide"
  vim.bo[M.buffer].completeopt = "menuone,noselect,fuzzy,popup"
  watch(M.buffer)
  vim.bo[M.buffer].filetype = client.PROMPT
  vim.bo[M.buffer].syntax = "markdown"
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
  client.start()
  M.refresh()
  local window = vim.fn.bufwinid(M.buffer)
  if window == -1 then
    window = vim.api.nvim_open_win(M.buffer, true, { split = "below", win = -1, height = 5 })
    vim.wo[window][0].winbar = "%{%v:lua.require'acp_sidecar.prompt'.winbar()%}"
  end
  vim.api.nvim_set_current_win(window)
  vim.cmd.startinsert()
end

return M
