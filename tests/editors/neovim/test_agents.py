"""Several agents at once: each has its session, transcript, presence and questions."""

from __future__ import annotations

import sys

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Json, Neovim, wait_equal, wait_in
from tests.editors.neovim.says import says
from tests.editors.neovim.test_asking import odd
from tests.editors.neovim.test_lists import SESSIONS, offer
from tests.editors.neovim.test_permission import OPEN, floats
from tests.editors.neovim.test_sessions import ANOTHER
from tests.editors.neovim.test_start import CLIENT


def three_agents() -> dict[str, Json]:
    demo = {"command": [sys.executable, "-m", "acp_sidecar", "agent"]}
    agents = {"demo": demo, **says()["agents"], **odd()["agents"]}
    return {"agents": agents, "defaultAgent": "demo"}


def agent(nvim: Neovim) -> str:
    """The agent of the current session."""
    return str(nvim.lua(f"return ({SESSIONS}.current() or {{}}).agent"))


def transcript(nvim: Neovim, session: str) -> str:
    return "\n".join(nvim.lines(f"acp-transcript://{session}"))


def completed(nvim: Neovim, line: str) -> list[str]:
    return list(nvim.rpc.call("getcompletion", line, "cmdline"))


def test_names_of_agents_are_completed_before_the_server_runs_too(start: Start) -> None:
    nvim = start(sidecar=three_agents())
    assert completed(nvim, "Acp sessions new ") == ["demo", "odd", "says"]
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    assert {"demo", "odd", "says"} <= set(completed(nvim, "Acp login "))
    assert "goose" not in completed(nvim, "Acp login ")  # known, but not installed


def test_each_agent_has_its_session_and_its_transcript(start: Start) -> None:
    nvim = start(sidecar=three_agents())
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    first = nvim.lua(f"return {SESSIONS}.last")
    labels = offer(nvim, "Acp sessions")
    assert labels[1:3] == ["a new session", ANOTHER]
    nvim.answer(ANOTHER, "says")
    nvim.command("Acp sessions")
    wait_equal(lambda: agent(nvim), "says")
    assert "odd" in nvim.offered()
    second = nvim.lua(f"return {SESSIONS}.last")
    nvim.run_turn("good morning")
    wait_in("good morning", lambda: transcript(nvim, second))
    assert completed(nvim, "Acp sessions new od") == ["odd"]
    nvim.command("Acp sessions new odd")
    wait_equal(lambda: agent(nvim), "odd")
    states = nvim.state()["sessions"]
    assert [each["agent"] for each in states] == ["demo", "says", "odd"]
    nvim.lua("require('acp_sidecar.transcript').open(...)", first)
    wait_in("/plan", lambda: transcript(nvim, first))
    assert "good morning" not in transcript(nvim, first)
    assert "/plan" not in transcript(nvim, second)


def test_questions_of_two_agents_are_stacked_and_one_is_settled_elsewhere(start: Start) -> None:
    nvim = start(sidecar=three_agents())
    nvim.edit("README.md")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    nvim.command("Acp sessions new odd")
    wait_equal(lambda: agent(nvim), "odd")
    nvim.prompt("files")
    nvim.wait_permission(2)
    titles = "return vim.tbl_map(function(e) return e.params.agent end, {})".format(
        "require('acp_sidecar.permission').open"
    )
    assert nvim.lua(titles) == ["demo", "odd"]
    bottom, above = [row_below(nvim, window) for window in windows(nvim)]
    assert above < bottom  # they do not cover each other
    # As another view of the same server would answer it.
    answer = f"""{CLIENT}.execute('acp.permission.answer', {{
      permissionId = require('acp_sidecar.permission').open[1].params.permissionId,
      optionId = vim.NIL }})"""
    nvim.lua(answer)
    nvim.wait(f"{OPEN} == 1")
    assert nvim.lua(titles) == ["odd"]
    [left] = floats(nvim)
    assert row_below(nvim, left) == bottom  # it has moved down
    nvim.command("Acp permissions 1")
    nvim.wait_idle()
    assert floats(nvim) == []
    assert nvim.told() == []


def windows(nvim: Neovim) -> list[int]:
    """The floats, the oldest question first."""
    found: list[int] = nvim.lua(
        "return vim.tbl_map(function(e) return e.window end, "
        "require('acp_sidecar.permission').open)"
    )
    return found


def row_below(nvim: Neovim, window: int) -> int:
    """The row below a float."""
    row: int = nvim.lua(
        "return vim.api.nvim_win_get_position(...)[1] + vim.api.nvim_win_get_height(...) + 1",
        window,
    )
    return row
