--- Choices by `vim.ui.select`: options, agents, rules, tool calls; and the trace file.

local choice = require("acp_sidecar.choice")
local client = require("acp_sidecar.client")
local config = require("acp_sidecar.config")
local sessions = require("acp_sidecar.sessions")
local status = require("acp_sidecar.render.status")

local M = {}

--- Milliseconds that somebody who completes a command line is kept waiting at most.
local PATIENCE = 300

local function values_of(option)
  return vim.tbl_map(function(value)
    local now = value.value == option.currentValue and " (now)" or ""
    return { label = value.label .. now, value = value.value }
  end, status.values(option))
end

--- Change an option of the current session.
function M.options()
  local session = sessions.current()
  local items = {}
  for _, option in ipairs(session and session.configOptions or {}) do
    if #status.values(option) > 0 then
      items[#items + 1] = { label = status.option(option), option = option }
    end
  end
  if #items == 0 then
    return vim.notify("acp-sidecar: this session has no options")
  end
  choice.select(items, "Option: ", function(item)
    choice.select(values_of(item.option), item.option.name .. ": ", function(value)
      client.execute("acp.session.setOption", {
        sessionId = sessions.last,
        option = item.option.configId,
        value = value.value,
      })
    end)
  end)
end

local ACTIONS = { "start", "restart", "stop", "login", "logout" }

local COMMANDS = {
  start = "acp.agent.start",
  restart = "acp.agent.restart",
  stop = "acp.agent.stop",
  logout = "acp.agent.logout",
}

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

local function is_available(agent)
  return agent.available
end

local function name_of(agent)
  return agent.name
end

local function act_on(agent)
  vim.ui.select(ACTIONS, { prompt = agent.title .. ": " }, function(action)
    if action == "login" then
      M.login(agent.name)
    elseif action then
      client.execute(COMMANDS[action], { agent = agent.name })
    end
  end)
end

--- Do something with an agent; one that is not installed tells how to install it.
function M.agents()
  client.execute("acp.agents.list", {}, function(list)
    local items = vim.tbl_map(function(agent)
      return { label = agent_label(agent, list.defaultAgent), agent = agent }
    end, list.agents)
    choice.select(items, "Agent: ", function(item)
      local act = item.agent.available and act_on or tell_how
      act(item.agent)
    end)
  end)
end

--- The names of the agents that can be run, for completion; of the settings' while no server answers.
---@return string[]
function M.agent_names()
  local found = client.ask("acp.agents.list", PATIENCE)
  if not found then
    return vim.fn.sort(vim.tbl_keys(config.values.sidecar.agents or {}))
  end
  return vim.iter(found.agents):filter(is_available):map(name_of):totable()
end

--- Sign in to an agent; the server asks how, if there are several ways.
---@param agent? string
function M.login(agent)
  client.execute("acp.agent.login", { agent = agent }, function(result)
    vim.notify("acp-sidecar: signed in by " .. result.methodId)
  end)
end

local function can_be_stopped(call)
  local is_over = vim.list_contains({ "completed", "failed", "cancelled" }, call.status)
  return not is_over and vim.tbl_get(call, "capabilities", "cancel") ~= nil
end

local function stop_call(item)
  local arguments = { sessionId = item.session, toolCallId = item.call.toolCallId }
  client.execute("acp.toolCall.stop", arguments)
end

--- Stop one tool call; the turn goes on. If there are several, the user is asked which.
function M.stop_call()
  local id = sessions.last
  client.execute("acp.state", { sessionId = id }, function(state)
    local items = {}
    for _, call in ipairs(state.sessions[1] and state.sessions[1].toolCalls or {}) do
      if can_be_stopped(call) then
        items[#items + 1] = { label = call.title or call.toolCallId, session = id, call = call }
      end
    end
    if #items == 0 then
      vim.notify("acp-sidecar: no tool call runs that can be stopped by itself; :Acp cancel")
    elseif #items == 1 then
      stop_call(items[1])
    else
      choice.select(items, "Stop: ", stop_call)
    end
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
    choice.select(items, "Forget a rule: ", function(item)
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
