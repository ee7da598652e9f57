"""What an agent does not offer is refused by the sidecar, with a reason, and never asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.harness import Editor, EditorError, start_sidecar
from tests.replay.recorded import RECORDINGS
from tests.replay_state.test_recordings import agent_settings

Json = dict[str, Any]

pytestmark = pytest.mark.e2e


async def refused(editor: Editor, command: str, **argument: Any) -> str:
    """The reason why a command is refused."""
    with pytest.raises(EditorError) as refusal:
        await editor.command(command, argument)
    return refusal.value.message


async def asked(editor: Editor) -> str:
    """Prompt, and wait until the agent asks; the session."""
    session = await editor.prompt("go on")
    await editor.until(lambda state: len(state["permissions"]) == 1)
    return session


@pytest.mark.parametrize("stem", ["gemini-cli-0.61.0-edit", "sdk-v2agent-2.4.0-edit"])
async def test_what_cannot_be_stopped_alone(stem: str, tmp_path: Path) -> None:
    path = next(path for path in RECORDINGS if path.stem == stem)
    async with start_sidecar(tmp_path, agents={"a": agent_settings(path, tmp_path)}) as editor:
        session = await asked(editor)
        call = (await editor.session(session))["toolCalls"][-1]
        assert not (call["capabilities"] or {}).get("cancel")
        said = await refused(editor, "acp.toolCall.stop", toolCallId=call["toolCallId"])
        assert "cannot be stopped alone" in said
        assert "Cancel the turn" in said
        assert "no tool call" in await refused(editor, "acp.toolCall.stop", toolCallId="nope")
        assert "no terminal" in await refused(editor, "acp.terminal.stop", terminalId="nope")


async def test_what_a_v1_agent_does_not_offer(tmp_path: Path) -> None:
    path = next(path for path in RECORDINGS if path.stem == "gemini-cli-0.61.0-edit")
    async with start_sidecar(tmp_path, agents={"a": agent_settings(path, tmp_path)}) as editor:
        session = await asked(editor)
        for command in ("delete", "close"):
            said = await refused(editor, f"acp.session.{command}", sessionId=session)
            assert said.startswith("This agent cannot ")
        assert "sign out" in await refused(editor, "acp.agent.logout")
        state = await editor.state()
        assert [each["sessionId"] for each in state["sessions"]] == [session]
        assert len(state["permissions"]) == 1, "what was refused has cancelled nothing"
        assert (await editor.command("acp.session.list"))["listed"] is False
        assert (await editor.command("acp.prompt", {"text": "more"}))["queued"] is True
