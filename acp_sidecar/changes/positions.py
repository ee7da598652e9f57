"""Places in a text that stay where they belong while the text is edited around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acp_sidecar.changes.anchor import Place
from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.changes.line_diff import changed_blocks, common_prefix, common_suffix
from acp_sidecar.changes.readable import slid
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
    for block in slid(changed_blocks(a, b), a, b):
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


def moved_range(
    start: int, end: int, edits: Sequence[TextEdit], *, wide: bool = False
) -> tuple[int, int]:
    """Where a range is after sorted edits that do not overlap.

    Text inserted inside belongs to it; exactly at its ends only with `wide`. A range that is
    replaced as a whole becomes the replacement; edits that overlap an end are taken in whole.
    """
    shift = grown = 0
    for edit in edits:
        growth = len(edit.new_text) - (edit.end - edit.start)
        touches = edit.start <= end and edit.end >= start
        inside = touches and (wide or (edit.start < end and edit.end > start))
        if inside:
            start, end = min(start, edit.start), max(end, edit.end)
            grown += growth
        elif edit.end <= start and edit.start < end:
            shift += growth
    return start + shift, end + shift + grown


def follow(place: Place, edits: Sequence[TextEdit]) -> Place:
    """The place of a hunk after edits; `anchor.still_there` then says what stands there."""
    if place.side is None:
        return place
    start, end = moved_range(place.start, place.end, edits)
    outer = moved_range(place.outer_start, place.outer_end, edits, wide=True)
    return replace(place, start=start, end=end, outer_start=outer[0], outer_end=outer[1])
