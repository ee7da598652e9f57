"""Sessions: those of before, those that agents list, closing, forgetting, deleting."""

from __future__ import annotations

import os
import signal
import sys

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import (
    ROOT,
    Json,
    Neovim,
    wait_equal,
    wait_for,
    wait_in,
    wait_until,
)
from tests.editors.neovim.test_lists import SESSIONS, offer
from tests.editors.neovim.test_start import CLIENT, child
from tests.editors.neovim.test_views import TRANSCRIPT, shown

PROGRAMS = ROOT / "tests" / "e2e" / "programs"
TITLE = "Friendlier greetings"  # that of the agent with a past
OFFER = f'acp-sidecar: :Acp sessions resume goes on with "{TITLE}"'
MORE = "those that agents list …"
ANOTHER = "a new session with another agent …"  # there are others on some machines only


def ids(nvim: Neovim) -> list[str]:
    """The open sessions."""
    found: list[str] = nvim.lua(f"return vim.tbl_keys({SESSIONS}.all)")
    return found


def current(nvim: Neovim) -> str:
    return str(nvim.lua(f"return {SESSIONS}.last"))


def remembered(nvim: Neovim) -> list[str]:
    return [each["sessionId"] for each in nvim.state()["remembered"]]


def agent_with_a_past(kind: str = "none") -> dict[str, Json]:
    """Settings with the agent whose every life knows the same sessions."""
    agent = {"command": [sys.executable, str(PROGRAMS / "lists.py"), kind]}
    return {"agents": {"past": agent}, "defaultAgent": "past"}


def after_a_session(start: Start, kind: str = "none") -> Neovim:
    """An editor that was started anew after it had a session."""
    nvim = start(sidecar=agent_with_a_past(kind))
    nvim.edit("README.md")
    nvim.run_turn("hello")
    wait_equal(lambda: remembered(nvim), ["kept"])
    nvim.wait(f"{SESSIONS}.current().title == '{TITLE}'")
    first = nvim.lua(f"return {CLIENT}.get().id")
    nvim.command("Acp restart")
    nvim.wait(f"{CLIENT}.get() and {CLIENT}.get().id ~= {first} and {CLIENT}.get().initialized")
    assert ids(nvim) == []
    return nvim


def wait_told_again(nvim: Neovim) -> None:
    """Wait until a session of before is open, and its past told."""
    wait_equal(lambda: ids(nvim), ["kept"])
    nvim.wait("vim.api.nvim_buf_is_valid(vim.tbl_get(" + TRANSCRIPT + ", 'buffer'))")
    wait_in("said before", lambda: shown(nvim))


def test_the_last_session_of_before_is_gone_on_with(start: Start) -> None:
    nvim = after_a_session(start)
    nvim.command("Acp sessions resume")
    wait_told_again(nvim)
    nvim.run_turn("and on")
    assert ids(nvim) == ["kept"]
    wait_in("done", lambda: shown(nvim))


def test_a_session_of_before_is_offered_at_the_start_and_chosen(start: Start) -> None:
    after_a_session(start)
    nvim = start(sidecar=agent_with_a_past())
    nvim.edit("README.md")
    nvim.command("Acp start")
    wait_in(OFFER, nvim.told)
    label, *others = offer(nvim, "Acp sessions")
    assert label.startswith(f"resume {TITLE} (past, ")
    assert [label for label in others if label != ANOTHER] == ["a new session", MORE]
    nvim.answer(label)
    nvim.command("Acp sessions")
    wait_told_again(nvim)


def test_after_a_crash_the_session_is_offered(start: Start) -> None:
    nvim = start(sidecar=agent_with_a_past())
    nvim.edit("README.md")
    nvim.run_turn("hello")
    file = nvim.project.parent / "xdg" / "STATE" / "acp-sidecar" / "sessions.json"
    wait_until(lambda: file.read_text("utf-8") if file.exists() else "", lambda text: TITLE in text)
    os.kill(child(nvim), signal.SIGKILL)
    wait_in(OFFER, nvim.told)
    nvim.command("Acp sessions resume")
    wait_told_again(nvim)


