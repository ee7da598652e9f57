"""Files as they would be: several changes planned one after the other, then told as one edit.

Nothing is written here. `Overlay` reads through to the workspace, takes edits, and in the end says
by which steps an editor gets from what is to what was planned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from acp_sidecar.changes.edits import TextEdit, apply_edits, ranges
from acp_sidecar.changes.positions import edits_between
from acp_sidecar.features.ports import (
    CreateFile,
    DeleteFile,
    Edit,
    EditFile,
    RenameFile,
    Span,
    Workspace,
)

Step = EditFile | CreateFile | RenameFile | DeleteFile


@dataclass(slots=True)
class _Entry:
    """A path as planned. `origin` is where its text comes from; `edits` only if made at once."""

    origin: str | None
    base: str | None
    text: str | None
    edits: list[tuple[TextEdit, str]] | None = None
    notes: list[str] = field(default_factory=list)


class Overlay:
    """What files would be after planned edits."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._entries: dict[str, _Entry] = {}
        self._unreadable: dict[str, str] = {}

    def text(self, path: str) -> str | None:
        """The planned text; `None` if there is no file or none that can be read as text."""
        entry = self._entry(path)
        return None if entry is None else entry.text

    def missing(self, path: str) -> bool:
        """Whether there is no such file."""
        entry = self._entry(path)
        return entry is not None and entry.text is None

    def gone(self, path: str) -> bool:
        """As `missing`, also if only a buffer is left of a file that is no more on disk."""
        entry = self._entry(path)
        if entry is None or entry.text is None or entry.origin != path or _changes(path, entry):
            return entry is not None and entry.text is None
        return self._workspace.disk(path).reason == "missing"

    def edit(self, path: str, edits: Sequence[tuple[TextEdit, str]]) -> None:
        """Plan edits of a file's present text, each with the annotation it belongs to."""
        entry = self._entry(path)
        if entry is None or entry.text is None or not edits:
            return
        fresh = entry.text == entry.base and entry.edits is None
        entry.text = apply_edits(entry.text, [edit for edit, _ in edits])
        entry.edits = list(edits) if fresh else None
        entry.notes += [note for _, note in edits if note not in entry.notes]

    def create(self, path: str, text: str, note: str) -> None:
        entry = self._entry(path)
        if entry is not None:
            entry.text, entry.edits = text, None
            entry.notes.append(note)

    def delete(self, path: str, note: str) -> None:
        entry = self._entry(path)
        if entry is not None:
            entry.text, entry.edits = None, None
            entry.notes.append(note)

    def rename(self, old_path: str, path: str, note: str) -> None:
        """Plan a move; `path` is missing."""
        source = self._entry(old_path)
        if source is None:
            return
        notes = [*source.notes, note]
        self._entries[path] = _Entry(source.origin, source.base, source.text, source.edits, notes)
        self._entries[old_path] = _Entry(None, None, None)

    def _entry(self, path: str) -> _Entry | None:
        entry = self._entries.get(path)
        if entry is None and path not in self._unreadable:
            file = self._workspace.read(path)
            if file.text is None and file.reason != "missing":
                self._unreadable[path] = file.reason
                return None
            entry = self._entries[path] = _Entry(path, file.text, file.text)
        return entry

    def expected(self) -> dict[str, str | None]:
        """The text of each file that would change; `None` for files that would be gone."""
        return {path: e.text for path, e in self._entries.items() if _changes(path, e)}

    def before(self) -> dict[str, str | None]:
        """The text that each of these files has now; `None` for files that are not there."""
        return {path: self._workspace.read(path).text for path in self.expected()}

    def steps(self) -> list[Step]:
        """What an editor has to do, in order: edits, then renames, then the rest."""
        edits: list[Step] = []
        others: list[Step] = []
        for path, entry in self._entries.items():
            if not _changes(path, entry):
                continue
            note = entry.notes[-1] if entry.notes else ""
            if entry.text is None:
                if entry.base is not None:
                    others.append(DeleteFile(path, note))
            elif entry.base is None or entry.origin is None:
                others.append(CreateFile(path, entry.text, note))
            else:
                if entry.text != entry.base:
                    edits.append(self._edit_file(entry, note))
                if entry.origin != path:
                    others.insert(0, RenameFile(entry.origin, path, note))
        return edits + others

    def _edit_file(self, entry: _Entry, note: str) -> EditFile:
        base, text, path = entry.base or "", entry.text or "", entry.origin or ""
        made = entry.edits or [(edit, note) for edit in edits_between(base, text)]
        spans = ranges([edit for edit, _ in made], base)
        document = self._workspace.document(path)
        return EditFile(
            path,
            None if document is None else document.version,
            [
                Edit(
                    Span(at.start.line, at.start.character, at.end.line, at.end.character),
                    at.new_text,
                    label,
                )
                for at, (_, label) in zip(spans, made, strict=True)
            ],
        )


def _changes(path: str, entry: _Entry) -> bool:
    return entry.text != entry.base or (entry.text is not None and entry.origin != path)
