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
from dataclasses import dataclass
from enum import StrEnum

from acp_sidecar.changes.hunks import Hunk, HunkState, Side
from acp_sidecar.changes.views import Likeness, Lines, TextView, fitted, side_keys


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

    Attributes:
        state: `proposed`, `applied`, `conflict` or `unanchored`.
        anchor: Where it stands; `None` in a conflict and if unanchored.
        start, end: The offsets (code points) of the hunk in the text, context included; of what
            became of it, in a conflict; both -1 if unanchored.
        reason: For a person, why it is not anchored.
    """

    state: HunkState
    anchor: Anchor | None = None
    start: int = -1
    end: int = -1
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


def still_there(hunk: Hunk, view: TextView, place: Place, start: int, end: int) -> Place:
    """Check a hunk whose region has been followed through edits to the offsets `start`, `end`.

    It is looked for nowhere else: if neither side stands there any more, also not with less
    context, somebody has changed it, and that is a conflict (which `edits` may still merge).
    """
    before = place.anchor
    for likeness in _from_best(before.likeness if before else Likeness.EXACT):
        lines = view.lines(hunk.line_break, likeness)
        low, high = lines.line_at(start), _last_line(lines, end)
        region = _Region(lines, low, high, likeness)
        anchor = _in_region(fitted(hunk, likeness), region, before)
        if anchor is not None:
            return _placed(hunk, view, anchor)
    reason = "The text was changed where this hunk is."
    return Place(HunkState.CONFLICT, None, start, end, reason)


def _last_line(lines: Lines, end: int) -> int:
    line = lines.line_at(end)
    whole = line >= len(lines.raw) or lines.offsets[line] == end
    return line if whole else line + 1


def _from_best(usual: Likeness) -> list[Likeness]:
    return [usual, *(likeness for likeness in Likeness if likeness is not usual)]


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
        for likeness in Likeness:
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
    state = HunkState.PROPOSED if anchor.side is Side.OLD else HunkState.APPLIED
    return Place(state, anchor, offsets[anchor.line], offsets[anchor.line + anchor.length])


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
        drop = 0 if context is None else max(0, hunk.after - context)
        self._needle = {side: self._cut(hunk, side, drop) for side in Side}
        self.ambiguous = ""

    def _cut(self, hunk: Hunk, side: Side, drop: int) -> list[str]:
        made = side_keys(hunk, side, self._likeness)
        return made[self._skip : len(made) - drop]

    def run(self, hints: tuple[int, ...]) -> Anchor | None:
        """The anchor, or `None`; then `ambiguous` may say why not."""
        old, new = self._needle[Side.OLD], self._needle[Side.NEW]
        if old == new:
            return None
        here = {side: self._hinted(side, hints) for side in Side}
        at_old, at_new = here[Side.OLD], here[Side.NEW]
        if at_old is not None and at_new is not None:
            return self._better(at_old, at_new)
        for side, at in here.items():
            if at is not None:
                return self._anchor(side, at, How.EXACT)
        return self._elsewhere()

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
        found = {side: self._lines.find(self._needle[side], _MANY) for side in Side}
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
            return self._anchor(side, at, How.MOVED, doubtful=bool(inside))
        if hits:
            self.ambiguous = "This hunk fits in more than one place."
        return None

    def _anchor(self, side: Side, at: int, how: How, *, doubtful: bool = False) -> Anchor:
        how = How.CONTEXT if self._reduced else how
        length = len(self._needle[side])
        return Anchor(side, at, self._skip, length, how, self._likeness, doubtful)


@dataclass(frozen=True, slots=True)
class _Region:
    lines: Lines
    low: int
    high: int
    likeness: Likeness


def _in_region(hunk: Hunk, region: _Region, before: Anchor | None) -> Anchor | None:
    """A side of the hunk within a region: whole, else with less context."""
    known = before.side if before is not None else None
    lines, likeness = region.lines, region.likeness
    for context in _contexts(hunk):
        skip = 0 if context is None else max(0, hunk.before - context)
        drop = 0 if context is None else max(0, hunk.after - context)
        found: list[Anchor] = []
        for side in Side:
            made = side_keys(hunk, side, likeness)
            needle = made[skip : len(made) - drop]
            how = How.EXACT if context is None else How.CONTEXT
            found += [
                Anchor(side, at, skip, len(needle), how, likeness)
                for at in range(region.low, region.high - len(needle) + 1)
                if (needle or not lines.keys) and lines.holds(needle, at)
            ]
        best = _most_telling(found, known)
        if best is not None:
            return best
    return None


def _most_telling(found: list[Anchor], known: Side | None) -> Anchor | None:
    if len(found) <= 1:
        return found[0] if found else None
    longest = max(anchor.length for anchor in found)
    sides = {anchor.side for anchor in found}
    if len(sides) > 1 and known is not None:
        same = [anchor for anchor in found if anchor.side is known]
        if same[0].length == longest and len(same) == 1:
            return same[0]
    best = [anchor for anchor in found if anchor.length == longest]
    return best[0] if len(best) == 1 else None


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
    """The lines that a placed hunk changes, without its context."""
    if place.anchor is None:
        return None
    groups = fitted(hunk, place.anchor.likeness).groups
    base = place.anchor.line - place.anchor.skip
    side = place.anchor.side
    return base + groups[0].span(side)[0], base + groups[-1].span(side)[1]
