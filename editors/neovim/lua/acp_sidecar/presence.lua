--- Draws where agents work, in every buffer that is loaded, followed or not.

local client = require("acp_sidecar.client")
local config = require("acp_sidecar.config")
local render = require("acp_sidecar.render.presence")

local M = { namespace = vim.api.nvim_create_namespace("acp_sidecar.presence"), all = {} }

local steps = 4 -- highlight groups AcpRange1 (fresh) to AcpRange4 (faint)
local drawn = {} ---@type table<integer, boolean>
local since = {} ---@type table<string, integer>
local timer ---@type uv.uv_timer_t?

local function highlights()
  local colours = { "#7aa2f7", "#e0af68", "#9ece6a", "#bb9af7", "#f7768e", "#73daca" }
  for index, colour in ipairs(colours) do
    vim.api.nvim_set_hl(
      0,
      "AcpAgent" .. (index - 1),
      { fg = "#1a1b26", bg = colour, ctermbg = index, ctermfg = 0, default = true }
    )
  end
  local dark = vim.o.background == "dark"
  local fade = dark and { "#3d59a1", "#34497d", "#2a3a5f", "#232d45" }
    or { "#a8c5ff", "#bfd4ff", "#d3e1ff", "#e4edff" }
  for index, colour in ipairs(fade) do
    vim.api.nvim_set_hl(0, "AcpRange" .. index, { bg = colour, default = true })
  end
end

local function key(place)
  local range = place.range
  return ("%s %s %d %d"):format(place.sessionId, place.path, range.start.line, range["end"].line)
end

local function step(place)
  local fade = config.values.follow.fade
  local age = vim.uv.now() - (since[key(place)] or 0)
  return fade <= 0 and steps or math.min(steps, 1 + math.floor(age * (steps - 1) / fade))
end

local function draw_place(place)
  local buffer = client.buffer_of(place.path)
  if not buffer then
    return
  end
  drawn[buffer] = true
  local lines = vim.api.nvim_buf_line_count(buffer)
  for _, mark in ipairs(render.marks(place, lines, "AcpRange" .. step(place))) do
    vim.api.nvim_buf_set_extmark(buffer, M.namespace, mark.row, 0, mark.options)
  end
end

local function stop()
  if timer then
    timer:close()
    timer = nil
  end
end

local function fade_on()
  local fresh = vim.iter(M.all):any(function(place)
    return step(place) < steps
  end)
  if fresh and not timer then
    timer = assert(vim.uv.new_timer())
    local every = math.max(30, math.floor(config.values.follow.fade / steps))
    timer:start(every, every, vim.schedule_wrap(M.redraw))
  elseif not fresh then
    stop()
  end
end

--- Draw what is known again, e.g. in a buffer that was just loaded.
function M.redraw()
  for buffer in pairs(drawn) do
    if vim.api.nvim_buf_is_valid(buffer) then
      vim.api.nvim_buf_clear_namespace(buffer, M.namespace, 0, -1)
    end
  end
  drawn = {}
  vim.iter(M.all):each(draw_place)
  fade_on()
end

--- Take the whole presence; it replaces what was known.
---@param all acp_sidecar.PresencePayload[]
function M.draw(all)
  highlights()
  local seen = {}
  for _, place in ipairs(all) do
    seen[key(place)] = since[key(place)] or vim.uv.now()
  end
  since, M.all = seen, all
  M.redraw()
end

function M.reset()
  M.draw({})
end

return M
