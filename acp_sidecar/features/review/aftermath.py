"""Hunks that were refused before the write are undone when the write is seen.

The write is seen when the text shows it. An open document whose buffer still has the old text while
the disk has the new one is waited for, as the editor will reload it; if it does not, what the
user accepted is applied to the buffer, so that buffer and disk do not part.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.changes.hunks import HunkState, SetState, Side
from acp_sidecar.features.ports import Workspace
from acp_sidecar.features.review.choices import parts
from acp_sidecar.features.review.edit import Target
from acp_sidecar.features.review.items import Choice, ReviewFile, ReviewSet
from acp_sidecar.features.review.tracking import places_in

RELOAD: Final = 1.0
"""Seconds that an editor has to reload a file that the agent wrote."""

REST: Final = 1.0
"""Seconds that the other files of a set are waited for, to undo all in one edit."""

POLL: Final = 0.25
SLOW_POLL: Final = 2.0
BRISK: Final = 30.0
"""Seconds for which the files are looked at often."""

PATIENCE: Final = 10.0
"""Seconds after the end of a call in which its write may still become visible."""


@dataclass(slots=True)
class Waiting:
    """A set with refused hunks that the agent may write.

    Attributes:
        poll: When to look again.
        started: When it began to wait.
        seen: When the first of the refused hunks was seen in the text.
        over: When the call was first known to be over.
        stale: When the disk of a file was first seen to be ahead of its buffer, by path.
    """

    review: ReviewSet
    poll: float
    started: float
    seen: float | None = None
    over: float | None = None
    stale: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Due:
    """What is to be done for a set now.

    Attributes:
        over: Whether that is all that there was to wait for.
        lost: How many refused hunks were not found after the write, so that they stay.
    """

    targets: list[Target]
    over: bool
    lost: int = 0


def due(now: float, waiting: Waiting, workspace: Workspace) -> Due:
    """What to do about a waiting set, whose places are fresh. Sets when to look again."""
    review = waiting.review
    brisk = now < waiting.started + BRISK and not waiting.stale
    waiting.poll = now + (POLL if brisk else SLOW_POLL)
    if review.finished and waiting.over is None:
        waiting.over = now
    forward = _stale_buffers(now, waiting, workspace)
    back = _to_undo(review)
    if back and waiting.seen is None:
        waiting.seen = now
    if back and not _is_ready(now, waiting):
        back = []
    complete = bool(back) and not _unwritten(review)
    late = waiting.over is not None and now >= waiting.over + PATIENCE
    over = (complete or late) and not waiting.stale
    over = over or review.allowed is False
    return Due(back + forward, over, _lost(review) if over and review.allowed else 0)


def _lost(review: ReviewSet) -> int:
    """Refused hunks that stand in the text neither as they were nor as the agent wanted them."""
    return sum(
        item.choice is Choice.REJECTED
        and item.ours is None
        and file.side_of(at) is None
        and not (file.places[at].state is HunkState.CONFLICT and file.places[at].side is Side.NEW)
        for file in review.files
        for at, item in enumerate(file.hunks)
    )


def _is_ready(now: float, waiting: Waiting) -> bool:
    """Whether to undo now: everything is written, or has had the time to be."""
    seen = waiting.seen
    return (
        waiting.review.finished
        or not _unwritten(waiting.review)
        or (seen is not None and now >= seen + REST)
    )


def _unwritten(review: ReviewSet) -> list[ReviewFile]:
    """Files with refused parts that the agent has not written."""
    return [
        file
        for file in review.files
        if not file.blocked
        and any(item.choice is Choice.REJECTED for _, item in parts(file))
        and not file.seen
        and not file.written()
    ]


def _to_undo(review: ReviewSet) -> list[Target]:
    made: list[Target] = []
    for index, file in enumerate(review.files):
        hunks = [
            at
            for at, item in enumerate(file.hunks)
            if item.choice is Choice.REJECTED
            and item.ours is None
            and file.places[at].state in (HunkState.APPLIED, HunkState.CONFLICT)
            and file.places[at].side is Side.NEW
        ]
        whole = file.whole
        wanted = whole.choice is Choice.REJECTED and whole.ours is None
        refused_whole = wanted and file.state() is SetState.APPLIED
        if hunks or (refused_whole and file.change.operation != "modify"):
            made.append(Target(review, index, file, Side.OLD, hunks, refused_whole))
    return made[::-1]


def _stale_buffers(now: float, waiting: Waiting, workspace: Workspace) -> list[Target]:
    """Files whose open buffer has waited long enough for what the disk has."""
    made: list[Target] = []
    for index, file in enumerate(waiting.review.files):
        if not _is_behind(file, workspace):
            waiting.stale.pop(file.path, None)
            continue
        since = waiting.stale.setdefault(file.path, now)
        if now < since + RELOAD:
            waiting.poll = min(waiting.poll, since + RELOAD)
            continue
        file.seen = True
        wanted = [
            at
            for at, item in enumerate(file.hunks)
            if item.choice is not Choice.REJECTED and file.places[at].side is Side.OLD
        ]
        if wanted:
            made.append(Target(waiting.review, index, file, Side.NEW, wanted, whole=False))
    return made


def _is_behind(file: ReviewFile, workspace: Workspace) -> bool:
    """Whether the buffer has the old side while the disk has the new one."""
    if file.text is None or not file.places or workspace.document(file.path) is None:
        return False
    if any(place.side is not Side.OLD for place in file.places):
        return False
    disk = workspace.disk(file.path).text
    if disk is None or disk == file.text:
        return False
    places, _ = places_in(file, disk)
    return all(place.side is Side.NEW for place in places)
