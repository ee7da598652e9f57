"""A review with an editor, an agent's session and a clock, to write tests as stories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.changes.positions import edits_between
from acp_sidecar.config import ReviewSettings
from acp_sidecar.features.ports import Abilities, Document
from acp_sidecar.features.review.review import Review
from acp_sidecar.session.reducer import apply
from acp_sidecar.session.state import Session
from acp_sidecar.session.tool_calls import (
    Diff,
    DiffPatch,
    PathChange,
    ToolCallContentChunk,
    ToolCallUpdate,
)
from tests.features.review.fakes import ABLE, ROOT, FakeEditor, Files, Permissions


@dataclass(frozen=True)
class Selected:
    change_set: str | None = None
    file: int | str | None = None
    hunk: int | None = None
    session_id: str | None = None


def path(name: str) -> str:
    return f"{ROOT}/{name}"


def v1_diff(name: str, old: str | None, new: str) -> Diff:
    operation: Literal["add", "modify"] = "add" if old is None else "modify"
    change = PathChange(operation=operation, path=path(name), old_text=old, new_text=new)
    return Diff(changes=[change])


def git_diff(patch: str, *changes: Any) -> Diff:
    return Diff(changes=list(changes), patch=DiffPatch(format="git_patch", text=patch))


class Desk:
    """Everything that a review has around it."""

    def __init__(
        self,
        files: dict[str, str] | None = None,
        *,
        abilities: Abilities = ABLE,
        mode: str = "truthful",
        **settings: Any,
    ) -> None:
        self.files = Files(**(files or {}))
        self.editor = FakeEditor(self.files, abilities, mode)
        self.permissions = Permissions()
        self.review = Review(ReviewSettings(**settings), self.editor, self.files, self.permissions)
        self.session = Session("s", "s", "agent", ROOT, 2)
        self.now = 100.0
        self.replies: list[Any] = []
        self.editor.on_change = self._changed

    def _changed(self, changed: str, edits: list[TextEdit]) -> None:
        self.review.document_changed(self.now, changed, edits)

    # --- the agent --------------------------------------------------------------------------------

    def call(self, call_id: str = "c", **fields: Any) -> None:
        """A tool call update."""
        self._said(ToolCallUpdate(tool_call_id=call_id, **fields))

    def chunk(self, chunk: ToolCallContentChunk) -> None:
        """An item appended to a call's content."""
        self._said(chunk)

    def _said(self, update: ToolCallUpdate | ToolCallContentChunk) -> None:
        effect = apply(self.session, update)
        call = self.session.tool_calls[update.tool_call_id]
        self.review.tool_call_changed(self.now, self.session, call, effect)

    def asks(self, call_id: str = "c") -> None:
        """The agent asks for permission."""
        self.permissions.open["s", call_id] = f"permission-{call_id}"
        self.review.permission_changed(self.now, "s", call_id)

    def answers(self, call_id: str, *, allow: bool) -> None:
        """The user answers the prompt himself."""
        del self.permissions.open["s", call_id]
        self.review.permission_changed(self.now, "s", call_id, allow)

    def writes(self, name: str, text: str | None, *, reload: bool = True) -> None:
        """The agent writes to disk; the editor reloads an open document at once, or not."""
        where = path(name)
        if text is None:
            self.files.on_disk.pop(where, None)
            self.files.open.pop(where, None)
        else:
            self.files.on_disk[where] = text
        document = self.files.open.get(where)
        if document is not None and reload and text is not None:
            self.editor.change(where, [TextEdit(0, len(document.text), text)])
        self.review.file_changed(self.now, where)

    # --- the user ---------------------------------------------------------------------------------

    def open(self, name: str) -> None:
        where = path(name)
        self.files.open[where] = Document(where, 1, self.files.on_disk[where])
        self.review.document_opened(self.now, where)

    def types(self, name: str, new: str) -> None:
        """The user edits a document into a new text."""
        where = path(name)
        edits = edits_between(self.text(name) or "", new)
        self.editor.change(where, [*reversed(edits)])
        assert self.text(name) == new

    def choose(self, verb: str, **selection: Any) -> Any:
        """Accept or reject, and the answer, as long as it may take."""
        self.review.choose(self.now, verb, Selected(**selection), self.replies.append)
        return self.answer()

    def undo(self) -> Any:
        self.review.undo(self.now, self.replies.append)
        return self.answer()

    def answer(self) -> Any:
        self.passes(3.0, until=lambda: bool(self.replies))
        assert len(self.replies) == 1, "a choice is answered once"
        return self.replies.pop()

    # --- what there is ----------------------------------------------------------------------------

    def passes(self, seconds: float, until: Any = lambda: False) -> None:
        """Time passes, as the loop would let it."""
        end = self.now + seconds
        while not until():
            deadline = self.review.deadline()
            if deadline is None or deadline > end:
                self.now = end
                return
            self.now = max(self.now + 0.001, deadline)
            self.review.tick(self.now)

    def text(self, name: str) -> str | None:
        return self.files.read(path(name)).text

    def view(self, change_set: str = "s/c") -> Any:
        found = [each for each in self.review.view() if each["changeSet"] == change_set]
        return found[0] if found else None

    def states(self, file: int = 0, change_set: str = "s/c") -> list[str]:
        return [hunk["state"] for hunk in self.view(change_set)["files"][file]["hunks"]]
