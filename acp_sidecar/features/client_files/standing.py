"""Where a file stands: on disk, in a buffer, or in both, and which of the two is ahead."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from acp_sidecar.changes.texts import FileText, NotText, decode
from acp_sidecar.changes.whole_file import speakable
from acp_sidecar.features.client_files.ports import Disk, Loaded
from acp_sidecar.features.places import with_line_feeds
from acp_sidecar.features.ports import Document, Workspace


class State(StrEnum):
    CLOSED = "closed"
    """No buffer: the disk is the file."""
    CLEAN = "clean"
    """The buffer has what the disk has."""
    BEHIND = "behind"
    """The buffer was clean, and the editor has not read the file again since it changed."""
    DIRTY = "dirty"
    """The buffer has what the user has not saved."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One file now.

    Attributes:
        state: Whose text counts.
        document: The open document, if there is one.
        loaded: The bytes on disk.
        kept: How they are text; `None` if they are not, or not there.
        reason: Why there is no text on disk, as a clause; empty if there is or nothing is there.
    """

    state: State
    document: Document | None
    loaded: Loaded
    kept: FileText | None
    reason: str

    @property
    def disk_text(self) -> str | None:
        """The text on disk as agents see it."""
        return None if self.kept is None else speakable(self.kept.text)

    @property
    def text(self) -> str | None:
        """The text that counts: the buffer's, unless it is behind or there is none."""
        if self.document is not None and self.state in {State.CLEAN, State.DIRTY}:
            return self.document.text
        return self.disk_text


class Standings:
    """Knows which text each buffer last had in common with the disk."""

    def __init__(self, workspace: Workspace, disk: Disk) -> None:
        self._workspace = workspace
        self._disk = disk
        self._common: dict[str, str] = {}

    def synced(self, real: str) -> None:
        """A document was opened or saved, or its file written: remember it if both are alike."""
        document = self._workspace.document(real)
        if document is None:
            self._common.pop(real, None)
        elif self._workspace.disk(real).text == document.text:
            self._common[real] = document.text

    def closed(self, real: str) -> None:
        """The document was closed."""
        self._common.pop(real, None)

    def of(self, real: str) -> Standing:
        """Look at a file, by its real path."""
        document = self._workspace.document(real)
        loaded = self._disk.load(real)
        kept, reason = _as_text(loaded)
        text = None if kept is None else speakable(kept.text)
        return Standing(self._state(real, document, text), document, loaded, kept, reason)

    def _state(self, real: str, document: Document | None, disk: str | None) -> State:
        if document is None:
            return State.CLOSED
        if disk is not None and _alike(document.text, disk):
            self._common[real] = document.text
            return State.CLEAN
        if disk is not None and self._common.get(real) == document.text:
            return State.BEHIND
        return State.DIRTY if document.text or disk is not None else State.CLEAN


def _as_text(loaded: Loaded) -> tuple[FileText | None, str]:
    if loaded.data is None:
        return None, "" if loaded.missing else loaded.reason
    decoded = decode(loaded.data)
    if isinstance(decoded, NotText):
        binary = decoded is NotText.BINARY
        return None, "is not text" if binary else "is too large to be sent as one text"
    return decoded, ""


def _alike(buffer: str, disk: str) -> bool:
    """Editors may show other line endings than the file has."""
    return buffer == disk or with_line_feeds(buffer) == with_line_feeds(disk)
