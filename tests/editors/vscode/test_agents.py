"""Agents that are known but not installed: fetched by npx, and only with the user's consent."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cache import PROJECT
from tests.editors.vscode.asking import PROGRAMS
from tests.editors.vscode.conftest import Windows
from tests.editors.vscode.workbench import Workbench, json_lines
from tests.environment import program

Json = Any
NAME = "Tea Agent"
QUESTION = f"{NAME} is not installed. Run its package"


def package(folder: Path, record: Path) -> Path:
    """An npm package whose program is an agent that writes down what it is sent."""
    folder.mkdir()
    words = shlex.join([sys.executable, str(PROGRAMS / "says.py")])
    variables = shlex.join([f"PYTHONPATH={PROJECT}", f"RECORD={record}"])
    script = folder / "agent.sh"
    script.write_text(f"#!/bin/sh\nexec env {variables} {words}\n", encoding="utf-8")
    script.chmod(0o755)
    described = {"name": "tea-agent", "version": "1.0.0", "bin": {"tea-agent": script.name}}
    (folder / "package.json").write_text(json.dumps(described), encoding="utf-8")
    return folder


def registry(file: Path, package_name: str) -> Path:
    """An agent registry with one agent, which npx fetches."""
    agent = {
        "id": "tea",
        "name": NAME,
        "version": "1.0.0",
        "description": "It says what it is told",
        "authors": ["Somebody"],
        "license": "MIT",
        "distribution": {"npx": {"package": package_name}},
    }
    whole = {"version": "1.0.0", "agents": [agent], "extensions": []}
    file.write_text(json.dumps(whole), encoding="utf-8")
    return file


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "record.jsonl"


@pytest.fixture
def vscode(windows: Windows, tmp_path: Path, record: Path) -> Workbench:
    """A window whose default agent has to be fetched."""
    program("npx", "agents that are not installed are fetched by npx")
    fetched = f"file:{package(tmp_path / 'package', record)}"
    listed = registry(tmp_path / "registry.json", fetched)
    return windows.open(
        settings={"acpSidecar.agentRegistry": str(listed), "acpSidecar.defaultAgent": "tea"}
    )


def sent(record: Path, method: str) -> list[Json]:
    """What the agent was sent by this name."""
    return [each["params"] for each in json_lines(record) if each.get("method") == method]


def prompts(record: Path) -> list[str]:
    """What the agent was prompted."""
    return [each["prompt"][0]["text"] for each in sent(record, "session/prompt")]


def test_an_agent_is_fetched_once_the_user_agrees(vscode: Workbench, record: Path) -> None:
    vscode.prompt("one lump")
    vscode.press_in_toast(QUESTION, "Not now")
    vscode.toast(f"{NAME} is not installed").wait_for()
    assert not record.exists()
    vscode.prompt("two lumps")
    vscode.press_in_toast(QUESTION, "Run with npx")
    vscode.wait(lambda: prompts(record) == ["two lumps"], "the agent has the second prompt alone")
    vscode.command("ACP: Stop Agent...")
    vscode.command("ACP: Start Agent...")
    vscode.quick_pick(NAME, typed="tea")
    vscode.wait(lambda: len(sent(record, "initialize")) == 2, "it starts again")
    assert vscode.toast(QUESTION).count() == 0  # nobody is asked again
