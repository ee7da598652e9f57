"""Windows: dedicated ones, those that the user acts in, several tabs, and closing in any order."""

from __future__ import annotations

import pytest

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_equal, wait_until
from tests.editors.neovim.test_follow import FOLLOW, followed_file, wait_file, wait_followed
from tests.editors.neovim.test_review import MARKS
from tests.editors.neovim.test_views import TRANSCRIPT, shown

PRESENCE = "require('acp_sidecar.presence')"


@pytest.mark.parametrize("key", ["x", "G", "<C-e>"])
def test_acting_in_the_followed_window_pauses(nvim: Neovim, key: str) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/read tally/words.py:6-23")
    wait_file(nvim, "tally/words.py")
    nvim.keys(key)
    expected = {"x": {"typed"}, "G": {"selected", "scrolled"}, "<C-e>": {"scrolled", "selected"}}
    assert nvim.wait(f"{FOLLOW}.state.paused") in expected[key]


def test_the_window_that_is_dedicated_is_the_one_that_follows(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.command("vsplit")
    nvim.command("Acp follow here")
    dedicated = nvim.rpc.current.window.handle
    nvim.command("wincmd p")
    nvim.command("split")
    here = nvim.rpc.current.window.handle
    nvim.run_turn("/read tally/words.py:6-23")
    wait_followed(nvim, "tally/words.py")
    assert nvim.lua(f"return {FOLLOW}.window") == dedicated
    assert nvim.rpc.current.window.handle == here
    nvim.rpc.request("nvim_win_close", dedicated, True)
    nvim.run_turn("/read tally/report.py:1-5")
    wait_followed(nvim, "tally/report.py")


def test_the_highlight_of_a_new_place_fades(start: Start) -> None:
    nvim = start(follow={"fade": 400})
    nvim.edit("tally/words.py")
    nvim.lua(
        f"""local presence, redraw = {PRESENCE}, {PRESENCE}.redraw
            _G.seen = {{}}
            presence.redraw = function()
              redraw()
              local found = vim.api.nvim_buf_get_extmarks(
                0, presence.namespace, 0, -1, {{ details = true }})
              for _, mark in ipairs(found) do
                table.insert(_G.seen, mark[4].line_hl_group)
              end
            end"""
    )
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    seen = wait_until(lambda: nvim.lua("return _G.seen"), lambda found: "AcpRange4" in found)
    assert seen[0] == "AcpRange1"
    nvim.command("Acp permissions 3")
    nvim.wait_idle()


def test_two_sessions_are_told_apart_and_one_can_be_followed_alone(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    nvim.prompts += 1
    nvim.command("Acp! prompt /edit tally/report.py")
    nvim.wait_permission(2)
    nvim.wait(f"#{PRESENCE}.all == 2 and {PRESENCE}.all[1].colour ~= {PRESENCE}.all[2].colour")
    session = nvim.lua("return require('acp_sidecar.sessions').last")
    nvim.command("Acp follow session")
    nvim.wait(f"{FOLLOW}.state.session == ...", session)
    nvim.command("Acp follow on")
    nvim.wait(f"{FOLLOW}.state.session == nil")
    for _ in range(2):
        nvim.command("Acp permissions 2")
    nvim.wait_idle()


def test_two_tabs_show_the_same_and_only_the_current_one_follows(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.run_turn("/plan")
    nvim.command("Acp transcript")
    nvim.command("tabnew README.md")
    nvim.command("Acp transcript")
    wait_equal(lambda: len(nvim.lua(f"return vim.fn.win_findbuf({TRANSCRIPT}.buffer)")), 2)
    nvim.run_turn("/edit tally/words.py")
    tab = "return vim.api.nvim_win_get_tabpage(...) == vim.api.nvim_get_current_tabpage()"
    wait_until(lambda: followed_file(nvim), lambda name: name.endswith("tally/words.py"))
    assert nvim.lua(tab, nvim.lua(f"return {FOLLOW}.window"))
    nvim.command("tabfirst | 1wincmd w")
    nvim.wait(f"#{MARKS} > 0")
    nvim.command("tabonly")
    nvim.run_turn("/read tally/report.py:1-5")
    wait_followed(nvim, "tally/report.py")


CLOSE = """
math.randomseed(...)
local function of_ours()
  local found = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window))
    local float = vim.api.nvim_win_get_config(window).relative ~= ''
    if float or name:find('^acp%-') or vim.wo[window].diff then
      found[#found + 1] = function() vim.api.nvim_win_close(window, true) end
      found[#found + 1] = function()
        vim.api.nvim_buf_delete(vim.api.nvim_win_get_buf(window), { force = true })
      end
    end
  end
  return found
end
for _ = 1, 50 do
  local acts = of_ours()
  if #acts == 0 then return end
  acts[math.random(#acts)]()
  vim.cmd.redraw()
end
error('there are always more')
"""


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_our_windows_and_buffers_are_closed_in_any_order(nvim: Neovim, seed: int) -> None:
    nvim.edit("tally/words.py")
    nvim.run_turn("/run echo one")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    nvim.wait(f"#{MARKS} > 0")
    nvim.command("Acp transcript")
    nvim.command("Acp terminal")
    nvim.command("Acp prompt")
    nvim.command("stopinsert | 1wincmd w")
    nvim.command("Acp review diff")
    nvim.wait("#vim.api.nvim_list_tabpages() == 2 and #vim.api.nvim_tabpage_list_wins(0) >= 2")
    nvim.lua(CLOSE, seed)
    nvim.command("Acp permissions")
    nvim.command("Acp permissions 1")
    nvim.wait_idle()
    nvim.command("Acp transcript")
    nvim.run_turn("/plan")
    wait_until(lambda: shown(nvim), lambda text: text.count("/plan") > 0)
    assert nvim.told() == []
