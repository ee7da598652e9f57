--- Pure: sessions that are not open: those remembered here, and those that agents list.

local M = {}

---@class acp_sidecar.PastSession
---@field sessionId string
---@field agent string
---@field cwd string
---@field title? string
---@field when? string ISO 8601
---@field remembered boolean here, not only by its agent
---@field resumable boolean

--- Names a session: ids of different agents may be equal.
---@param session {agent: string, sessionId: string}
---@return string
function M.key(session)
  return session.agent .. "\n" .. session.sessionId
end

local function past(session, remembered, resumable)
  return {
    sessionId = session.sessionId,
    agent = session.agent,
    cwd = session.cwd,
    title = session.title,
    when = session.updatedAt or session.lastUsed,
    remembered = remembered,
    resumable = resumable,
  }
end

--- What is remembered here first, then what else agents list; each once, none that is open.
---@param remembered acp_sidecar.RememberedSession[]
---@param listed acp_sidecar.ListedSession[]
---@param open table<string, any> by key
---@return acp_sidecar.PastSession[]
function M.all(remembered, listed, open)
  local found, seen = {}, {}
  local function add(session)
    local key = M.key(session)
    if not seen[key] and not open[key] then
      seen[key] = true
      found[#found + 1] = session
    end
  end
  for _, session in ipairs(remembered) do
    add(past(session, true, session.resume ~= "none"))
  end
  for _, session in ipairs(listed) do
    add(past(session, session.remembered, true))
  end
  return found
end

--- One session, for a list.
---@param session acp_sidecar.PastSession
---@return string
function M.label(session)
  local when = session.when and session.when:gsub("T(%d%d:%d%d).*", " %1") or session.cwd
  local name = session.title or session.sessionId
  return ("%s (%s, %s)"):format(name, session.agent, when)
end

--- The agents whose lists are asked for. One that does not run is not started for it, but for the
--- default one, which is what users mean; nor is that if it would have to be fetched.
---@param agents acp_sidecar.AgentView[]
---@param default string
---@return acp_sidecar.AgentView[]
function M.agents_to_ask(agents, default)
  return vim.tbl_filter(function(agent)
    return agent.state == "ready" or (agent.name == default and not agent.needsConsent)
  end, agents)
end

return M
