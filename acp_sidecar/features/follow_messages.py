"""What `acp/follow` carries, and what `acp/userActivity` brings: the contract with rich clients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypedDict

from acp_sidecar.features.places import LineRange

FOLLOW: Final = "acp/follow"

PauseReason = Literal["typed", "scrolled", "selected", "switched", "closed", "command", "trail"]
"""Why follow is paused: what the user did, the command, or a walk along the trail."""


class Position(TypedDict):
    line: int
    character: int


class Range(TypedDict):
    """An LSP range. Here always whole lines, so that it is the same in every position encoding."""

    start: Position
    end: Position


class PlacePayload(TypedDict):
    """A place where an agent is or was.

    Attributes:
        basis: What the lines were found by: "location", "hunk", "snippet", "input", "last" (the
            place last shown in that file) or "top".
        toolCallId: `null` for a file access without a tool call.
        colour: An index; sessions that go on at the same time have different ones.
    """

    sessionId: str
    agent: str
    colour: int
    uri: str
    path: str
    range: Range
    basis: str
    kind: str
    title: str
    toolCallId: str | None


class FollowTarget(PlacePayload):
    """Where to go. Go there once for each new `move`, and hand `move` back with what it causes.

    Attributes:
        move: A number that grows with each move. The same number again means: stay.
    """

    move: int


class PresencePayload(PlacePayload):
    """Where an agent works now.

    Attributes:
        age: For how many seconds it has been at this file in this tool call.
    """

    age: float


class TrailPosition(TypedDict):
    """A walk along the trail: which of how many places is shown; both count from 1."""

    position: int
    length: int


class FollowPayload(TypedDict):
    """The whole state of following, sent whenever any of it changes.

    Attributes:
        session: The session that is followed alone, or `null` for all.
        target: The last place to go to, or `null` before the first.
        trail: Where a walk along the trail is, or `null` at the live end.
        presence: One for each session that works somewhere.
    """

    mode: Literal["on", "off"]
    paused: PauseReason | None
    session: str | None
    target: FollowTarget | None
    trail: TrailPosition | None
    presence: list[PresencePayload]


ActivityKind = Literal["typed", "scrolled", "selected", "switched", "closed"]


@dataclass(frozen=True, slots=True)
class UserActivity:
    """What happened in the editor (`acp/userActivity`).

    Attributes:
        kind: "typed", "scrolled" and "selected" happen in a document, "switched" goes to one,
            "closed" leaves one. A document is one in a text editor: going to a terminal, a panel
            or another window is no activity.
        path: That document's real path; `None` if it is no file.
        move: The `move` that caused it, if one did; then it is no activity of the user.
    """

    kind: ActivityKind
    path: str | None = None
    move: int | None = None


def range_payload(lines: LineRange) -> Range:
    """Whole lines as an LSP range: the end is the beginning of the next line."""
    return {
        "start": {"line": lines.start, "character": 0},
        "end": {"line": lines.end + 1, "character": 0},
    }
