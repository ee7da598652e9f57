"""Between our spans and changes and LSP's ranges and workspace edits.

The one place that turns columns in code points into the negotiated position encoding.
"""

from __future__ import annotations

from typing import Any, Final

from lsprotocol import converters, types

from acp_sidecar.changes.texts import LineIndex
from acp_sidecar.changes.texts import Position as TextPosition
from acp_sidecar.features.ports import (
    Abilities,
    CreateFile,
    DeleteFile,
    EditFile,
    RenameFile,
    Span,
    WorkspaceChange,
)
from acp_sidecar.lsp.documents import Documents
from acp_sidecar.lsp.workspace import EditorWorkspace

Json = Any

RICHEST: Final = Abilities(document_changes=True, change_annotations=True)

_Step = types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile


class Converter:
    """Converts with the text that the editor has, for columns depend on it."""

    def __init__(self, documents: Documents, workspace: EditorWorkspace) -> None:
        self.documents = documents
        self._workspace = workspace

    def range(self, path: str, span: Span) -> types.Range:
        """An LSP range in the document at `path`; spans past the end are clamped."""
        text = self._workspace.read(path).text
        return self.range_in(LineIndex(text or ""), span)

    def range_in(self, index: LineIndex, span: Span) -> types.Range:
        """An LSP range in an indexed text."""
        return types.Range(
            start=self._position(index, span.start_line, span.start_column),
            end=self._position(index, span.end_line, span.end_column),
        )

    def _position(self, index: LineIndex, line: int, column: int) -> types.Position:
        offset = index.offset(TextPosition(line, column))
        place = index.position(offset, self.documents.encoding)
        return types.Position(line=place.line, character=place.character)

    def workspace_edit(self, change: WorkspaceChange, abilities: Abilities) -> types.WorkspaceEdit:
        """A workspace edit in the richest form that the editor takes."""
        annotated = abilities.change_annotations and bool(change.annotations)
        if not abilities.document_changes and all(
            isinstance(step, EditFile) for step in change.steps
        ):
            return types.WorkspaceEdit(changes=self._plain(change))
        steps: list[_Step] = []
        for step in change.steps:
            steps += self._step(step, annotated)
        return types.WorkspaceEdit(
            document_changes=steps,
            change_annotations=self._annotations(change) if annotated else None,
        )

    def json(self, change: WorkspaceChange) -> Json:
        """A workspace edit as plain JSON, versioned and annotated."""
        return converters.get_converter().unstructure(self.workspace_edit(change, RICHEST))

    def _plain(self, change: WorkspaceChange) -> dict[str, list[types.TextEdit]]:
        edits: dict[str, list[types.TextEdit]] = {}
        for step in change.steps:
            if isinstance(step, EditFile):
                index = LineIndex(self._workspace.read(step.path).text or "")
                edits.setdefault(self.documents.uri(step.path), []).extend(
                    types.TextEdit(self.range_in(index, edit.span), edit.text)
                    for edit in step.edits
                )
        return edits

    def _annotations(self, change: WorkspaceChange) -> dict[str, types.ChangeAnnotation]:
        return {
            key: types.ChangeAnnotation(label=label, needs_confirmation=change.needs_confirmation)
            for key, label in change.annotations.items()
        }

    def _step(
        self, step: EditFile | CreateFile | RenameFile | DeleteFile, annotated: bool
    ) -> list[_Step]:
        annotation = getattr(step, "annotation", "") if annotated else ""
        if isinstance(step, EditFile):
            return [self._edit_file(step, annotated)]
        if isinstance(step, CreateFile):
            return self._create_file(step, annotation)
        if isinstance(step, RenameFile):
            return [
                types.RenameFile(
                    old_uri=self.documents.uri(step.old_path),
                    new_uri=self.documents.uri(step.path),
                    options=types.RenameFileOptions(overwrite=False),
                    annotation_id=annotation or None,
                )
            ]
        options = types.DeleteFileOptions(ignore_if_not_exists=True)
        uri = self.documents.uri(step.path)
        return [types.DeleteFile(uri=uri, options=options, annotation_id=annotation or None)]

    def _create_file(self, step: CreateFile, annotation: str) -> list[_Step]:
        uri = self.documents.uri(step.path)
        create = types.CreateFile(
            uri=uri,
            options=types.CreateFileOptions(overwrite=False, ignore_if_exists=False),
            annotation_id=annotation or None,
        )
        start = types.Range(types.Position(0, 0), types.Position(0, 0))
        text = _text_edit(start, step.text, annotation)
        target = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=None)
        return [create, types.TextDocumentEdit(text_document=target, edits=[text])]

    def _edit_file(self, step: EditFile, annotated: bool) -> types.TextDocumentEdit:
        index = LineIndex(self._workspace.read(step.path).text or "")
        target = types.OptionalVersionedTextDocumentIdentifier(
            uri=self.documents.uri(step.path), version=step.version
        )
        edits: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = [
            _text_edit(
                self.range_in(index, edit.span), edit.text, edit.annotation if annotated else ""
            )
            for edit in step.edits
        ]
        return types.TextDocumentEdit(text_document=target, edits=edits)


def _text_edit(
    where: types.Range, text: str, annotation: str
) -> types.TextEdit | types.AnnotatedTextEdit:
    if annotation:
        return types.AnnotatedTextEdit(range=where, new_text=text, annotation_id=annotation)
    return types.TextEdit(range=where, new_text=text)
