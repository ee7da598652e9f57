"""Takes a picture of following for the documentation: what a user sees in the first minute."""

from __future__ import annotations

from tests.editors.vscode.asking import program
from tests.editors.vscode.conftest import PICTURES, Windows
from tests.editors.vscode.test_follow import arrived, labels
from tests.editors.vscode.view_desk import AgentView

SIZE = {"width": 1240, "height": 620}


def test_an_agent_is_followed_beside_its_conversation(windows: Windows) -> None:
    [agent] = program("says")["acpSidecar.agents"].values()  # it stays where it is
    vscode = windows.open(settings={"acpSidecar.agents": {"demo": agent}}, size=SIZE)
    view = AgentView(vscode).open()
    view.send("read 17")
    arrived(vscode, "words.py", 17)
    vscode.wait(lambda: labels(vscode), "the agent's caret")
    view.block("tool_call", "words.py").wait_for()
    vscode.picture(PICTURES / "first-minute.png")
    assert view.problems == []
