"""Keep the places of hunks fresh: settle them when they arrive, follow them through edits.

A hunk that was followed and still stands where it was is believed before any new search. A new
search counts for a hunk that was lost only if it finds it where it was followed to, or if
nothing is left there: else a copy of the same lines would be taken for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from acp_sidecar.changes.anchor import Place, anchor_hunks, still_there
from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.changes.file_state import Present
from acp_sidecar.changes.hunks import Hunk, HunkLine, HunkState, LineKind, Side
from acp_sidecar.changes.positions import edits_between, follow
from acp_sidecar.changes.snippets import settle
from acp_sidecar.changes.views import TextView
from acp_sidecar.features.ports import FileText
from acp_sidecar.features.review.items import Item, ReviewFile
from acp_sidecar.features.review.known import fits, places_at, with_sides
from acp_sidecar.features.review.reading import Reading

MAX_PENDING: Final = 200
"""Edits remembered for one file between two looks at it; more are found out by comparing."""


def remember_edits(file: ReviewFile, edits: Sequence[TextEdit]) -> None:
    """Note edits of the file's document, each of the text that the one before left."""
    if file.pending is None or len(file.pending) + len(edits) > MAX_PENDING:
        file.pending = None
    else:
        file.pending += edits


def refresh(file: ReviewFile, reading: Reading, prefer: Side | None) -> None:
    """Look at the file again.

    `prefer` decides what the text leaves open: OLD before the agent has written, NEW after.
    """
    file.present, now = _look(file, reading)
    if now.text is None:
        _without_text(file, now)
        return
    if file.text is not None and now.text == file.text and file.settled:
        file.pending = []
        return
    _settle(file, now.text, prefer)
    view = reading.view(now.path, now.text)
    file.places = _places(file, view, prefer)
    file.view, file.text, file.reason, file.pending = view, view.text, "", []
    file.seen = file.seen or (bool(file.places) and file.written())
    if all(place.anchor is not None for place in file.places):
        file.good = view.text, file.places


def _places(file: ReviewFile, view: TextView, prefer: Side | None) -> list[Place]:
    hunks = file.change.hunks
    if not hunks:
        return []
    known = _known(file, view, prefer)
    if known is not None:
        return known
    if file.text is None or len(file.places) != len(hunks):
        return anchor_hunks(hunks, view, prefer=prefer)
    return _followed(file, view, prefer)


def _known(file: ReviewFile, view: TextView, prefer: Side | None) -> list[Place] | None:
    """The places if the whole text is one that is known."""
    hunks, text = file.change.hunks, view.text
    if file.before is None:
        side = _only_side(file, view, prefer)
        if side is not None:
            file.before = with_sides(text, side, hunks, [Side.OLD] * len(hunks))
    if file.before is None:
        return None
    count = len(hunks)
    for sides in (file.hoped, (Side.NEW,) * count, (Side.OLD,) * count):
        if len(sides) == count and with_sides(file.before, Side.OLD, hunks, sides) == text:
            return places_at(hunks, sides, view)
    return None


def _only_side(file: ReviewFile, view: TextView, prefer: Side | None) -> Side | None:
    """The side at which all hunks stand exactly where the agent says."""
    hunks = file.change.hunks
    found = [side for side in Side if fits(hunks, side, view.text)]
    if len(found) < 2:
        return found[0] if found else None
    if prefer is not None:
        return prefer
    sides = {place.side for place in anchor_hunks(hunks, view)}
    return sides.pop() if len(sides) == 1 else None


def _look(file: ReviewFile, reading: Reading) -> tuple[Present, FileText]:
    if file.blocked or not file.change.is_text:
        return file.present if file.blocked else _present(file, reading), FileText(
            file.path, None, reason=file.blocked or file.change.file_type or ""
        )
    at = _read(file, file.path, reading)
    exists = at.reason != "missing"
    if file.old_path is None:
        return Present(exists), at
    source = _read(file, file.old_path, reading)
    present = Present(exists, source.reason != "missing")
    return present, at if exists else source


def _present(file: ReviewFile, reading: Reading) -> Present:
    exists = _read(file, file.path, reading).reason != "missing"
    old = file.old_path is not None
    return Present(exists, old and _read(file, file.old_path or "", reading).reason != "missing")


def _read(file: ReviewFile, path: str, reading: Reading) -> FileText:
    """The text at a path; whether a file was moved or deleted is told by the disk.

    Editors keep the buffers of files that are no more, some although nothing shows them any longer.
    """
    found = reading.read(path)
    if found.version is not None and file.change.operation in ("move", "delete"):
        disk = reading.workspace.disk(path)
        return disk if disk.reason == "missing" else found
    return found


