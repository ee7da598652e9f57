"""Sessions over the life of their agents: restarted, resumed, told again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness import EditorError, start_sidecar
from tests.peers.project import make_project
from tests.peers.sdk_agent import sdk_command

pytestmark = pytest.mark.e2e

SAID = ["[[peer:hello]]", "A greeting will do.", "Hello from the scripted agent."]


@pytest.mark.parametrize("version", [1, 2])
async def test_prompts_go_on_after_a_restart(version: int, tmp_path: Path) -> None:
    """The SDK agent forgets its sessions: a prompt to none in particular gets a new one."""
    agents = {"peer": {"command": sdk_command(version)}}
    async with start_sidecar(make_project(tmp_path), agents=agents) as editor:
        first = await editor.turn("[[peer:hello]]")
        await editor.command("acp.agent.restart")
        second = await editor.turn("[[peer:hello]]")
        assert first["sessionId"] != second["sessionId"]
        assert second["stopReason"] == "end_turn"
        with pytest.raises(EditorError, match="cannot go on with this session"):
            await editor.prompt("[[peer:hello]]", sessionId=first["sessionId"])


@pytest.mark.parametrize("version", [1, 2])
async def test_a_session_that_is_told_again_is_told_once(version: int, tmp_path: Path) -> None:
    agents = {"peer": {"command": sdk_command(version)}}
    async with start_sidecar(make_project(tmp_path), agents=agents) as editor:
        session = (await editor.turn("[[peer:hello]]"))["sessionId"]
        await editor.command("acp.session.resume", {"sessionId": session})
        state = await editor.session(session)
        texts = [message["content"][0]["text"] for message in state["messages"]]
        assert texts == SAID
        assert not state["replaying"]
        again = await editor.turn("[[peer:hello]]", sessionId=session)
        assert [message["content"][0]["text"] for message in again["messages"]] == SAID * 2
