from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.harness.documents import Document, Documents, Refused, edited, offset_at

Json = dict[str, Any]


def edit(line: int, start: int, end: int, new: str, **more: str) -> Json:
    place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    return {"range": place, "newText": new, **more}


@pytest.mark.parametrize(
    ("encoding", "column"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2)], ids=lambda value: value
)
def test_columns_are_in_the_negotiated_encoding(encoding: str, column: int) -> None:
    text = "first\r\na\U0001f600b\n"
    assert text[offset_at(text, {"line": 1, "character": column}, encoding)] == "b"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_end_in_three_ways(ending: str) -> None:
    text = ending.join(["one", "two", ""])
    assert edited(text, [edit(1, 0, 3, "TWO")], "utf-16") == ending.join(["one", "TWO", ""])
    assert offset_at(text, {"line": 0, "character": 99}, "utf-16") == 3
    assert offset_at(text, {"line": 2, "character": 0}, "utf-16") == len(text)
    assert offset_at(text, {"line": 9, "character": 0}, "utf-16") == len(text)


def test_unicode_line_separators_are_not_line_ends() -> None:
    assert edited("a\u2028b\x0cc\nd", [edit(1, 0, 1, "D")], "utf-16") == "a\u2028b\x0cc\nD"


def test_edits_refer_to_the_text_before_all_of_them() -> None:
    edits = [edit(0, 2, 3, "3"), edit(0, 0, 1, "111")]
    assert edited("abc", edits, "utf-16") == "111b3"


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(Refused):
        edited("abc", [edit(0, 0, 2, "x"), edit(0, 1, 3, "y")], "utf-16")


@pytest.fixture
def documents() -> Documents:
    documents = Documents()
    documents.open["file:///a"] = Document("file:///a", 3, "abc")
    return documents


def versioned(version: int | None, *edits: Json) -> Json:
    return {"textDocument": {"uri": "file:///a", "version": version}, "edits": list(edits)}


def test_a_stale_edit_is_refused(documents: Documents) -> None:
    with pytest.raises(Refused, match="version 2"):
        documents.apply({"documentChanges": [versioned(2, edit(0, 0, 1, "x"))]})
    assert documents.open["file:///a"].text == "abc"


def test_an_open_document_gets_a_new_version_and_is_dirty(documents: Documents) -> None:
    (changed,) = documents.apply({"documentChanges": [versioned(3, edit(0, 0, 1, "x"))]})
    assert (changed.text, changed.version, changed.dirty) == ("xbc", 4, True)


def test_only_confirmed_annotations_are_applied(documents: Documents) -> None:
    documents.confirm = lambda identifier, _annotation: identifier == "yes"
    edits = [edit(0, 0, 1, "Y", annotationId="yes"), edit(0, 2, 3, "N", annotationId="no")]
    annotations = {name: {"label": name, "needsConfirmation": True} for name in ("yes", "no")}
    documents.apply({"documentChanges": [versioned(3, *edits)], "changeAnnotations": annotations})
    assert documents.open["file:///a"].text == "Ybc"


def test_files_are_created_renamed_and_deleted_in_order(tmp_path: Path) -> None:
    new, moved, gone = (tmp_path / name for name in ("new dir/new", "moved", "gone"))
    gone.write_text("gone", encoding="utf-8")
    edits = [edit(0, 0, 0, "text\r\n")]
    Documents().apply(
        {
            "documentChanges": [
                {"kind": "create", "uri": new.as_uri()},
                {"kind": "rename", "oldUri": new.as_uri(), "newUri": moved.as_uri()},
                {"textDocument": {"uri": moved.as_uri(), "version": None}, "edits": edits},
                {"kind": "delete", "uri": gone.as_uri()},
            ]
        }
    )
    assert moved.read_bytes() == b"text\r\n"
    assert not new.exists()
    assert not gone.exists()
