--- The one LSP client: starting it, attaching buffers, commands, and surviving its end.

local config = require("acp_sidecar.config")
local contract = require("acp_sidecar.contract")
local null = require("acp_sidecar.null")
local server = require("acp_sidecar.server")

local M = { name = "acp-sidecar", crashes = 0 }

M.PROMPT = "acp-prompt" -- the language of prompts that are being written, and their filetype

local group = vim.api.nvim_create_augroup("acp_sidecar.client", {})
local id ---@type integer?
local ended = {} ---@type table<integer, boolean>

local function warn(text)
  vim.notify("acp-sidecar: " .. text, vim.log.levels.WARN)
end

--- The running client, or nil.
---@return vim.lsp.Client?
function M.get()
  local client = id and vim.lsp.get_client_by_id(id)
  return client and not client:is_stopped() and client or nil
end

--- Whether a buffer is a file that the server should know.
---@param buffer integer
function M.is_file(buffer)
  return vim.api.nvim_buf_is_loaded(buffer)
    and vim.bo[buffer].buftype == ""
    and vim.api.nvim_buf_get_name(buffer) ~= ""
    and not vim.api.nvim_buf_get_name(buffer):find("^%a[%w+.-]+://")
end

--- Have the server know a buffer, if it should and is not known yet.
---@param buffer integer
function M.attach(buffer)
  local client = M.get()
  local wanted = M.is_file(buffer) or vim.bo[buffer].filetype == M.PROMPT
  if client and wanted and not client.attached_buffers[buffer] then
    vim.lsp.buf_attach_client(buffer, client.id)
  end
end

--- Have the server forget a buffer.
---@param buffer integer
function M.detach(buffer)
  local client = M.get()
  if client and client.attached_buffers[buffer] then
    vim.lsp.buf_detach_client(buffer, client.id)
  end
end

local function attach_all()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    M.attach(buffer)
  end
end

local views = {
  "follow",
  "presence",
  "permission",
  "review",
  "transcript",
  "terminal",
  "sessions",
  "elicitation",
}

local function reset_views()
  for _, name in ipairs(views) do
    local view = package.loaded["acp_sidecar." .. name]
    if view and view.reset then
      view.reset()
    end
  end
end

local function on_exit(code, signal, client_id)
  vim.schedule(function()
    ended[client_id] = true
    if client_id ~= id then
      return -- somebody has stopped it
    end
    id = nil
    reset_views()
    if vim.v.exiting ~= vim.NIL or (code == 0 and signal == 0) then
      return
    end
    M.crashes = M.crashes + 1
    local how = signal ~= 0 and ("signal " .. signal) or ("status " .. code)
    if config.values.restart and M.crashes <= 1 then
      warn("the server ended with " .. how .. "; it is started once again (:Acp log)")
      M.start()
      require("acp_sidecar.session_list").offer()
    else
      warn("the server ended with " .. how .. "; :Acp restart starts it again, :Acp log tells more")
    end
  end)
end

-- A server that is on its way out has nothing to say any more.
local function call(module, method)
  return function(_, params, ctx)
    if ctx.client_id == id then
      require("acp_sidecar." .. module)[method](params)
    end
  end
end

local function answer(tool)
  return function(_, params)
    return require("acp_sidecar.tools")[tool](params)
  end
end

local function handlers()
  return {
    ["acp/follow"] = call("follow", "update"),
    ["acp/review"] = call("review", "update"),
    ["acp/permission"] = function(_, params)
      return require("acp_sidecar.permission").ask(params)
    end,
    ["acp/permissionSettled"] = call("permission", "settled"),
    ["acp/elicitation"] = function(_, params)
      return require("acp_sidecar.elicitation").ask(params)
    end,
    ["acp/elicitationSettled"] = call("elicitation", "settled"),
    ["acp/elicitationCompleted"] = call("elicitation", "completed"),
    ["acp/runInTerminal"] = function(_, params)
      return require("acp_sidecar.sign_in").run(params)
    end,
    ["acp/terminal"] = call("terminal", "update"),
    ["acp/transcript"] = call("transcript", "update"),
    ["acp/session"] = call("sessions", "update"),
    ["acp/selection"] = answer("selection"),
    ["acp/diagnostics"] = answer("diagnostics"),
    ["acp/symbols"] = answer("symbols"),
    ["acp/references"] = answer("references"),
  }
end

local function without_null(handler)
  return function(err, params, ctx)
    return handler(err, null.drop(params), ctx)
  end
end

local function all_handlers()
  local found = vim.tbl_map(without_null, handlers())
  -- Neovim carries the edit out, and wants null where it decodes it.
  found["workspace/applyEdit"] = function(err, params, ctx)
    return require("acp_sidecar.edits").apply(err, params, ctx)
  end
  return found
end

local function capabilities()
  return vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), {
    experimental = { acp = contract.capabilities },
    workspace = {
      workspaceEdit = {
        documentChanges = true,
        changeAnnotationSupport = { groupsOnLabel = false },
      },
    },
  })
