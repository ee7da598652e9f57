"""Bringing a file to what an agent wants: in the editor's buffer where it is open, and on disk.

An open buffer is edited through the editor, so that the user sees it, can undo it, and keeps what
they have typed. If it had no unsaved changes, the disk gets the text too: the agent's next command
has to find what it has written. If it had, what is unsaved stays unsaved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from acp_sidecar.changes.positions import edits_between
from acp_sidecar.changes.texts import BOM, FileText, LineIndex
from acp_sidecar.changes.whole_file import encoded, rewritten, with_endings_of
from acp_sidecar.features.client_files.ports import Disk, Reviewed
from acp_sidecar.features.client_files.standing import Standing, Standings, State
from acp_sidecar.features.ports import (
    Document,
    Edit,
    EditFile,
    Editor,
    Level,
    Span,
    Workspace,
    WorkspaceChange,
)
from acp_sidecar.features.review.applying import Job
from acp_sidecar.features.review.edit import Made, Plan
from acp_sidecar.features.sanitize import visible_line
from acp_sidecar.features.served import Caller, Refusal
from acp_sidecar.session.state import Session

if TYPE_CHECKING:
    from acp_sidecar.features.client_files.files import Known

ATTEMPTS: Final = 3
"""How often a file is written anew because it had changed under the write."""

_CONFLICT: Final = (
    "{path} was changed since you read it, where you change it too: read it again, then write"
)


_BUSY: Final = "is changed by somebody else all the time"


@dataclass(slots=True)
class Write:
    """One write on its way.

    Attributes:
        real: Where it goes, links followed.
        path: The same as the agent named it.
        unsaved: The buffer had what the user has not saved.
        result: What the disk is to have, once the buffer has it.
        trouble: Why an edit of the buffer was not even tried.
    """

    session: Session
    real: str
    path: str
    content: str
    caller: Caller[None]
    unsaved: bool = False
    result: str = ""
    trouble: str = ""
    attempts: int = field(default=0)

    def fail(self, reason: str) -> None:
        self.caller.refuse(Refusal.FAILED, reason)


class Writing:
    """Carries out writes."""

    def __init__(
        self,
        editor: Editor,
        workspace: Workspace,
        disk: Disk,
        review: Reviewed,
        *,
        standings: Standings,
        known: Known,
    ) -> None:
        self._editor = editor
        self._workspace = workspace
        self._disk = disk
        self._review = review
        self._standings = standings
        self._known = known

    def start(self, now: float, write: Write) -> None:
        """Write a file; answers when the buffer shows it and the disk has it."""
        standing = self._standings.of(write.real)
        if standing.reason and standing.document is None:
            write.fail(f"{write.path} {standing.reason}")
            return
        self._review.about_to_write(write.session, write.path)
        if standing.document is None:
            self._onto_disk(now, write)
        elif self._editor.abilities.apply_edit:
            self._into_buffer(now, write)
        elif standing.state is State.DIRTY:
            write.fail(
                f"{write.path} has unsaved changes, and this editor lets nobody edit its buffers: "
                "the user has to save it first"
            )
        else:
            self._onto_disk(now, write)

    # --- buffers ----------------------------------------------------------------------------------

    def _into_buffer(self, now: float, write: Write) -> None:
        def settled(at: float, plan: Plan, reason: str) -> None:
            if write.trouble or reason:
                write.fail(write.trouble or f"{write.path} was not changed: {reason}")
            elif self._workspace.document(write.real) is None and not plan.change.steps:
                self._onto_disk(at, write)
            else:
                self._buffer_done(at, write)

        self._review.carry_out(now, Job(lambda: self._plan(write), settled))

    def _plan(self, write: Write) -> Plan:
        """The edit of the buffer as it is now; empty if there is nothing to do or to be done."""
        label = f"Write by {write.session.agent}"
        empty = Plan(WorkspaceChange(label, []))
        standing = self._standings.of(write.real)
        document = standing.document
        if document is None:
            return empty  # closed in the meantime
        write.unsaved = standing.state is State.DIRTY
        wanted = self._wanted(write, standing)
        if wanted is None:
            write.trouble = _CONFLICT.format(path=write.path)
            self._known.forget(write.session, write.real)
            return empty
        write.result = wanted
        if wanted == document.text:
            return empty
        self._review.about_to_edit(write.session, write.real, wanted)
        made = Made(write.real, document.text, wanted, ())
        return Plan(
            WorkspaceChange(label, [_edits(write.real, document, wanted)]),
            before={write.real: document.text},
            expected={write.real: wanted},
            restored=[made],
        )

    def _wanted(self, write: Write, standing: Standing) -> str | None:
        base = self._known.get(write.session, write.real)
        if base is None and standing.state is State.DIRTY:
            base = standing.disk_text or ""
        content = write.content
        if standing.document is not None:
            content = content.removeprefix(BOM)  # editors keep the mark out of their buffers
        return rewritten(base, standing.text or "", content)

    def _buffer_done(self, now: float, write: Write) -> None:
        if write.unsaved:
            name = visible_line(PurePath(write.path).name)
            agent = visible_line(write.session.agent)
            text = f"{agent} changed {name}, which you have not saved: commands see it once you do."
            self._editor.log(Level.INFO, text)
            self._done(now, write)
            return
        standing = self._standings.of(write.real)
        text = with_endings_of(write.result, standing.disk_text or "")
        reason = standing.reason or self._save(write, standing, text)
        if reason == "":
            self._done(now, write)
        else:
            reason = reason or _BUSY
            write.fail(f"{write.path} was changed in the editor but not saved: it {reason}")

    # --- the disk ---------------------------------------------------------------------------------

    def _onto_disk(self, now: float, write: Write) -> None:
        reason: str | None = None
        while reason is None and write.attempts < ATTEMPTS:
            write.attempts += 1
            standing = self._standings.of(write.real)
            wanted = self._wanted_on_disk(write, standing)
            if wanted is None:
                self._known.forget(write.session, write.real)
                write.fail(_CONFLICT.format(path=write.path))
                return
            reason = standing.reason or self._save(write, standing, wanted)
        if reason == "":
            self._done(now, write)
        else:
            write.fail(f"{write.path} {reason or _BUSY}")

    def _wanted_on_disk(self, write: Write, standing: Standing) -> str | None:
        now = standing.disk_text
        if now is None:
            return write.content
        content = write.content
        if standing.kept is not None and standing.kept.bom:
            content = content.removeprefix(BOM)
        return rewritten(self._known.get(write.session, write.real), now, content)

    def _save(self, write: Write, standing: Standing, text: str) -> str | None:
        """Put a text on disk as the file has texts; returns as `Disk.replace` does."""
        if standing.disk_text == text:
            return ""
        try:
            data = encoded(text, standing.kept)
        except UnicodeEncodeError:
            return _not_in(standing.kept)
        return self._disk.replace(write.real, data, standing.loaded.data)

    def _done(self, now: float, write: Write) -> None:
        self._known.put(write.session, write.real, write.content)
        self._standings.synced(write.real)
        self._review.wrote(now, write.session, write.real)
        write.caller.done(None)


def _not_in(kept: FileText | None) -> str:
    encoding = "not UTF-8" if kept is None or kept.errors != "strict" else kept.encoding
    return f"is {encoding}, which has not all characters of the new text"


def _edits(real: str, document: Document, wanted: str) -> EditFile:
    index = LineIndex(document.text)
    edits = []
    for edit in edits_between(document.text, wanted):
        start, end = index.position(edit.start), index.position(edit.end)
        span = Span(start.line, start.character, end.line, end.character)
        edits.append(Edit(span, edit.new_text))
    return EditFile(real, document.version, edits)
