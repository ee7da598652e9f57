"""From placed hunks to text edits: forward, back, and merged with what the user did.

Edits are whole lines and as small as the hunk allows: context is never rewritten, so whatever
the user did around it survives. Offsets are code points of the text they were made for;
`ranges` turns them into an editor's lines and columns.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from acp_sidecar.changes.anchor import Anchor, Place
from acp_sidecar.changes.hunks import Group, Hunk, HunkState, Side
from acp_sidecar.changes.line_diff import changed_blocks
from acp_sidecar.changes.merge import merge
from acp_sidecar.changes.texts import (
    BOM,
    Encoding,
    LineIndex,
    Position,
    ending_of,
    with_ending,
)
from acp_sidecar.changes.views import Likeness, Lines, TextView, fitted


@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """Replace the code points from `start` to `end` by `new_text`."""

    start: int
    end: int
    new_text: str


@dataclass(frozen=True, slots=True)
class RangeEdit:
    """A `TextEdit` in lines and columns, as LSP wants it."""

    start: Position
    end: Position
    new_text: str


@dataclass(frozen=True, slots=True)
class Edits:
    """Edits for some hunks: `edits` are sorted and never overlap.

    `done` are the indexes of hunks that the text has already as wanted, `failed` says of the
    others why nothing can be done; a hunk is in exactly one of the three.
    """

    edits: tuple[TextEdit, ...] = ()
    changed: tuple[int, ...] = ()
    done: tuple[int, ...] = ()
    failed: tuple[tuple[int, str], ...] = ()


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after edits that do not overlap, in any order.

    Raises:
        ValueError: Two edits overlap, or one is outside the text.
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if not at <= edit.start <= edit.end <= len(text):
            raise ValueError(f"the edit at {edit.start} overlaps another or leaves the text")
        parts += [text[at : edit.start], edit.new_text]
        at = edit.end
    parts.append(text[at:])
    return "".join(parts)


def ranges(
    edits: Iterable[TextEdit], text: str, encoding: Encoding = Encoding.UTF32
) -> list[RangeEdit]:
    """The edits in lines and columns of `text`, counted as `encoding` does."""
    index = LineIndex(text)
    return [
        RangeEdit(
            index.position(edit.start, encoding), index.position(edit.end, encoding), edit.new_text
        )
        for edit in edits
    ]


def edits_to(
    side: Side,
    hunks: Sequence[Hunk],
    places: Sequence[Place],
    view: TextView,
    *,
    chosen: Iterable[int] | None = None,
) -> Edits:
    """The edits that bring the chosen hunks (default: all) to `side`.

    NEW applies proposed hunks, OLD undoes applied ones. A hunk that is there already is left
    alone, so nothing is ever applied twice. One that the user touched is merged three-way, if
    its place is known and the merge is clean.
    """
    edits: list[TextEdit] = []
    changed: list[int] = []
    done: list[int] = []
    failed: list[tuple[int, str]] = []
    for index in sorted(set(range(len(hunks)) if chosen is None else chosen)):
        place = places[index]
        if place.side is side:
            done.append(index)
            continue
        made = _edits_for(side, hunks[index], place, view)
        if isinstance(made, str):
            failed.append((index, made))
        elif any(_clashes(edit, edits) for edit in made):
            failed.append((index, "This hunk overlaps another one."))
        else:
            for edit in made:
                insort(edits, edit)
            changed.append(index)
    return Edits(tuple(edits), tuple(changed), tuple(done), tuple(failed))


def text_at(side: Side, hunks: Sequence[Hunk], places: Sequence[Place], view: TextView) -> str:
    """The text with all hunks that can be brought to `side` there: one half of a diff view."""
    return apply_edits(view.text, edits_to(side, hunks, places, view).edits)


def _clashes(edit: TextEdit, edits: list[TextEdit]) -> bool:
    """Whether an edit overlaps one of the sorted `edits`, or begins where one does."""
    at = bisect_left(edits, edit)
    before, after = edits[max(0, at - 1) : at], edits[at : at + 1]
    return any(other.end > edit.start or other.start == edit.start for other in before) or any(
        other.start < edit.end or other.start == edit.start for other in after
    )


def _edits_for(side: Side, hunk: Hunk, place: Place, view: TextView) -> list[TextEdit] | str:
    if place.anchor is not None:
        return hunk_edits(hunk, place.anchor, view)
    if place.state is HunkState.CONFLICT:
        return merged_edits(side, hunk, place, view)
    return place.reason or "This hunk is not in the text."


def hunk_edits(hunk: Hunk, anchor: Anchor, view: TextView) -> list[TextEdit]:
    """The edits that turn the side that stands at `anchor` into the other one."""
    hunk = fitted(hunk, anchor.likeness)
    lines = view.lines(hunk.line_break, anchor.likeness)
    base = anchor.line - anchor.skip
    edits: list[TextEdit] = []
    for group in hunk.groups:
        low, high = group.span(anchor.side)
        wanted = _wanted(hunk, group, anchor.side.other)
        if anchor.likeness is not Likeness.EXACT:
            wanted = _adapted(wanted, lines, base + low, view)
        if anchor.likeness is Likeness.FINAL_NEWLINE:
            wanted = [line if ending_of(line) else line + view.ending for line in wanted]
        edits.append(_lines_edit(lines, base + low, base + high, wanted, anchor.likeness))
    return edits


def _wanted(hunk: Hunk, group: Group, side: Side) -> list[str]:
    low, high = group.span(side)
    return list(hunk.side(side)[low:high])


def _adapted(wanted: list[str], lines: Lines, at: int, view: TextView) -> list[str]:
    """The wanted lines with the text's endings, and its byte order mark or none."""
    ending = ""
    for near in (at - 1, at):
        if 0 <= near < len(lines.raw):
            ending = ending or ending_of(lines.raw[near])
    made = [with_ending(line, ending or view.ending) for line in wanted]
    if at == 0 and made:
        made[0] = made[0].removeprefix(BOM)
        if lines.raw and lines.raw[0].startswith(BOM):
            made[0] = BOM + made[0]
    return made


