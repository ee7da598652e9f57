--- `:Acp` and its subcommands: one table, from which completion and help come as well.

local client = require("acp_sidecar.client")

local M = {}

local function lazy(module)
  return setmetatable({}, {
    __index = function(_, name)
      return require("acp_sidecar." .. module)[name]
    end,
  })
end

local follow, permission, review = lazy("follow"), lazy("permission"), lazy("review")
local prompt, sessions, terminal = lazy("prompt"), lazy("sessions"), lazy("terminal")
local transcript, lists = lazy("transcript"), lazy("lists")
local queue, session_list = lazy("queue"), lazy("session_list")

local function set_follow(word)
  if word == "here" then
    follow.use_this_window()
    return client.execute("acp.follow", { mode = "on" })
  end
  if word == "session" then
    return client.execute("acp.follow", { mode = "on", sessionId = sessions.last })
  end
  local state = follow.state
  local toggled = state and state.mode == "on" and not state.paused and "off" or "on"
  client.execute("acp.follow", { mode = word or toggled })
end

local function run_prompt(call)
  local context
  if call.range > 0 and client.is_file(vim.api.nvim_get_current_buf()) then
    context = { prompt.context_of(vim.api.nvim_get_current_buf(), call.first, call.last) }
  end
  if call.rest == "" then
    return prompt.open(context, call.bang)
  end
  prompt.send(call.rest, context, call.bang)
end

local function choose(action)
  return function(call)
    local range = call.range > 0
    review.choose(
      action,
      call.word or "hunk",
      range and call.first or nil,
      range and call.last or nil
    )
  end
end

local function run_review(call)
  if call.word == "diff" then
    review.diff()
  else
    review.list(call.word == "loclist")
  end
end

local function run_permissions(call)
  local number, scope = tonumber(call.word), call.rest:match("^%S+%s+(%S+)")
  if number then
    permission.answer(number, scope)
  elseif call.word == "rules" then
    lists.rules()
  else
    permission.focus()
  end
end

local SCOPES = { "hunk", "file", "all" }

---@class acp_sidecar.Subcommand
---@field name string
---@field arguments string
---@field description string
---@field run fun(call: table)
---@field words? string[]|fun(): string[] what the first argument can be
---@field more? fun(first: string): string[] what the second can be

