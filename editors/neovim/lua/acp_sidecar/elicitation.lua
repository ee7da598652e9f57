--- Forms and links of the agent. Both begin as a question that takes no focus, stacked with the
--- permissions; a form that the user wants to fill in goes on by `vim.ui.input` and `vim.ui.select`.

local permission = require("acp_sidecar.permission")

---@class acp_sidecar.OpenElicitation
---@field thread thread
---@field over? boolean settled elsewhere, or withdrawn
---@field turn? table the question of vim.ui that is waited for

local M = { open = {} } ---@type {open: table<string, acp_sidecar.OpenElicitation>}

local GONE = {} -- raised where a form is over in the midst of being filled in

local current ---@type acp_sidecar.OpenElicitation? whose form is being filled in

-- An answer to a question that is over has no effect.
local function wait(start)
  local entry, turn = assert(current), {}
  entry.turn = turn
  start(function(...)
    local values = { ... }
    vim.schedule(function()
      if entry.turn == turn then
        entry.turn = nil
        current = entry
        coroutine.resume(entry.thread, unpack(values, 1, 2))
      end
    end)
  end)
  local values = { coroutine.yield() }
  if entry.over then
    error(GONE)
  end
  return unpack(values, 1, 2)
end

local function select(items, prompt, format)
  return wait(function(done)
    vim.ui.select(
      items,
      { prompt = prompt, format_item = format, kind = "acp_sidecar.elicitation" },
      done
    )
  end)
end

local function input(prompt, default)
  return wait(function(done)
    vim.ui.input({ prompt = prompt, default = default ~= nil and tostring(default) or nil }, done)
  end)
end

local function label(field)
  local text = field.title .. (field.required and " *" or "")
  text = field.description and text .. " (" .. field.description .. ")" or text
  return (field.error and "! " .. field.error .. " — " .. text or text) .. ": "
end

local function title_of(choice)
  return choice.title
end

local function choose_many(field)
  local picked = {}
  while true do
    local items = { { title = "Done" } }
    vim.list_extend(items, field.choices)
    local choice = select(items, label(field), function(item)
      return (item.value and vim.list_contains(picked, item.value) and "[x] " or "") .. item.title
    end)
    if not choice then
      return nil, true
    elseif not choice.value then
      return picked
    end
    picked[#picked + 1] = not vim.list_contains(picked, choice.value) and choice.value or nil
  end
end

--- Ask for one field. Values: nil is "left out"; the second result says that the user gave up.
local function ask_field(field)
  if field.type == "unknown" then
    return nil
  elseif field.type == "choice" then
    local choice = select(field.choices, label(field), title_of)
    return choice and choice.value, choice == nil
  elseif field.type == "choices" then
    return choose_many(field)
  elseif field.type == "boolean" then
    local answer = select({ "Yes", "No" }, label(field))
    if answer == nil then
      return nil, true
    end
    return answer == "Yes"
  end
  local text = input(label(field), field.default)
  if text == nil then
    return nil, true
  elseif field.type == "number" or field.type == "integer" then
    return tonumber(text) or (text ~= "" and text or nil)
  end
  return (text ~= "" or field.required) and text or nil
end

local function review(params, content)
  local lines = { params.message }
  for _, field in ipairs(params.form.fields) do
    local value = content[field.name]
    if value ~= nil then
      lines[#lines + 1] = field.title
        .. " = "
        .. (type(value) == "table" and table.concat(value, ", ") or tostring(value))
    end
  end
  return select({ "Send", "Decline", "Cancel" }, table.concat(lines, "\n") .. "\n")
end

local function fill_in(params)
  local content = vim.empty_dict()
  for _, field in ipairs(params.form.fields) do
    local value, gave_up = ask_field(field)
    if gave_up then
      return { action = "cancel" }
    end
    content[field.name] = value
  end
  local answer = review(params, content)
  if answer == "Send" then
    return { action = "accept", content = content }
  end
  return { action = answer == "Decline" and "decline" or "cancel" }
end

local function has_errors(params)
  return vim.iter(params.form.fields):any(function(field)
    return field.error ~= nil
  end)
end

-- The question that takes no focus, in the form of a permission.
local function ask_first(params, options)
  local answer = permission.ask({
    permissionId = params.elicitationId,
    agent = params.agent,
    title = params.message,
    description = params.link and ("Host: %s\n%s"):format(params.link.host, params.link.url),
    warnings = params.link and params.link.warnings,
    options = options,
    inert = params.inert,
  })
  return answer ~= vim.NIL and answer.optionId or "cancel"
end

local function ask_form(params)
  if has_errors(params) then
    return fill_in(params) -- the user is at it already
  end
  local first = ask_first(params, {
    { optionId = "fill", name = "Fill in the form" },
    { optionId = "decline", name = "Decline" },
  })
  current = M.open[params.elicitationId]
  return first == "fill" and current and fill_in(params) or { action = first }
end

local function ask_link(params)
  return {
    action = ask_first(params, {
      { optionId = "accept", name = "Open in the browser" },
      { optionId = "decline", name = "Do not open" },
    }),
  }
end

--- The handler of `acp/elicitation`: waits for the answer.
---@param params acp_sidecar.ElicitationParams
---@return acp_sidecar.ElicitationAnswer|userdata
function M.ask(params)
  current = { thread = assert(coroutine.running()) }
  M.open[params.elicitationId] = current
  local ok, answer = pcall(params.mode == "form" and ask_form or ask_link, params)
  M.open[params.elicitationId] = nil
  if not ok and answer ~= GONE then
    vim.notify("acp-sidecar: " .. tostring(answer), vim.log.levels.ERROR)
  end
  return ok and answer or vim.NIL
end

--- It is over: a question that is still shown has no effect any more.
---@param params acp_sidecar.ElicitationSettledParams
function M.settled(params)
  local entry = M.open[params.elicitationId]
  if not entry then
    return
  end
  entry.over = true
  if params.action == nil then
    vim.notify("acp-sidecar: the question is over: " .. params.reason)
  end
  permission.settled({ permissionId = params.elicitationId })
  if entry.turn then
    entry.turn = nil
    coroutine.resume(entry.thread)
  end
end

--- The page that the user agreed to open did what it was for.
function M.completed()
  vim.notify("acp-sidecar: what was opened in the browser is done")
end

function M.reset()
  M.open = {}
end

return M