def _lines_edit(
    lines: Lines, low: int, high: int, wanted: list[str], likeness: Likeness
) -> TextEdit:
    """Replace the lines `low` to `high`; at the end of a text without a final newline, keep it so.

    That is only for the likeness that ignores the final newline: an exact hunk says itself what
    becomes of it.
    """
    start, end = lines.offsets[low], lines.offsets[high]
    new_text = "".join(wanted)
    bare = bool(lines.raw) and not ending_of(lines.raw[-1])
    if likeness is not Likeness.FINAL_NEWLINE or high < len(lines.raw) or not bare:
        return TextEdit(start, end, new_text)
    if low == high and wanted:
        own = ending_of(wanted[-1])
        return TextEdit(start, end, own + new_text[: len(new_text) - len(own)])
    if not wanted and low:
        return TextEdit(start - len(ending_of(lines.raw[low - 1])), end, "")
    own = ending_of(new_text)
    return TextEdit(start, end, new_text[: len(new_text) - len(own)])


def merged_edits(side: Side, hunk: Hunk, place: Place, view: TextView) -> list[TextEdit] | str:
    """Bring a hunk that the user touched to `side` by a three-way merge of its region.

    The base is the side that stood there before, mine is what stands there now. Answers why not
    if both changed the same lines.
    """
    hunk = fitted(hunk, Likeness.ENDINGS)
    lines = view.lines("any", Likeness.ENDINGS)
    low, high = lines.line_at(place.outer_start), lines.line_at(place.outer_end)
    if lines.offsets[low] != place.outer_start or lines.offsets[high] != place.outer_end:
        return "The text was changed where this hunk is, also next to it."
    mine = lines.keys[low:high]
    base, theirs = _core(hunk, side.other), _core(hunk, side)
    merged = merge(base, mine, theirs)
    if merged is None:
        return "The text was changed in the same lines as this hunk."
    edits: list[TextEdit] = []
    for block in changed_blocks(mine, merged):
        wanted = _adapted(merged[block.new_lo : block.new_hi], lines, low + block.old_lo, view)
        start, end = low + block.old_lo, low + block.old_hi
        edits.append(TextEdit(lines.offsets[start], lines.offsets[end], "".join(wanted)))
    return edits


def _core(hunk: Hunk, side: Side) -> list[str]:
    """The changed lines of one side (with the context between them), endings made equal."""
    lines = hunk.side(side)
    return [with_ending(line, "\n") for line in lines[hunk.before : len(lines) - hunk.after]]
