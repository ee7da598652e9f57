--- Pure: prompts that wait, as lines and in a few words.

local M = {}

local STATES = {
  sent = "sent, not taken yet",
  waiting = "waits for the turn's end",
  held = "held",
}

local function first_line(text)
  return vim.trim(text):match("^[^\n]*")
end

--- One prompt, for a list or below what is being written.
---@param prompt acp_sidecar.QueuedPromptView
---@param number integer its place in the queue, from 1
---@return string
function M.line(prompt, number)
  return ("%d  %s (%s)"):format(
    number,
    first_line(prompt.text),
    STATES[prompt.state] or prompt.state
  )
end

--- Whether some wait for the user.
---@param queued acp_sidecar.QueuedPromptView[]
function M.is_held(queued)
  return vim.iter(queued):any(function(prompt)
    return prompt.state == "held"
  end)
end

--- All prompts as virtual lines, with what can be done about those that are held.
---@param queued acp_sidecar.QueuedPromptView[]
---@return [string, string][][]
function M.virtual_lines(queued)
  local lines = {}
  for number, prompt in ipairs(queued) do
    local group = prompt.state == "held" and "AcpHeld" or "AcpQueued"
    lines[#lines + 1] = { { M.line(prompt, number), group } }
  end
  if M.is_held(queued) then
    lines[#lines + 1] = { { "   :Acp queue release sends what is held", "AcpHeld" } }
  end
  return lines
end

--- For a status line or a winbar: how many of each kind; nil if there is none.
---@param queued? acp_sidecar.QueuedPromptView[]
---@return string?
function M.summary(queued)
  local held = #vim.tbl_filter(function(prompt)
    return prompt.state == "held"
  end, queued or {})
  local waiting = #(queued or {}) - held
  local words = {}
  if waiting > 0 then
    words[#words + 1] = waiting .. " queued"
  end
  if held > 0 then
    words[#words + 1] = held .. " held"
  end
  return #words > 0 and table.concat(words, ", ") or nil
end

return M
