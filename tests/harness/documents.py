"""The editor's side of text: open documents with versions, and edits applied as LSP says.

Deliberately simple and independent of the server's own code: positions are turned into offsets
line by line, in the negotiated encoding.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

Json = dict[str, Any]
Confirm = Callable[[str, Json], bool]
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass
class Document:
    """An open document; `dirty` when its text is not what is on disk."""

    uri: str
    version: int
    text: str
    dirty: bool = False


class Refused(Exception):
    """The editor does not apply an edit; the text says why."""


def path_of(uri: str) -> Path:
    """Return the path of a file URI."""
    return Path(unquote(urlsplit(uri).path))


def offset_at(text: str, position: Json, encoding: str) -> int:
    """Return the offset of an LSP position; beyond a line's end means its end, as LSP says."""
    lines = [match for match in _LINE.finditer(text) if match[0] or match.start() == len(text)]
    if position["line"] >= len(lines):
        return len(text)
    line = lines[position["line"]]
    content = line[0].rstrip("\r\n")
    codec, width = _UNITS[encoding]
    before = content.encode(codec)[: position["character"] * width]
    return line.start() + len(before.decode(codec))


def edited(text: str, edits: list[Json], encoding: str) -> str:
    """Apply text edits, all of whose ranges refer to the text before any of them.

    Raises:
        Refused: two of them overlap.
    """
    spans = [(*_span(text, edit["range"], encoding), edit["newText"]) for edit in edits]
    spans.sort(key=lambda span: span[:2])
    result, end = "", 0
    for start, stop, new in spans:
        if start < end:
            raise Refused("overlapping edits")
        result += text[end:start] + new
        end = stop
    return result + text[end:]


def _span(text: str, place: Json, encoding: str) -> tuple[int, int]:
    return offset_at(text, place["start"], encoding), offset_at(text, place["end"], encoding)


class Documents:
    """All documents of the editor.

    `confirm` decides about each change annotation that needs confirmation, given its id and
    itself; edits of annotations that are not confirmed are left out, as editors with a preview do.
    """

    def __init__(self) -> None:
        self.encoding = "utf-16"
        self.open: dict[str, Document] = {}
        self.confirm: Confirm = lambda _identifier, _annotation: True

    def apply(self, edit: Json) -> list[Document]:
        """Apply a workspace edit in the order of its parts; return the open documents it changed.

        Raises:
            Refused: a version is stale (then nothing is applied), a file is not as the edit
                expects, or ranges overlap.
        """
        changes = _parts(edit)
        allowed = self._allowed(edit.get("changeAnnotations") or {})
        for change in changes:
            self._check_version(change)
        changed: list[Document] = []
        for change in changes:
            if "kind" not in change:
                changed += self._edit(change, allowed)
            elif change.get("annotationId", "") in allowed:
                _change_file(change)
        return changed

    def _allowed(self, annotations: Json) -> set[str]:
        """The ids of confirmed annotations; the empty id is for edits that have none."""
        confirmed = {
            identifier
            for identifier, annotation in annotations.items()
            if not annotation.get("needsConfirmation") or self.confirm(identifier, annotation)
        }
        return {"", *confirmed}

    def _check_version(self, change: Json) -> None:
        identifier = change.get("textDocument") or {}
        uri, version = identifier.get("uri", ""), identifier.get("version")
        document = self.open.get(uri)
        if version is not None and (document is None or document.version != version):
            raise Refused(f"{uri} is not at version {version}")

    def _edit(self, change: Json, allowed: set[str]) -> list[Document]:
        uri = change["textDocument"]["uri"]
        edits = [edit for edit in change["edits"] if edit.get("annotationId", "") in allowed]
        document = self._store(uri, edited(self.text(uri), edits, self.encoding))
        return [document] if document else []

    def text(self, uri: str) -> str:
        """Return the text of a document: as it is open, else as it is on disk, else nothing."""
        if uri in self.open:
            return self.open[uri].text
        path = path_of(uri)
        return path.read_bytes().decode() if path.exists() else ""

    def _store(self, uri: str, text: str) -> Document | None:
        document = self.open.get(uri)
        if document is None:
            path_of(uri).write_bytes(text.encode())
            return None
        if document.text == text:
            return None
        document.text, document.version, document.dirty = text, document.version + 1, True
        return document


def _parts(edit: Json) -> list[Json]:
    """The parts of an edit; the older `changes` map as parts without versions."""
    parts: list[Json] | None = edit.get("documentChanges")
    if parts is not None:
        return parts
    return [
        {"textDocument": {"uri": uri, "version": None}, "edits": edits}
        for uri, edits in (edit.get("changes") or {}).items()
    ]


def _change_file(change: Json) -> None:
    options = change.get("options") or {}
    if change["kind"] == "delete":
        path_of(change["uri"]).unlink(missing_ok=bool(options.get("ignoreIfNotExists")))
        return
    target = path_of(change["newUri"] if change["kind"] == "rename" else change["uri"])
    if target.exists() and not options.get("overwrite"):
        if options.get("ignoreIfExists"):
            return
        raise Refused(f"{target.name} exists")
    target.parent.mkdir(parents=True, exist_ok=True)
    if change["kind"] == "rename":
        path_of(change["oldUri"]).rename(target)
    else:
        target.write_bytes(b"")