end

local function check_version(client)
  local theirs = vim.tbl_get(client.server_capabilities, "experimental", "acp", "version")
  if theirs ~= contract.version then
    warn(
      ("the server speaks version %s of the editor protocol, this plugin %d: update the older one"):format(
        tostring(theirs),
        contract.version
      )
    )
  end
end

-- Whoever stops our client by Neovim's own means (`:LspRestart`, `vim.lsp.stop_client`) wants it
-- stopped: that is no crash. Its sessions are over at once, not only when it has ended.
local function note_stops(client)
  local stop = client.stop
  client.stop = function(self, force)
    if self.id == id then
      id = nil
      reset_views()
    end
    return stop(self, force)
  end
end

local function watch_buffers()
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd(
    { "BufReadPost", "BufNewFile", "BufFilePost", "BufWinEnter", "BufWritePost" },
    {
      group = group,
      callback = function(event)
        M.attach(event.buf)
        require("acp_sidecar.presence").redraw()
        require("acp_sidecar.review").redraw(event.buf)
      end,
    }
  )
end

local function on_init(client)
  note_stops(client)
  if client.id ~= id then -- started from our configuration by somebody else, as `:LspRestart` does
    id = client.id
    reset_views()
    watch_buffers()
    require("acp_sidecar.follow").watch()
    vim.schedule(attach_all)
  end
  check_version(client)
end

local function options(cmd)
  local sidecar = config.values.sidecar
  local root = vim.fs.root(0, { ".git" }) or vim.fn.getcwd()
  return {
    name = M.name,
    cmd = cmd,
    cmd_env = config.values.server.env,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = vim.fs.basename(root) } },
    init_options = next(sidecar) and sidecar or vim.empty_dict(),
    settings = { acp = next(sidecar) and sidecar or vim.empty_dict() },
    capabilities = capabilities(),
    handlers = all_handlers(),
    on_init = on_init,
    on_exit = on_exit,
  }
end

--- Start the server if it does not run; offers to install it if there is none.
---@param installed? fun() called if it was started only later, as it had to be installed first
---@return vim.lsp.Client?
function M.start(installed)
  if M.get() then
    return M.get()
  end
  local cmd, origin = server.command()
  if not cmd then
    require("acp_sidecar.install").offer(function()
      if M.start() and installed then
        installed()
      end
    end)
    return nil
  end
  local ok, started = pcall(vim.lsp.start, options(cmd), { attach = false })
  id = ok and started or nil
  if not id then
    warn("the server could not be started from " .. origin .. ": " .. table.concat(cmd, " "))
    return nil
  end
  watch_buffers()
  require("acp_sidecar.follow").watch()
  attach_all()
  return M.get()
end

--- Stop the server.
---@param done? fun() called when it has ended
function M.stop(done)
  local client = M.get()
  if not client then
    return done and done()
  end
  client:stop()
  vim.defer_fn(function()
    if not client:is_stopped() then
      client:stop(true)
    end
  end, 3000)
  local function wait()
    if not ended[client.id] then
      vim.defer_fn(wait, 20)
    elseif done then
      done()
    end
  end
  wait()
end

--- Stop the server and start it anew; forgives earlier crashes.
function M.restart()
  M.crashes = 0
  M.stop(function()
    M.start()
  end)
end

--- Have the server do a command.
---@param command string one of `contract.commands`
---@param arguments? table
---@param done? fun(result: any) not called if it failed
---@param failed? fun(message: string) what to do then; by default, the user is told
function M.execute(command, arguments, done, failed)
  local client = M.start(function()
    M.execute(command, arguments, done, failed)
  end)
  if not client then
    return
  end
  local object = arguments and next(arguments) and arguments or vim.empty_dict()
  client:request(
    "workspace/executeCommand",
    { command = command, arguments = { object } },
    function(err, result)
      if err then
        (failed or warn)(err.message)
      elseif done then
        done(null.drop(result))
      end
    end
  )
end

--- Run a command of the server and wait for its result, if it runs: only for what Neovim wants at once.
---@param command string
---@param milliseconds integer
---@return table? result nil if there was none in that time
---@return string? why there was none
function M.ask(command, milliseconds)
  local client = M.get()
  if not client or not client.initialized then
    return nil, "the server does not run"
  end
  local params = { command = command, arguments = { vim.empty_dict() } }
  local response, why = client:request_sync("workspace/executeCommand", params, milliseconds)
  return response and null.drop(response.result),
    why or vim.tbl_get(response or {}, "err", "message")
end

--- Tell the server something, if it runs.
function M.notify(method, params)
  local client = M.get()
  if client and client.initialized then
    client:notify(method, params)
  end
end

--- The loaded buffer of a path, or nil. Symbolic links are followed on both sides.
---@param path string absolute
---@return integer?
function M.buffer_of(path)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if M.is_file(buffer) then
      local name = vim.api.nvim_buf_get_name(buffer)
      if name == path or vim.uv.fs_realpath(name) == path then
        return buffer
      end
    end
  end
end

return M