---@type acp_sidecar.Subcommand[]
M.list = {
  {
    name = "start",
    arguments = "",
    description = "Start the server.",
    run = function()
      if not client.get() and client.start() then
        session_list.offer()
      end
    end,
  },
  {
    name = "prompt",
    arguments = "[text]",
    description = "Send a prompt, or open the prompt buffer. With a range, about those lines; with a bang (`:Acp! prompt`), in a new session.",
    run = run_prompt,
  },
  {
    name = "cancel",
    arguments = "[call]",
    description = "Cancel what the agent does; `call` stops one tool call, and the turn goes on.",
    words = { "call" },
    run = function(call)
      if call.word == "call" then
        return lists.stop_call()
      end
      client.execute("acp.cancel", { sessionId = sessions.last })
    end,
  },
  {
    name = "queue",
    arguments = "[take|drop [number]|release]",
    description = "Choose what becomes of prompts that wait. `take` gets one back into the prompt buffer, `drop` drops it, the last one by default; `release` sends those that are held because their turn was cancelled or failed.",
    words = { "take", "drop", "release" },
    run = function(call)
      queue.run(call.word, tonumber(call.rest:match("^%S+%s+(%d+)")))
    end,
  },
  {
    name = "follow",
    arguments = "[on|off|pause|resume|session|here]",
    description = "Follow the agents, or stop it; `session` follows the current session alone, `here` dedicates the current window to following.",
    words = { "on", "off", "pause", "resume", "session", "here" },
    run = function(call)
      set_follow(call.word)
    end,
  },
  {
    name = "trail",
    arguments = "[back|forward]",
    description = "Walk along the places where the agent was.",
    words = { "back", "forward" },
    run = function(call)
      client.execute("acp.trail", { move = call.word or "back" })
    end,
  },
  {
    name = "review",
    arguments = "[list|loclist|diff]",
    description = "List all hunks and files in the quickfix list, those of this file in the location list, or compare before and after side by side.",
    words = { "list", "loclist", "diff" },
    run = run_review,
  },
  {
    name = "accept",
    arguments = "[hunk|file|all]",
    description = "Accept hunks: under the cursor, in the range, of the file, or all.",
    words = SCOPES,
    run = choose("accept"),
  },
  {
    name = "reject",
    arguments = "[hunk|file|all]",
    description = "Reject hunks; what was written is undone.",
    words = SCOPES,
    run = choose("reject"),
  },
  {
    name = "undo",
    arguments = "",
    description = "Take back the last choice of a review.",
    run = function()
      client.execute("acp.review.undo", {})
    end,
  },
  {
    name = "permissions",
    arguments = "[number [session|workspace]|rules]",
    description = "Go to the oldest open question, or answer it by the number of an option, remembered for the session or for all; `rules` shows what is remembered, to be forgotten.",
    words = { "1", "2", "3", "4", "rules" },
    more = function(first)
      return tonumber(first) and { "session", "workspace" } or {}
    end,
    run = run_permissions,
  },
  {
    name = "sessions",
    arguments = "[new [agent]|resume|close|forget|delete]",
    description = "Choose among open sessions, those of before, and a new one; `resume` goes on with the one used last. `forget` is of this editor alone, `delete` has the agent forget a session for good.",
    words = { "new", "resume", "close", "forget", "delete" },
    more = function(first)
      return first == "new" and lists.agent_names() or {}
    end,
    run = function(call)
      session_list.run(call.word, call.rest:match("^%S+%s+(%S+)"))
    end,
  },
  {
    name = "options",
    arguments = "",
    description = "Change an option of the session, such as its mode or model.",
    run = function()
      lists.options()
    end,
  },
  {
    name = "agents",
    arguments = "",
    description = "Start, stop, restart, sign in to or out of an agent; those that are not installed tell how.",
    run = function()
      lists.agents()
    end,
  },
  {
    name = "login",
    arguments = "[agent]",
    description = "Sign in to an agent, the default one if none is named.",
    words = function()
      return lists.agent_names()
    end,
    run = function(call)
      lists.login(call.word)
    end,
  },
  {
    name = "transcript",
    arguments = "[file]",
    description = "Show what was said and done; `file` writes it to a Markdown file and opens that.",
    words = { "file" },
    run = function(call)
      if call.word == "file" then
        return client.execute("acp.transcript.open", { sessionId = sessions.last })
      end
      transcript.open()
    end,
  },
  {
    name = "terminal",
    arguments = "[id]",
    description = "Show a command of the agent in a terminal buffer.",
    words = function()
      return terminal.ids()
    end,
    run = function(call)
      terminal.open(call.word)
    end,
  },
  {
    name = "restart",
    arguments = "",
    description = "Stop the server and start it anew.",
    run = function()
      client.restart()
    end,
  },
  {
    name = "trace",
    arguments = "",
    description = "Open the file that records the agents' frames (setting `sidecar.trace`).",
    run = function()
      lists.trace()
    end,
  },
  {
    name = "log",
    arguments = "",
    description = "Open Neovim's LSP log, where the server's messages are.",
    run = function()
      vim.cmd.tabedit(
        vim.fn.fnameescape(
          vim.lsp.log.get_filename and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
        )
      )
    end,
  },
  {
    name = "install",
    arguments = "",
    description = "Install the server into a virtual environment of its own, or update it.",
    run = function()
      require("acp_sidecar.install").install()
    end,
  },
}

local function find(name)
  return vim.iter(M.list):find(function(command)
    return command.name == name
  end)
end

--- Run `:Acp`.
---@param arguments vim.api.keyset.create_user_command.command_args
function M.run(arguments)
  local name, rest = arguments.args:match("^(%S*)%s*(.*)$")
  local command = find(name == "" and "prompt" or name)
  if not command then
    return vim.notify("acp-sidecar: there is no :Acp " .. name, vim.log.levels.ERROR)
  end
  command.run({
    rest = rest,
    word = rest:match("^%S+"),
    bang = arguments.bang,
    range = arguments.range,
    first = arguments.line1,
    last = arguments.line2,
  })
end

local function words_after(typed)
  local command = find(typed[1])
  if #typed == 0 then
    return vim.tbl_map(function(each)
      return each.name
    end, M.list)
  elseif #typed == 1 then
    local words = command and command.words or {}
    return type(words) == "function" and words() or words
  end
  return #typed == 2 and command and command.more and command.more(typed[2]) or {}
end

--- Complete `:Acp`.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local before = line:sub(1, #line - #lead):match("Acp!?%s+(.*)$") or ""
  local words = words_after(vim.split(before, "%s+", { trimempty = true }))
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words)
end

return M
