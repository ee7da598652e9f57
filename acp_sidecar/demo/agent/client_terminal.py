"""ACP v1's other way to run a command: the client runs it in a terminal of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from acp_sidecar.demo.agent.events import ClientTerminal, Json
from acp_sidecar.demo.agent.params import Refusal
from acp_sidecar.demo.agent.processes import runnable
from acp_sidecar.demo.agent.turn import ToolCall, ToolFailed


async def run(call: ToolCall, arguments: list[str]) -> int | None:
    """Run the command at the client; its exit code, None if a signal ended it.

    Raises:
        ToolFailed: The client refused.
    """
    session = call.turn.session
    command, *rest = runnable(arguments)
    params = {
        "sessionId": session.session_id,
        "command": command,
        "args": rest,
        "cwd": str(session.cwd),
        "env": [{"name": "FORCE_COLOR", "value": "1"}],
        "outputByteLimit": 100_000,
    }
    created = await _ask(call, "terminal/create", params)
    terminal_id = created.get("terminalId") if isinstance(created, dict) else None
    if not isinstance(terminal_id, str):
        raise ToolFailed("The client named no terminal.")
    call.update(content=(ClientTerminal(terminal_id),))
    terminal = {"sessionId": session.session_id, "terminalId": terminal_id}
    try:
        return await _finished(call, terminal)
    except asyncio.CancelledError:
        await _ask(call, "terminal/kill", terminal)
        raise
    finally:
        await _ask(call, "terminal/release", terminal)


async def _finished(call: ToolCall, terminal: Json) -> int | None:
    ended = await _ask(call, "terminal/wait_for_exit", terminal)
    seen = await _ask(call, "terminal/output", terminal)
    if isinstance(seen, dict):
        call.update(raw_output={"output": seen.get("output")})
        call.turn.session.characters += len(str(seen.get("output")))
    code = ended.get("exitCode") if isinstance(ended, dict) else None
    return code if isinstance(code, int) else None


async def _ask(call: ToolCall, method: str, params: Json) -> Any:
    try:
        return await call.turn.client.request(method, params)
    except Refusal as refusal:
        raise ToolFailed(f"The client refused {method}: {refusal.message}") from refusal
