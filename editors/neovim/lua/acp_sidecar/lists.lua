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

--- Do something with an agent.
function M.agents()
  client.execute("acp.state", {}, function(state)
    local items = {}
    for _, agent in ipairs(state.agents) do
      local default = agent.name == state.defaultAgent and ", default" or ""
      items[#items + 1] =
        { label = ("%s (%s%s)"):format(agent.name, agent.state, default), name = agent.name }
    end
    select(items, "Agent: ", function(agent)
      vim.ui.select(ACTIONS, { prompt = agent.label .. ": " }, function(action)
        if action then
          client.execute("acp.agent." .. action, { agent = agent.name })
        end
      end)
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
