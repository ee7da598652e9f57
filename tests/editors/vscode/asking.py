"""Has an agent ask things in VS Code, and says what it was answered."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.cache import PROJECT
from tests.editors.vscode.conftest import Windows
from tests.editors.vscode.workbench import Workbench, json_lines

Json = Any
PROGRAMS = Path(__file__).parent / "programs"


class Desk:
    """A window with the agent `programs/asks.py`."""

    def __init__(self, windows: Windows, folder: Path, **settings: Json) -> None:
        self._record = folder / "record.jsonl"
        self.vscode = windows.open(settings={**program("asks", self._record), **settings})

    def answer(self, request_id: str) -> Json:
        """What the agent was answered to one of its requests, once it is."""
        found = self.vscode.wait(
            lambda: [each for each in self.answers() if each["id"] == request_id],
            f"an answer to {request_id}",
        )
        return found[0]["result"]

    def answers(self) -> list[Json]:
        """All answers that the agent got, in order."""
        return [each for each in json_lines(self._record) if "method" not in each]


def program(name: str, record: Path | None = None, **more: str) -> dict[str, Json]:
    """Settings that make one of the programs here the only agent, with `more` environment."""
    recorded = {"RECORD": str(record)} if record else {}
    return script(PROGRAMS / f"{name}.py", **recorded, **more)


def script(path: Path, *arguments: str, **environment: str) -> dict[str, Json]:
    """Settings that make a Python script the only agent, called as its file is."""
    # By its path: as a module, Python would look for it in the folder that the agent works in.
    command = [sys.executable, str(path), *arguments]
    env = {"PYTHONPATH": str(PROJECT), **environment}
    return {"acpSidecar.agents": {path.stem: {"command": command, "env": env}}}


def question(vscode: Workbench, text: str) -> Locator:
    """The notification of a question that has this text, once it is there."""
    toast = vscode.toast(text)
    toast.wait_for()
    return toast


def press(vscode: Workbench, text: str, label: str) -> None:
    """Press a link of a question until it was taken: it is inert at first."""
    toast = question(vscode, text)
    link = toast.locator(".notification-list-item-message a").filter(has_text=label).first

    def gone() -> bool:
        # It may close at any time: then there is nothing left to press.
        with contextlib.suppress(PlaywrightTimeoutError):
            link.click(timeout=2000, no_wait_after=True)
        return not toast.count()

    vscode.wait(gone, f"{label} is taken")


def nothing_is_asked(vscode: Workbench) -> None:
    """Wait until no question is shown any more, in the status bar neither."""
    expect(vscode.page.locator(".part.statusbar").get_by_text("question")).to_have_count(0)
    expect(vscode.toast("asks:")).to_have_count(0)
