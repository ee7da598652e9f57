--- Pure: one-line texts about a session, for status lines and winbars.

local M = {}

local function plan(session)
  local done, all = 0, 0
  for _, entry in ipairs(((session.plans or {})[1] or {}).entries or {}) do
    all = all + 1
    done = done + (entry.status == "completed" and 1 or 0)
  end
  return all > 0 and ("plan %d/%d"):format(done, all) or nil
end

local function usage(session)
  local used = session.usage
  if not used or (used.size or 0) == 0 then
    return nil
  end
  local text = ("%d%% context"):format(math.floor(100 * used.used / used.size + 0.5))
  return used.cost and ("%s, %.2f %s"):format(text, used.cost.amount, used.cost.currency) or text
end

local function options(session)
  local shown = {}
  for _, option in ipairs(session.configOptions or {}) do
    if option.currentValue ~= nil then
      shown[#shown + 1] = ("%s: %s"):format(option.name, tostring(option.currentValue))
    end
  end
  return #shown > 0 and table.concat(shown, ", ") or nil
end

local function state(session)
  if session.cancelling then
    return "cancelling"
  end
  return session.busy and session.state == "idle" and "running" or session.state
end

local function join(parts)
  local shown = {}
  for index = 1, 6 do
    shown[#shown + 1] = parts[index]
  end
  return table.concat(shown, " · ")
end

--- For a status line.
---@param session acp_sidecar.SessionParams?
---@param follow acp_sidecar.FollowPayload?
---@return string
function M.line(session, follow)
  local followed = follow
    and follow.mode == "on"
    and (follow.paused and "paused: " .. follow.paused or "following")
  if not session then
    return "acp"
  end
  return join({ session.agent, state(session), followed or "not following" })
end

--- For the winbar of a transcript. A percent sign is doubled, as winbars want it.
---@param session acp_sidecar.SessionParams?
---@return string
function M.winbar(session)
  if not session then
    return "acp"
  end
  local parts = { session.title or session.agent, state(session) }
  parts[#parts + 1] = plan(session)
  parts[#parts + 1] = usage(session)
  parts[#parts + 1] = options(session)
  return (join(parts):gsub("%%", "%%%%"))
end

return M
