"""Positions drift with edits: lines that were remembered stay with their text."""

from __future__ import annotations

from collections.abc import Iterable

from acp_sidecar.features.places import LineRange, with_line_feeds
from acp_sidecar.features.ports import Edit


def drifted(lines: LineRange, edits: Iterable[Edit]) -> LineRange:
    """Where whole lines are after edits, each of which is in the coordinates left by the last.

    That is the order of `didChange`. What is inserted right before the lines moves them, what is
    inserted right behind them does not belong to them. Lines inside a replaced range keep their
    number as far as the new text reaches, so that a reload of the whole file moves nothing.
    """
    start, end = lines.start, lines.end + 1
    for edit in edits:
        start, end = _line(start, edit, sticky=False), _line(end, edit, sticky=True)
    return LineRange(start, max(start, end - 1))


def _line(line: int, edit: Edit, *, sticky: bool) -> int:
    """Where the beginning of a line is after an edit; `sticky`: an insertion there is behind it."""
    span = edit.span
    start, end = (span.start_line, span.start_column), (span.end_line, span.end_column)
    here = (line, 0)
    if start > here or (sticky and start == here):
        return line
    added = with_line_feeds(edit.text).count("\n")
    if end <= here:
        return line + added - (span.end_line - span.start_line)
    return min(line, span.start_line + added)
