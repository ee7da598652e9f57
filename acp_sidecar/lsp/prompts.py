"""Documents that the user writes prompts in, and what can be written next, in LSP's types.

A document of the language `acp-prompt` is a prompt, whatever its address: a file, something
unsaved, or an address of the editor's own. `?session=ID` in it says which session it is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qs, urlsplit

from lsprotocol import types

from acp_sidecar.changes.texts import Encoding, Position
from acp_sidecar.features.completion import Choice, Wanted, wanted
from acp_sidecar.lsp.documents import OpenDocument

LANGUAGE: Final = "acp-prompt"

_KINDS: Final = {
    "command": types.CompletionItemKind.Function,
    "file": types.CompletionItemKind.File,
    "folder": types.CompletionItemKind.Folder,
}


class PromptDocuments:
    """Open prompts by address. No other part of the sidecar takes them for files."""

    def __init__(self) -> None:
        self._by_uri: dict[str, OpenDocument] = {}

    def open(self, item: types.TextDocumentItem) -> bool:
        """`textDocument/didOpen`; whether it is a prompt."""
        if item.language_id != LANGUAGE:
            return False
        self._by_uri[item.uri] = OpenDocument(item.uri, "", item.version, item.text)
        return True

    def change(self, params: types.DidChangeTextDocumentParams, encoding: Encoding) -> bool:
        """`textDocument/didChange`; whether it is a prompt."""
        document = self._by_uri.get(params.text_document.uri)
        if document is None:
            return False
        for change in params.content_changes:
            document.change(change, encoding)
        document.version = params.text_document.version
        return True

    def close(self, uri: str) -> bool:
        """`textDocument/didClose`; whether it was a prompt."""
        return self._by_uri.pop(uri, None) is not None

    def get(self, uri: str) -> OpenDocument | None:
        """The open prompt of that address."""
        return self._by_uri.get(uri)


def session_of(uri: str) -> str | None:
    """The session that a prompt's address names."""
    try:
        named = parse_qs(urlsplit(uri).query).get("session")
    except ValueError:
        return None
    return named[0] if named else None


def wanted_at(
    document: OpenDocument, position: types.Position, encoding: Encoding
) -> Wanted | None:
    """What the user has begun to write at a position."""
    offset = document.index().offset(Position(position.line, position.character), encoding)
    return wanted(document.text, offset)


def completion_list(
    document: OpenDocument,
    begun: Wanted,
    end: types.Position,
    choices: Sequence[Choice],
    encoding: Encoding,
    *,
    complete: bool,
) -> types.CompletionList:
    """The choices, each replacing what has been written of it up to `end`."""
    at = document.index().position(begun.start, encoding)
    where = types.Range(types.Position(at.line, at.character), end)
    return types.CompletionList(
        is_incomplete=not complete,
        items=[_item(number, choice, where) for number, choice in enumerate(choices)],
    )


def _item(number: int, choice: Choice, where: types.Range) -> types.CompletionItem:
    return types.CompletionItem(
        label=choice.label,
        kind=_KINDS[choice.kind],
        detail=choice.detail or None,
        documentation=choice.about or None,
        sort_text=f"{number:03}",
        filter_text=choice.text,
        text_edit=types.TextEdit(where, choice.text),
    )
