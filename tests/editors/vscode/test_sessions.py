"""Whole sessions in VS Code: resumed, their server killed, in two folders, and very long."""

from __future__ import annotations

import json
import os
import signal
import statistics
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.cache import PROJECT
from tests.editors.vscode.asking import nothing_is_asked, press, program, question, script
from tests.editors.vscode.conftest import Windows, sample_project
from tests.editors.vscode.status_bar import wait_status
from tests.editors.vscode.workbench import Workbench, json_lines

Json = Any
WORDS = "tally/words.py"
KEYS = 30
# While 10 000 updates come in, a key takes as long as otherwise, give or take a busy machine.
SLOWER_AT_MOST = 15.0


def started(windows: Windows, vscode: Workbench, before: set[int]) -> int:
    """The server that has been started since."""
    return vscode.wait(lambda: windows.sidecars() - before, "a server has started").pop()


def edit(vscode: Workbench) -> None:
    """One turn in which a file is changed, permission included."""
    before = (vscode.project / WORDS).read_bytes()
    vscode.prompt(f"/edit {WORDS}")
    press(vscode, "demo asks", "Allow")
    vscode.wait(lambda: (vscode.project / WORDS).read_bytes() != before, "the file is written")


def test_a_server_that_was_killed_is_started_again_and_works(windows: Windows) -> None:
    before = windows.sidecars()
    vscode = windows.open()
    vscode.prompt("/run")
    question(vscode, "demo asks")
    os.kill(started(windows, vscode, before), signal.SIGKILL)
    nothing_is_asked(vscode)
    vscode.toast("started once again").wait_for()
    edit(vscode)


def test_a_session_that_was_closed_is_resumed(windows: Windows, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    vscode = windows.open(settings={"acpSidecar.trace": str(trace)})
    edit(vscode)
    vscode.command("ACP: Sessions")
    row = vscode.quick_input().locator(".monaco-list-row").first
    row.hover()
    row.locator("[aria-label='Close']").click()
    vscode.wait(lambda: sent(trace, "session/close"), "the session is closed")
    vscode.page.keyboard.press("Escape")
    vscode.command("ACP: Sessions")
    expect(vscode.quick_input()).to_contain_text("remembered")
    vscode.page.keyboard.press("Enter")
    [resumed] = vscode.wait(lambda: sent(trace, "session/resume"), "the session is resumed")
    [first] = sent(trace, "session/prompt")
    assert resumed["params"]["sessionId"] == first["params"]["sessionId"]
    vscode.prompt("/plan")
    vscode.wait(lambda: len(sent(trace, "session/prompt")) == 2, "a second prompt")
    again = sent(trace, "session/prompt")[1]
    assert again["params"]["sessionId"] == first["params"]["sessionId"]


def test_a_list_of_several_pages_is_turned_by_more(windows: Windows) -> None:
    vscode = windows.open(settings=script(PROJECT / "tests/e2e/programs/lists.py", "few"))
    wait_status(vscode, "Following")
    vscode.command("ACP: Sessions")
    listed = vscode.quick_input().locator(".monaco-list-row")
    for name in ("Session 0", "Session 1"):
        expect(listed.filter(has_text=name)).to_have_count(1)
    expect(listed.filter(has_text="Session 2")).to_have_count(0)
    listed.filter(has_text="More...").click()
    expect(listed.filter(has_text="Session 2")).to_have_count(1)
    expect(listed.filter(has_text="More...")).to_have_count(0)
    expect(listed.filter(has_text="Session ")).to_have_count(3)


def sent(trace: Path, method: str) -> list[Json]:
    """What was sent to the agent by this name."""
    frames = [frame for frame in json_lines(trace) if frame["dir"] == "out"]
    return [frame["msg"] for frame in frames if frame.get("msg", {}).get("method") == method]


def test_the_agent_of_a_workspace_with_two_roots_knows_both(
    windows: Windows, tmp_path: Path
) -> None:
    first, second = sample_project(tmp_path / "first"), sample_project(tmp_path / "second")
    workspace = tmp_path / "both.code-workspace"
    folders = [{"path": str(folder)} for folder in (first, second)]
    workspace.write_text(json.dumps({"folders": folders}), encoding="utf-8")
    trace = tmp_path / "trace.jsonl"
    vscode = windows.open(workspace, settings={"acpSidecar.trace": str(trace)})
    before = (first / WORDS).read_bytes()
    vscode.prompt(f"/edit {WORDS}")
    said = question(vscode, "demo asks").inner_text()
    assert f"first/{WORDS}" in said
    assert "outside the workspace" not in said
    press(vscode, "demo asks", "Allow")
    vscode.wait(lambda: (first / WORDS).read_bytes() != before, "the file is written")
    assert (second / WORDS).read_bytes() == before
    [session] = sent(trace, "session/new")
    folders_told = {session["params"]["cwd"], *session["params"].get("additionalDirectories", [])}
    assert str(first) in folders_told


def key_times(vscode: Workbench) -> list[float]:
    """How long keys take until they show in the editor, in seconds."""
    times = []
    typed = ""
    vscode.page.keyboard.press("Control+Home")
    for number in range(KEYS):
        letter = "abcdefghij"[number % 10]
        typed += letter
        start = time.monotonic()
        vscode.page.keyboard.press(letter)
        vscode.page.wait_for_function(
            """(typed) => [...document.querySelectorAll('.view-lines .view-line')]
            .some((line) => line.innerText.startsWith(typed))""",
            arg=typed,
            polling=5,
        )
        times.append(time.monotonic() - start)
    for _ in range(KEYS):
        vscode.page.keyboard.press("Backspace")
    return times


def test_ten_thousand_updates_leave_the_editor_responsive(
    windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    # Where the agent is goes into a group of its own: the user's editor stays the active one.
    beside = {"acpSidecar.editor.followColumn": "beside"}
    vscode = windows.open(settings={**program("streams"), **beside})
    vscode.open_file("README.md")
    vscode.prompt("hello")  # the agent has started
    wait_status(vscode, "streams: idle")
    vscode.wait(vscode.editor_has_focus, "the editor has the focus")
    quiet = statistics.median(key_times(vscode))
    vscode.prompt("go on")
    wait_status(vscode, "streams: working")
    vscode.wait(vscode.editor_has_focus, "the editor has the focus")
    start = time.monotonic()
    busy = statistics.median(key_times(vscode))
    wait_status(vscode, "streams: idle")
    with capsys.disabled():
        took = time.monotonic() - start
        print(f"\na key: {1000 * quiet:.0f} ms, {1000 * busy:.0f} ms while 10 000 updates come in;")
        print(f"the turn was over after {took:.1f} s")
    assert busy < SLOWER_AT_MOST * quiet
