"""Takes the picture of following for the documentation, of what a user sees in the first minute."""

from __future__ import annotations

from tests.editors.vscode.conftest import PICTURES, Windows, demo_agent
from tests.editors.vscode.test_follow import arrived, labels
from tests.editors.vscode.view_desk import AgentView

SIZE = {"width": 1240, "height": 620}


def test_an_agent_is_followed_beside_its_conversation(windows: Windows) -> None:
    vscode = windows.open(settings=demo_agent("--delay", "2"), size=SIZE)
    view = AgentView(vscode).open()
    view.send("/read tally/words.py:17-22")
    arrived(vscode, "words.py", 22)
    vscode.wait(lambda: labels(vscode), "the agent's caret")
    view.block("tool_call", "words.py").wait_for()
    vscode.picture(PICTURES / "first-minute.png")
    assert view.problems == []
