"""Code lenses, code actions and prompt context, between LSP's types and the features'."""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

from lsprotocol import types

from acp_sidecar.changes.texts import Encoding, LineIndex
from acp_sidecar.changes.texts import Position as TextPosition
from acp_sidecar.features.accepted import Accepted
from acp_sidecar.features.context import (
    MAX_TEXT,
    CodeContext,
    Diagnostic,
    Severity,
    ask_prompt,
    fix_prompt,
)
from acp_sidecar.features.media import Media
from acp_sidecar.features.mentions import mentions
from acp_sidecar.features.places import inside
from acp_sidecar.features.ports import Span
from acp_sidecar.features.review.lenses import Lens
from acp_sidecar.lsp.arguments import ContextItem
from acp_sidecar.lsp.documents import path_of
from acp_sidecar.lsp.media import MOST_BYTES, media_in, size_of
from acp_sidecar.lsp.workspace import EditorWorkspace

Json = Any

MENTIONED_TEXT: Final = MAX_TEXT
"""Characters of mentioned files that go with one prompt; what is more is linked."""

_SEVERITIES = {
    1: Severity.ERROR,
    2: Severity.WARNING,
    3: Severity.INFORMATION,
    4: Severity.HINT,
}


def command(title: str, name: str, argument: Json) -> types.Command:
    """An LSP command with the one object that all commands here take."""
    return types.Command(title=title, command=name, arguments=[argument])


def code_lens(lens: Lens) -> types.CodeLens:
    """A code lens at the beginning of its line."""
    place = types.Position(line=lens.line, character=0)
    return types.CodeLens(
        range=types.Range(place, place), command=command(lens.title, lens.command, lens.argument)
    )


def code_action(lens: Lens) -> types.CodeAction:
    """The same as a code action."""
    return types.CodeAction(
        title=lens.title,
        kind=types.CodeActionKind.QuickFix,
        command=command(lens.title, lens.command, lens.argument),
    )


