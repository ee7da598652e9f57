"""Runs one program of `programs/` as the agent of the real executable."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tests.harness import PLAIN, Editor, start_sidecar
from tests.harness.client import find_session

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = "tests.e2e.programs"


def program(name: str, *arguments: str, record: Path | None = None) -> Json:
    """The settings of an agent that is one of the programs; `record` keeps what it is sent."""
    env = {"PYTHONPATH": str(ROOT)} | ({"RECORD": str(record)} if record else {})
    return {"command": [sys.executable, "-m", f"{PROGRAMS}.{name}", *arguments], "env": env}


@contextlib.asynccontextmanager
async def faulty(
    root: Path, name: str, *arguments: str, capabilities: Json = PLAIN, **options: Any
) -> AsyncIterator[Editor]:
    """An editor whose sidecar hosts a program as "faulty"; the sidecar must come through clean.

    "healthy" is another agent, that does nothing wrong.
    """
    agents = {"faulty": program(name, *arguments), "healthy": program("healthy")}
    options = {"defaultAgent": "faulty", **options}
    async with start_sidecar(
        root, agents=agents, options=options, capabilities=capabilities
    ) as editor:
        yield editor
        healthy = await editor.turn("Are you well?", agent="healthy")
        assert said(healthy) == "done"
    assert not any("Traceback" in line for line in editor.stderr), "\n".join(editor.stderr)


def said(session: Json) -> str:
    """All that the agent said in a session."""
    return "".join(
        block.get("text", "")
        for message in session["messages"]
        if message["role"] == "agent"
        for block in message["content"]
    )


def problems(state: Json) -> set[str]:
    """The codes of all problems that were recorded."""
    return set(state["problemCounts"])


def messages(editor: Editor) -> list[str]:
    """What the editor was told in message boxes, prompts aside."""
    return [params["message"] for params in editor.sent("window/showMessage")]


def agent_view(state: Json, name: str = "faulty") -> Json:
    """What `acp.state` says of an agent."""
    found: Json = next(agent for agent in state["agents"] if agent["name"] == name)
    return found


async def pids_of(editor: Editor, session: str) -> list[int]:
    """The pids that "stubborn" tells: its own and its child's."""
    state = await editor.until(lambda state: bool(said(find_session(state, session))))
    return [int(word) for word in said(find_session(state, session)).split()]
