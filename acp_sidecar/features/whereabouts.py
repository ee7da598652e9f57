"""Where in a file a tool call works: from the line it says, or from what it changes there.

Best first: the location's own line; the call's diff, anchored in the text of now; a piece of text
in `rawInput` that is in the file once; the range in `rawInput`; the line numbers of the diff.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from acp_sidecar.changes.anchor import Place, anchor_hunks
from acp_sidecar.changes.from_diff import file_changes
from acp_sidecar.changes.git_patch import Limits
from acp_sidecar.changes.hunks import FileChange, Hunk, Side
from acp_sidecar.changes.snippets import settle
from acp_sidecar.changes.views import TextView
from acp_sidecar.features.hints import Hints
from acp_sidecar.features.places import (
    LineRange,
    Sight,
    clamped,
    from_wire_line,
    with_line_feeds,
)
from acp_sidecar.session.state import ToolCall
from acp_sidecar.session.tool_calls import Diff

HUNKS_TRIED: Final = 8
LIMITS: Final = Limits(characters=500_000, sections=200, hunks=500)
"""Looking costs time on every move, so a diff beyond this is not looked into."""

TEXT_LIMIT: Final = 500_000
"""Characters of a file beyond which no hunk is looked for; the diff's own numbers must do."""

SamePath = Callable[[str], bool]


class Basis(StrEnum):
    """What a line was found by."""

    LOCATION = "location"
    HUNK = "hunk"
    SNIPPET = "snippet"
    INPUT = "input"
    LAST = "last"
    TOP = "top"


@dataclass(frozen=True, slots=True)
class Found:
    """Lines of a file, and what they were found by."""

    lines: LineRange
    basis: Basis


def work_in(
    call: ToolCall, hints: Hints, sight: Sight, said: LineRange | None, same: SamePath
) -> Found | None:
    """The lines in which `call` works in a file, within its text; `None` if nothing says.

    Args:
        hints: What `rawInput` says, if it is about this file.
        sight: The file; its text must be there.
        said: The lines that the location says.
        same: Whether a path, as the agent says it, is this file.
    """
    if said is not None:
        return Found(clamped(_widened(call, hints, sight, said, same), sight.lines), Basis.LOCATION)
    found, guess = _hunk_lines(call, sight, same)
    if found is not None:
        return Found(found, Basis.HUNK)
    found = _snippet_lines(hints.texts, sight, done=call.finished)
    if found is not None:
        return Found(found, Basis.SNIPPET)
    if hints.lines is not None:
        return Found(clamped(hints.lines, sight.lines), Basis.INPUT)
    return None if guess is None else Found(clamped(guess, sight.lines), Basis.HUNK)


def _widened(
    call: ToolCall, hints: Hints, sight: Sight, said: LineRange, same: SamePath
) -> LineRange:
    """The line that a location says, to the end of what `rawInput` or the diff has there."""
    if said.end > said.start:
        return said
    if hints.lines is not None and hints.lines.start == said.start:
        return hints.lines
    found, _ = _hunk_lines(call, sight, same)
    if found is None or not found.start - CONTEXT <= said.start <= found.end:
        return said
    return LineRange(said.start, found.end)


CONTEXT: Final = 3
"""Git's context: agents often give the line where a hunk begins, context included."""


def _hunk_lines(
    call: ToolCall, sight: Sight, same: SamePath
) -> tuple[LineRange | None, LineRange | None]:
    """The first hunk that stands in the text, and where the diff itself says it is."""
    prefer = Side.NEW if call.finished else Side.OLD
    guess: LineRange | None = None
    for change in _changes(call, same):
        place = _first_place(change, sight.text or "", prefer)
        if place is not None:
            return _place_lines(place, sight), guess
        guess = guess or next(map(_numbers, filter(_is_numbered, change.hunks)), None)
    return None, guess


def _first_place(change: FileChange, text: str, prefer: Side) -> Place | None:
    if len(text) > TEXT_LIMIT:
        return None
    hunks = settle(change, text, prefer=prefer).hunks[:HUNKS_TRIED]
    places = anchor_hunks(hunks, TextView(text), prefer=prefer)
    return next((place for place in places if place.start >= 0), None)


def _changes(call: ToolCall, same: SamePath) -> Iterable[FileChange]:
    for item in reversed(call.content):
        if isinstance(item, Diff) and (item.patch is not None or _names(item, same)):
            changes, _ = file_changes(item, LIMITS)
            yield from (change for change in changes if change.is_text and same(change.path))


def _names(diff: Diff, same: SamePath) -> bool:
    return any(same(getattr(change, "path", "")) for change in diff.changes)


def _is_numbered(hunk: Hunk) -> bool:
    return hunk.numbered


def _numbers(hunk: Hunk) -> LineRange:
    start = (from_wire_line(hunk.old_start) or 0) + hunk.before
    return LineRange(start, start)


def _place_lines(place: Place, sight: Sight) -> LineRange:
    text = sight.text or ""
    first = with_line_feeds(text[: place.start]).count("\n")
    body = with_line_feeds(text[place.start : place.end])
    count = body.count("\n") + (not body.endswith("\n"))
    return clamped(LineRange(first, first + max(count, 1) - 1), sight.lines)


def _snippet_lines(
    texts: tuple[tuple[str, str], ...], sight: Sight, *, done: bool
) -> LineRange | None:
    """The lines of the first piece that is in the text exactly once: old before, new after."""
    for old, new in texts:
        for piece in (new, old) if done else (old, new):
            found = _once(with_line_feeds(piece), sight.lines)
            if found is not None:
                return found
    return None


def _once(piece: str, text: str) -> LineRange | None:
    if not piece.strip():
        return None
    at = text.find(piece)
    if at < 0 or text.find(piece, at + 1) >= 0:
        return None
    first = text.count("\n", 0, at)
    rows = piece.removesuffix("\n").count("\n")
    return LineRange(first, first + rows)