def test_what_agents_list_is_asked_for_page_by_page(start: Start) -> None:
    nvim = after_a_session(start, "few")
    [agent] = [each for each in nvim.state()["agents"] if each["name"] == "past"]
    assert agent["state"] == "stopped"  # nothing is started in order to show what is remembered
    nvim.answer(MORE, "more …")
    nvim.command("Acp sessions")
    pages = wait_until(
        lambda: [text for text in nvim.offered() if text.startswith("resume ")],
        lambda found: len(found) == 4,
    )
    assert [label.split(" (")[0] for label in pages] == [
        f"resume {TITLE}", "resume Session 0", "resume Session 1", "resume Session 2"
    ]  # fmt: skip
    assert nvim.offered()[-1] in ("a new session", ANOTHER)  # there is no more to ask for


def test_an_agent_that_does_not_start_does_not_keep_the_list_away(start: Start) -> None:
    broken = {"agents": {"broken": {"command": [sys.executable, "-c", "1"]}}}
    nvim = start(sidecar={**broken, "defaultAgent": "broken"})
    nvim.answer(MORE)
    nvim.command("Acp sessions")
    wait_until(nvim.offered, lambda found: found and MORE not in found)
    assert nvim.offered()[0] == "a new session"
    assert "broken" in nvim.told()[0]


def test_a_session_of_before_is_forgotten(start: Start) -> None:
    nvim = after_a_session(start)
    [label] = offer(nvim, "Acp sessions forget")
    assert label.startswith(f"{TITLE} (past, ")
    nvim.answer(label)
    nvim.command("Acp sessions forget")
    wait_for(lambda: not remembered(nvim), "it is forgotten")
    nvim.command("Acp sessions forget")
    wait_equal(lambda: nvim.told()[-1:], ["acp-sidecar: no session of before is remembered"])


def test_an_open_session_is_closed_and_gone_on_with_again(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    session = current(nvim)
    nvim.command("Acp sessions close")
    wait_equal(lambda: ids(nvim), [])
    nvim.command("Acp sessions close")
    assert nvim.told() == ["acp-sidecar: no session is open"]
    nvim.command("Acp sessions resume")
    wait_equal(lambda: ids(nvim), [session])


def test_of_several_the_one_to_close_is_chosen(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    first = current(nvim)
    nvim.command("Acp sessions new")
    nvim.wait(f"{SESSIONS}.last ~= ...", first)
    second = current(nvim)
    labels = offer(nvim, "Acp sessions close")
    assert len(labels) == 2
    nvim.answer(next(label for label in labels if second in label))
    nvim.command("Acp sessions close")
    wait_equal(lambda: ids(nvim), [first])
    wait_equal(lambda: current(nvim), first)


def test_a_session_is_deleted_only_when_that_is_confirmed(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/plan")
    session = current(nvim)
    labels = offer(nvim, "Acp sessions delete")
    nvim.answer(labels[0], "Keep it")
    nvim.command("Acp sessions delete")
    wait_until(nvim.asked, lambda asked: "for good?" in asked[-1])
    assert ids(nvim) == [session]
    nvim.answer(labels[0], "Delete it")
    nvim.command("Acp sessions delete")
    wait_equal(lambda: ids(nvim), [])
    wait_equal(lambda: remembered(nvim), [])


def test_words_are_completed_and_wrong_ones_told(nvim: Neovim) -> None:
    words = nvim.rpc.call("getcompletion", "Acp sessions ", "cmdline")
    assert words == ["new", "resume", "close", "forget", "delete"]
    nvim.command("Acp sessions burn")
    assert nvim.told() == ["acp-sidecar: there is no :Acp sessions burn"]
