-- Unit tests of the pure modules. Run by `nvim -l render.lua PLUGIN`; the exit status tells.
vim.opt.runtimepath:prepend(_G.arg[1])
local blocks = require("acp_sidecar.render.blocks")
local hunks = require("acp_sidecar.render.hunks")
local null = require("acp_sidecar.null")
local permission = require("acp_sidecar.render.permission")
local status = require("acp_sidecar.render.status")

local function same(found, wanted)
  assert(vim.deep_equal(found, wanted), vim.inspect({ found = found, wanted = wanted }))
end

local function apply(document, change)
  if change.inside then
    local last = document[change.row + 1]
    local lines = vim.deepcopy(change.lines)
    lines[1] = last .. lines[1]
    change = { row = change.row, removed = 1, lines = lines }
  end
  for _ = 1, change.removed do
    table.remove(document, change.row + 1)
  end
  for index, line in ipairs(change.lines) do
    table.insert(document, change.row + index, line)
  end
end

-- Any stream of deltas gives the document that the blocks, told whole, give.
math.randomseed(7)
local pieces = { "word", " more\n", "\n\n", "end", "", "a\nb", "# head", "tail\n" }
local function piece()
  return pieces[math.random(#pieces)]
end
for _ = 1, 300 do
  local model, document, whole = blocks.new(), {}, {}
  for _ = 1, 40 do
    local id = "b" .. math.random(5)
    local delta = { id = id, kind = "agent" }
    if not whole[id] then
      delta.text, delta.head, delta.tail = piece(), piece(), piece()
    elseif math.random(3) > 1 then
      delta.append = piece()
    else
      delta[({ "text", "head", "tail" })[math.random(3)]] = piece()
    end
    local entry = whole[id] or { id = id, kind = "agent", text = "", head = "", tail = "" }
    entry.text = (delta.text or entry.text) .. (delta.append or "")
    entry.head, entry.tail = delta.head or entry.head, delta.tail or entry.tail
    if not whole[id] then
      whole[id] = entry
      whole[#whole + 1] = entry
    end
    local change = blocks.apply(model, delta)
    if change then
      apply(document, change)
    end
  end
  local fresh, wanted = blocks.new(), {}
  for _, entry in ipairs(whole) do
    vim.list_extend(wanted, blocks.apply(fresh, entry).lines)
  end
  same(document, wanted)
  for index, block in ipairs(model.list) do
    same({ block.start, block.size }, { fresh.list[index].start, fresh.list[index].size })
  end
end

-- A replacement: the present line is marked, the other side is virtual, below what it replaces.
local hunk = {
  state = "proposed",
  lines = { " a", "-b", "+c", " d" },
  range = { startLine = 2, endLine = 2 },
}
local marks = hunks.marks(hunk, 3)
same({ marks[1].row, marks[1].options.sign_text }, { 1, "-" })
same(marks[2].options.virt_lines, { { { "c", "AcpAdd" } } })
hunk.state = "applied"
marks = hunks.marks(hunk, 3)
same(marks[1].options.virt_lines, { { { "b", "AcpDelete" } } })
same({ marks[2].row, marks[2].options.sign_text }, { 1, "+" })

-- Every hunk has a sign on a line that exists, whatever its range.
for _, start in ipairs({ 1, 3, 4, 99 }) do
  for _, lines in ipairs({ { "+x" }, { "-x" }, { "-x", "\\ No newline at end of file" } }) do
    local found = hunks.marks({ state = "applied", lines = lines, range = { startLine = start } }, 3)
    assert(vim.iter(found):any(function(mark)
      return mark.options.sign_text ~= nil
    end))
    for _, mark in ipairs(found) do
      assert(mark.row >= 0 and mark.row < 3, vim.inspect({ start, mark }))
    end
  end
end

-- Warnings come first; a command is shown whole.
local lines, first = permission.lines({
  title = "Run?",
  warnings = { "outside" },
  options = { { name = "Allow" }, { name = "Reject" } },
  facts = { files = {}, command = { text = "rm -r x", cwd = "/p" } },
})
same(lines[1], "! outside")
assert(vim.list_contains(lines, "$ rm -r x"))
same(lines[first], "1  Allow")

same(status.winbar({ agent = "a", state = "idle", usage = { used = 1, size = 2 } }), "a · idle · 50%% context")
same(status.line({ agent = "a", state = "requires_action" }, nil), "a · asks you · not following")
same(status.line({ agent = "a", state = "idle", busy = true }, nil), "a · running · not following")
same(status.line({ agent = "a", state = "_of_the_future" }, nil), "a · _of_the_future · not following")
same(status.line(nil, nil), "acp")

-- Null is nothing, at any depth; lists keep their length.
same(null.drop({ a = vim.NIL, b = { c = vim.NIL, d = false }, e = { 1, vim.NIL, { f = vim.NIL } } }), {
  b = { d = false },
  e = { 1, vim.NIL, {} },
})
same({ null.drop(vim.NIL), null.drop(false) }, { nil, false })
