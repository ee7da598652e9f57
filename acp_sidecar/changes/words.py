"""Which words changed inside changed lines, for editors that can mark them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from acp_sidecar.changes.hunks import Hunk, Side
from acp_sidecar.changes.line_diff import changed_blocks, common_prefix, common_suffix

_TOKEN = re.compile(r"\w+|[^\S\r\n]+|\r\n|.", re.DOTALL)
_MAX_CHARACTERS: Final = 20_000
_CELLS: Final = 4_000_000


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WordRange:
    """Changed characters of one line, counted from the side's first; columns are code points."""

    line: int
    start: int
    end: int


def changed_words(hunk: Hunk, side: Side) -> list[WordRange]:
    """The changed words of one side of a hunk, in order.

    Lines that have nothing or hardly anything to do with their counterpart have none: marking
    everything marks nothing.
    """
    found: list[WordRange] = []
    for group in hunk.groups:
        old = hunk.old_lines[group.old_lo : group.old_hi]
        new = hunk.new_lines[group.new_lo : group.new_hi]
        if old and new:
            spans = _remembered("".join(old), "".join(new))[side is Side.NEW]
            lines = old if side is Side.OLD else new
            found += _by_line(spans, lines, group.span(side)[0])
    return found


@lru_cache(maxsize=64)
def _remembered(old: str, new: str) -> tuple[list[Span], list[Span]]:
    """Both sides come of one comparison, and are asked for one after the other."""
    return changed_spans(old, new)


def changed_spans(old: str, new: str) -> tuple[list[Span], list[Span]]:
    """The changed stretches of two texts, as offsets; both empty if they are too different.

    Very long texts are only trimmed at both ends: one stretch each.
    """
    head = common_prefix(old, new)
    tail = common_suffix(old, new, head)
    longest = max(len(old), len(new))
    trimmed = _span(head, len(old) - tail), _span(head, len(new) - tail)
    if longest > _MAX_CHARACTERS:
        return trimmed
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    old_at, new_at = _starts(a), _starts(b)
    blocks = changed_blocks(a, b, cells=_CELLS)
    old_spans = [(old_at[x.old_lo], old_at[x.old_hi]) for x in blocks if x.old_lo < x.old_hi]
    new_spans = [(new_at[x.new_lo], new_at[x.new_hi]) for x in blocks if x.new_lo < x.new_hi]
    if not _unlike(old, old_spans, new, new_spans):
        return old_spans, new_spans
    return trimmed if (head + tail) * 3 >= longest else ([], [])


def _span(start: int, end: int) -> list[Span]:
    return [(start, end)] if start < end else []


def _starts(tokens: Sequence[str]) -> list[int]:
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    return starts


def _unlike(old: str, old_spans: list[Span], new: str, new_spans: list[Span]) -> bool:
    """Whether less than a third of the visible characters stayed."""

    def visible(text: str) -> int:
        return sum(not char.isspace() for char in text)

    total = visible(old) + visible(new)
    changed = sum(visible(old[start:end]) for start, end in old_spans)
    changed += sum(visible(new[start:end]) for start, end in new_spans)
    return total > 0 and (total - changed) * 3 < total


def _by_line(spans: list[Span], lines: Sequence[str], first: int) -> Iterator[WordRange]:
    """Cut stretches at line ends; the ending itself is not a word."""
    starts = _starts(lines)
    at = 0
    for start, end in spans:
        while at < len(lines) and starts[at + 1] <= start:
            at += 1
        line = at
        while line < len(lines) and starts[line] < end:
            size = len(lines[line].rstrip("\r\n"))
            low = max(0, start - starts[line])
            high = min(size, end - starts[line])
            if low < high:
                yield WordRange(first + line, low, high)
            line += 1
