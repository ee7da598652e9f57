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
from dataclasses import dataclass, replace
from enum import StrEnum

from acp_sidecar.changes.hunks import Hunk, HunkState, Side
from acp_sidecar.changes.views import (
    Likeness,
    TextView,
    TooRepetitive,
    fitted,
    likenesses,
    side_keys,
)


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
            return _placed(hunk, view, anchor)
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
            search = _Search(hunk, view, likeness, context, prefer)
            anchor = search.run(hints)
            if anchor is not None:
                return _placed(hunk, view, anchor)
            if search.ambiguous:
                return Place(HunkState.UNANCHORED, reason=search.ambiguous)
    return Place(HunkState.UNANCHORED, reason=reason)


def _contexts(hunk: Hunk) -> list[int | None]:
    """How much context to ask for: all of it, then two lines, then one; never none."""
    most = max(hunk.before, hunk.after)
    return [None, *(lines for lines in (2, 1) if lines < most)]


def _placed(hunk: Hunk, view: TextView, anchor: Anchor) -> Place:
    offsets = view.lines(hunk.line_break, anchor.likeness).offsets
    low, high = _changed_lines(fitted(hunk, anchor.likeness), anchor)
    start, end = offsets[low], offsets[high]
    state = HunkState.PROPOSED if anchor.side is Side.OLD else HunkState.APPLIED
    return Place(state, anchor, start, end, start, end, anchor.side)


def _changed_lines(hunk: Hunk, anchor: Anchor) -> tuple[int, int]:
    """The text's lines that a placed hunk changes, without the context around them."""
    base = anchor.line - anchor.skip
    return base + hunk.before, base + len(hunk.side(anchor.side)) - hunk.after


_MANY = 8


class _Search:
    """Looks for both sides of a hunk at one likeness and with one amount of context."""

    def __init__(
        self,
        hunk: Hunk,
        view: TextView,
        likeness: Likeness,
        context: int | None,
        prefer: Side | None,
    ) -> None:
        hunk = fitted(hunk, likeness)
        self._lines = view.lines(hunk.line_break, likeness)
        self._likeness = likeness
        self._reduced = context is not None
        self._prefer = prefer
        self._skip = 0 if context is None else max(0, hunk.before - context)
        self._drop = 0 if context is None else max(0, hunk.after - context)
        self._hunk = hunk
        self._needle = {side: self._cut(side) for side in Side}
        self.ambiguous = ""

    def _cut(self, side: Side) -> list[str]:
        made = side_keys(self._hunk, side, self._likeness)
        return made[self._skip : len(made) - self._drop]

    def run(self, hints: tuple[int, ...]) -> Anchor | None:
        """The anchor, or `None`; then `ambiguous` may say why not."""
        old, new = self._needle[Side.OLD], self._needle[Side.NEW]
        if old == new or (self._reduced and not self._is_telling()):
            return None
        here = {side: self._hinted(side, hints) for side in Side}
        at_old, at_new = here[Side.OLD], here[Side.NEW]
        if at_old is not None and at_new is not None:
            return self._better(at_old, at_new)
        for side, at in here.items():
            if at is not None:
                return self._anchor(side, at, How.EXACT)
        return self._elsewhere()

    def _is_telling(self) -> bool:
        """Whether less context still says enough: a line that the text has only once.

        A hunk without context on one side was at an end of its file, or is from a piece of one;
        with less context it could be anywhere.
        """
        hunk = self._hunk
        if not hunk.before or not hunk.after:
            return False
        before, after = hunk.before - self._skip, hunk.after - self._drop
        context = self._needle[Side.OLD][:before] + self._needle[Side.OLD][-after:]
        return any(self._lines.is_once(key) for key in context)

    def _hinted(self, side: Side, hints: tuple[int, ...]) -> int | None:
        needle = self._needle[side]
        if not needle:
            # A side without lines stands only in an empty text: an added or a deleted file.
            return 0 if not self._lines.keys and 0 in hints else None
        for hint in hints:
            if self._lines.holds(needle, hint + self._skip):
                return hint + self._skip
        return None

    def _better(self, at_old: int, at_new: int) -> Anchor | None:
        old, new = len(self._needle[Side.OLD]), len(self._needle[Side.NEW])
        if at_old >= at_new + new or at_new >= at_old + old:
            self.ambiguous = "Both sides of this hunk are in the text, at different places."
            return None
        side = self._prefer or (Side.NEW if new > old else Side.OLD)
        at = at_old if side is Side.OLD else at_new
        return self._anchor(side, at, How.EXACT, doubtful=True)

    def _elsewhere(self) -> Anchor | None:
        try:
            found = {side: self._lines.find(self._needle[side], _MANY) for side in Side}
        except TooRepetitive:
            self.ambiguous = "The text is too repetitive to search it for this hunk."
            return None
        longer = max(Side, key=lambda side: len(self._needle[side]))
        shorter = longer.other
        reach = len(self._needle[longer])
        size = len(self._needle[shorter])
        inside = [
            at for at in found[shorter] if any(0 <= at - w <= reach - size for w in found[longer])
        ]
        found[shorter] = [at for at in found[shorter] if at not in inside]
        hits = [(side, at) for side in Side for at in found[side]]
        if len(hits) == 1:
            side, at = hits[0]
            if inside and self._prefer is shorter and len(inside) == 1:
                side, at = shorter, inside[0]
            if self._may_have_moved(side):
                return self._anchor(side, at, How.MOVED, doubtful=bool(inside))
        elif hits:
            self.ambiguous = "This hunk fits in more than one place."
        return None

    def _may_have_moved(self, side: Side) -> bool:
        """Whether a side says enough to be believed anywhere; with context on both ends it does."""
        if self._hunk.before and self._hunk.after:
            return True
        return any(self._lines.is_once(key) for key in self._needle[side])

    def _anchor(self, side: Side, at: int, how: How, *, doubtful: bool = False) -> Anchor:
        how = How.CONTEXT if self._reduced else how
        length = len(self._needle[side])
        return Anchor(side, at, self._skip, length, how, self._likeness, doubtful)


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
    return _changed_lines(fitted(hunk, place.anchor.likeness), place.anchor)