class Contexts:
    """Code that prompts are about, with unsaved text, in code points."""

    def __init__(self, workspace: EditorWorkspace) -> None:
        self._workspace = workspace

    def span(self, path: str, where: types.Range) -> Span:
        """An LSP range of a file as a span."""
        index = LineIndex(self._workspace.read(path).text or "")
        start = self._place(index, where.start.line, where.start.character)
        end = self._place(index, where.end.line, where.end.character)
        return Span(start.line, start.character, end.line, end.character)

    def _place(self, index: LineIndex, line: int, character: int) -> TextPosition:
        encoding = self._workspace.documents.encoding
        offset = index.offset(TextPosition(line, character), encoding)
        return index.position(offset, Encoding.UTF32)

    def of_item(self, item: ContextItem) -> CodeContext | None:
        """An item of a prompt's context; None for what is no file."""
        path = path_of(item.uri)
        if path is None:
            return None
        where = None
        if item.range is not None:
            start, end = item.range.start, item.range.end
            where = types.Range(
                types.Position(start.line, start.character), types.Position(end.line, end.character)
            )
        return self._context(path, where, item.text, item.diagnostics)

    def mentioned(
        self,
        text: str,
        cwd: str,
        known: Sequence[CodeContext | Media],
        taken: Accepted,
    ) -> list[CodeContext | Media]:
        """Files and folders that a prompt names, as the agent takes them; else as links.

        Args:
            text: The prompt.
            cwd: What relative paths are relative to; after it the workspace folders are tried.
            known: What goes with the prompt anyway.
            taken: Which texts, images and sounds go along; where texts are not taken, what is not
                saved is told all the same.
        """
        there = {self._workspace.resolve(path) for each in known if (path := _path_in(each))}
        found: list[CodeContext | Media] = []
        room = _Room(taken)
        roots = [cwd, *self._workspace.roots()]
        real_roots = [self._workspace.resolve(root) for root in roots]
        for readings in mentions(text):
            path = self._existing(readings, roots, real_roots)
            if path is None or (real := self._workspace.resolve(path)) in there:
                continue
            there.add(real)
            found.append(room.take(self._context(path, None, None, ())))
        return found

    def _existing(
        self, readings: Sequence[str], roots: Sequence[str], real_roots: Sequence[str]
    ) -> str | None:
        """The path of what exists below a root; nothing else becomes a link by being named."""
        for name, root in product(readings, roots):
            path = os.path.normpath(Path(root) / name)
            try:
                if inside(self._workspace.resolve(path), real_roots) and Path(path).exists():
                    return path
            except (OSError, ValueError):
                continue
        return None

    def _context(
        self, path: str, where: types.Range | None, text: str | None, diagnostics: Sequence[Json]
    ) -> CodeContext:
        shown = self._workspace.read(path)
        on_disk = self._workspace.disk(path).text if shown.version is not None else shown.text
        return CodeContext(
            path=path,
            text=shown.text if text is None else text,
            span=None if where is None or text is not None else self.span(path, where),
            diagnostics=[self._diagnostic(path, each) for each in diagnostics],
            unsaved=shown.text != on_disk,
        )

    def _diagnostic(self, path: str, raw: Json) -> Diagnostic:
        where = raw.get("range") or {}
        start, end = where.get("start") or {}, where.get("end") or {}
        at = types.Range(
            types.Position(start.get("line", 0), start.get("character", 0)),
            types.Position(end.get("line", 0), end.get("character", 0)),
        )
        return Diagnostic(
            self.span(path, at),
            str(raw.get("message", "")),
            _SEVERITIES.get(raw.get("severity", 1), Severity.ERROR),
            str(raw.get("source") or ""),
            str(raw.get("code") or ""),
        )

    def actions(self, params: types.CodeActionParams, path: str) -> list[types.CodeAction]:
        """Offer to ask about a selection, and to fix what is wrong."""
        found = []
        if params.range.start != params.range.end:
            found.append(self._prompt("Ask agent about this", params, path, []))
        if params.context.diagnostics:
            diagnostics = [_plain_diagnostic(each) for each in params.context.diagnostics]
            found.append(self._prompt("Fix with agent", params, path, diagnostics))
        return found

    def _prompt(
        self, title: str, params: types.CodeActionParams, path: str, diagnostics: list[Json]
    ) -> types.CodeAction:
        context = self._context(path, params.range, None, diagnostics)
        text = fix_prompt(context) if diagnostics else ask_prompt(context, "")
        item = {
            "uri": params.text_document.uri,
            "range": _plain_range(params.range),
            "diagnostics": diagnostics,
        }
        return types.CodeAction(
            title=title,
            kind=types.CodeActionKind.QuickFix if diagnostics else types.CodeActionKind.Empty,
            diagnostics=params.context.diagnostics if diagnostics else None,
            command=command(title, "acp.prompt", {"text": text, "context": [item]}),
        )


class _Room:
    """How much of what a prompt mentions can still go with it."""

    def __init__(self, taken: Accepted) -> None:
        self._taken = taken
        self._characters = MENTIONED_TEXT
        self._bytes = MOST_BYTES

    def take(self, context: CodeContext) -> CodeContext | Media:
        """A file's text, or the image or sound in it; else a link."""
        if context.text is None:
            media = media_in(context.path, self._taken, self._bytes)
            self._bytes -= 0 if media is None else size_of(media)
            return media or CodeContext(context.path)
        told = self._taken.embedded or context.unsaved
        if not told or len(context.text) > self._characters:
            return CodeContext(context.path)
        self._characters -= len(context.text)
        return context


def _path_in(context: CodeContext | Media) -> str | None:
    if isinstance(context, CodeContext):
        return context.path
    return path_of(context.uri) if context.uri is not None else None


def _plain_range(where: types.Range) -> Json:
    return {
        "start": {"line": where.start.line, "character": where.start.character},
        "end": {"line": where.end.line, "character": where.end.character},
    }


def _plain_diagnostic(diagnostic: types.Diagnostic) -> Json:
    return {
        "range": _plain_range(diagnostic.range),
        "message": diagnostic.message,
        "severity": diagnostic.severity.value if diagnostic.severity else None,
        "source": diagnostic.source,
        "code": diagnostic.code,
    }
