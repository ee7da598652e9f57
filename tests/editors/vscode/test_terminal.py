"""Agents' terminals in VS Code: opened by the user, with colours, their end told, stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from tests.editors.vscode.asking import press
from tests.editors.vscode.conftest import PICTURES, Windows
from tests.editors.vscode.workbench import Workbench

Json = Any
ALLOWED = {
    "acpSidecar.permissions.rules": [{"match": {"kind": "execute"}, "do": "allow"}],
}
COLOURED = ".xterm-rows span[class*='xterm-fg-']"


def screen(vscode: Workbench) -> str:
    """What the terminal on screen shows."""
    text: str = vscode.page.locator(".xterm-rows").first.inner_text()
    return text.replace("\xa0", " ")


def open_terminal(vscode: Workbench, row: str) -> None:
    """Open an agent's terminal by what its row in the list says, once it says so."""

    def listed() -> bool:
        vscode.command("ACP: Open Agent Terminal")
        rows = vscode.quick_input().locator(".monaco-list-row").filter(has_text=row)
        try:
            rows.first.wait_for(timeout=3000)
        except PlaywrightTimeoutError:  # no program has run, or this one has not ended
            vscode.page.keyboard.press("Escape")
            return False
        return True

    vscode.wait(listed, f"a terminal {row}")
    assert not terminal_is_on_screen(vscode)  # nothing has opened by itself
    vscode.quick_pick(row, typed="")


def terminal_is_on_screen(vscode: Workbench) -> bool:
    return vscode.page.locator(".xterm-rows").count() > 0


def test_output_is_shown_with_its_colours_when_the_user_asks_for_it(windows: Windows) -> None:
    vscode = windows.open(settings=ALLOWED)
    vscode.open_file("tally/words.py")
    vscode.prompt("/run")
    open_terminal(vscode, "ended with exit status 1")
    vscode.wait(lambda: terminal_is_on_screen(vscode) and "passed" in screen(vscode))
    vscode.wait(lambda: "ended with exit status 1; press any key to close" in screen(vscode))
    assert vscode.page.locator(COLOURED).filter(has_text="✗").count() >= 1
    assert "\x1b" not in screen(vscode)
    expect(vscode.page.locator(".part.panel")).to_contain_text("✗ python -m tests")
    vscode.picture(PICTURES / "terminal.png")
    vscode.page.locator(".xterm-helper-textarea").first.focus()
    vscode.page.keyboard.press("x")
    vscode.wait(lambda: not terminal_is_on_screen(vscode), "the terminal is closed")
    assert vscode.toasts() == []


def test_terminals_open_by_a_setting_without_the_focus(windows: Windows) -> None:
    vscode = windows.open(settings={**ALLOWED, "acpSidecar.editor.terminals": "show"})
    vscode.open_file("tally/words.py")
    vscode.prompt("/run")
    vscode.wait(lambda: terminal_is_on_screen(vscode) and "passed" in screen(vscode))
    vscode.page.keyboard.type("# mine")
    vscode.wait(lambda: vscode.editor_lines()[0].startswith("# mine"), "the editor has the focus")


def test_a_program_is_stopped_by_the_interrupt_key(windows: Windows) -> None:
    vscode = windows.open(settings=ALLOWED)
    vscode.prompt("/slow 600")
    open_terminal(vscode, "countdown")
    vscode.wait(lambda: terminal_is_on_screen(vscode) and screen(vscode).strip() != "")
    vscode.page.locator(".xterm-helper-textarea").first.focus()
    vscode.page.keyboard.press("q")
    vscode.wait(lambda: "only the agent writes here" in screen(vscode))
    vscode.page.keyboard.press("Control+C")
    vscode.wait(lambda: "press any key to close" in screen(vscode), "the program has ended")


def test_a_terminal_that_is_opened_late_shows_all_that_came_before(
    windows: Windows, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "lines.py").write_text("for line in range(3000):\n    print('line', line)\n")
    vscode = windows.open(project)
    vscode.prompt("/run python lines.py")
    press(vscode, "demo asks", "Allow")
    open_terminal(vscode, "ended with exit status 0")
    vscode.wait(lambda: terminal_is_on_screen(vscode) and "line 2999" in screen(vscode))
    vscode.wait(lambda: "ended with exit status 0" in screen(vscode))
