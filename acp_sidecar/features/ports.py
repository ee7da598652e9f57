"""What features need from the world, as protocols: an editor, a workspace, and time as a number.

Features decide; these carry out. `lsp` implements `Editor` and `Workspace` for a real editor,
tests implement them with lists. All methods return at once; answers come by callback, on the same
thread, in order. Positions here are 0-based lines and columns in code points, ends exclusive; the
conversion to and from the editor's encoding is `lsp`'s. Lines from the agent are converted by
`features.places.from_wire_line` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

Json = Any
Withdraw = Callable[[], None]
"""Takes a question back; harmless when it is already answered."""


class Level(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Span:
    """A range in a document: 0-based, end exclusive, columns in code points."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document that is open in the editor; `text` is what the user sees, saved or not."""

    path: str
    version: int
    text: str


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's text as the editor shows it: the open buffer first, else the disk.

    `text` is None for a file that is missing, binary, too large or unreadable; `reason` says which:
    "missing", "directory", "binary", "too-large", "unreadable".
    """

    path: str
    text: str | None
    version: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the editor can do: plain LSP abilities, and the rich `acp/*` it switched on."""

    show_document: bool = False
    message_actions: bool = False
    apply_edit: bool = False
    document_changes: bool = False
    change_annotations: bool = False
    resource_operations: frozenset[str] = frozenset()
    work_done_progress: bool = False
    code_lens_refresh: bool = False
    watched_files: bool = False
    configuration: bool = False
    rich: frozenset[str] = frozenset()
    """Of: "follow", "review", "permission", "terminal", "transcript", "session", "elicitation",
    "runInTerminal", "tools"."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `span` by `text`. `annotation` groups edits for confirmation (one per hunk)."""

    span: Span
    text: str
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class EditFile:
    """Edits of one document. `version` is that of the text they were computed from, if open."""

    path: str
    version: int | None
    edits: Sequence[Edit]


@dataclass(frozen=True, slots=True)
class CreateFile:
    path: str
    text: str
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class RenameFile:
    old_path: str
    path: str
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class DeleteFile:
    path: str
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class WorkspaceChange:
    """An edit of ours over any number of files; `annotations` label what the user may untick."""

    label: str
    steps: Sequence[EditFile | CreateFile | RenameFile | DeleteFile]
    annotations: dict[str, str] = field(default_factory=dict)
    needs_confirmation: bool = False


class Workspace(Protocol):
    """Files as the user sees them. Never raises; never follows what leaves the roots unasked."""

    def roots(self) -> Sequence[str]:
        """The folders open in the editor, as real paths."""
        ...

    def resolve(self, path: str) -> str:
        """The real path (symlinks followed) of an absolute path, whether or not it exists."""
        ...

    def open_documents(self) -> Sequence[Document]:
        """All open documents that are files."""
        ...

    def document(self, path: str) -> Document | None:
        """The open document of this path."""
        ...

    def read(self, path: str) -> FileText:
        """The text of a file, from its buffer or from disk."""
        ...

    def disk(self, path: str) -> FileText:
        """The text of a file on disk, whatever the editor has open."""
        ...


class Editor(Protocol):
    """What can be shown and asked. Methods that the editor lacks do nothing and say so."""

    @property
    def abilities(self) -> Abilities: ...

    def notify(self, method: str, params: Json) -> None:
        """Push an `acp/*` notification. Call it only for what `abilities.rich` names."""
        ...

    def request(
        self,
        method: str,
        params: Json,
        on_answer: Callable[[Json], None],
        on_unable: Callable[[], None],
    ) -> Withdraw:
        """Ask by an `acp/*` request; `on_answer(None)` if the editor fails or goes away.

        `on_unable` comes instead if the editor does not know the request after all; by then it is
        gone from `abilities.rich`. Withdrawing sends `$/cancelRequest`; no callback comes after
        that.
        """
        ...

    def show_document(
        self, path: str, span: Span | None, on_done: Callable[[bool], None] | None = None
    ) -> None:
        """`window/showDocument` with takeFocus false."""
        ...

    def open_external(self, url: str, on_done: Callable[[bool], None]) -> None:
        """`window/showDocument` with external true."""
        ...

    def ask(
        self,
        level: Level,
        message: str,
        actions: Sequence[str],
        on_answer: Callable[[int | None], None],
    ) -> Withdraw:
        """`window/showMessageRequest`; the index of the action chosen, or None if dismissed.

        Withdrawing cancels the request; clients that keep showing it are answered to nobody.
        """
        ...

    def message(self, level: Level, text: str) -> None:
        """`window/showMessage`."""
        ...

    def log(self, level: Level, text: str) -> None:
        """`window/logMessage`."""
        ...

    def apply(self, change: WorkspaceChange, on_done: Callable[[bool, str], None]) -> None:
        """`workspace/applyEdit`; `on_done(applied, reason)` is the editor's claim, not proof."""
        ...

    def progress_begin(self, token: str, title: str, *, cancellable: bool) -> None: ...
    def progress_report(self, token: str, message: str) -> None: ...
    def progress_end(self, token: str, message: str) -> None: ...

    def refresh(self) -> None:
        """Code lenses and code actions may have changed (`workspace/codeLens/refresh`)."""
        ...
