"""Runs the tests of `editors/vscode/test-host` in the extension host of a real VS Code."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.editors.vscode.conftest import sample_project, server_settings
from tests.editors.vscode.package import with_host_tests
from tests.editors.vscode.server import HOST_TESTS, CodeServer
from tests.editors.vscode.workbench import Workbench

TESTS = 5


def test_the_tests_in_the_extension_host_pass(
    tmp_path: Path, chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("vscode")
    environment = {
        "ACP_SIDECAR_DEMO_DELAY": "0.05",
        "ACP_TEST_USER_FOLDER": str(home / "user" / "User"),
    }
    server = CodeServer(home, environment)
    server.configure(server_settings())
    server.start(*HOST_TESTS)
    context = chromium.new_context()
    page = context.new_page()
    said: list[str] = []
    ended: list[int] = []
    # VS Code calls these two in the window when it runs tests.
    page.expose_function("codeAutomationLog", lambda _kind, words: said.append(plain(words)))
    page.expose_function("codeAutomationExit", lambda code, _logs=None: ended.append(code))
    extension = with_host_tests()
    project = sample_project(tmp_path / "project")
    try:
        page.goto(server.testing_url(project, extension, extension / "out" / "host" / "index"))
        Workbench(page, project).wait(lambda: ended, f"the end of the tests; they said {said}")
    finally:
        context.close()
        server.stop()
    told = "\n".join(said)
    assert "FAILED" not in told, told
    assert told.count("passed: ") == TESTS, told
    assert ended == [0]


def plain(words: object) -> str:
    """What was said on a console, its pieces one after the other."""
    return " ".join(map(str, words)) if isinstance(words, list) else str(words)
