"""The packaged extension, installed as a user installs it, starts the server."""

from __future__ import annotations

from tests.editors.vscode.workbench import Workbench


def test_a_file_of_the_project_opens_at_its_first_line(vscode: Workbench) -> None:
    vscode.open_file("tally/words.py")
    vscode.wait(lambda: vscode.cursor() == "Ln 1, Col 1")
    assert vscode.active_tab() == "words.py"
    assert vscode.tabs() == ["words.py"]
    assert vscode.first_line() == 1
    assert vscode.editor_lines()[0] == '"""Split text into words and count them."""'
