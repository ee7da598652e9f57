--- Choices by `vim.ui.select`: sessions, options, agents; and the trace file.

local client = require("acp_sidecar.client")
local sessions = require("acp_sidecar.sessions")

local M = {}

local function select(items, prompt, done)
  vim.ui.select(items, {
    prompt = prompt,
    kind = "acp_sidecar",
    format_item = function(item)
      return item.label
    end,
  }, function(item)
    if item then
      done(item)
    end
  end)
end

local function make_current(id)
  sessions.last = id
  require("acp_sidecar.transcript").open(id)
end

local function open_items()
  local items = {}
  for id, session in pairs(sessions.all) do
    local label = ("%s (%s, %s)"):format(session.title or id, session.agent, session.state)
    items[#items + 1] = {
      label = label,
      run = function()
        make_current(id)
      end,
    }
  end
  table.sort(items, function(a, b)
    return a.label < b.label
  end)
  return items
end

local function remembered_items(page)
  local items = {}
  for _, session in ipairs(page.sessions) do
    if not sessions.all[session.sessionId] then
      items[#items + 1] = {
        label = ("resume %s (%s)"):format(
          session.title or session.sessionId,
          session.updatedAt or session.cwd
        ),
        run = function()
          local arguments = { sessionId = session.sessionId, cwd = session.cwd, replay = true }
          client.execute("acp.session.resume", arguments, function(reference)
            make_current(reference.sessionId)
          end)
        end,
      }
    end
  end
  return items
end

--- Choose a session: an open one, one that the agent remembers, or a new one.
function M.sessions()
  client.execute("acp.session.list", {}, function(page)
    local items = vim.list_extend(open_items(), remembered_items(page))
    items[#items + 1] = {
      label = "a new session",
      run = function()
        client.execute("acp.session.new", {}, function(reference)
          make_current(reference.sessionId)
        end)
      end,
    }
    select(items, "Session: ", function(item)
      item.run()
    end)
  end)
end

local function values_of(option)
  if option.type == "boolean" then
    return { { label = "on", value = true }, { label = "off", value = false } }
  end
  local items = {}
  for _, entry in ipairs(option.options or {}) do
    for _, value in ipairs(entry.options or { entry }) do
      local current = value.value == option.currentValue and " (now)" or ""
      items[#items + 1] = { label = value.name .. current, value = value.value }
    end
  end
  return items
end

--- Change an option of the current session.
function M.options()
  local session = sessions.current()
  local items = {}
  for _, option in ipairs(session and session.configOptions or {}) do
    items[#items + 1] = {
      label = ("%s: %s"):format(option.name, tostring(option.currentValue)),
      option = option,
    }
  end
  if #items == 0 then
    return vim.notify("acp-sidecar: this session has no options")
  end
  select(items, "Option: ", function(item)
    select(values_of(item.option), item.option.name .. ": ", function(value)
      client.execute("acp.session.setOption", {
        sessionId = sessions.last,
        option = item.option.configId,
        value = value.value,
      })
    end)
  end)
end

local ACTIONS = { "start", "restart", "stop", "login", "logout" }

local function agent_label(agent, default)
  local marks = { agent.available and agent.state or "not installed" }
  marks[#marks + 1] = agent.name == default and "default" or nil
  marks[#marks + 1] = agent.needsConsent and ("fetched by " .. agent.run) or nil
  marks[#marks + 1] = agent.authRequired and "wants a sign-in" or nil
  return ("%s (%s)"):format(agent.title, table.concat(marks, ", "))
end

local function tell_how(agent)
  local lines = { agent.title .. " is not installed. " .. (agent.installHint or "") }
  lines[#lines + 1] = agent.docs
  vim.notify("acp-sidecar: " .. table.concat(lines, "\n"))
end

local function act_on(agent)
  vim.ui.select(ACTIONS, { prompt = agent.title .. ": " }, function(action)
    if action == "login" then
      M.login(agent.name)
    elseif action then
      client.execute("acp.agent." .. action, { agent = agent.name })
    end
  end)
end

--- Do something with an agent; one that is not installed tells how to install it.
function M.agents()
  client.execute("acp.agents.list", {}, function(list)
    local items = vim.tbl_map(function(agent)
      return { label = agent_label(agent, list.defaultAgent), agent = agent }
    end, list.agents)
    select(items, "Agent: ", function(item)
      local act = item.agent.available and act_on or tell_how
      act(item.agent)
    end)
  end)
end

--- Sign in to an agent; the server asks how, if there are several ways.
---@param agent? string
function M.login(agent)
  client.execute("acp.agent.login", { agent = agent }, function(result)
    vim.notify("acp-sidecar: signed in by " .. result.methodId)
  end)
end

--- Show the permission rules that are remembered; the chosen one is forgotten.
function M.rules()
  client.execute("acp.state", {}, function(state)
    local items = vim.tbl_map(function(rule)
      local text = vim.inspect(rule.rule):gsub("%s+", " ")
      local scope = rule.sessionId and "this session" or "all sessions"
      return { label = ("%s (%s)"):format(text, scope), rule = rule }
    end, state.rules)
    if #items == 0 then
      return vim.notify("acp-sidecar: no rule is remembered")
    end
    select(items, "Forget a rule: ", function(item)
      client.execute("acp.permission.forgetRule", { number = item.rule.number })
    end)
  end)
end

--- Open the trace file.
function M.trace()
  local path = require("acp_sidecar.config").values.sidecar.trace
  if not path then
    return vim.notify("acp-sidecar: no trace is written; set sidecar.trace to a file")
  end
  vim.cmd.tabedit(vim.fn.fnameescape(path))
end

return M
