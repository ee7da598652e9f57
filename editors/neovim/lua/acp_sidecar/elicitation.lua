--- Forms and links of the agent, by `vim.ui.input` and `vim.ui.select`.

local M = { open = {} } ---@type {open: table<string, thread>}

local function wait(start)
  local thread = assert(coroutine.running())
  start(function(...)
    local values = { ... }
    vim.schedule(function()
      if coroutine.status(thread) == "suspended" then
        coroutine.resume(thread, unpack(values, 1, 2))
      end
    end)
  end)
  return coroutine.yield()
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
  vim.notify(("%s: %s"):format(params.agent, params.message))
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

local function open_link(params)
  local link = params.link
  local lines = { params.message }
  vim.list_extend(lines, link.warnings or {})
  vim.list_extend(lines, { "Host: " .. link.host, link.url })
  local answer = select({ "Do not open", "Open in the browser" }, table.concat(lines, "\n") .. "\n")
  return {
    action = answer == "Open in the browser" and "accept" or answer and "decline" or "cancel",
  }
end

--- The handler of `acp/elicitation`: waits for the answer.
---@param params acp_sidecar.ElicitationParams
---@return acp_sidecar.ElicitationAnswer
function M.ask(params)
  M.open[params.elicitationId] = assert(coroutine.running())
  local ok, answer = pcall(params.mode == "form" and fill_in or open_link, params)
  M.open[params.elicitationId] = nil
  return ok and answer or vim.NIL
end

--- It is over: a question that is still shown has no effect any more.
---@param params acp_sidecar.ElicitationSettledParams
function M.settled(params)
  M.open[params.elicitationId] = nil
end

function M.reset()
  M.open = {}
end

return M
