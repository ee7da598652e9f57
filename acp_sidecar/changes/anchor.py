"""Find hunks in the text that the editor has now. Never a first match, never a guess.

A side of a hunk (context included) is looked for where the patch says, allowing for what the
hunks before it have moved; then anywhere, if it is there exactly once; then with less context.
Nothing found, or two places that are equally good: unanchored, which is shown and never applied.

Often both sides match at one place, because one contains the other (a line was appended, a line
was removed). The longer one is the better evidence; where even that leaves room for doubt
(repetitive text), the hunks around it decide, or `prefer`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from acp_sidecar.changes.hunks import Hunk, HunkState, Side
from acp_sidecar.changes.places import Anchor, How, Place, changed_lines, placed
from acp_sidecar.changes.search import Search
from acp_sidecar.changes.views import Likeness, TextView, fitted, likenesses, side_keys

__all__ = ["Anchor", "How", "Place", "anchor_hunk", "anchor_hunks", "still_there"]


def anchor_hunks(
    hunks: Sequence[Hunk], view: TextView, *, prefer: Side | None = None
) -> list[Place]:
    """Place the hunks of one file, in the patch's order, in a text.

    `prefer` decides only where the text leaves both sides possible: OLD before the agent has
    written (the tool call is pending), NEW after.
    """
    places = _pass(hunks, view, prefer)
    doubtful = [place for place in places if place.anchor and place.anchor.doubtful]
    if doubtful and prefer is None:
        anchors = [place.anchor for place in places if place.anchor is not None]
        certain = {anchor.side for anchor in anchors if not anchor.doubtful}
        if len(certain) == 1:
            places = _pass(hunks, view, certain.pop())
    return _without_overlaps(hunks, places)


def anchor_hunk(
    hunk: Hunk, view: TextView, *, at: int | None = None, prefer: Side | None = None
) -> Place:
    """Place one hunk. `at` is the 0-based line where it is expected, instead of the patch's."""
    hints = _own_hints(hunk) if at is None else (at,)
    return _place(hunk, view, hints, prefer)


def still_there(hunk: Hunk, view: TextView, place: Place) -> Place:
    """Check a hunk whose place has been followed through edits (`positions.follow`).

    That is for the user's edits; when the agent has written, `anchor_hunks` with `prefer=NEW`
    says more, because in repetitive text a difference can be told in several ways.

    The hunk is looked for nowhere else. If neither side's changed lines stand there as they
    were, or nothing of the context is left, somebody has changed it: a conflict, which may
    still merge.
    """
    if place.side is None:
        return place
    usual = place.anchor.likeness if place.anchor else Likeness.EXACT
    likely = likenesses(hunk, view)
    for likeness in sorted(likely, key=lambda each: each is not usual):
        anchor = _Followed(hunk, view, likeness, place).anchor()
        if anchor is not None:
            return placed(hunk, view, anchor)
    reason = "The text was changed where this hunk is."
    return replace(place, state=HunkState.CONFLICT, anchor=None, reason=reason)


def _pass(hunks: Sequence[Hunk], view: TextView, prefer: Side | None) -> list[Place]:
    """Place the hunks one after the other, carrying along by how much the text has moved."""
    places: list[Place] = []
    drifts: tuple[int, ...] = (0,)
    for hunk in hunks:
        hints = tuple(hunk.old_start - 1 + drift for drift in drifts) if hunk.numbered else ()
        place = _place(hunk, view, hints, prefer)
        places.append(place)
        growth = len(hunk.new_lines) - len(hunk.old_lines)
        if place.anchor is None:
            drifts = tuple(dict.fromkeys([*drifts, *(drift + growth for drift in drifts)]))[:4]
        else:
            anchor = place.anchor
            drift = anchor.line - anchor.skip - (hunk.old_start - 1)
            drifts = (drift + (growth if anchor.side is Side.NEW else 0),)
    return places


def _own_hints(hunk: Hunk) -> tuple[int, ...]:
    if not hunk.numbered:
        return ()
    return tuple(dict.fromkeys((hunk.old_start - 1, hunk.new_start - 1)))


