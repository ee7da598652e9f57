"""The agent that says what its prompt is, which the tests in VS Code use as well."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.editors.neovim.editor import Json

PROGRAM = Path(__file__).parents[1] / "vscode" / "programs" / "says.py"


def says(version: int = 2, record: Path | None = None) -> dict[str, Json]:
    """Settings in which it is the only agent, speaking one version of ACP."""
    recorded = {"RECORD": str(record)} if record else {}
    agent = {
        "command": [sys.executable, str(PROGRAM)],
        "env": {"VERSION": str(version), **recorded},
    }
    return {"agents": {"says": agent}, "defaultAgent": "says"}


def prompts(record: Path) -> list[Json]:
    """The content of the prompts that it got, in order."""
    lines = record.read_text("utf-8").split("\n") if record.exists() else []
    found = [json.loads(line) for line in lines if line]
    return [each["params"]["prompt"] for each in found if each.get("method") == "session/prompt"]
