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
        """Apply a workspace edit, or nothing of it; return the open documents that it changed.

        Raises:
            Refused: a version is stale, a file is not as the edit expects, or ranges overlap.
        """
        changed = [self._store(uri, text) for uri, text in self.outcome(edit).items()]
        return [document for document in changed if document is not None]

    def outcome(self, edit: Json) -> dict[str, str | None]:
        """Return what a workspace edit leads to, by URI; None for a file that is gone.

        Raises:
            Refused: as for `apply`.
        """
        texts: dict[str, str | None] = {}
        allowed = self._allowed(edit.get("changeAnnotations") or {})
        for change in _parts(edit):
            if "kind" not in change:
                self._check_version(change)
                self._edit(texts, change, allowed)
            elif change.get("annotationId", "") in allowed:
                self._change_file(texts, change)
        return texts

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

    def _edit(self, texts: dict[str, str | None], change: Json, allowed: set[str]) -> None:
        uri = change["textDocument"]["uri"]
        edits = [edit for edit in change["edits"] if edit.get("annotationId", "") in allowed]
        texts[uri] = edited(self._now(texts, uri) or "", edits, self.encoding)

    def _change_file(self, texts: dict[str, str | None], change: Json) -> None:
        options = change.get("options") or {}
        source = change["oldUri"] if change["kind"] == "rename" else change["uri"]
        if change["kind"] != "create":
            text = self._now(texts, source)
            if text is None and not options.get("ignoreIfNotExists"):
                raise Refused(f"{source} does not exist")
            texts[source] = None
        else:
            text = ""
        if change["kind"] == "delete":
            return
        target = change["newUri"] if change["kind"] == "rename" else change["uri"]
        if self._now(texts, target) is None or options.get("overwrite"):
            texts[target] = text
        elif not options.get("ignoreIfExists"):
            raise Refused(f"{target} exists")

    def _now(self, texts: dict[str, str | None], uri: str) -> str | None:
        """The text as the edit has left it so far; None if there is no such file."""
        if uri in texts:
            return texts[uri]
        return self.text(uri) if uri in self.open or path_of(uri).exists() else None

    def text(self, uri: str) -> str:
        """Return the text of a document: as it is open, else as it is on disk, else nothing."""
        if uri in self.open:
            return self.open[uri].text
        path = path_of(uri)
        return path.read_bytes().decode() if path.exists() else ""

    def _store(self, uri: str, text: str | None) -> Document | None:
        document = self.open.get(uri)
        if text is None:
            path_of(uri).unlink(missing_ok=True)
        elif document is None:
            path_of(uri).parent.mkdir(parents=True, exist_ok=True)
            path_of(uri).write_bytes(text.encode())
        elif document.text != text:
            document.text, document.version, document.dirty = text, document.version + 1, True
            return document
        return None


def _parts(edit: Json) -> list[Json]:
    """The parts of an edit; the older `changes` map as parts without versions."""
    parts: list[Json] | None = edit.get("documentChanges")
    if parts is not None:
        return parts
    return [
        {"textDocument": {"uri": uri, "version": None}, "edits": edits}
        for uri, edits in (edit.get("changes") or {}).items()
    ]
