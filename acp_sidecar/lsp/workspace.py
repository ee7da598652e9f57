"""Files as the user sees them: open buffers first, then the disk (`features.ports.Workspace`)."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

from acp_sidecar.changes.texts import NotText, decode
from acp_sidecar.features.ports import Document, FileText
from acp_sidecar.lsp.documents import Documents, real_path

_REASONS = {NotText.BINARY: "binary", NotText.TOO_LARGE: "too-large"}


class EditorWorkspace:
    """Reads; never writes and never raises."""

    def __init__(self, documents: Documents, max_file_size: int) -> None:
        self.documents = documents
        self.max_file_size = max_file_size
        self._roots: list[str] = []

    def set_roots(self, paths: Sequence[str]) -> None:
        """The editor's workspace folders."""
        self._roots = [real_path(path) for path in paths]

    def roots(self) -> Sequence[str]:
        return self._roots

    def resolve(self, path: str) -> str:
        return real_path(path)

    def open_documents(self) -> Sequence[Document]:
        return [Document(each.path, each.version, each.text) for each in self.documents.all()]

    def document(self, path: str) -> Document | None:
        document = self.documents.at(path)
        return Document(document.path, document.version, document.text) if document else None

    def read(self, path: str) -> FileText:
        document = self.documents.at(path)
        if document is not None:
            return FileText(document.path, document.text, document.version)
        return self.disk(path)

    def disk(self, path: str) -> FileText:
        try:
            file_path = Path(path)
            status = file_path.stat()
            if stat.S_ISDIR(status.st_mode):
                return FileText(path, None, reason="directory")
            if not stat.S_ISREG(status.st_mode):
                return FileText(path, None, reason="unreadable")  # a pipe would block us
            if status.st_size > self.max_file_size:
                return FileText(path, None, reason="too-large")
            with file_path.open("rb") as file:
                data = file.read(self.max_file_size + 1)
        except FileNotFoundError:
            return FileText(path, None, reason="missing")
        except (OSError, ValueError):
            return FileText(path, None, reason="unreadable")
        decoded = decode(data, limit=self.max_file_size)
        if isinstance(decoded, NotText):
            return FileText(path, None, reason=_REASONS[decoded])
        return FileText(path, decoded.text)
