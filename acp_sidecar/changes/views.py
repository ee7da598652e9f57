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
from typing import Final

from acp_sidecar.changes.hunks import Hunk, Side
from acp_sidecar.changes.texts import BOM, LineBreak, ending_of, split_lines, usual_ending


class Likeness(IntEnum):
    """How alike a hunk's lines and the text's are, best first."""

    EXACT = 0
    ENDINGS = 1
    FINAL_NEWLINE = 2


_PROBE: Final = 8
"""Lines that are compared first: nearly all wrong candidates end there."""

_EFFORT: Final = 1_000_000
"""Candidates that are looked at in one text, over all searches."""


class TooRepetitive(Exception):
    """Too many places would have to be compared to know whether something is there once."""


class Lines:
    """A text's lines under one rule: raw, as keys for comparing, and where they begin."""

    def __init__(self, text: str, line_break: LineBreak, likeness: Likeness) -> None:
        self.raw = split_lines(text, line_break)
        self.keys = keys(self.raw, likeness)
        self._effort = _EFFORT

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

    def holds(self, needle: list[str], at: int) -> bool:
        """Whether `needle` (keys) stands at line `at`."""
        if at < 0 or at + len(needle) > len(self.keys):
            return False
        done, end = 0, min(_PROBE, len(needle))
        while self.keys[at + done : at + end] == needle[done:end]:
            if end == len(needle):
                return True
            done, end = end, min(end * 4, len(needle))
        return False

    def is_once(self, key: str) -> bool:
        """Whether a line stands in the text exactly once."""
        return len(self._places.get(key, ())) == 1

    def find(self, needle: list[str], limit: int) -> list[int]:
        """Up to `limit` lines at which `needle` stands; nothing stands for no lines at all.

        Raises:
            TooRepetitive: The text repeats itself so much that searching it costs too much.
        """
        if not needle:
            return []
        rarest, candidates = 0, self._places.get(needle[0], [])
        for index, key in enumerate(needle):
            places = self._places.get(key, [])
            if len(places) < len(candidates):
                rarest, candidates = index, places
        self._effort -= len(candidates)
        if self._effort < 0:
            raise TooRepetitive
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
    def is_plain(self) -> bool:
        r"""Whether the text has no ending but `\n` and no byte order mark."""
        return "\r" not in self.text and not self.text.startswith(BOM)

    @cached_property
    def is_ended(self) -> bool:
        """Whether the last line has an ending."""
        return not self.text or bool(ending_of(self.text[-2:]))

    @cached_property
    def ending(self) -> str:
        """The text's most frequent line ending."""
        return usual_ending(self.text)


def likenesses(hunk: Hunk, view: TextView) -> list[Likeness]:
    """The likenesses that can make a difference for this hunk in this text, best first."""
    found = [Likeness.EXACT]
    if not view.is_plain or not hunk.is_plain:
        found.append(Likeness.ENDINGS)
    if not view.is_ended or not hunk.is_ended:
        found.append(Likeness.FINAL_NEWLINE)
    return found


def fitted(hunk: Hunk, likeness: Likeness) -> Hunk:
    """The hunk in the lines that a likeness compares."""
    return hunk if likeness is Likeness.EXACT else hunk.any_break


def side_keys(hunk: Hunk, side: Side, likeness: Likeness) -> list[str]:
    """The keys of one side of a hunk (of a `fitted` one)."""
    made = keys(hunk.side(side), likeness)
    if likeness is not Likeness.EXACT and made and hunk.start(side) > 1:
        made[0] = _plain(hunk.side(side)[0])
    return made
