"""Every recording, played to the real executable by the replaying agent, ends in a right state."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.wire.trace import Direction
from tests.harness import Editor, EditorError, start_sidecar
from tests.replay.recorded import RECORDINGS, lines_of
from tests.replay_state.user import RecordedUser

Json = dict[str, Any]

pytestmark = pytest.mark.e2e

AT_ONCE = 3
"""Recordings that are relived at the same time."""


def recorded_agent(path: Path) -> str:
    """`NAME-VERSION` of a recording's `NAME-VERSION-SCENARIO`."""
    matched = re.match(r"[a-z0-9-]+-\d+\.\d+\.\d+", path.stem)
    assert matched
    return matched.group()


AGENTS = sorted({recorded_agent(path) for path in RECORDINGS})
INITIALIZE_ONLY = [path for path in RECORDINGS if "-init-" in path.stem]


def agent_settings(path: Path, root: Path) -> Json:
    command = [sys.executable, "-m", "acp_sidecar", "replay", str(path)]
    return {"command": [*command, "--root", f"/workspace={root}"]}


async def relive(editor: Editor, path: Path, turn: asyncio.Semaphore) -> str:
    async with turn:
        try:
            await RecordedUser(editor, path.stem, lines_of(path)).relive()
        except AssertionError as failed:
            return f"{path.stem}:\n{failed}\n"
        await editor.command("acp.agent.stop", {"agent": path.stem})
    return ""


@pytest.mark.parametrize("agent", AGENTS)
async def test_the_state_is_what_the_messages_add_up_to(agent: str, tmp_path: Path) -> None:
    paths = [path for path in RECORDINGS if recorded_agent(path) == agent]
    paths = [path for path in paths if path not in INITIALIZE_ONLY]
    assert paths
    agents = {path.stem: agent_settings(path, tmp_path) for path in paths}
    turn = asyncio.Semaphore(AT_ONCE)
    async with start_sidecar(tmp_path, agents=agents) as editor:
        failures = await asyncio.gather(*(relive(editor, path, turn) for path in paths))
    assert "".join(failures) == ""


async def test_agents_that_only_said_who_they_are(tmp_path: Path) -> None:
    agents = {path.stem: agent_settings(path, tmp_path) for path in INITIALIZE_ONLY}
    async with start_sidecar(tmp_path, agents=agents) as editor:
        for path in INITIALIZE_ONLY:
            recorded = answer_of(path)
            if "result" in recorded:
                check_started(await start(editor, path), recorded["result"])
                await editor.command("acp.agent.stop", {"agent": path.stem})
        assert (await editor.state())["problems"] == []


async def start(editor: Editor, path: Path) -> Json:
    view: Json = await editor.command("acp.agent.start", {"agent": path.stem}, seconds=60)
    return view


def answer_of(path: Path) -> Json:
    """What the recorded agent answered to `initialize`."""
    answer: Json = next(line.msg for line in lines_of(path) if line.dir is Direction.IN)
    return answer


def check_started(view: Json, recorded: Json) -> None:
    version = recorded["protocolVersion"]
    info = recorded["info"] if version == 2 else recorded["agentInfo"]
    assert view["state"] == "ready"
    assert view["protocolVersion"] == version
    assert view["notes"] == [f"Speaks ACP version {version}."]
    assert view["info"] == info
    methods = [method.get("methodId", method.get("id")) for method in recorded["authMethods"]]
    assert [method["methodId"] for method in view["authMethods"]] == methods


async def test_an_agent_that_refuses_the_only_version_that_may_be_offered(tmp_path: Path) -> None:
    path = next(path for path in INITIALIZE_ONLY if "error" in answer_of(path))
    agents = {path.stem: {**agent_settings(path, tmp_path), "protocol": 1}}
    async with start_sidecar(tmp_path, agents=agents) as editor:
        with pytest.raises(EditorError, match="Unsupported protocol version"):
            await start(editor, path)
        agents_now = (await editor.state())["agents"]
        view = next(each for each in agents_now if each["name"] == path.stem)
        assert view["state"] == "failed"
        assert "Unsupported protocol version" in view["failure"]
