"""What `acp/follow` carries, and what `acp/userActivity` brings: the contract with rich clients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Required, TypedDict

from acp_sidecar.features.places import LineRange

FOLLOW: Final = "acp/follow"

PauseReason = Literal["typed", "scrolled", "selected", "switched", "closed", "command", "trail"]
"""Why follow is paused: what the user did, the command, or a walk along the trail."""


class Position(TypedDict):
    """An LSP position.

    Attributes:
        line: From 0.
        character: From 0.
    """

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
        range: Whole lines to show and to highlight.
        title: What the agent does there.
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
    """A walk along the trail.

    Attributes:
        position: Which of the places is shown, from 1.
        length: How many places there are.
    """

    position: int
    length: int


class FollowPayload(TypedDict):
    """The whole state of following, sent whenever any of it changes.

    Attributes:
        mode: Off: the user does not want it. It stays on while it is paused.
        paused: What the user did that paused it, or `null`.
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


class PlaceView(TypedDict):
    """A place in `acp.state`: lines count from 1, both included.

    Attributes:
        basis: As in `PlacePayload`.
        toolCallId: `null` for a file access without a tool call.
    """

    sessionId: str
    agent: str
    path: str
    uri: str
    line: int
    endLine: int
    basis: str
    kind: str
    title: str
    toolCallId: str | None


class FollowTargetView(PlaceView):
    """The last place to go to, in `acp.state`.

    Attributes:
        move: As in `FollowTarget`.
    """

    move: int


class FollowView(TypedDict):
    """`follow` in `acp.state`, and what `acp.follow` answers.

    Attributes:
        mode, paused, session, target, trail: As in `FollowPayload`.
    """

    mode: Literal["on", "off"]
    paused: PauseReason | None
    session: str | None
    target: FollowTargetView | None
    trail: TrailPosition | None


class TrailEntryView(TypedDict):
    """An entry of `trail` in `acp.state`, oldest first.

    Attributes:
        uri: `null` for what is not a file.
        line: Counts from 1; `null` where no line is known.
        endLine: The last line, included.
        toolCallId: `null` for a file access without a tool call.
        age: Seconds since the agent came there.
        state: "shown", "passed" (not looked at), or why it is never opened: "missing",
            "directory", "binary", "too-large", "unreadable", "outside" of the workspace,
            "not-a-file".
        current: A walk along the trail stands here.
    """

    sessionId: str
    agent: str
    path: str
    uri: str | None
    line: int | None
    endLine: int | None
    kind: str
    title: str
    toolCallId: str | None
    age: float
    state: str
    current: bool


class PresenceView(PlaceView):
    """An entry of `presence` in `acp.state`.

    Attributes:
        colour, age: As in `PresencePayload`.
    """

    colour: int
    age: float


class TrailResult(TypedDict):
    """What `acp.trail` answers.

    Attributes:
        moved: False if there was nowhere to go.
        follow: How it is now.
    """

    moved: bool
    follow: FollowView


class UserActivityParams(TypedDict, total=False):
    """Params of `acp/userActivity`.

    Attributes:
        kind: "typed", "scrolled" and "selected" happen in a document, "switched" goes to one,
            "closed" leaves one. Only documents in text editors count: going to a terminal, a
            panel or another window is no activity.
        uri: The document.
        move: The `move` of `acp/follow` that caused it, if one did. What the editor does in answer
            to us must carry it, or follow pauses.
    """

    kind: Required[ActivityKind]
    uri: str
    move: int


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
