"""Look for both sides of one hunk in one text, and say which one stands there, if any."""

from __future__ import annotations

from acp_sidecar.changes.hunks import Hunk, Side
from acp_sidecar.changes.places import Anchor, How
from acp_sidecar.changes.views import Likeness, TextView, TooRepetitive, fitted, side_keys

_MANY = 8


class Search:
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
            # A side without lines stands only in an empty text: an added or a deleted file. A
            # piece without line numbers may be the whole of such a file.
            at_start = 0 in hints or not self._hunk.numbered
            return 0 if not self._lines.keys and at_start else None
        for hint in hints:
            if self._lines.holds(needle, hint + self._skip):
                return hint + self._skip
        return None

    def _better(self, at_old: int, at_new: int) -> Anchor | None:
        old, new = len(self._needle[Side.OLD]), len(self._needle[Side.NEW])
        if at_old >= at_new + new or at_new >= at_old + old:
            self.ambiguous = "Both sides of this hunk are in the text, at different places."
            return None
        longer = Side.NEW if new > old else Side.OLD
        places = {Side.OLD: at_old, Side.NEW: at_new}
        doubtful = self._repeats(longer, places[longer], places[longer.other])
        side = (self._prefer or longer) if doubtful else longer
        return self._anchor(side, places[side], How.EXACT, doubtful=doubtful)

    def _repeats(self, longer: Side, at: int, shorter_at: int) -> bool:
        """Whether the shorter side stands in the longer one only because the text repeats itself.

        Where there is no context behind the changed lines, the shorter side is a beginning of
        the longer one by nature, and where there is none before them, an end of it: then the
        longer one, which is there too, leaves no doubt.
        """
        ends = at + len(self._needle[longer])
        shorter_ends = shorter_at + len(self._needle[longer.other])
        is_beginning = shorter_at == at and not self._hunk.after
        is_end = shorter_ends == ends and not self._hunk.before
        return not is_beginning and not is_end

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
            doubtful = any(self._repeats(longer, at, place) for place in inside)
            if doubtful and self._prefer is shorter and len(inside) == 1:
                side, at = shorter, inside[0]
            if self._may_have_moved(side):
                return self._anchor(side, at, How.MOVED, doubtful=doubtful)
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
