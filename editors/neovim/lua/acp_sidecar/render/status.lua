--- Pure: one-line texts about a session, for status lines and winbars.

local queue = require("acp_sidecar.render.queue")

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

--- What an option can be set to; nothing for types that are not known.
---@param option acp_sidecar.SelectConfigOption|acp_sidecar.BooleanConfigOption|acp_sidecar.UnknownConfigOption
---@return {label: string, value: string|boolean}[]
function M.values(option)
  if option.type == "boolean" then
    return { { label = "on", value = true }, { label = "off", value = false } }
  end
  local found = {}
  for _, entry in ipairs(option.type == "select" and option.options or {}) do
    for _, value in ipairs(entry.options or { entry }) do
      found[#found + 1] = { label = value.name, value = value.value }
    end
  end
  return found
end

--- An option with its value, as a person reads it.
---@param option acp_sidecar.SelectConfigOption|acp_sidecar.BooleanConfigOption|acp_sidecar.UnknownConfigOption
---@return string
function M.option(option)
  local now = tostring(option.currentValue)
  for _, value in ipairs(M.values(option)) do
    now = value.value == option.currentValue and value.label or now
  end
  return ("%s: %s"):format(option.name, now)
end

local function options(session)
  local shown = {}
  for _, option in ipairs(session.configOptions or {}) do
    if option.currentValue ~= nil then
      shown[#shown + 1] = M.option(option)
    end
  end
  return #shown > 0 and table.concat(shown, ", ") or nil
end

local function state(session)
  if session.cancelling then
    return "cancelling"
  end
  if session.state == "requires_action" then
    return "asks you"
  end
  return session.busy and session.state == "idle" and "running" or session.state
end

local function join(parts)
  return table.concat(parts, " · ")
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
  local parts = { session.agent, state(session) }
  parts[#parts + 1] = queue.summary(session.queued)
  parts[#parts + 1] = followed or "not following"
  return join(parts)
end

--- For the winbar of the prompt buffer.
---@param session acp_sidecar.SessionParams?
---@return string
function M.prompt(session)
  local parts = { "Prompt: <CR> or <C-s> sends, <C-c> cancels, @file, /command" }
  parts[#parts + 1] = queue.summary(session and session.queued)
  return join(parts)
end

--- For the winbar of a transcript. A percent sign is doubled, as winbars want it.
---@param session acp_sidecar.SessionParams?
---@return string
function M.winbar(session)
  if not session then
    return "acp"
  end
  local parts = { session.title or session.agent, state(session) }
  parts[#parts + 1] = queue.summary(session.queued)
  parts[#parts + 1] = plan(session)
  parts[#parts + 1] = usage(session)
  parts[#parts + 1] = options(session)
  return (join(parts):gsub("%%", "%%%%"))
end

return M
