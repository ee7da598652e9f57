"""From our changes to LSP's workspace edits, in the richest form that an editor takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import converters, types

from acp_sidecar.changes.texts import Encoding
from acp_sidecar.features.ports import (
    Abilities,
    CreateFile,
    DeleteFile,
    Edit,
    EditFile,
    RenameFile,
    Span,
    WorkspaceChange,
)
from acp_sidecar.lsp.documents import Documents
from acp_sidecar.lsp.edits import Converter
from acp_sidecar.lsp.workspace import EditorWorkspace
from tests.harness.documents import Documents as EditorDocuments

Json = dict[str, Any]

PLAIN = Abilities(apply_edit=True)
VERSIONED = Abilities(apply_edit=True, document_changes=True)
ANNOTATED = Abilities(apply_edit=True, document_changes=True, change_annotations=True)
TEXT = "aé\U0001f600b\r\nsecond\u2028line\nlast"


def converter(encoding: str = "utf-16") -> Converter:
    documents = Documents()
    documents.encoding = Encoding(encoding)
    return Converter(documents, EditorWorkspace(documents, max_file_size=10_000))


def json_of(edit: types.WorkspaceEdit) -> Json:
    plain: Json = converters.get_converter().unstructure(edit)
    return plain


def span(start_line: int, start: int, end_line: int, end: int) -> Span:
    return Span(start_line, start, end_line, end)


@pytest.mark.parametrize(
    ("encoding", "start", "end"), [("utf-8", 7, 8), ("utf-16", 4, 5), ("utf-32", 3, 4)]
)
def test_columns_are_in_the_editors_units(
    encoding: str, start: int, end: int, tmp_path: Path
) -> None:
    path = tmp_path / "a"
    path.write_bytes(TEXT.encode())
    found = converter(encoding).range(str(path), span(0, 3, 0, 4))
    assert (found.start, found.end) == (types.Position(0, start), types.Position(0, end))


def test_spans_past_the_end_are_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(TEXT.encode())
    found = converter().range(str(path), span(1, 99, 99, 99))
    assert (found.start, found.end) == (types.Position(1, 11), types.Position(2, 4))


def test_a_file_that_cannot_be_read_has_its_beginning() -> None:
    found = converter().range("/no/such/file", span(3, 1, 4, 0))
    assert (found.start, found.end) == (types.Position(0, 0), types.Position(0, 0))


def test_columns_are_those_of_the_buffer_and_not_of_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"ascii only")
    convert = converter()
    convert.documents.open(types.TextDocumentItem(path.as_uri(), "x", 1, "\U0001f600b"))
    assert convert.range(str(path), span(0, 1, 0, 2)).start == types.Position(0, 2)


def two_edits(path: Path, version: int | None = 3) -> WorkspaceChange:
    edits = [Edit(span(0, 0, 0, 1), "A", "h0"), Edit(span(1, 0, 1, 0), "+", "h1")]
    return WorkspaceChange(
        "Undo", [EditFile(str(path), version, edits)], {"h0": "Hunk 1", "h1": "Hunk 2"}, True
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a b"
    path.write_bytes(TEXT.encode())
    return path


def test_editors_without_versions_get_a_map(path: Path) -> None:
    edit = json_of(converter().workspace_edit(two_edits(path), PLAIN))
    assert set(edit) == {"changes"}
    assert [each["newText"] for each in edit["changes"][path.as_uri()]] == ["A", "+"]
    assert all("annotationId" not in each for each in edit["changes"][path.as_uri()])


def test_editors_with_versions_get_them(path: Path) -> None:
    edit = json_of(converter().workspace_edit(two_edits(path), VERSIONED))
    (part,) = edit["documentChanges"]
    assert part["textDocument"] == {"uri": path.as_uri(), "version": 3}
    assert "changeAnnotations" not in edit
    assert all("annotationId" not in each for each in part["edits"])


def test_editors_with_annotations_can_untick_each_hunk(path: Path) -> None:
    edit = json_of(converter().workspace_edit(two_edits(path), ANNOTATED))
    assert edit["changeAnnotations"] == {
        "h0": {"label": "Hunk 1", "needsConfirmation": True},
        "h1": {"label": "Hunk 2", "needsConfirmation": True},
    }
    assert [each["annotationId"] for each in edit["documentChanges"][0]["edits"]] == ["h0", "h1"]
    editor = EditorDocuments()
    editor.confirm = lambda identifier, _annotation: identifier == "h1"
    unversioned = json_of(converter().workspace_edit(two_edits(path, None), ANNOTATED))
    outcome = editor.outcome(unversioned)
    assert outcome == {path.as_uri(): TEXT.replace("second", "+second")}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_what_an_editor_makes_of_it_is_what_was_meant(path: Path, encoding: str) -> None:
    change = WorkspaceChange(
        "x", [EditFile(str(path), None, [Edit(span(0, 2, 1, 6), "-"), Edit(span(2, 4, 2, 4), "!")])]
    )
    for abilities in (PLAIN, VERSIONED, ANNOTATED):
        editor = EditorDocuments()
        editor.encoding = encoding
        edit = json_of(converter(encoding).workspace_edit(change, abilities))
        assert editor.outcome(edit) == {path.as_uri(): "aé-\u2028line\nlast!"}


def test_files_are_created_moved_and_deleted_in_order(tmp_path: Path) -> None:
    old, new, gone = (tmp_path / name for name in ("old", "new dir/new", "gone"))
    old.write_bytes(b"old\r\n")
    gone.write_bytes(b"x")
    steps: list[CreateFile | DeleteFile | EditFile | RenameFile] = [
        RenameFile(str(old), str(new), "m"),
        CreateFile(str(tmp_path / "made"), "made\u2028\r\n", "c"),
        DeleteFile(str(gone), "d"),
    ]
    labels = {"m": "Move", "c": "Create", "d": "Delete"}
    edit = json_of(converter().workspace_edit(WorkspaceChange("x", steps, labels), ANNOTATED))
    kinds = [part.get("kind", "edit") for part in edit["documentChanges"]]
    assert kinds == ["rename", "create", "edit", "delete"]
    assert edit["documentChanges"][0]["options"]["overwrite"] is False
    assert edit["documentChanges"][1]["options"]["overwrite"] is False
    EditorDocuments().apply(edit)
    assert new.read_bytes() == b"old\r\n"
    assert (tmp_path / "made").read_bytes() == "made\u2028\r\n".encode()
    assert not gone.exists()
    assert not old.exists()


def test_the_json_of_a_preview_is_the_richest(path: Path) -> None:
    edit = converter().json(two_edits(path))
    assert set(edit) == {"documentChanges", "changeAnnotations"}


def test_the_uri_is_the_one_that_the_editor_uses(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    convert = converter()
    uri = (tmp_path / "link" / "a").as_uri()
    convert.documents.open(types.TextDocumentItem(uri, "x", 5, "x"))
    step = EditFile(str(tmp_path / "real" / "a"), 5, [Edit(span(0, 0, 0, 0), "y")])
    edit = json_of(convert.workspace_edit(WorkspaceChange("x", [step]), VERSIONED))
    assert edit["documentChanges"][0]["textDocument"] == {"uri": uri, "version": 5}
