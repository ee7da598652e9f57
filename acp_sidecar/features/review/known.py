"""Texts that are known by heart: all hunks at one side, or as an edit of ours left them.

In repetitive text the same lines stand in many places, and what a hunk has added may look like what
was there before. Where the whole text is one that is known, nothing needs to be searched for:
line numbers say it all.
"""

from __future__ import annotations

from collections.abc import Sequence

from acp_sidecar.changes.anchor import Anchor, How, Place
from acp_sidecar.changes.hunks import Hunk, HunkState, Side
from acp_sidecar.changes.texts import split_lines
from acp_sidecar.changes.views import Likeness, TextView


def fits(hunks: Sequence[Hunk], side: Side, text: str) -> bool:
    """Whether one side of all hunks stands in the text, each exactly at its line."""
    if not _is_orderly(hunks, side):
        return False
    lines = split_lines(text, hunks[0].line_break)
    return all(
        lines[hunk.start(side) - 1 : hunk.start(side) - 1 + len(hunk.side(side))]
        == list(hunk.side(side))
        for hunk in hunks
    )


def _is_orderly(hunks: Sequence[Hunk], side: Side) -> bool:
    """Whether the hunks have line numbers, in order, and do not overlap."""
    at = 0
    for hunk in hunks:
        start = hunk.start(side) - 1
        if not hunk.numbered or start < at or hunk.line_break != hunks[0].line_break:
            return False
        at = start + len(hunk.side(side))
    return bool(hunks)


def with_sides(text: str, at: Side, hunks: Sequence[Hunk], sides: Sequence[Side]) -> str:
    """The text, in which all hunks stand at one side, with each hunk at its own."""
    lines = split_lines(text, hunks[0].line_break)
    made: list[str] = []
    done = 0
    for hunk, side in zip(hunks, sides, strict=True):
        start = hunk.start(at) - 1
        made += lines[done:start]
        made += hunk.side(side)
        done = start + len(hunk.side(at))
    return "".join(made + lines[done:])


def places_at(hunks: Sequence[Hunk], sides: Sequence[Side], view: TextView) -> list[Place]:
    """The places of hunks in the text that `with_sides` gives for these sides."""
    offsets = view.lines(hunks[0].line_break, Likeness.EXACT).offsets
    drift = 0
    places: list[Place] = []
    for hunk, side in zip(hunks, sides, strict=True):
        lines = hunk.side(side)
        first = hunk.old_start - 1 + drift
        start = offsets[first + hunk.before]
        end = offsets[first + len(lines) - hunk.after]
        state = HunkState.PROPOSED if side is Side.OLD else HunkState.APPLIED
        anchor = Anchor(side, first, 0, len(lines), How.EXACT, Likeness.EXACT)
        places.append(Place(state, anchor, start, end, start, end, side))
        drift += len(lines) - len(hunk.old_lines)
    return places
