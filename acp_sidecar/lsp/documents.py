r"""The editor's open documents, exactly as the editor has them.

Our own store, for two reasons: LSP's line ends are \\n, \\r\\n and \\r and nothing else, and agents
name files by other paths than editors do (symlinks, other spellings of a URI).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lsprotocol import types

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.changes.texts import Encoding, LineIndex, Position
from acp_sidecar.features.places import file_uri, unquoted
from acp_sidecar.features.ports import Edit, Span


def path_of(uri: str) -> str | None:
    """The path of a file URI; None for other schemes. Windows drives lose their leading slash."""
    try:
        parts = urlsplit(uri)
    except ValueError:  # brackets where a host would be
        return None
    if parts.scheme != "file":
        return None
    path = unquoted(parts.path)
    if re.match(r"/[A-Za-z]:", path):
        path = path[1:].replace("/", "\\") if os.name == "nt" else path[1:]
    if parts.netloc and parts.netloc != "localhost":
        return f"//{parts.netloc}{path}"
    return path


def real_path(path: str) -> str:
    """The path with its links followed, as far as that can be done; never raises."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # a loop of links, a NUL in the path
        return path


@dataclass(frozen=True, slots=True)
class DocumentEdit:
    """One edit of a document, in offsets and in lines, both of the text before it."""

    text: TextEdit
    span: Edit


@dataclass(slots=True)
class OpenDocument:
    """One open document."""

    uri: str
    path: str
    version: int
    text: str
    _index: LineIndex | None = field(default=None, repr=False)

    def index(self) -> LineIndex:
        """Offsets to positions and back, for the text as it is now."""
        if self._index is None:
            self._index = LineIndex(self.text)
        return self._index

    def change(
        self, change: types.TextDocumentContentChangeEvent, encoding: Encoding
    ) -> DocumentEdit:
        """Apply one change event; tells it as an edit of the text before."""
        edit = TextEdit(0, len(self.text), change.text)
        if isinstance(change, types.TextDocumentContentChangePartial):
            start = self.index().offset(_position(change.range.start), encoding)
            end = max(start, self.index().offset(_position(change.range.end), encoding))
            edit = TextEdit(start, end, change.text)
        start_at, end_at = self.index().position(edit.start), self.index().position(edit.end)
        span = Span(start_at.line, start_at.character, end_at.line, end_at.character)
        self.text = self.text[: edit.start] + edit.new_text + self.text[edit.end :]
        self._index = None
        return DocumentEdit(edit, Edit(span, edit.new_text))


def _position(position: types.Position) -> Position:
    return Position(position.line, position.character)


class Documents:
    """Open documents by URI, path and real path."""

    def __init__(self) -> None:
        self.encoding = Encoding.UTF16
        self._by_uri: dict[str, OpenDocument] = {}
        self._by_path: dict[str, OpenDocument] = {}

    def open(self, item: types.TextDocumentItem) -> OpenDocument | None:
        """`textDocument/didOpen`; None for what is no file."""
        path = path_of(item.uri)
        if path is None:
            return None
        document = OpenDocument(item.uri, path, item.version, item.text)
        self._by_uri[item.uri] = document
        self._by_path[path] = document
        self._by_path[real_path(path)] = document
        return document

    def change(
        self, params: types.DidChangeTextDocumentParams
    ) -> tuple[OpenDocument | None, list[DocumentEdit]]:
        """`textDocument/didChange`: the document and the edits, one after the other."""
        document = self._by_uri.get(params.text_document.uri)
        if document is None:
            return None, []
        edits = [document.change(change, self.encoding) for change in params.content_changes]
        document.version = params.text_document.version
        return document, edits

    def close(self, uri: str) -> OpenDocument | None:
        """`textDocument/didClose`."""
        document = self._by_uri.pop(uri, None)
        if document is not None:
            gone = [path for path, each in self._by_path.items() if each is document]
            for path in gone:
                del self._by_path[path]
        return document

    def all(self) -> list[OpenDocument]:
        """All open documents, in the order in which they were opened."""
        return list(self._by_uri.values())

    def at(self, path: str) -> OpenDocument | None:
        """The open document of a path, however the path is spelled."""
        return self._by_path.get(path) or self._by_path.get(real_path(path))

    def uri(self, path: str) -> str:
        """The URI under which the editor knows a path."""
        document = self.at(path)
        return document.uri if document else file_uri(path)
