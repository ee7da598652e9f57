--- What agents' tools ask of the editor: the selection, diagnostics, symbols and references.

local null = require("acp_sidecar.null")

local M = {}

local severities = { "error", "warning", "information", "hint" }

local function client()
  return require("acp_sidecar.client")
end

local function lines(buffer, first, last)
  return { uri = vim.uri_from_bufnr(buffer), startLine = first, endLine = last }
end

local function with(entry, more)
  return vim.tbl_extend("error", entry, more)
end

--- The window that the user was in last and that shows a file.
local function file_window()
  local last = vim.fn.win_getid(vim.fn.winnr("#"))
  local windows = { vim.api.nvim_get_current_win(), last }
  vim.list_extend(windows, vim.api.nvim_tabpage_list_wins(0))
  for _, window in ipairs(windows) do
    if window ~= 0 and client().is_file(vim.api.nvim_win_get_buf(window)) then
      return window
    end
  end
end

--- The handler of `acp/selection`.
---@return acp_sidecar.SelectionResult|userdata
function M.selection()
  local window = file_window()
  if not window then
    return vim.NIL
  end
  local buffer = vim.api.nvim_win_get_buf(window)
  local mode = vim.api.nvim_get_mode().mode
  if window == vim.api.nvim_get_current_win() and mode:find("^[vV\22]") then
    local from, to = vim.fn.getpos("v"), vim.fn.getpos(".")
    local text = table.concat(vim.fn.getregion(from, to, { type = mode:sub(1, 1) }), "\n")
    local first, last = math.min(from[2], to[2]), math.max(from[2], to[2])
    return with(lines(buffer, first - 1, last - 1), { text = text })
  end
  local line = vim.api.nvim_win_get_cursor(window)[1] - 1
  return with(lines(buffer, line, line), { text = "" })
end

--- The handler of `acp/diagnostics`.
---@param params acp_sidecar.ToolDocument
---@return acp_sidecar.DiagnosticsResult
function M.diagnostics(params)
  local buffer = params.uri and vim.uri_to_bufnr(params.uri) or nil
  local found = vim.tbl_map(function(each)
    return with(lines(each.bufnr, each.lnum, each.end_lnum or each.lnum), {
      severity = severities[each.severity] or "hint",
      message = each.message,
      source = each.source or "",
      code = each.code and tostring(each.code) or "",
    })
  end, vim.diagnostic.get(buffer))
  return { diagnostics = found }
end

--- Ask a language server of a document, other than ours; waits without blocking the editor.
---@return table? result nil if there is none that can tell
local function ask(uri, method, make_params)
  local buffer = vim.uri_to_bufnr(uri)
  local thread = assert(coroutine.running())
  for _, each in ipairs(vim.lsp.get_clients({ bufnr = buffer, method = method })) do
    local params = each.name ~= client().name and make_params(buffer, each)
    local sent = params
      and each:request(method, params, function(_, result)
        coroutine.resume(thread, null.drop(result))
      end, buffer)
    if sent then
      return coroutine.yield()
    end
  end
end

local function kind(number)
  return (vim.lsp.protocol.SymbolKind[number] or "symbol"):lower()
end

local function flatten(uri, symbols, container, found)
  for _, each in ipairs(symbols) do
    local range = each.range or each.location.range
    found[#found + 1] = {
      name = each.name,
      kind = kind(each.kind),
      container = container ~= "" and container or each.containerName or "",
      uri = each.location and each.location.uri or uri,
      startLine = range.start.line,
      endLine = range["end"].line,
    }
    local inner = container == "" and each.name or container .. "." .. each.name
    flatten(uri, each.children or {}, inner, found)
  end
  return found
end

--- The handler of `acp/symbols`.
---@param params acp_sidecar.ToolDocument
---@return acp_sidecar.SymbolsResult|userdata
function M.symbols(params)
  local found = ask(params.uri, "textDocument/documentSymbol", function()
    return { textDocument = { uri = params.uri } }
  end)
  return found and { symbols = flatten(params.uri, found, "", {}) } or vim.NIL
end

--- The byte column of the first whole occurrence of a name on a line.
---@param line string
---@param symbol string
---@return integer? column from 0
function M.column_of(line, symbol)
  local from = 1
  while true do
    local first, last = line:find(symbol, from, true)
    if not first then
      return nil
    end
    local before, after = line:sub(first - 1, first - 1), line:sub(last + 1, last + 1)
    -- Bytes from 128 on are parts of letters more often than not.
    if not (first > 1 and before:find("[%w_$\128-\255]")) and not after:find("[%w_$\128-\255]") then
      return first - 1
    end
    from = first + 1
  end
end

--- The handler of `acp/references`.
---@param params acp_sidecar.ToolSymbol
---@return acp_sidecar.ReferencesResult|userdata
function M.references(params)
  local found = ask(params.uri, "textDocument/references", function(buffer, server)
    local line = vim.api.nvim_buf_get_lines(buffer, params.line, params.line + 1, false)[1]
    local column = line and M.column_of(line, params.symbol)
    return column
      and {
        textDocument = { uri = params.uri },
        position = {
          line = params.line,
          character = vim.str_utfindex(line, server.offset_encoding, column, false),
        },
        context = { includeDeclaration = true },
      }
  end)
  if not found then
    return vim.NIL
  end
  return {
    references = vim.tbl_map(function(each)
      local range = each.range
      return { uri = each.uri, startLine = range.start.line, endLine = range["end"].line }
    end, found),
  }
end

return M
