"""The palette's commands: prompts about code, sessions, options, agents, the walkthrough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from tests.editors.vscode.asking import program
from tests.editors.vscode.conftest import PICTURES, Windows
from tests.editors.vscode.status_bar import wait_status
from tests.editors.vscode.test_sessions import sent
from tests.editors.vscode.workbench import Workbench, json_lines

Json = Any


class Traced:
    """A window, and what it has its agent told."""

    def __init__(self, windows: Windows, trace: Path, agent: Json | None = None) -> None:
        self._trace = trace
        self.vscode = windows.open(settings={"acpSidecar.trace": str(trace), **(agent or {})})
        wait_status(self.vscode, "Following")

    def sent(self, method: str, count: int = 1) -> list[Json]:
        """The params of what was sent by this name, once there are so many."""
        self.vscode.wait(lambda: len(sent(self._trace, method)) >= count, f"{count} {method}")
        return [each["params"] for each in sent(self._trace, method)]

    def started_again(self) -> None:
        """Wait until a second process of the agent is spoken to: it has a trace of its own."""
        others = f"{self._trace.stem}-*.jsonl"
        self.vscode.wait(
            lambda: any(sent(each, "initialize") for each in self._trace.parent.glob(others)),
            "a second agent",
        )

    def ended(self) -> None:
        """Wait until the agent's process is gone."""
        self.vscode.wait(
            lambda: any(frame["dir"] in {"eof", "end"} for frame in json_lines(self._trace)),
            "the end of the agent",
        )


@pytest.fixture
def traced(windows: Windows, tmp_path: Path) -> Traced:
    return Traced(windows, tmp_path / "trace.jsonl")


def wait_gone(vscode: Workbench) -> None:
    """Wait until the list is closed."""
    expect(vscode.quick_input()).to_have_count(0)


def test_a_question_about_a_selection_takes_it_along(traced: Traced) -> None:
    vscode = traced.vscode
    vscode.open_file("tally/words.py")
    vscode.page.keyboard.press("Control+G")
    vscode.type_into_quick_input(":9")
    vscode.wait(lambda: vscode.cursor().startswith("Ln 9,"))
    vscode.page.keyboard.press("Shift+ArrowDown")
    vscode.page.keyboard.press("Shift+ArrowDown")
    vscode.wait(lambda: "selected" in vscode.cursor())
    vscode.command("ACP: Ask About Selection")
    expect(vscode.quick_input()).to_contain_text("tally/words.py, lines 9-11")
    vscode.type_into_quick_input("/plan why so?")
    [prompt] = traced.sent("session/prompt")
    told = str(prompt["prompt"])
    assert "/plan why so?" in told
    assert "def split(text: str)" in told
    assert "words.py" in told


def test_a_problem_is_fixed_by_its_quick_fix_and_by_the_command(
    windows: Windows, tmp_path: Path
) -> None:
    traced = Traced(windows, tmp_path / "trace.jsonl", program("says"))
    vscode = traced.vscode
    (vscode.project / "broken.json").write_text('{\n  "a": \n}\n', encoding="utf-8")
    vscode.open_file("broken.json")
    expect(vscode.page.locator("[id='status.problems']")).to_contain_text("1")
    vscode.page.keyboard.press("Alt+F8")  # to the problem
    vscode.page.keyboard.press("Escape")
    vscode.wait(vscode.editor_has_focus, "the problem's box is closed")
    choose_quick_fix(vscode, "Fix with agent")
    [prompt] = traced.sent("session/prompt")
    assert "Value expected" in str(prompt["prompt"])
    wait_status(vscode, "idle")
    vscode.command("ACP: Fix With Agent")
    again = traced.sent("session/prompt", 2)[1]
    assert again["prompt"] == prompt["prompt"]


def choose_quick_fix(vscode: Workbench, title: str) -> None:
    """Choose a quick fix at the cursor, once it is offered."""
    fix = vscode.page.locator(".action-widget").get_by_text(title)

    def offered() -> bool:
        vscode.page.keyboard.press("Control+.")
        try:
            fix.wait_for(timeout=5000)
        except PlaywrightTimeoutError:  # the list closes when anything else moves
            vscode.page.keyboard.press("Escape")
            return False
        return True

    vscode.wait(offered, f"the quick fix {title}")
    fix.click()


def test_an_option_is_set_by_its_name_and_shown_as_set(traced: Traced) -> None:
    vscode = traced.vscode
    vscode.prompt("/plan")
    traced.sent("session/prompt")
    wait_status(vscode, "idle")
    vscode.command("ACP: Session Options")
    vscode.quick_pick("Mode")
    vscode.quick_pick("auto-accept", typed="auto")
    [option] = traced.sent("session/set_config_option")
    assert "auto" in str(option["value"]).lower()


def test_a_session_more_and_back_to_the_first(traced: Traced) -> None:
    vscode = traced.vscode
    vscode.prompt("/plan")
    traced.sent("session/prompt")
    vscode.command("ACP: New Session")
    vscode.quick_pick("Demo", typed="demo")
    traced.sent("session/new", 2)
    vscode.prompt("/plan again")
    second = traced.sent("session/prompt", 2)[1]["sessionId"]
    first = traced.sent("session/prompt")[0]["sessionId"]
    assert second != first
    vscode.command("ACP: Sessions")
    vscode.page.get_by_placeholder("Go on with a session").wait_for()
    vscode.quick_input().locator(".monaco-list-row[data-index='0']").click()
    wait_gone(vscode)
    vscode.prompt("/plan once more")
    assert traced.sent("session/prompt", 3)[2]["sessionId"] == first


def test_a_turn_is_cancelled(traced: Traced) -> None:
    vscode = traced.vscode
    vscode.prompt("/plan")
    vscode.prompt("/search e")
    traced.sent("session/prompt", 2)
    vscode.command("ACP: New Session")
    vscode.quick_pick("Demo", typed="demo")
    traced.sent("session/new", 2)
    vscode.prompt("/run")  # asks, and waits for the answer
    wait_status(vscode, "waits for you")
    vscode.picture(PICTURES / "waits.png")
    vscode.command("ACP: Cancel Turn")
    traced.sent("session/cancel")
    wait_status(vscode, "idle")


def test_the_agent_is_stopped_and_started(traced: Traced) -> None:
    vscode = traced.vscode
    vscode.prompt("/plan")
    traced.sent("session/prompt")
    wait_status(vscode, "idle")
    vscode.command("ACP: Stop Agent...")
    traced.ended()
    vscode.command("ACP: Start Agent...")
    vscode.page.get_by_placeholder("An agent").wait_for()
    assert "Demo agent" in vscode.quick_rows()[0]
    vscode.quick_pick("Demo", typed="demo")
    traced.started_again()


def test_the_walkthrough_opens_with_a_first_step(vscode: Workbench) -> None:
    vscode.command("ACP: Open Walkthrough")
    page = vscode.page.locator(".gettingStartedContainer")
    expect(page).to_contain_text("Your first minute with an agent")
    expect(page).to_contain_text("Send the first prompt")


def test_the_walkthrough_shows_what_following_is(vscode: Workbench) -> None:
    vscode.command("ACP: Open Walkthrough")
    vscode.page.get_by_role("button", name="Watch it work").click()
    shown = vscode.webview("").get_by_role("img", name="The agent's caret")
    shown.wait_for()
    vscode.wait(lambda: shown.evaluate("(image) => image.naturalWidth > 0"), "the picture is there")
    vscode.picture(PICTURES / "walkthrough.png")
