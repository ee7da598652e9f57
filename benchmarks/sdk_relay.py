"""What the sidecar is compared with: the Python ACP SDK's client in a pygls server.

Runs in an environment of its own (`programs.sdk_relay`). Each update is received as the SDK's
types and sent on as a custom notification; nothing is stored, decided or shown.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from acp import PROTOCOL_VERSION, spawn_agent_process, text_block  # type: ignore[import-not-found]
from pygls.lsp.server import LanguageServer


class Client:
    """The SDK's `Client`, as far as this agent needs it."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server

    def on_connect(self, conn: Any) -> None:
        """Nothing to keep."""

    async def session_update(self, session_id: str, update: Any, **_kwargs: Any) -> None:
        plain = update.model_dump(mode="json", by_alias=True, exclude_none=True)
        params = {"sessionId": session_id, "update": plain}
        self._server.protocol.notify("bench/update", params)


def make(command: list[str]) -> LanguageServer:
    server = LanguageServer("sdk", "1")
    prompts: asyncio.Queue[str] = asyncio.Queue()
    running: list[asyncio.Task[None]] = []

    async def host() -> None:
        async with spawn_agent_process(Client(server), *command) as (connection, _process):
            await connection.initialize(protocol_version=PROTOCOL_VERSION)
            session = await connection.new_session(cwd=str(Path.cwd()), mcp_servers=[])
            while True:
                text = await prompts.get()
                await connection.prompt(session_id=session.session_id, prompt=[text_block(text)])

    @server.feature("bench/prompt")
    async def prompt(params: Any) -> None:
        if not running:
            running.append(asyncio.create_task(host()))
        plan = {"kind": params.kind, "count": params.count}
        prompts.put_nowait(json.dumps(plan))

    return server


if __name__ == "__main__":
    make(sys.argv[1:]).start_io()
