"""Open documents: exactly the editor's text, in its units, by whatever name agents use."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lsprotocol import types

from acp_sidecar.changes.texts import Encoding
from acp_sidecar.features.places import file_uri
from acp_sidecar.lsp.documents import Documents, path_of
from tests.harness.documents import edited


def opened(text: str, uri: str = "file:///p/a.py", encoding: str = "utf-16") -> Documents:
    documents = Documents()
    documents.encoding = Encoding(encoding)
    documents.open(types.TextDocumentItem(uri, "python", 1, text))
    return documents


def place(line: int, character: int) -> types.Position:
    return types.Position(line, character)


def change(
    documents: Documents,
    *changes: types.TextDocumentContentChangeEvent,
    uri: str = "file:///p/a.py",
) -> str | None:
    identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    params = types.DidChangeTextDocumentParams(identifier, list(changes))
    document, _ = documents.change(params)
    return document.text if document else None


def partial(
    start: tuple[int, int], end: tuple[int, int], text: str
) -> types.TextDocumentContentChangePartial:
    where = types.Range(place(*start), place(*end))
    return types.TextDocumentContentChangePartial(range=where, text=text)


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)])
def test_columns_are_counted_as_negotiated(encoding: str, column: int) -> None:
    documents = opened("x\r\né\U0001f600b\n", encoding=encoding)
    assert change(documents, partial((1, column), (1, column + 1), "B")) == "x\r\né\U0001f600B\n"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_end_in_three_ways(ending: str) -> None:
    documents = opened(ending.join(["one", "two", ""]))
    assert change(documents, partial((1, 0), (1, 3), "2")) == ending.join(["one", "2", ""])
    assert change(documents, partial((2, 0), (2, 0), "3")) == ending.join(["one", "2", "3"])


def test_other_separators_are_characters() -> None:
    documents = opened("a\u2028b\x0c\x85c\nd")
    assert change(documents, partial((1, 0), (1, 1), "D")) == "a\u2028b\x0c\x85c\nD"


def test_changes_of_one_message_build_on_each_other() -> None:
    documents = opened("ab\n")
    changes = [partial((0, 1), (0, 1), "12\n3"), partial((1, 0), (1, 1), "x")]
    assert change(documents, *changes) == "a12\nxb\n"


def test_each_edit_is_told_in_the_text_before_it() -> None:
    documents = opened("a\U0001f600b\nc")
    identifier = types.VersionedTextDocumentIdentifier(uri="file:///p/a.py", version=2)
    params = types.DidChangeTextDocumentParams(identifier, [partial((0, 3), (1, 0), "-")])
    document, (edit,) = documents.change(params)
    assert document is not None
    assert (edit.text.start, edit.text.end, edit.text.new_text) == (2, 4, "-")
    span = edit.span.span
    assert (span.start_line, span.start_column, span.end_line, span.end_column) == (0, 2, 1, 0)
    assert (document.text, document.version) == ("a\U0001f600-c", 2)


@pytest.mark.parametrize(
    ("start", "end", "result"),
    [((9, 9), (9, 9), "ab\n+"), ((0, 99), (0, 99), "ab+\n"), ((1, 0), (0, 1), "ab\n+")],
)
def test_places_outside_are_the_nearest_inside(
    start: tuple[int, int], end: tuple[int, int], result: str
) -> None:
    assert change(opened("ab\n"), partial(start, end, "+")) == result


def test_a_whole_text_replaces() -> None:
    whole = types.TextDocumentContentChangeWholeDocument(text="\ufeffnew\r")
    assert change(opened("old"), whole) == "\ufeffnew\r"


TEXTS = st.text(st.sampled_from("ab\r\n\u2028é\U0001f600"), max_size=20)
NUMBERS = st.integers(0, 6)


@given(TEXTS, st.tuples(NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS), TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_any_change_is_what_an_editor_makes_of_it(
    encoding: str, text: str, start: tuple[int, int], end: tuple[int, int], new: str
) -> None:
    start, end = min(start, end), max(start, end)
    where = {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }
    try:
        expected = edited(text, [{"range": where, "newText": new}], encoding)
    except UnicodeDecodeError:
        assume(False)  # a place inside a character is no place
    documents = opened(text, encoding=encoding)
    assert change(documents, partial(start, end, new)) == expected


def test_a_document_is_found_by_every_path_that_leads_to_it(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "a b.py").write_text("disk", encoding="utf-8")
    (tmp_path / "link").symlink_to(real)
    through_link = tmp_path / "link" / "a b.py"
    documents = opened("buffer", uri=through_link.as_uri())
    for path in (through_link, real / "a b.py", tmp_path / "link" / ".." / "real" / "a b.py"):
        document = documents.at(str(path))
        assert document is not None
        assert documents.uri(str(path)) == through_link.as_uri()
    closed = documents.close(through_link.as_uri())
    assert closed is not None
    assert documents.at(str(real / "a b.py")) is None
    assert documents.close(through_link.as_uri()) is None


def test_what_is_no_file_and_what_is_not_open_is_none() -> None:
    documents = Documents()
    assert documents.open(types.TextDocumentItem("untitled:1", "x", 1, "")) is None
    assert change(documents, partial((0, 0), (0, 0), "x")) is None
    assert documents.at("/p/a\0b") is None


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/p/a.py", "file:///p/a.py"),
        ("/p/a b#c?d%.py", "file:///p/a%20b%23c%3Fd%25.py"),
        ("/p/é\u2028", "file:///p/%C3%A9%E2%80%A8"),
        ("C:\\p\\a.py", "file:///c%3A/p/a.py"),
        ("//server/share/a", "file://server/share/a"),
        ("/p/\udcff", "file:///p/%FF"),
    ],
)
def test_paths_and_uris(path: str, uri: str) -> None:
    assert file_uri(path) == uri
    back = path_of(uri)
    assert back is not None
    assert back.replace("\\", "/").casefold() == path.replace("\\", "/").casefold()


@pytest.mark.parametrize(
    "uri", ["", "x", "untitled:a", "http://x/y", "file://[bad/x", "acp-review:/a"]
)
def test_other_uris_are_no_paths(uri: str) -> None:
    assert path_of(uri) is None


def test_a_host_called_localhost_is_this_one() -> None:
    assert path_of("file://localhost/p/a") == "/p/a"
