"""Where a hunk is in a text: what `anchor` finds, and what everything after it works with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from acp_sidecar.changes.hunks import Hunk, HunkState, Side
from acp_sidecar.changes.views import Likeness, TextView, fitted


class How(StrEnum):
    """How a hunk was found."""

    EXACT = "exact"
    MOVED = "moved"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where one side of a hunk stands in a text.

    Attributes:
        side: Which side stands there.
        line: 0-based line of the text (in the hunk's lines at this likeness) where the matched
            part of the side begins.
        skip: How many of the side's first lines were left out of the match (context).
        length: How many lines were matched.
        how: How it was found.
        likeness: How alike the lines are.
        doubtful: Whether the other side matches here too and only its being shorter decided.
    """

    side: Side
    line: int
    skip: int
    length: int
    how: How
    likeness: Likeness
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A hunk in a text: its state, and where it is if it is anywhere.

    Offsets are code points; they span the changed lines, without the context around them.

    Attributes:
        state: `proposed`, `applied`, `conflict` or `unanchored`.
        anchor: Where it stands; `None` in a conflict and if unanchored.
        start, end: Where the changed lines are (in a conflict, what became of them), both equal
            where there are none; both -1 if unanchored.
        outer_start, outer_end: The same, and with what was inserted exactly at its ends while it
            was followed.
        side: The side that stood there last; `None` if it was never found.
        reason: For a person, why it is not anchored.
    """

    state: HunkState
    anchor: Anchor | None = None
    start: int = -1
    end: int = -1
    outer_start: int = -1
    outer_end: int = -1
    side: Side | None = None
    reason: str = ""


def placed(hunk: Hunk, view: TextView, anchor: Anchor) -> Place:
    """The place of a hunk that stands at `anchor`."""
    offsets = view.lines(hunk.line_break, anchor.likeness).offsets
    low, high = changed_lines(fitted(hunk, anchor.likeness), anchor)
    start, end = offsets[low], offsets[high]
    state = HunkState.PROPOSED if anchor.side is Side.OLD else HunkState.APPLIED
    return Place(state, anchor, start, end, start, end, anchor.side)


def changed_lines(hunk: Hunk, anchor: Anchor) -> tuple[int, int]:
    """The text's lines that a placed hunk changes, without the context around them."""
    base = anchor.line - anchor.skip
    return base + hunk.before, base + len(hunk.side(anchor.side)) - hunk.after
