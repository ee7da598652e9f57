"""Tells the agent `programs/conducted.py` what to do, and hears what it was told."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tests.e2e.faulty import program
from tests.harness import PLAIN, Editor, start_sidecar

Json = dict[str, Any]

RICH: Json = {
    **PLAIN,
    "experimental": {
        "acp": dict.fromkeys(
            (
                "follow",
                "review",
                "permission",
                "terminal",
                "transcript",
                "session",
                "elicitation",
            ),
            True,
        )
    },
}


class Conductor:
    """The test's end of the line to the agent.

    Attributes:
        heard: Everything that the agent was told: prompts, answers, cancels; in order.
    """

    def __init__(self) -> None:
        self.heard: list[Json] = []
        self._writer: asyncio.Future[asyncio.StreamWriter] = (
            asyncio.get_running_loop().create_future()
        )
        self._news = asyncio.Condition()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take what the agent tells."""
        self._writer.set_result(writer)
        while line := await reader.readline():
            async with self._news:
                self.heard.append(json.loads(line))
                self._news.notify_all()

    async def disconnected(self) -> None:
        """Close the line, if it ever was open."""
        if self._writer.done():
            writer = self._writer.result()
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
        self._writer.cancel()

    async def do(self, step: str, **how: Any) -> None:
        """Have the agent call one of its methods."""
        writer = await self._writer
        writer.write(json.dumps({"do": step, **how}).encode() + b"\n")
        await writer.drain()

    async def update(self, kind: str, **update: Any) -> None:
        await self.do("update", sessionUpdate=kind, **update)

    async def call(
        self, call_id: str, path: Path | None = None, line: int = 1, **more: Any
    ) -> None:
        """A tool call, at a line of a file."""
        if path is not None:
            more["locations"] = [{"path": str(path), "line": line}]
        await self.do("call", call_id=call_id, **more)

    async def ask(self, request_id: str, call_id: str, **more: Any) -> None:
        await self.do("ask", request_id=request_id, call_id=call_id, **more)

    async def end(self, reason: str = "end_turn") -> None:
        await self.do("end", reason=reason)

    async def until(self, key: str, value: Any = None) -> Json:
        """Wait for news with this key (and value, if one is given)."""

        def found() -> Json | None:
            return next(
                (
                    each
                    for each in self.heard
                    if key in each and (value is None or each[key] == value)
                ),
                None,
            )

        async with self._news:
            await asyncio.wait_for(self._news.wait_for(lambda: found() is not None), 60)
        return found() or {}

    async def outcome(self, request_id: str) -> Any:
        """What a permission of this id was answered: an option, or "cancelled"."""
        outcome = (await self.until("id", request_id))["result"]["outcome"]
        return outcome.get("optionId", outcome["outcome"])


@contextlib.asynccontextmanager
async def conducted(
    root: Path, capabilities: Json = RICH, **options: Any
) -> AsyncIterator[tuple[Editor, Conductor]]:
    """A rich editor (if not told otherwise) and the one who tells its agent what to do."""
    conductor = Conductor()
    server = await asyncio.start_server(conductor.connected, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    agents = {"conducted": program("conducted", str(port))}
    try:
        async with start_sidecar(
            root, agents=agents, options=options, capabilities=capabilities
        ) as editor:
            yield editor, conductor
        assert not any("Traceback" in line for line in editor.stderr), "\n".join(editor.stderr)
    finally:
        server.close()
        await conductor.disconnected()
