"""Places in a text that stay where they belong while the text is edited around them."""

from __future__ import annotations

from collections.abc import Sequence

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.changes.line_diff import changed_blocks, common_prefix, common_suffix
from acp_sidecar.changes.texts import split_lines


def edits_between(old: str, new: str) -> list[TextEdit]:
    """Edits that turn `old` into `new`, for editors that only tell the whole new text."""
    if old == new:
        return []
    head = common_prefix(old, new)
    head = old.rfind("\n", 0, head) + 1
    tail = common_suffix(old, new, head)
    cut = old.find("\n", len(old) - tail)
    tail = 0 if cut < 0 else len(old) - cut - 1
    a = split_lines(old[head : len(old) - tail], "\n")
    b = split_lines(new[head : len(new) - tail], "\n")
    edits: list[TextEdit] = []
    offset = head
    at = 0
    for block in changed_blocks(a, b):
        start = offset + sum(map(len, a[at : block.old_lo]))
        end = start + sum(map(len, a[block.old_lo : block.old_hi]))
        edits.append(TextEdit(start, end, "".join(b[block.new_lo : block.new_hi])))
        offset, at = end, block.old_hi
    return edits


def moved_offset(offset: int, edits: Sequence[TextEdit], *, after: bool = False) -> int:
    """Where `offset` is after sorted edits that do not overlap.

    Text inserted exactly there comes behind it, or before it with `after`. An offset inside
    replaced text goes to the replacement's beginning, or to its end with `after`.
    """
    shift = 0
    for edit in edits:
        if edit.start > offset or (edit.start == offset and not after):
            break
        if edit.end > offset or (edit.end == offset and edit.start == edit.end):
            return edit.start + shift + (len(edit.new_text) if after else 0)
        shift += len(edit.new_text) - (edit.end - edit.start)
    return offset + shift


def moved_range(start: int, end: int, edits: Sequence[TextEdit]) -> tuple[int, int]:
    """Where a range is after sorted edits that do not overlap.

    Text inserted inside belongs to it, at its ends not. A range that is replaced as a whole
    becomes the replacement; edits that overlap an end are taken in as a whole.
    """
    shift = 0
    new_start: int | None = None
    grown = 0
    for edit in edits:
        growth = len(edit.new_text) - (edit.end - edit.start)
        if edit.end < start or (edit.end == start and not start == edit.start == end):
            shift += growth
        elif edit.start < end:
            if new_start is None and edit.start < start:
                new_start = edit.start + shift
            start = min(start, edit.start)
            end = max(end, edit.end)
            grown += growth
        else:
            break
    first = start + shift if new_start is None else new_start
    return first, first + (end - start) + grown