def _place(hunk: Hunk, view: TextView, hints: tuple[int, ...], prefer: Side | None) -> Place:
    reason = "Neither side of this hunk is in the text."
    for context in _contexts(hunk):
        for likeness in likenesses(hunk, view):
            search = Search(hunk, view, likeness, context, prefer)
            anchor = search.run(hints)
            if anchor is not None:
                return placed(hunk, view, anchor)
            if search.ambiguous:
                return Place(HunkState.UNANCHORED, reason=search.ambiguous)
    return Place(HunkState.UNANCHORED, reason=reason)


def _contexts(hunk: Hunk) -> list[int | None]:
    """How much context to ask for: all of it, then two lines, then one; never none."""
    most = max(hunk.before, hunk.after)
    return [None, *(lines for lines in (2, 1) if lines < most)]


class _Followed:
    """Tells which side stands where a hunk has been followed to, at one likeness."""

    def __init__(self, hunk: Hunk, view: TextView, likeness: Likeness, place: Place) -> None:
        self._hunk = fitted(hunk, likeness)
        self._lines = view.lines(hunk.line_break, likeness)
        self._likeness = likeness
        self._place = place
        self._keys = {side: side_keys(self._hunk, side, likeness) for side in Side}
        self._core = {
            side: made[self._hunk.before : len(made) - self._hunk.after]
            for side, made in self._keys.items()
        }

    def anchor(self) -> Anchor | None:
        """The anchor, if exactly one side stands there."""
        place = self._place
        wide = self._standing(place.outer_start, place.outer_end)
        if wide is not None or (place.outer_start, place.outer_end) == (place.start, place.end):
            return wide
        narrow = self._standing(place.start, place.end)
        return None if narrow is None or self._may_be_half_done(narrow.side) else narrow

    def _may_be_half_done(self, side: Side) -> bool:
        """Whether what was inserted at the ends could be the other side, touched by the user."""
        core, other = self._core[side], self._core[side.other]
        size = len(core)
        grows = size < len(other)
        return grows and (not size or other[:size] == core or other[-size:] == core)

    def _standing(self, start: int, end: int) -> Anchor | None:
        lines = self._lines
        low, high = lines.line_at(start), lines.line_at(end)
        if lines.offsets[low] != start or lines.offsets[high] != end:
            return None
        skip = self._hunk.before
        for side in (Side.NEW, Side.OLD):
            core = self._core[side]
            if lines.keys[low:high] != core or not self._has_context(low, high):
                continue
            whole = self._is_whole(side, low)
            if not whole and self._is_whole(side.other, low):
                # Equal lines were added or removed next to these: it is the other side after all.
                side, core, whole = side.other, self._core[side.other], True  # noqa: PLW2901
            how = How.EXACT if whole else How.CONTEXT
            return Anchor(side, low, skip, len(core), how, self._likeness)
        return None

    def _has_context(self, low: int, high: int) -> bool:
        """Whether a line of the context, or an end of the text, still touches the changed lines."""
        hunk, keys = self._hunk, self._lines.keys
        made = self._keys[Side.OLD]
        if not hunk.before and not hunk.after:
            return True
        above = made[hunk.before - 1 : hunk.before] if hunk.before else []
        below = made[-hunk.after :][:1] if hunk.after else []
        return keys[max(0, low - 1) : low] == above or keys[high : high + 1] == below

    def _is_whole(self, side: Side, low: int) -> bool:
        return self._lines.holds(self._keys[side], low - self._hunk.before)


def _without_overlaps(hunks: Sequence[Hunk], places: list[Place]) -> list[Place]:
    """Hunks that were searched for and found in each other's lines are guesses: none is kept."""
    spans = [_changed_span(hunk, place) for hunk, place in zip(hunks, places, strict=True)]
    result = list(places)
    order = sorted((i for i, span in enumerate(spans) if span), key=lambda i: spans[i] or (0, 0))
    for one, other in itertools.pairwise(order):
        first, second = spans[one], spans[other]
        if first and second and second[0] < first[1]:
            for index in (one, other):
                anchor = places[index].anchor
                if anchor is not None and anchor.how is not How.EXACT:
                    reason = "This hunk fits only where another one is."
                    result[index] = Place(HunkState.UNANCHORED, reason=reason)
    return result


def _changed_span(hunk: Hunk, place: Place) -> tuple[int, int] | None:
    if place.anchor is None:
        return None
    return changed_lines(fitted(hunk, place.anchor.likeness), place.anchor)