def _without_text(file: ReviewFile, now: FileText) -> None:
    """No text: hunks of a missing file stand where an empty text would have them."""
    file.text, file.view, file.reason, file.pending = None, None, now.reason, None
    if now.reason == "missing" and file.change.hunks:
        file.places = anchor_hunks(file.change.hunks, TextView(""))
        return
    reason = _UNREADABLE.get(now.reason, now.reason)
    file.places = [Place(HunkState.UNANCHORED, reason=reason) for _ in file.change.hunks]


_UNREADABLE: Final = {
    "binary": "The file is binary.",
    "too-large": "The file is too large to be reviewed.",
    "directory": "This is a directory.",
    "unreadable": "The file cannot be read.",
}


def _settle(file: ReviewFile, text: str, prefer: Side | None) -> None:
    """Fit the agent's pieces to the text, once: later the user's edits may hide them."""
    if file.settled:
        return
    change = settle(replace(file.change, hunks=file.sent.hunks), text, prefer=prefer)
    file.settled = all(hunk.numbered for hunk in change.hunks) or not file.sent.snippets
    if change.hunks != file.change.hunks:
        file.hunks = carried(file.change.hunks, file.hunks, change.hunks)
        file.places, file.before, file.hoped, file.good = [], None, (), None
    file.change = change


def carried(old: Sequence[Hunk], items: Sequence[Item], new: Sequence[Hunk]) -> list[Item]:
    """The items of new hunks: those of old ones that change the same lines, the others fresh."""
    left = [(_changes(hunk), item) for hunk, item in zip(old, items, strict=True)]
    result: list[Item] = []
    for hunk in new:
        wanted = _changes(hunk)
        index = next((i for i, (each, _) in enumerate(left) if each == wanted), None)
        result.append(Item() if index is None else left.pop(index)[1])
    return result


def _changes(hunk: Hunk) -> list[HunkLine]:
    return [line for line in hunk.lines if line.kind is not LineKind.CONTEXT]


def places_in(file: ReviewFile, text: str) -> tuple[list[Place], TextView]:
    """Where the hunks would be in another text of the file, without remembering it.

    Later changes may have buried a hunk that comes to light when they are undone: it is also
    followed from where it last was.
    """
    if file.view is not None and file.text == text:
        return file.places, file.view
    view = TextView(text)
    hunks = file.change.hunks
    known = _known(file, view, None) if hunks and file.before is not None else None
    if known is not None:
        return known, view
    places = anchor_hunks(hunks, view)
    if file.text is not None and len(file.places) == len(hunks):
        places = [_better(*pair) for pair in zip(_from(file, view), places, strict=True)]
    if file.good is not None and any(place.anchor is None for place in places):
        recovered = _moved_on(*file.good, hunks, view)
        places = [
            other if one.anchor is None and other.anchor is not None else one
            for one, other in zip(places, recovered, strict=True)
        ]
    return places, view


def _from(file: ReviewFile, view: TextView) -> list[Place]:
    return _moved_on(file.text or "", file.places, file.change.hunks, view)


def _moved_on(
    old: str, places: Sequence[Place], hunks: Sequence[Hunk], view: TextView
) -> list[Place]:
    """Places in an old text, followed into another by comparing the two."""
    edits = edits_between(old, view.text)
    moved = [follow(place, edits) for place in places]
    return [still_there(hunk, view, place) for hunk, place in zip(hunks, moved, strict=True)]


def _followed(file: ReviewFile, view: TextView, prefer: Side | None) -> list[Place]:
    places = file.places
    for edits in _steps(file, view.text):
        places = [follow(place, edits) for place in places]
    hunks = file.change.hunks
    kept = [still_there(hunk, view, place) for hunk, place in zip(hunks, places, strict=True)]
    if all(place.anchor is not None for place in kept) and file.seen:
        return kept
    fresh = anchor_hunks(hunks, view, prefer=prefer)
    if not file.seen and all(place.side is Side.NEW for place in fresh):
        return fresh
    return [_better(one, other) for one, other in zip(kept, fresh, strict=True)]


def _steps(file: ReviewFile, text: str) -> list[list[TextEdit]]:
    """Edits that lead from the text that the places are of to the present one."""
    at = file.text or ""
    steps: list[list[TextEdit]] = []
    for edit in file.pending or ():
        new = at[: edit.start] + edit.new_text + at[edit.end :]
        is_all = edit.start == 0 and edit.end == len(at)
        steps.append(edits_between(at, new) if is_all else [edit])
        at = new
    # What was not told, or not exactly, is found out by comparing.
    return steps if at == text and file.pending else [edits_between(file.text or "", text)]


def _better(kept: Place, fresh: Place) -> Place:
    if kept.anchor is not None or kept.side is None:
        return kept if kept.anchor is not None else fresh
    if fresh.anchor is None:
        return kept
    # Cut and pasted elsewhere by the user, or retold by the agent; anything less is a look-alike.
    moved = kept.outer_start == kept.outer_end and fresh.side is kept.side
    covers = fresh.start <= kept.start and kept.end <= fresh.end
    return fresh if moved or covers else kept
