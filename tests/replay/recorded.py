"""The recordings, and a client that does again exactly what the recorded client did."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from acp_sidecar.wire.trace import Direction, TraceLine, read_trace

RECORDINGS = sorted((Path(__file__).resolve().parents[1] / "recordings").glob("*.jsonl"))
NAMES = [path.stem for path in RECORDINGS]


def lines_of(path: Path) -> list[TraceLine]:
    lines, problems = read_trace([path.read_bytes()])
    assert problems == []
    return lines


def said(data: list[bytes]) -> list[Any]:
    """What a player's lines say."""
    return [json.loads(line) for line in data]


@dataclass
class RecordedClient:
    """The recorded client's messages, with ids of its own, and what must precede each."""

    lines: list[TraceLine]
    ids: dict[Any, str] = field(default_factory=dict)

    def turns(self) -> Iterator[tuple[list[Any], Any]]:
        """Pairs of what the agent must have said by then, and what the client says next.

        At the end comes what the agent says last, with None.
        """
        heard: list[Any] = []
        for line in self.lines:
            if line.dir is Direction.IN:
                heard.append(self._for_this_client(line.msg))
            elif line.dir is Direction.OUT:
                yield heard, self._from_this_client(line.msg)
                heard = []
        yield heard, None

    def _for_this_client(self, message: dict[str, Any]) -> dict[str, Any]:
        if "id" in message and "method" not in message:
            return {**message, "id": self.ids[message["id"]]}
        return message

    def _from_this_client(self, message: dict[str, Any]) -> dict[str, Any]:
        if "id" in message and "method" in message:
            self.ids[message["id"]] = f"client/{message['id']}"
            return {**message, "id": self.ids[message["id"]]}
        return message
