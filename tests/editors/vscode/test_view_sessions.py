"""The sessions of the Agent view: several, closed, resumed, deleted; and very long ones."""

from __future__ import annotations

import re
import statistics
import time
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.editors.vscode.asking import program
from tests.editors.vscode.conftest import Windows
from tests.editors.vscode.test_sessions import sent
from tests.editors.vscode.view_desk import AgentView

KEYS = 30
MANY = 10_000
# Elements on screen do not grow with the session; a tall window draws about a hundred blocks.
MOST_DRAWN = 400
# A key in the prompt box, while updates come in or in a very long session, on a busy machine.
SLOWER_AT_MOST = 15.0


def rows(view: AgentView) -> Locator:
    return view.frame.get_by_role("grid", name="Sessions").get_by_role("row")


def open_list(view: AgentView) -> None:
    view.frame.locator("#switcher").click()
    expect(view.frame.locator("#listing")).to_be_hidden()
    rows(view).first.wait_for()


def test_sessions_are_switched_closed_resumed_and_deleted(windows: Windows, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    vscode = windows.open(settings={"acpSidecar.trace": str(trace)})
    view = AgentView(vscode).open()
    view.send("/plan")
    view.wait_idle()
    view.frame.locator("#switcher").click()
    view.button("New session").click()
    vscode.quick_pick("Demo", typed="demo")
    vscode.wait(lambda: len(sent(trace, "session/new")) == 2, "a second session")
    expect(view.block("user")).to_have_count(0)
    view.send("/search def")
    view.wait_idle()
    expect(view.block("user", "/search def")).to_be_visible()

    open_list(view)
    expect(rows(view)).to_have_count(2)
    vscode.page.keyboard.press("Home")
    vscode.page.keyboard.press("Enter")
    expect(view.block("user", "/plan")).to_be_visible()
    expect(view.transcript.get_by_text("/search def")).to_have_count(0)

    open_list(view)
    first = rows(view).first
    first.hover()
    first.get_by_role("button", name=re.compile("^Close ")).click()
    vscode.wait(lambda: sent(trace, "session/close"), "the session is closed")
    expect(view.block("user", "/search def")).to_be_visible()
    vscode.page.keyboard.press("Escape")

    open_list(view)
    remembered = view.frame.get_by_role("rowgroup", name="Remembered").get_by_role("row")
    expect(remembered).to_have_count(1)
    remembered.click()
    vscode.wait(lambda: sent(trace, "session/resume"), "the session is resumed")
    expect(view.block("user", "/plan")).to_be_visible()

    open_list(view)
    current = rows(view).and_(view.frame.locator("[aria-selected=true]"))
    current.focus()
    vscode.page.keyboard.press("Delete")
    view.button("Keep").click()
    expect(rows(view)).to_have_count(2)
    current.focus()
    vscode.page.keyboard.press("Delete")
    view.button("Delete for good").click()
    vscode.wait(lambda: sent(trace, "session/delete"), "the session is deleted")
    expect(rows(view)).to_have_count(1)
    expect(view.block("user", "/search def")).to_be_visible()


def key_times(view: AgentView) -> list[float]:
    """How long keys take until they show in the prompt box and the next frame, in seconds."""
    times = []
    view.prompt.fill("")
    view.prompt.focus()
    for number in range(KEYS):
        start = time.monotonic()
        view.page.keyboard.press("abcdefghij"[number % 10])
        view.prompt.evaluate(
            """(box, length) => new Promise((done) => {
              const look = () => box.value.length >= length
                ? requestAnimationFrame(() => done(true)) : requestAnimationFrame(look);
              look();
            })""",
            number + 1,
        )
        times.append(time.monotonic() - start)
    view.prompt.fill("")
    return times


def test_ten_thousand_updates_leave_the_view_responsive(
    windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    vscode = windows.open(settings=program("streams"))
    view = AgentView(vscode).open()
    quiet = statistics.median(key_times(view))
    view.send("go on")
    start = time.monotonic()
    busy = statistics.median(key_times(view))
    view.wait_idle()
    took = time.monotonic() - start
    expect(view.block("agent", "that is all")).to_be_in_viewport()
    long = statistics.median(key_times(view))
    with capsys.disabled():
        print(f"\na key in the prompt box: {1000 * quiet:.0f} ms; {1000 * busy:.0f} ms while")
        print(f"10 000 updates come in ({took:.1f} s); {1000 * long:.0f} ms afterwards")
    assert busy < SLOWER_AT_MOST * quiet
    assert long < SLOWER_AT_MOST * quiet


def test_ten_thousand_blocks_are_drawn_where_they_are_looked_at(
    windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    vscode = windows.open(settings=program("says"))
    view = AgentView(vscode).open()
    quiet = statistics.median(key_times(view))
    view.send(f"many {MANY}")
    view.wait_idle()
    last = view.block("tool_call", f"Read {MANY - 1}")
    expect(last).to_be_in_viewport()
    assert view.transcript.locator(".block").count() < MOST_DRAWN
    long = statistics.median(key_times(view))
    view.transcript.focus()
    start = time.monotonic()
    vscode.page.keyboard.press("Home")
    expect(view.block("tool_call", "Read 0")).to_be_in_viewport()
    home = time.monotonic() - start
    assert view.transcript.locator(".block").count() < MOST_DRAWN
    start = time.monotonic()
    vscode.page.keyboard.press("End")
    expect(last).to_be_in_viewport()
    end = time.monotonic() - start
    start = time.monotonic()
    vscode.command("View: Show Explorer")
    view.open()
    expect(last).to_be_in_viewport()
    again = time.monotonic() - start
    with capsys.disabled():
        print(f"\n{MANY} blocks: a key {1000 * quiet:.0f} ms before, {1000 * long:.0f} ms now;")
        print(f"to the start {home:.2f} s, to the end {end:.2f} s, shown again {again:.2f} s")
    assert long < SLOWER_AT_MOST * quiet
