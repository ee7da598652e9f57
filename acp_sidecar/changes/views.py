r"""A text made ready for searching hunks in it, at three degrees of likeness.

`EXACT` compares line by line, endings included, in git's lines (or a hunk's own). `ENDINGS`
compares an editor's lines with all endings made equal and the byte order mark ignored: editors
show files so. `FINAL_NEWLINE` ignores in addition whether the last line has an ending: agents
often lose it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import IntEnum
from functools import cached_property

from acp_sidecar.changes.hunks import Hunk, Side
from acp_sidecar.changes.texts import BOM, LineBreak, ending_of, split_lines, usual_ending


class Likeness(IntEnum):
    """How alike a hunk's lines and the text's are, best first."""

    EXACT = 0
    ENDINGS = 1
    FINAL_NEWLINE = 2


class Lines:
    """A text's lines under one rule: raw, as keys for comparing, and where they begin."""

    def __init__(self, text: str, line_break: LineBreak, likeness: Likeness) -> None:
        self.raw = split_lines(text, line_break)
        self.keys = keys(self.raw, likeness)

    @cached_property
    def offsets(self) -> list[int]:
        """The offset where each line begins, and the text's length at the end."""
        offsets = [0]
        for line in self.raw:
            offsets.append(offsets[-1] + len(line))
        return offsets

    def line_at(self, offset: int) -> int:
        """The line that begins at or before `offset`; the number of lines at the text's end."""
        if offset >= self.offsets[-1]:
            return len(self.raw)
        return bisect_right(self.offsets, offset) - 1

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for index, key in enumerate(self.keys):
            places.setdefault(key, []).append(index)
        return places

    def holds(self, needle: Sequence[str], at: int) -> bool:
        """Whether `needle` (keys) stands at line `at`."""
        if at < 0 or at + len(needle) > len(self.keys):
            return False
        return self.keys[at : at + len(needle)] == list(needle)

    def is_once(self, key: str) -> bool:
        """Whether a line stands in the text exactly once."""
        return len(self._places.get(key, ())) == 1

    def find(self, needle: Sequence[str], limit: int) -> list[int]:
        """Up to `limit` lines at which `needle` stands; nothing stands for no lines at all."""
        if not needle:
            return []
        rarest, candidates = 0, self._places.get(needle[0], [])
        for index, key in enumerate(needle):
            places = self._places.get(key, [])
            if len(places) < len(candidates):
                rarest, candidates = index, places
        found: list[int] = []
        for place in candidates:
            if self.holds(needle, place - rarest):
                found.append(place - rarest)
                if len(found) >= limit:
                    break
        return found


def keys(lines: Sequence[str], likeness: Likeness) -> list[str]:
    """What is compared of each line."""
    if likeness is Likeness.EXACT:
        return list(lines)
    made = [_plain(line) for line in lines]
    if made:
        made[0] = made[0].removeprefix(BOM)
    if likeness is Likeness.FINAL_NEWLINE and made and not made[-1].endswith("\n"):
        made[-1] += "\n"
    return made


def _plain(line: str) -> str:
    ending = ending_of(line)
    return line[: -len(ending)] + "\n" if ending in ("\r\n", "\r") else line


class TextView:
    """One text, split and indexed when first needed. Make one per text and use it for all."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines: dict[tuple[LineBreak, Likeness], Lines] = {}

    def lines(self, line_break: LineBreak, likeness: Likeness = Likeness.EXACT) -> Lines:
        """The text's lines for one likeness; the looser ones always use an editor's lines."""
        if likeness is not Likeness.EXACT:
            line_break = "any"
        found = self._lines.get((line_break, likeness))
        if found is None:
            found = self._lines[line_break, likeness] = Lines(self.text, line_break, likeness)
        return found

    @cached_property
    def ending(self) -> str:
        """The text's most frequent line ending."""
        return usual_ending(self.text)


def fitted(hunk: Hunk, likeness: Likeness) -> Hunk:
    """The hunk in the lines that a likeness compares."""
    return hunk if likeness is Likeness.EXACT else hunk.any_break


def side_keys(hunk: Hunk, side: Side, likeness: Likeness) -> list[str]:
    """The keys of one side of a hunk (of a `fitted` one)."""
    made = keys(hunk.side(side), likeness)
    if likeness is not Likeness.EXACT and made and hunk.start(side) > 1:
        made[0] = _plain(hunk.side(side)[0])
    return made
