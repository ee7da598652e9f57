"""The last frames of a connection, without their payloads: what the doctor shows."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple, TypeAlias

from acp_sidecar.errors import Problem
from acp_sidecar.wire.json_rpc import (
    ErrorResponse,
    Incoming,
    Notification,
    Request,
    RequestId,
    Response,
)
from acp_sidecar.wire.trace import Direction

_Frame: TypeAlias = tuple[float, Direction, str, RequestId | None, int]
_IN: Final = Direction.IN


class FrameSummary(NamedTuple):
    """One frame.

    Attributes:
        t: When, in seconds since the agent was started.
        dir: In or out, or noise for what held no message.
        what: The method; "result" or "error" for an answer; a problem's code.
        id: The request's id, or None.
        size: The length of its line in bytes.
    """

    t: float
    dir: Direction
    what: str
    id: RequestId | None
    size: int


class RecentFrames:
    """A ring of the last `limit` frames."""

    def __init__(self, limit: int = 200) -> None:
        # Plain tuples: this is on the path of every frame, and few are ever looked at.
        self._frames: deque[_Frame] = deque(maxlen=limit)

    def add(
        self, t: float, direction: Direction, what: str, request_id: RequestId | None, size: int
    ) -> None:
        """Remember a frame that we sent."""
        self._frames.append((t, direction, what, request_id, size))

    def add_incoming(self, t: float, message: Incoming, size: int) -> None:
        """Remember a message or a problem that came from the agent."""
        if type(message) is Notification:
            self._frames.append((t, _IN, message.method, None, size))
            return
        direction = Direction.NOISE if isinstance(message, Problem) else _IN
        what, request_id = _what(message)
        self._frames.append((t, direction, what, request_id, size))

    def summaries(self) -> list[FrameSummary]:
        """All that are remembered, oldest first."""
        return [FrameSummary(*frame) for frame in self._frames]


def _what(message: Incoming) -> tuple[str, RequestId | None]:
    match message:
        case Notification():
            return message.method, None
        case Request():
            return message.method, message.id
        case Response():
            return "result", message.id
        case ErrorResponse():
            return "error", message.id
        case Problem():
            return message.code, None
