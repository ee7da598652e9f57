--- `:Acp sessions`: those that are open, those of before, and a new one. What is remembered here is
--- shown at once; agents are asked for their own lists only when the user wants to see them.

local choice = require("acp_sidecar.choice")
local client = require("acp_sidecar.client")
local render = require("acp_sidecar.render.past_sessions")
local sessions = require("acp_sidecar.sessions")

---@class acp_sidecar.SessionItem
---@field label string
---@field run fun()

---@class acp_sidecar.KnownSessions
---@field state acp_sidecar.StateView
---@field listed acp_sidecar.ListedSession[]
---@field cursors table<string, string> by agent, where its list goes on
---@field asked? boolean

local M = {}

local function select(items, prompt)
  choice.select(items, prompt, function(item)
    item.run()
  end)
end

local function make_current(reference)
  sessions.choose(reference.sessionId)
  require("acp_sidecar.transcript").open(reference.sessionId)
end

local function open_keys()
  local keys = {}
  for _, session in pairs(sessions.all) do
    keys[render.key(session)] = true
  end
  return keys
end

--- What can be known without starting an agent.
local function know(done)
  -- The state of one session is enough: the conversations of all may be long.
  client.execute("acp.state", { sessionId = sessions.last }, function(state)
    done({ state = state, listed = {}, cursors = {} })
  end)
end

local function past(known)
  return render.all(known.state.remembered, known.listed, open_keys())
end

local function resumable(known)
  return vim.tbl_filter(function(session)
    return session.resumable
  end, past(known))
end

local function resume(session)
  local arguments =
    { sessionId = session.sessionId, agent = session.agent, cwd = session.cwd, replay = true }
  client.execute("acp.session.resume", arguments, make_current)
end

local function open_sessions()
  local found = vim.tbl_values(sessions.all)
  table.sort(found, function(a, b)
    return a.sessionId < b.sessionId
  end)
  return found
end

local function open_label(session)
  local name = session.title or session.sessionId
  return ("%s (%s, %s)"):format(name, session.agent, session.state)
end

local function items_of(all, label, run)
  return vim.tbl_map(function(session)
    return {
      label = label(session),
      run = function()
        run(session)
      end,
    }
  end, all)
end

-- Ask for the next page of each agent whose list has not ended, then go on with all that is known.
local function list_more(known, done)
  local agents = render.agents_to_ask(known.state.agents, known.state.defaultAgent)
  agents = vim.tbl_filter(function(agent)
    return not known.asked or known.cursors[agent.name] ~= nil
  end, agents)
  known.asked = true
  local left = #agents
  local function one_less()
    left = left - 1
    if left == 0 then
      done(known)
    end
  end
  for _, agent in ipairs(agents) do
    local arguments = { agent = agent.name, cursor = known.cursors[agent.name] }
    client.execute("acp.session.list", arguments, function(page)
      known.cursors[agent.name] = page.nextCursor
      vim.list_extend(known.listed, page.sessions)
      one_less()
    end, function(message)
      known.cursors[agent.name] = nil
      vim.notify("acp-sidecar: " .. message, vim.log.levels.WARN)
      one_less()
    end)
  end
end

-- Nothing when all lists have ended.
local function more_items(known, done)
  if known.asked and not next(known.cursors) then
    return {}
  end
  local label = known.asked and "more …" or "those that agents list …"
  return {
    {
      label = label,
      run = function()
        list_more(known, done)
      end,
    },
  }
end

local function new(agent)
  client.execute("acp.session.new", { agent = agent }, make_current)
end

-- All agents that can be used at once; the default one is what "a new session" means.
local function new_items(known)
  local items, others = { { label = "a new session", run = new } }, {}
  for _, agent in ipairs(known.state.agents) do
    if agent.available and agent.name ~= known.state.defaultAgent then
      others[#others + 1] = {
        label = agent.title,
        run = function()
          new(agent.name)
        end,
      }
    end
  end
  if #others > 0 then
    items[2] = {
      label = "a new session with another agent …",
      run = function()
        select(others, "Agent: ")
      end,
    }
  end
  return items
end

local function choose(known)
  local items = items_of(open_sessions(), open_label, make_current)
  vim.list_extend(
    items,
    items_of(resumable(known), function(session)
      return "resume " .. render.label(session)
    end, resume)
  )
  vim.list_extend(items, new_items(known))
  vim.list_extend(items, more_items(known, choose))
  select(items, "Session: ")
end

local function close(session)
  client.execute("acp.session.close", { sessionId = session.sessionId })
end

local function choose_closed()
  local open = open_sessions()
  if #open == 0 then
    return vim.notify("acp-sidecar: no session is open")
  elseif #open == 1 then
    return close(open[1])
  end
  select(items_of(open, open_label, close), "Close: ")
end

local function forget(session)
  local arguments = { sessionId = session.sessionId, agent = session.agent }
  client.execute("acp.session.forget", arguments)
end

local function choose_forgotten(known)
  local remembered = vim.tbl_filter(function(session)
    return session.remembered
  end, past(known))
  if #remembered == 0 then
    return vim.notify("acp-sidecar: no session of before is remembered")
  end
  select(items_of(remembered, render.label, forget), "Forget (its agent keeps it): ")
end

local function confirm_delete(session)
  local name, agent = session.title or session.sessionId, session.agent
  local function delete()
    client.execute("acp.session.delete", { sessionId = session.sessionId, agent = agent })
  end
  local question = ('Delete "%s" for good? %s forgets it; files stay as they are. '):format(
    name,
    agent
  )
  select(
    { { label = "Keep it", run = function() end }, { label = "Delete it", run = delete } },
    question
  )
end

local function is_deletable(known, session)
  local agent = vim.iter(known.state.agents):find(function(each)
    return each.name == session.agent
  end)
  return agent and vim.tbl_get(agent, "capabilities", "session", "delete") ~= nil
end

local function choose_deleted(known)
  local function deletable(all)
    return vim.tbl_filter(function(session)
      return is_deletable(known, session)
    end, all)
  end
  local items = items_of(deletable(open_sessions()), open_label, confirm_delete)
  vim.list_extend(items, items_of(deletable(past(known)), render.label, confirm_delete))
  vim.list_extend(items, more_items(known, choose_deleted))
  select(items, "Delete for good: ")
end

local ACTIONS = {
  new = new,
  close = choose_closed,
  resume = function() -- the one used last
    client.execute("acp.session.resume", { replay = true }, make_current)
  end,
  forget = function()
    know(choose_forgotten)
  end,
  delete = function()
    know(choose_deleted)
  end,
}

--- `:Acp sessions`: without a word, choose one to go on with.
---@param word? "new"|"resume"|"close"|"forget"|"delete"
---@param agent? string of a new session; the default one by default
function M.run(word, agent)
  if not word then
    return know(choose)
  elseif not ACTIONS[word] then
    return vim.notify("acp-sidecar: there is no :Acp sessions " .. word, vim.log.levels.WARN)
  end
  ACTIONS[word](agent)
end

--- Tell that there are sessions of before, if there are and none is open.
function M.offer()
  know(function(known)
    local before = resumable(known)
    if #before > 0 and not next(sessions.all) then
      local last = before[1].title or before[1].sessionId
      local text = 'acp-sidecar: :Acp sessions resume goes on with "%s"%s'
      local others = #before > 1 and (", :Acp sessions shows %d"):format(#before) or ""
      vim.notify(text:format(last, others))
    end
  end)
end

return M
