if vim.g.loaded_acp_sidecar then
  return
end
vim.g.loaded_acp_sidecar = true

vim.api.nvim_create_user_command("Acp", function(arguments)
  require("acp_sidecar.commands").run(arguments)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "Work with a coding agent",
  complete = function(lead, line)
    return require("acp_sidecar.commands").complete(lead, line)
  end,
})

local names =
  "start prompt cancel queue follow trail review accept reject undo permissions sessions options agents login transcript terminal restart trace log install"
for name in names:gmatch("%S+") do
  vim.keymap.set("n", "<Plug>(acp-" .. name .. ")", "<Cmd>Acp " .. name .. "<CR>")
end
vim.keymap.set("x", "<Plug>(acp-prompt)", ":Acp prompt<CR>")
vim.keymap.set("x", "<Plug>(acp-accept)", ":Acp accept<CR>")
vim.keymap.set("x", "<Plug>(acp-reject)", ":Acp reject<CR>")
vim.keymap.set("n", "<Plug>(acp-trail-forward)", "<Cmd>Acp trail forward<CR>")
vim.keymap.set("n", "<Plug>(acp-next-hunk)", function()
  require("acp_sidecar.review").jump(1)
end)
vim.keymap.set("n", "<Plug>(acp-previous-hunk)", function()
  require("acp_sidecar.review").jump(-1)
end)
