"""Remembering answers, links, forms that are withdrawn, and questions over several tabs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Json, Neovim, wait_for, wait_until
from tests.editors.neovim.test_permission import ENTRY, OPEN, floats

SESSIONS = "require('acp_sidecar.sessions')"


def odd(**more: Json) -> dict[str, Json]:
    """Settings with the agent of programs/odd.py."""
    # By its path: the sample project has a package `tests` of its own.
    agent = {"command": [sys.executable, str(Path(__file__).parent / "programs" / "odd.py")]}
    return {"agents": {"odd": agent}, "defaultAgent": "odd", **more}


def rules(nvim: Neovim) -> list[Json]:
    found: list[Json] = nvim.state()["rules"]
    return found


def float_text(nvim: Neovim) -> str:
    lines = nvim.lua(f"return vim.api.nvim_buf_get_lines({ENTRY}.buffer, 0, -1, false)")
    return "\n".join(lines)


def test_an_answer_is_remembered_as_the_float_says_and_forgotten(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.prompt("/run echo one")
    nvim.wait_permission()
    assert "r  remember: no" in float_text(nvim)
    nvim.command("Acp permissions")
    nvim.rpc.command("normal r")
    assert "(this session)" in float_text(nvim)
    nvim.rpc.command("normal 1")
    nvim.wait_idle()
    [rule] = rules(nvim)
    assert rule["rule"]["do"] == "allow"
    assert rule["sessionId"] == nvim.lua(f"return {SESSIONS}.last")
    nvim.prompt("/run echo one")
    nvim.wait_idle()
    assert nvim.lua(f"return {OPEN}") == 0
    nvim.lua("vim.ui.select = function(items, _, done) done(items[1], 1) end")
    nvim.command("Acp permissions rules")
    wait_for(lambda: not rules(nvim), "the rule is forgotten")


def test_the_command_line_remembers_for_all_sessions(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.prompt("/run echo one")
    nvim.wait_permission()
    nvim.command("Acp permissions 1 workspace")
    nvim.wait_idle()
    assert [rule.get("sessionId") for rule in rules(nvim)] == [None]


def test_ui_select_remembers_too(start: Start) -> None:
    nvim = start(permission={"ui": "select"})
    nvim.edit("README.md")
    nvim.lua(
        """local step = 0
           vim.ui.select = function(items, options, done)
             step = step + 1
             local wanted = ({ #items, 2, 1 })[step]
             table.insert(_G.asked, options.format_item(items[wanted]))
             done(items[wanted], wanted)
           end"""
    )
    nvim.prompt("/run echo one")
    nvim.wait_idle()
    assert nvim.asked()[0] == "Remember: no …"
    assert nvim.asked()[1].endswith("(this session)")
    assert nvim.asked()[2] == "Allow"
    assert [rule["sessionId"] for rule in rules(nvim)] == [nvim.lua(f"return {SESSIONS}.last")]


def test_a_float_goes_with_the_user_to_another_tab(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    nvim.command("tabnew")
    here = nvim.rpc.current.window.handle
    nvim.wait(f"vim.api.nvim_win_get_tabpage({ENTRY}.window) == vim.api.nvim_get_current_tabpage()")
    assert len(floats(nvim)) == 1
    assert nvim.rpc.current.window.handle == here
    nvim.command("tabclose")
    nvim.wait(f"vim.api.nvim_win_is_valid({ENTRY}.window)")
    nvim.command("Acp permissions 1")
    nvim.wait_idle()
    assert floats(nvim) == []


@pytest.mark.parametrize(("number", "action"), [(1, "accept"), (2, "decline")])
def test_a_link_is_shown_whole_and_opened_only_by_choice(
    start: Start, number: int, action: str
) -> None:
    nvim = start(sidecar=odd())
    nvim.lua("vim.ui.open = function(url) _G.opened = url return {} end")
    nvim.edit("README.md")
    nvim.prompt("page")
    nvim.wait_permission()
    text = float_text(nvim)
    assert "Host: forms.example.org" in text
    assert "https://forms.example.org/sign?x=1" in text
    assert nvim.lua("return _G.opened") is None
    nvim.command(f"Acp permissions {number}")
    nvim.wait_idle()
    nvim.command("Acp transcript")
    nvim.wait(
        f"table.concat(vim.api.nvim_buf_get_lines(require('acp_sidecar.transcript').all"
        f"[{SESSIONS}.last].buffer, 0, -1, false)):find('{action}')"
    )
    if action == "accept":
        nvim.wait("_G.opened == 'https://forms.example.org/sign?x=1'")
    else:
        assert nvim.lua("return _G.opened") is None


def test_a_form_that_is_withdrawn_stops_asking(start: Start) -> None:
    nvim = start(sidecar=odd())
    nvim.edit("README.md")
    nvim.lua("vim.ui.input = function(o, done) table.insert(_G.asked, o.prompt) _G.late = done end")
    nvim.prompt("form")
    nvim.wait_permission()
    nvim.command("Acp permissions 1")
    nvim.wait("#_G.asked == 1")
    nvim.command("Acp cancel")
    nvim.wait_idle()
    nvim.wait("next(require('acp_sidecar.elicitation').open) == nil")
    nvim.lua("_G.late('too late')")
    nvim.prompt("told")
    nvim.wait_idle()
    assert len(nvim.asked()) == 1
    assert nvim.lua(f"return {OPEN}") == 0


def test_a_form_that_is_withdrawn_before_it_is_begun_closes(start: Start) -> None:
    nvim = start(sidecar=odd())
    nvim.edit("README.md")
    nvim.prompt("form")
    nvim.wait_permission()
    assert nvim.asked() == []
    nvim.command("Acp cancel")
    nvim.wait_idle()
    nvim.wait(f"{OPEN} == 0")
    assert floats(nvim) == []


def test_what_is_cleared_disappears(start: Start) -> None:
    nvim = start(sidecar=odd())
    nvim.edit("README.md")
    nvim.prompt("told")
    nvim.wait_idle()
    nvim.command("Acp transcript")

    def winbar() -> str:
        code = f"return require('acp_sidecar.render.status').winbar({SESSIONS}.current())"
        return str(nvim.lua(code))

    wait_until(winbar, lambda bar: bar.startswith("A title · ") and "50%% context" in bar)
    nvim.prompt("cleared")
    nvim.wait_idle()
    wait_until(winbar, lambda bar: bar.startswith("odd · "))
