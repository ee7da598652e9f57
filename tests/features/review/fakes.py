"""An editor and its files in memory: applies edits as LSP editors do, or not as it should."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.changes.texts import LineIndex, Position
from acp_sidecar.features.ports import (
    Abilities,
    CreateFile,
    DeleteFile,
    Document,
    EditFile,
    FileText,
    Level,
    RenameFile,
    WorkspaceChange,
)
from tests.features.unasked_editor import UnaskedEditor

ROOT = "/project"
ABLE = Abilities(
    apply_edit=True,
    document_changes=True,
    change_annotations=True,
    resource_operations=frozenset({"create", "rename", "delete"}),
    code_lens_refresh=True,
)


class Files:
    """A workspace: what is on disk, and what the editor has open."""

    def __init__(self, **files: str) -> None:
        self.on_disk: dict[str, str] = {f"{ROOT}/{name}": text for name, text in files.items()}
        self.reasons: dict[str, str] = {}
        self.open: dict[str, Document] = {}
        self.folders = [ROOT]

    def roots(self) -> Sequence[str]:
        return self.folders

    def resolve(self, path: str) -> str:
        return path

    def open_documents(self) -> Sequence[Document]:
        return list(self.open.values())

    def document(self, path: str) -> Document | None:
        return self.open.get(path)

    def read(self, path: str) -> FileText:
        document = self.open.get(path)
        if document is not None:
            return FileText(path, document.text, document.version)
        return self.disk(path)

    def disk(self, path: str) -> FileText:
        if path in self.reasons:
            return FileText(path, None, reason=self.reasons[path])
        text = self.on_disk.get(path)
        return FileText(path, text, reason="missing" if text is None else "")


@dataclasses.dataclass
class Applied:
    """One `workspace/applyEdit`, with the texts that it was made for."""

    change: WorkspaceChange
    done: Callable[[bool, str], None]


class FakeEditor(UnaskedEditor):
    """Applies edits truthfully, unless told otherwise by `mode`.

    Modes: "truthful"; "liar" says that it applied and does not; "partial" applies only the first
    edit and says that it applied; "refuses" says no and does nothing; "shy" applies and says
    no; "late" answers before the change shows (until `catch_up`).
    """

    def __init__(self, files: Files, abilities: Abilities = ABLE, mode: str = "truthful") -> None:
        self.files = files
        self.mode = mode
        self.applied: list[Applied] = []
        self.notified: list[tuple[str, Any]] = []
        self.messages: list[tuple[Level, str]] = []
        self.refreshes = 0
        self.on_change: Callable[[str, list[TextEdit]], None] = _nothing
        self._abilities = abilities
        self._late: list[WorkspaceChange] = []

    @property
    def abilities(self) -> Abilities:
        return self._abilities

    def apply(self, change: WorkspaceChange, on_done: Callable[[bool, str], None]) -> None:
        self.applied.append(Applied(change, on_done))
        stale = self._stale(change)
        if stale or self.mode == "refuses":
            on_done(False, "stale version" if stale else "no")
        elif self.mode == "liar":
            on_done(True, "")
        elif self.mode == "late":
            self._late.append(change)
            on_done(True, "")
        else:
            self.carry_out(change, first_only=self.mode == "partial")
            on_done(self.mode != "shy", "")

    def catch_up(self) -> None:
        """Show what a late editor has applied."""
        for change in self._late:
            self.carry_out(change)
        self._late.clear()

    def _stale(self, change: WorkspaceChange) -> bool:
        for step in change.steps:
            if isinstance(step, EditFile) and step.version is not None:
                document = self.files.document(step.path)
                if document is None or document.version != step.version:
                    return True
        return False

    def carry_out(self, change: WorkspaceChange, *, first_only: bool = False) -> None:
        for step in change.steps:
            self._carry_out(step, first_only=first_only)
            if first_only:
                return

    def _carry_out(
        self, step: EditFile | CreateFile | RenameFile | DeleteFile, *, first_only: bool
    ) -> None:
        files = self.files
        if isinstance(step, EditFile):
            text = files.read(step.path).text
            assert text is not None, f"{step.path} cannot be edited"
            index = LineIndex(text)
            edits = [
                TextEdit(
                    index.offset(Position(e.span.start_line, e.span.start_column)),
                    index.offset(Position(e.span.end_line, e.span.end_column)),
                    e.text,
                )
                for e in step.edits
            ]
            edits = sorted(edits)[:1] if first_only else sorted(edits)
            self.change(step.path, [*reversed(edits)])
        elif isinstance(step, CreateFile):
            assert step.path not in files.on_disk
            files.on_disk[step.path] = step.text
        elif isinstance(step, DeleteFile):
            files.on_disk.pop(step.path, None)
            files.open.pop(step.path, None)
        else:
            assert step.path not in files.on_disk
            files.on_disk[step.path] = files.on_disk.pop(step.old_path)
            document = files.open.pop(step.old_path, None)
            if document is not None:
                files.open[step.path] = dataclasses.replace(document, path=step.path)

    def change(self, path: str, edits: Sequence[TextEdit]) -> None:
        """Edits one after the other, each of the text before it, as `didChange` tells them."""
        document = self.files.open.get(path)
        text = self.files.read(path).text or ""
        for edit in edits:
            text = text[: edit.start] + edit.new_text + text[edit.end :]
        if document is None:
            self.files.on_disk[path] = text
            return
        self.files.open[path] = Document(path, document.version + 1, text)
        self.on_change(path, list(edits))

    def notify(self, method: str, params: Any) -> None:
        self.notified.append((method, params))

    def message(self, level: Level, text: str) -> None:
        self.messages.append((level, text))

    def refresh(self) -> None:
        self.refreshes += 1


class Permissions:
    """The permission feature: what is open, and how it was answered."""

    def __init__(self) -> None:
        self.open: dict[tuple[str, str], str] = {}
        self.answers: dict[str, bool] = {}

    def open_for(self, session_key: str, tool_call_id: str) -> str | None:
        return self.open.get((session_key, tool_call_id))

    def settle(self, permission_id: str, allow: bool) -> None:
        assert permission_id not in self.answers, "a permission is answered once"
        self.answers[permission_id] = allow
        self.open = {key: each for key, each in self.open.items() if each != permission_id}


def _nothing(_path: str, _edits: list[TextEdit]) -> None:
    """For an editor that nobody listens to."""
