--- Pure: the text of a permission, as lines.

local M = {}

local function add(lines, text)
  for line in vim.gsplit(text, "\n", { plain = true }) do
    lines[#lines + 1] = line
  end
end

local function add_facts(lines, facts)
  if facts.command then
    add(lines, "$ " .. facts.command.text)
    add(lines, facts.command.cwd and "  in " .. facts.command.cwd or "  in an unknown folder")
  end
  for _, file in ipairs(facts.files or {}) do
    local where = file.outside and "  (outside the workspace)" or ""
    local what = (file.operation or "touch") .. (file["end"] and " " .. file["end"] or "")
    add(lines, ("%s %s%s"):format(what, file.real or file.path, where))
  end
end

--- What may be remembered with an answer, narrowest first. The server makes the rule.
---@param params acp_sidecar.PermissionParams
---@return {label: string, remember: acp_sidecar.RememberPayload}[]
function M.rules(params)
  local found = {}
  for _, rule in ipairs(params.suggestedRules or {}) do
    for _, scope in ipairs({ "session", "workspace" }) do
      found[#found + 1] = {
        label = rule.label .. (scope == "session" and " (this session)" or " (all sessions)"),
        remember = { scope = scope, match = rule.match },
      }
    end
  end
  return found
end

--- All that is in a permission, with numbered options, warnings first.
---@param params acp_sidecar.PermissionParams
---@param chosen? integer which of `rules` is to be remembered
---@return string[] lines
---@return integer option_line index of the line of the first option, from 1
function M.lines(params, chosen)
  local lines = {}
  for _, warning in ipairs(params.warnings or {}) do
    add(lines, "! " .. warning)
  end
  add(lines, params.title)
  if params.description then
    add(lines, params.description)
  end
  add_facts(lines, params.facts or {})
  if params.reason and params.reason ~= "" then
    add(lines, "asked by rule: " .. params.reason)
  end
  lines[#lines + 1] = ""
  local first = #lines + 1
  for index, option in ipairs(params.options) do
    add(lines, ("%d  %s"):format(index, option.name))
  end
  local rules = M.rules(params)
  if #rules > 0 then
    add(lines, "r  remember: " .. (rules[chosen] and rules[chosen].label or "no"))
  end
  lines[#lines + 1] = "q  dismiss"
  return lines, first
end

return M
