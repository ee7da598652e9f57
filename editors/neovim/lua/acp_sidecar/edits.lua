--- `workspace/applyEdit` for our server: refuses stale edits truthfully, asks where that is wanted,
--- and saves the files that had no unsaved edits, so that disk and editor stay the same.

local config = require("acp_sidecar.config")
local swap = require("acp_sidecar.swap")

local M = {}

local function labels(edit)
  local found = {}
  for _, annotation in pairs(edit.changeAnnotations or {}) do
    if annotation.needsConfirmation then
      found[#found + 1] = annotation.label
    end
  end
  table.sort(found)
  return found
end

local function is_stale(edit)
  for _, change in ipairs(edit.documentChanges or {}) do
    local document = change.textDocument
    local version = document and document.version
    if type(version) == "number" then
      local buffer = vim.uri_to_bufnr(document.uri)
      if vim.lsp.util.buf_versions[buffer] ~= version then
        return vim.uri_to_fname(document.uri)
      end
    end
  end
end

local function uris(edit)
  local found = {}
  for uri in pairs(edit.changes or {}) do
    found[uri] = true
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.textDocument then
      found[change.textDocument.uri] = true
    end
  end
  return vim.tbl_keys(found)
end

-- Neovim leaves an empty line behind text that is added after the last line: it takes the end of
-- that text for a line of its own. Added at the end of the last line, the same text is right.
local function move_to_last_line(text_edit, buffer, encoding)
  local count = vim.api.nvim_buf_line_count(buffer)
  if text_edit.range.start.line < count or text_edit.newText == "" then
    return
  end
  local last = vim.api.nvim_buf_get_lines(buffer, count - 1, count, false)[1]
  local place = { line = count - 1, character = vim.str_utfindex(last, encoding) }
  text_edit.range = { start = place, ["end"] = place }
  text_edit.newText = "\n" .. text_edit.newText:gsub("\r?\n$", "")
end

local function fit_to_ends(edit, encoding)
  for _, change in ipairs(edit.documentChanges or {}) do
    local buffer = change.textDocument and vim.uri_to_bufnr(change.textDocument.uri)
    for _, text_edit in ipairs(change.edits or {}) do
      move_to_last_line(text_edit, buffer, encoding)
    end
  end
end

-- The user was asked and is told here: Neovim 0.12 would do so again for what is annotated.
local function drop_annotations(edit)
  edit.changeAnnotations = nil
  for _, change in ipairs(edit.documentChanges or {}) do
    change.annotationId = nil
    for _, text_edit in ipairs(change.edits or {}) do
      text_edit.annotationId = nil
    end
  end
end

-- The agent reads the disk: what the user had saved must be saved after our edit, too. Without
-- autocommands, for a formatter would change more than was agreed upon.
local function save(buffer)
  vim.api.nvim_buf_call(buffer, function()
    vim.fn.mkdir(vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":h"), "p")
    vim.cmd("silent noautocmd keepalt write!")
  end)
end

local function confirmed(params)
  local asked = labels(params.edit)
  if #asked == 0 or not config.values.review.confirm then
    return true
  end
  local thread = assert(coroutine.running())
  local title = (params.label or "Edit") .. ": " .. table.concat(asked, ", ")
  vim.ui.select(
    { "Apply", "Discard" },
    { prompt = title .. "? ", kind = "acp_sidecar.edit" },
    function(choice)
      vim.schedule(function()
        coroutine.resume(thread, choice == "Apply")
      end)
    end
  )
  return coroutine.yield()
end

local function buffers_of(edit)
  return vim.tbl_map(vim.uri_to_bufnr, uris(edit))
end

local function save_all(buffers)
  for _, buffer in ipairs(buffers) do
    local ok, problem = pcall(save, buffer)
    if not ok then
      vim.notify("acp-sidecar: " .. tostring(problem), vim.log.levels.WARN)
    end
  end
end

local function carry_out(err, params, ctx)
  local buffers = buffers_of(params.edit)
  local clean = vim.tbl_filter(function(buffer)
    return not swap.load(buffer) or not vim.bo[buffer].modified
  end, buffers)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  fit_to_ends(params.edit, client.offset_encoding)
  drop_annotations(params.edit)
  local result
  require("acp_sidecar.follow").keep(function()
    swap.change(buffers, function()
      result = vim.lsp.handlers["workspace/applyEdit"](err, params, ctx)
    end)
  end)
  if result and result.applied then
    save_all(clean)
  end
  return result
end

--- The handler.
---@param err any
---@param params lsp.ApplyWorkspaceEditParams
---@param ctx lsp.HandlerContext
---@return lsp.ApplyWorkspaceEditResult
function M.apply(err, params, ctx)
  if not confirmed(params) then
    return { applied = false, failureReason = "the user said no" }
  end
  local stale = is_stale(params.edit) -- after the question: the user may have typed meanwhile
  if stale then
    return { applied = false, failureReason = stale .. " was changed meanwhile" }
  end
  return carry_out(err, params, ctx)
end

return M
