"""The README's set-up for VS Code, followed in a clone of the project."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests import checkout
from tests.cache import PROJECT
from tests.editors.vscode.asking import question
from tests.editors.vscode.conftest import Windows
from tests.editors.vscode.server import CodeServer
from tests.environment import clean_environment


def commands() -> str:
    """What the README has a user run."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    [section] = re.findall(r"^VS Code \(.*?^Neovim", text, re.MULTILINE | re.DOTALL)
    [block] = re.findall(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert isinstance(block, str)
    return block


def test_the_readme_gives_a_session_with_the_demo_agent(
    tmp_path: Path, chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = CodeServer(tmp_path_factory.mktemp("vscode"), {})
    server.configure({})
    programs = tmp_path / "bin"
    programs.mkdir()
    server.command_line(programs)
    environment = clean_environment()
    own = Path(sys.executable).parent  # Node.js 24 is here
    environment["PATH"] = os.pathsep.join([str(programs), str(own), environment["PATH"]])
    done = subprocess.run(
        ["sh", "-ec", commands()],
        cwd=checkout.copy(tmp_path / "clone", "editors/vscode", "LICENSE"),
        env=environment,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    server.start()
    windows = Windows(server, chromium, tmp_path)
    try:
        vscode = windows.open()
        vscode.prompt("go")
        question(vscode, "demo asks")
    finally:
        windows.close()
        server.stop()
