"""Permissions: floats that take no focus, keys that count only after a moment, truth about ends."""

from __future__ import annotations

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_for, wait_in

OPEN = "#require('acp_sidecar.permission').open"
ENTRY = "require('acp_sidecar.permission').open[1]"


def floats(nvim: Neovim) -> list[int]:
    found: list[int] = nvim.lua(
        """return vim.tbl_filter(function(w)
             return vim.api.nvim_win_get_config(w).relative ~= '' end, vim.api.nvim_list_wins())"""
    )
    return found


def test_a_float_asks_without_focus_and_is_inert_at_first(start: Start) -> None:
    nvim = start(sidecar={"permissions": {"inert": 5}})
    nvim.edit("tally/words.py")
    here = nvim.rpc.current.window.handle
    nvim.prompt("/edit tally/words.py")
    nvim.wait(f"{OPEN} == 1")
    assert nvim.rpc.current.window.handle == here
    assert len(floats(nvim)) == 1
    nvim.command("Acp permissions")
    assert nvim.rpc.current.buffer.options["filetype"] == "acp-permission"
    text = "\n".join(nvim.rpc.current.buffer[:])
    assert "tally/words.py" in text
    assert "1  " in text
    nvim.lua(f"{ENTRY}.since = vim.uv.now() vim.cmd.normal('1')")  # at once, on any machine
    assert nvim.lua(f"return {OPEN}") == 1
    nvim.lua(f"{ENTRY}.since = 0")
    nvim.rpc.command("normal 1")
    assert nvim.lua(f"return {OPEN}") == 0
    assert floats(nvim) == []
    nvim.wait_idle()
    assert "demo" in (nvim.project / "tally/words.py").read_text("utf-8")


def test_dismissing_refuses(nvim: Neovim) -> None:
    before = (nvim.project / "tally/words.py").read_bytes()
    nvim.edit("tally/words.py")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    nvim.command("Acp permissions")
    nvim.rpc.command("normal q")
    nvim.wait_idle()
    assert (nvim.project / "tally/words.py").read_bytes() == before


def test_settling_elsewhere_closes_the_float(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    nvim.command("Acp cancel")
    nvim.wait_idle()
    nvim.wait(f"{OPEN} == 0")
    assert floats(nvim) == []
    assert nvim.told() == []


def test_several_are_stacked_and_answered_one_by_one(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    nvim.prompts += 1
    nvim.command("Acp! prompt /edit tally/report.py")
    nvim.wait_permission(2)
    rows = [nvim.lua("return vim.api.nvim_win_get_position(...)[1]", w) for w in floats(nvim)]
    assert len(set(rows)) == 2
    nvim.command("Acp permissions 1")
    nvim.wait(f"{OPEN} == 1")
    nvim.command("Acp permissions 1")
    nvim.wait_idle()
    assert floats(nvim) == []


def test_closing_the_float_answers_nothing(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    nvim.rpc.request("nvim_win_close", floats(nvim)[0], True)
    assert nvim.lua(f"return {OPEN}") == 1
    nvim.command("Acp permissions")
    assert len(floats(nvim)) == 1
    nvim.rpc.command("normal 1")
    nvim.wait_idle()


def test_ui_select_asks_instead(start: Start) -> None:
    nvim = start(permission={"ui": "select"})
    nvim.edit("tally/words.py")
    nvim.answer("Allow")
    nvim.prompt("/edit tally/words.py")
    nvim.wait("#_G.asked == 1")
    assert "tally/words.py" in nvim.asked()[0]
    nvim.wait_idle()
    wait_for(lambda: nvim.lua(f"return {OPEN}") == 0)


def test_a_form_is_filled_in_and_reviewed(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.lua(
        """
           vim.ui.input = function(o, done) table.insert(_G.asked, o.prompt)
             done(o.default or (o.prompt:find('often') and '2' or 'Ada')) end
           vim.ui.select = function(items, o, done) table.insert(_G.asked, o.prompt)
             done(items[1], 1) end"""
    )
    nvim.prompt("/ask")
    nvim.wait_permission()
    assert nvim.asked() == []
    nvim.command("Acp permissions 1")
    nvim.wait_idle()
    assert "Ada" in nvim.asked()[-1]
    nvim.command("Acp transcript")
    session = nvim.lua("return require('acp_sidecar.sessions').last")
    wait_in("Ada", lambda: "\n".join(nvim.lines(session)))
