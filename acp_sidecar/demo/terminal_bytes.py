"""The bytes of a session's terminals, colours and all: `acp.state` has their plain text only."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
Command: TypeAlias = Callable[[str, Json], Awaitable[Any]]


@dataclass(slots=True)
class TerminalBytes:
    """What has been read of each terminal so far; only the rest is asked for."""

    _read: dict[str, bytearray] = field(default_factory=dict)
    _next: dict[str, int] = field(default_factory=dict)

    async def colour(self, command: Command, session: Json) -> None:
        """Put the output with its escapes in the place of the plain text."""
        for terminal in session["terminals"]:
            data = await self._rest(command, session["sessionId"], terminal["terminalId"])
            # A character that is cut at the end will be whole the next time.
            terminal["output"] = data.decode("utf-8", "ignore")

    async def _rest(self, command: Command, session_id: str, terminal_id: str) -> bytearray:
        data = self._read.setdefault(terminal_id, bytearray())
        more = True
        while more:
            wanted = {
                "sessionId": session_id,
                "terminalId": terminal_id,
                "offset": self._next.get(terminal_id, 0),
            }
            answer = await command("acp.terminal.output", wanted)
            if answer.get("reset"):
                data.clear()
            data += base64.b64decode(answer.get("data", ""))
            self._next[terminal_id] = answer.get("next", 0)
            more = answer.get("more", False)
        return data
