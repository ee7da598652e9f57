--- What sessions do now (`acp/session`), and reloading what the agent has written.

local M = { all = {} } ---@type {all: table<string, acp_sidecar.SessionParams>, last: string?} `last` is the one that the user has prompted or chosen last

local timer ---@type uv.uv_timer_t?
local told = {} ---@type table<integer, boolean> modified buffers whose conflict was told

--- The session that the user is at.
---@return acp_sidecar.SessionParams?
function M.current()
  return M.last and M.all[M.last] or nil
end

local function reload(buffer)
  local choice = vim.api.nvim_create_autocmd("FileChangedShell", {
    buffer = buffer,
    callback = function()
      -- Without an autocommand Neovim would ask, in the middle of whatever the user does.
      local reason = vim.v.fcs_reason
      vim.v.fcs_choice = (reason == "changed" or reason == "time") and "reload" or ""
    end,
  })
  require("acp_sidecar.follow").keep(function()
    pcall(vim.cmd, "silent! checktime " .. buffer)
  end)
  pcall(vim.api.nvim_del_autocmd, choice)
  told[buffer] = nil
end

local function warn_conflict(buffer, name)
  local stat = vim.uv.fs_stat(name)
  local known = vim.b[buffer].acp_mtime
  if stat and known and known ~= stat.mtime.sec .. "." .. stat.mtime.nsec and not told[buffer] then
    told[buffer] = true
    vim.notify(
      "acp-sidecar: "
        .. vim.fn.fnamemodify(name, ":~:.")
        .. " was changed on disk; your unsaved edits are kept",
      vim.log.levels.WARN
    )
  end
end

local function remember_time(buffer, name)
  local stat = vim.uv.fs_stat(name)
  vim.b[buffer].acp_mtime = stat and (stat.mtime.sec .. "." .. stat.mtime.nsec) or nil
end

--- Reload unmodified buffers whose file was changed; tell of modified ones, once.
function M.reload()
  if vim.fn.getcmdwintype() ~= "" then
    return -- :checktime is not allowed in the command-line window
  end
  local client = require("acp_sidecar.client").get()
  for buffer in pairs(client and client.attached_buffers or {}) do
    if require("acp_sidecar.client").is_file(buffer) then
      local name = vim.api.nvim_buf_get_name(buffer)
      if vim.bo[buffer].modified then
        warn_conflict(buffer, name)
      else
        reload(buffer)
        remember_time(buffer, name)
      end
    end
  end
end

local function watch_files()
  local busy = vim.iter(pairs(M.all)):any(function(_, session)
    return session.busy
  end)
  if busy and not timer then
    timer = assert(vim.uv.new_timer())
    timer:start(200, 200, vim.schedule_wrap(M.reload))
  elseif not busy and timer then
    timer:close()
    timer = nil
  end
end

local function show_news()
  local prompt = package.loaded["acp_sidecar.prompt"]
  if prompt then
    prompt.refresh()
  end
  vim.cmd.redrawstatus({ bang = true })
end

--- Take news of a session: what is left out is unchanged.
---@param params acp_sidecar.SessionParams
function M.update(params)
  local old = M.all[params.sessionId] or {}
  if not M.current() or (params.busy and not old.busy) then
    M.last = params.sessionId -- a turn begins because the user has sent a prompt
  end
  -- State has no "unchanged": null, which is nothing here, clears these.
  old.error, old.stopReason = nil, nil
  for _, name in ipairs(params.cleared or {}) do
    old[name] = nil
  end
  M.all[params.sessionId] = vim.tbl_extend("force", old, params, { cleared = {} })
  if params.closed then
    M.all[params.sessionId] = nil
    M.last = M.all[M.last] and M.last or next(M.all)
  end
  M.reload()
  watch_files()
  if params.error then
    vim.notify("acp-sidecar: " .. params.error.message, vim.log.levels.ERROR)
  end
  show_news()
end

--- The user goes to another session.
---@param id string
function M.choose(id)
  M.last = id
  show_news()
end

function M.reset()
  M.all, M.last = {}, nil
  watch_files()
  show_news()
end

return M
