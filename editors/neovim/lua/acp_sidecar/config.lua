--- Settings: one schema, from which the defaults, the checks, the help and the README come.

local M = {}

---@class acp_sidecar.Setting
---@field path string dotted
---@field type string what `type()` says, or "list", or an enumeration "a|b"
---@field default any
---@field description string

---@type acp_sidecar.Setting[]
M.schema = {
  {
    path = "server.cmd",
    type = "list",
    default = {},
    description = "Command that starts the server. Empty: `acp-sidecar` on PATH, else the one that `:Acp install` has made.",
  },
  {
    path = "server.env",
    type = "table",
    default = {},
    description = "Environment variables added for the server.",
  },
  {
    path = "server.package",
    type = "string",
    default = "",
    description = "What `:Acp install` gives to pip: a name, a version or a path. Empty: the clone that the plugin is in, else `acp-sidecar`.",
  },
  {
    path = "sidecar",
    type = "table",
    default = {},
    description = "Settings of the server itself: agents, defaultAgent, permissions and so on, as in docs/settings.md.",
  },
  {
    path = "follow.window",
    type = "auto|split",
    default = "auto",
    description = "Where the agent is followed: `auto` takes a window that is free, `split` opens one of its own.",
  },
  {
    path = "follow.fade",
    type = "number",
    default = 1500,
    description = "Milliseconds in which the highlight of a new place fades; 0 is at once.",
  },
  {
    path = "permission.ui",
    type = "float|select",
    default = "float",
    description = "Ask in a float that takes no focus, or by `vim.ui.select`.",
  },
  {
    path = "review.maps",
    type = "boolean",
    default = true,
    description = "Map `]a` and `[a` in buffers that have hunks to review.",
  },
  {
    path = "review.confirm",
    type = "boolean",
    default = true,
    description = "Ask before an edit that the server wants confirmed.",
  },
  {
    path = "prompt.complete",
    type = "boolean",
    default = true,
    description = "Offer commands and files while a prompt is written; without it on `<C-x><C-o>`, or by a completion plugin.",
  },
  {
    path = "transcript.height",
    type = "number",
    default = 15,
    description = "Lines of the transcript's window.",
  },
  {
    path = "restart",
    type = "boolean",
    default = true,
    description = "Start the server once again when it has crashed.",
  },
}

local function fits(value, kind)
  if kind == "list" then
    return vim.islist(value)
  elseif kind:find("|", 1, true) then
    return vim.list_contains(vim.split(kind, "|", { plain = true }), value)
  end
  return type(value) == kind
end

--- The defaults, as a tree.
function M.defaults()
  local tree = {}
  for _, setting in ipairs(M.schema) do
    local keys, node = vim.split(setting.path, ".", { plain = true }), tree
    for index = 1, #keys - 1 do
      node[keys[index]] = node[keys[index]] or {}
      node = node[keys[index]]
    end
    node[keys[#keys]] = vim.deepcopy(setting.default)
  end
  return tree
end

local function unknown(options, tree, prefix, problems)
  for key, value in pairs(options) do
    local path = prefix .. tostring(key)
    local known = vim.iter(M.schema):find(function(setting)
      return setting.path == path or vim.startswith(setting.path, path .. ".")
    end)
    if not known then
      problems[#problems + 1] = "there is no setting " .. path
    elseif known.path ~= path and type(value) == "table" then
      unknown(value, tree, path .. ".", problems)
    end
  end
end

--- Read settings into `values`.
---@param options table
---@return string[] problems for a person
function M.load(options)
  local problems = {}
  M.values = M.defaults()
  unknown(options, M.values, "", problems)
  for _, setting in ipairs(M.schema) do
    local keys = vim.split(setting.path, ".", { plain = true })
    local ok, value = pcall(vim.tbl_get, options, unpack(keys))
    if ok and value ~= nil and fits(value, setting.type) then
      local node = #keys > 1 and vim.tbl_get(M.values, unpack(keys, 1, #keys - 1)) or M.values
      node[keys[#keys]] = value
    elseif not ok or value ~= nil then
      problems[#problems + 1] = ("setting %s must be %s; the default is used"):format(
        setting.path,
        setting.type
      )
    end
  end
  table.sort(problems)
  return problems
end

M.values = M.defaults()

return M
