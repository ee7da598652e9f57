--- Prompts that are not in the conversation yet: shown below what is being written, taken back into
--- the prompt buffer, dropped, or sent when they were held.

local choice = require("acp_sidecar.choice")
local client = require("acp_sidecar.client")
local render = require("acp_sidecar.render.queue")
local sessions = require("acp_sidecar.sessions")

local M = { namespace = vim.api.nvim_create_namespace("acp_sidecar.queue") }

local function warn(text)
  vim.notify("acp-sidecar: " .. text, vim.log.levels.WARN)
end

local function queued()
  local session = sessions.current()
  return session and session.queued or {}
end

--- Draw the queue below the text of a prompt buffer.
---@param buffer integer
function M.draw(buffer)
  vim.api.nvim_set_hl(0, "AcpQueued", { link = "Comment", default = true })
  vim.api.nvim_set_hl(0, "AcpHeld", { link = "WarningMsg", default = true })
  vim.api.nvim_buf_clear_namespace(buffer, M.namespace, 0, -1)
  local lines = render.virtual_lines(queued())
  if #lines > 0 then
    local last = vim.api.nvim_buf_line_count(buffer) - 1
    vim.api.nvim_buf_set_extmark(buffer, M.namespace, last, 0, { virt_lines = lines })
  end
end

local function drop(prompt)
  client.execute("acp.prompt.unqueue", { promptId = prompt.promptId })
end

local function take(prompt)
  client.execute("acp.prompt.unqueue", { promptId = prompt.promptId }, function(taken)
    require("acp_sidecar.prompt").put_back(taken.text)
  end)
end

local function release()
  client.execute("acp.prompt.release", { sessionId = sessions.last })
end

local function choose()
  local items = {}
  for number, prompt in ipairs(queued()) do
    local line = render.line(prompt, number)
    items[#items + 1] = { label = "take back " .. line, run = take, prompt = prompt }
    items[#items + 1] = { label = "drop " .. line, run = drop, prompt = prompt }
  end
  if render.is_held(queued()) then
    items[#items + 1] = { label = "send what is held", run = release }
  end
  choice.select(items, "Prompts that wait: ", function(item)
    item.run(item.prompt)
  end)
end

local ACTIONS = { take = take, drop = drop }

--- `:Acp queue`: without a word it offers all that can be done.
---@param word? "take"|"drop"|"release"
---@param number? integer the place in the queue; the last one by default
function M.run(word, number)
  if #queued() == 0 then
    return vim.notify("acp-sidecar: no prompt waits")
  elseif not word then
    return choose()
  elseif word == "release" then
    return release()
  end
  local prompt, act = queued()[number or #queued()], ACTIONS[word]
  if not act then
    warn("there is no :Acp queue " .. word)
  elseif not prompt then
    warn("there is no prompt of that number; :Acp queue shows all")
  else
    act(prompt)
  end
end

return M
