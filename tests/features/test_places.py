r"""What agents send as paths and lines, and what it means."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.changes.texts import split_lines
from acp_sidecar.features.hints import end_in, from_raw_input, range_in
from acp_sidecar.features.places import (
    MAX_LINE,
    OUTSIDE,
    LineRange,
    Said,
    Sight,
    clamped,
    file_uri,
    from_wire_line,
    inside,
    last_line,
    look,
    said_place,
    span_of,
    to_wire_line,
    with_line_feeds,
)
from acp_sidecar.features.ports import Span
from acp_sidecar.features.whereabouts import Basis, work_in
from acp_sidecar.lsp.documents import Documents
from acp_sidecar.lsp.workspace import EditorWorkspace
from acp_sidecar.session.state import ToolCall
from acp_sidecar.session.tool_calls import Diff

POSIX = [
    ("/w/a.py", "/w/a.py"),
    ("a.py", "/w/a.py"),
    ("./src//a.py", "/w/src/a.py"),
    ("src/", "/w/src"),
    ("../x/a.py", "/w/../x/a.py"),
    ("//w/a.py", "/w/a.py"),
    ("~/a.py", "/home/me/a.py"),
    ("~", "/home/me"),
    ("~other/a.py", "/w/~other/a.py"),
    ("file:///w/a.py", "/w/a.py"),
    ("file:/w/a.py", "/w/a.py"),
    ("FILE:///w/a.py", "/w/a.py"),
    ("file://localhost/w/a.py", "/w/a.py"),
    ("file:///w/a%20b%C3%A9%23.py", "/w/a bé#.py"),
    ("file:///w/%FF.py", "/w/\udcff.py"),
    ("file:///w/100%.py", "/w/100%.py"),
    ("a:b.py", "/w/a:b.py"),
    ("with\nbreak", "/w/with\nbreak"),
    ("file://server/share/a.py", None),
    ("https://example.org/a.py", None),
    ("untitled://a", None),
    ("C:\\w\\a.py", None),
    ("c:/w/a.py", None),
    ("\\\\server\\share\\a.py", None),
    ("", None),
    ("/w/\ud800.py", None),
    ("/w/" + "a" * 9000, None),
    ("/w/a\0.py", None),
    ("file:///w/a%00.py", None),
]

WINDOWS = [
    ("C:\\w\\a.py", "C:\\w\\a.py"),
    ("c:/w/a.py", "C:\\w\\a.py"),
    ("src/a.py", "C:\\w\\src\\a.py"),
    ("..\\x\\a.py", "C:\\x\\a.py"),
    ("\\x\\a.py", "C:\\x\\a.py"),
    ("/c/w/a.py", "C:\\w\\a.py"),
    ("D:\\a.py", "D:\\a.py"),
    ("D:a.py", None),
    ("\\\\server\\share\\a.py", "\\\\server\\share\\a.py"),
    ("\\\\?\\C:\\w\\a.py", "C:\\w\\a.py"),
    ("\\\\?\\UNC\\server\\share\\a.py", "\\\\server\\share\\a.py"),
    ("\\\\.\\pipe\\x", None),
    ("file:///C:/w/a.py", "C:\\w\\a.py"),
    ("file:///c%3A/w/a.py", "C:\\w\\a.py"),
    ("file:///C|/w/a.py", "C:\\w\\a.py"),
    ("file://C:/w/a.py", "C:\\w\\a.py"),
    ("file://server/share/a.py", "\\\\server\\share\\a.py"),
    ("~\\a.py", "C:\\Users\\me\\a.py"),
]


@pytest.mark.parametrize(("text", "path"), POSIX)
def test_paths_on_posix(text: str, path: str | None) -> None:
    assert said_place(text, "/w", "/home/me") == (None if path is None else Said(path))


@pytest.mark.parametrize(("text", "path"), WINDOWS)
def test_paths_on_windows(text: str, path: str | None) -> None:
    said = said_place(text, "C:\\w", "C:\\Users\\me")
    assert said == (None if path is None else Said(path))


def test_home_is_no_path_where_nobody_said_what_it_is() -> None:
    assert said_place("~/a.py", "/w") is None


@pytest.mark.parametrize(
    ("fragment", "lines"),
    [
        ("#L10", LineRange(9, 9)),
        ("#10", LineRange(9, 9)),
        ("#L10-L20", LineRange(9, 19)),
        ("#L10-20", LineRange(9, 19)),
        ("#L10C3-L20C4", LineRange(9, 19)),
        ("#L20-L10", LineRange(19, 19)),
        ("#L0", None),
    ],
)
def test_fragments_of_uris_are_lines(fragment: str, lines: LineRange | None) -> None:
    assert said_place(f"file:///w/a.py{fragment}", "/w") == Said("/w/a.py", lines)


def test_a_number_sign_that_is_no_line_belongs_to_the_name() -> None:
    assert said_place("file:///w/c#.py", "/w") == Said("/w/c#.py")
    assert said_place("/w/a.py#L10", "/w") == Said("/w/a.py#L10")


@given(st.text(), st.sampled_from(["/w", "C:\\w", "\\\\s\\t", "", "w"]), st.text(max_size=9))
def test_no_path_of_an_agent_raises(text: str, cwd: str, home: str) -> None:
    said = said_place(text, cwd, home)
    assert said is None or "\0" not in said.path


@given(
    st.text(st.characters(exclude_characters="\0/", codec="utf-8"), min_size=1).filter(
        lambda name: name not in (".", "..")
    )
)
def test_uris_come_back_as_the_path_that_they_were_made_of(name: str) -> None:
    said = said_place(file_uri(f"/w/{name}"), "/")
    assert said == Said(f"/w/{name}")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/w/a b#.py", "file:///w/a%20b%23.py"),
        ("/w/\udcff", "file:///w/%FF"),
        ("C:\\w\\a.py", "file:///c%3A/w/a.py"),
        ("\\\\server\\share\\a.py", "file://server/share/a.py"),
        ("//server/share/a.py", "file://server/share/a.py"),
    ],
)
def test_uris(path: str, uri: str) -> None:
    assert file_uri(path) == uri


@pytest.mark.parametrize(
    ("wire", "line"),
    [
        (1, 0),
        (12, 11),
        (0, None),
        (None, None),
        (-3, None),
        (True, None),
        ("7", None),
        (10**30, MAX_LINE),
    ],
)
def test_wire_lines_count_from_one(wire: Any, line: int | None) -> None:
    assert from_wire_line(wire) == line


@given(st.integers(min_value=0, max_value=MAX_LINE - 1))
def test_lines_come_back_from_the_wire(line: int) -> None:
    assert from_wire_line(to_wire_line(line)) == line


@pytest.mark.parametrize(
    ("path", "roots", "answer"),
    [
        ("/w/a.py", ["/w"], True),
        ("/w", ["/w"], True),
        ("/w/a.py", ["/w/"], True),
        ("/wood/a.py", ["/w"], False),
        ("/a.py", ["/w"], False),
        ("/x/a.py", ["/w", "/x"], True),
        ("/x/a.py", ["/"], True),
        ("/x/a.py", [], False),
        ("/x/a.py", [""], False),
        ("c:\\W\\a.py", ["C:\\w"], True),
        ("C:\\wood\\a.py", ["C:\\w"], False),
        ("\\\\s\\t\\a.py", ["\\\\s\\t"], True),
    ],
)
def test_inside(path: str, roots: list[str], answer: bool) -> None:
    assert inside(path, roots) is answer


class TestLooking:
    """On a real disk, with the workspace that the server has."""

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        root = Path(os.path.realpath(tmp_path)) / "w"
        root.mkdir()
        (root / "a.py").write_bytes(b"one\r\ntwo\r\n")
        (root / "b.bin").write_bytes(b"\0\1\2")
        (root / "big").write_bytes(b"x" * 2000)
        (root / "sub").mkdir()
        (root.parent / "secret").write_text("key")
        (root / "out").symlink_to(root.parent / "secret")
        (root / "in").symlink_to(root / "a.py")
        (root / "up").symlink_to(root.parent)
        (root / "loop").symlink_to(root / "loop")
        return root

    @pytest.fixture
    def workspace(self, root: Path) -> EditorWorkspace:
        workspace = EditorWorkspace(Documents(), 1000)
        workspace.set_roots([str(root)])
        return workspace

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("none.py", "missing"),
            ("sub", "directory"),
            ("b.bin", "binary"),
            ("big", "too-large"),
            ("out", OUTSIDE),
            ("up/secret", OUTSIDE),
            ("../secret", OUTSIDE),
            ("sub/../../secret", OUTSIDE),
            ("..", OUTSIDE),
        ],
    )
    def test_what_is_never_opened(
        self, workspace: EditorWorkspace, root: Path, name: str, reason: str
    ) -> None:
        said = said_place(name, str(root))
        assert said is not None
        sight = look(workspace, said.path, str(root))
        assert (sight.text, sight.reason) == (None, reason)

    @pytest.mark.parametrize("name", ["a.py", "in", "sub/../a.py", "up/w/a.py"])
    def test_one_file_by_all_its_names(
        self, workspace: EditorWorkspace, root: Path, name: str
    ) -> None:
        said = said_place(name, str(root))
        assert said is not None
        sight = look(workspace, said.path, str(root))
        assert sight == Sight(str(root / "a.py"), "one\r\ntwo\r\n", "one\ntwo\n")

    def test_a_loop_of_links_is_survived(self, workspace: EditorWorkspace, root: Path) -> None:
        assert look(workspace, str(root / "loop"), str(root)).text is None

    def test_without_a_folder_the_working_directory_is_the_root(self, root: Path) -> None:
        workspace = EditorWorkspace(Documents(), 1000)
        assert look(workspace, str(root / "a.py"), str(root)).text is not None
        assert look(workspace, str(root.parent / "secret"), str(root)).reason == OUTSIDE
        assert look(workspace, str(root / "a.py"), "").reason in (OUTSIDE, "")


@given(st.text(st.sampled_from("a\r\n\x0b\x0c\x85\u2028")))
def test_lines_are_counted_as_editors_do(text: str) -> None:
    assert last_line(with_line_feeds(text)) == max(0, len(split_lines(text)) - 1)


@given(st.integers(-5, 50), st.integers(-5, 50), st.integers(0, 12), st.booleans())
def test_a_range_is_moved_into_the_text(start: int, end: int, count: int, ended: bool) -> None:
    text = "\n".join("x" * count) + ("\n" if ended else "")
    lines = clamped(LineRange(start, end), text)
    assert 0 <= lines.start <= lines.end <= last_line(text)
    if 0 <= start <= end <= last_line(text):
        assert lines == LineRange(start, end)


@pytest.mark.parametrize(
    ("lines", "span"),
    [
        (LineRange(0, 0), Span(0, 0, 0, 0)),
        (LineRange(1, 1), Span(1, 0, 1, 0)),
        (LineRange(0, 1), Span(0, 0, 1, 4)),
        (LineRange(1, 2), Span(1, 0, 2, 1)),
    ],
)
def test_spans_select_whole_lines_without_the_last_break(lines: LineRange, span: Span) -> None:
    assert span_of(lines, "ab\ncdéf\ng") == span


RANGES: list[tuple[Any, LineRange | None]] = [
    ({"line": 7}, LineRange(6, 6)),
    ({"line": "7"}, LineRange(6, 6)),
    ({"line": 7.0}, LineRange(6, 6)),
    ({"line": 7.5}, None),
    ({"line": True}, None),
    ({"line": 0}, None),
    ({"line": -1}, None),
    ({"line": None}, None),
    ({"offset": 40, "limit": 5}, LineRange(39, 43)),
    ({"offset": 40}, LineRange(39, 39)),
    ({"offset": 0, "limit": 5}, None),
    ({"limit": 5}, None),
    ({"start_line": 3, "end_line": 9}, LineRange(2, 8)),
    ({"startLine": 3, "endLine": 9}, LineRange(2, 8)),
    ({"start_line": 9, "end_line": 3}, LineRange(8, 8)),
    ({"start_line": 3, "limit": 9}, LineRange(2, 2)),
    ({"start_line": 3, "end_line": -1}, LineRange(2, MAX_LINE)),
    ({"line_range": [3, 9]}, LineRange(2, 8)),
    ({"view_range": [3, -1]}, LineRange(2, MAX_LINE)),
    ({"view_range": [3]}, None),
    ({"view_range": ["3", "9"]}, LineRange(2, 8)),
    ({"lines": "3-9"}, LineRange(2, 8)),
    ({"lines": "L3..L9"}, LineRange(2, 8)),
    ({"lines": "x"}, None),
    ({"lines": ["x", {}]}, None),
    ({"range": {"start": 3, "end": 9}}, LineRange(2, 8)),
    ({"range": {"start": {"line": 3}, "end": {"line": 9}}}, None),
    ({"insert_line": 4}, LineRange(3, 3)),
    ({"path": "a"}, None),
    ([], None),
    ("7", None),
    (None, None),
]


@pytest.mark.parametrize(("data", "lines"), RANGES)
def test_ranges_in_loose_data(data: Any, lines: LineRange | None) -> None:
    assert range_in(data) == lines


@pytest.mark.parametrize(
    ("meta", "end"),
    [
        ({"endLine": 9}, 8),
        ({"end_line": 9}, 8),
        ({"lines": [3, 9]}, 8),
        ({"x": 1}, None),
        (7, None),
    ],
)
def test_ends_in_the_meta_of_a_location(meta: Any, end: int | None) -> None:
    assert end_in(meta, 2) == end


@pytest.mark.parametrize(
    ("raw", "path", "texts"),
    [
        ({"file_path": "/w/a.py"}, "/w/a.py", ()),
        ({"filePath": "a.py", "oldString": "x", "newString": "y"}, "a.py", (("x", "y"),)),
        ({"path": "a", "old_str": "x"}, "a", (("x", ""),)),
        ({"path": "a", "content": "whole"}, "a", ()),
        ({"edits": [{"old_string": "x", "new_string": "y"}, 3]}, None, (("x", "y"),)),
        ({"arguments": {"path": "a", "old_string": "x"}}, "a", (("x", ""),)),
        ({"path": 7, "old_string": ["x"]}, None, ()),
        ("a.py", None, ()),
    ],
)
def test_paths_and_texts_in_raw_input(
    raw: Any, path: str | None, texts: tuple[tuple[str, str], ...]
) -> None:
    hints = from_raw_input(raw)
    assert (hints.path, hints.texts) == (path, texts)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["line", "lines", "range", "edits", "path", "offset", "limit", "input"])
            | st.text(),
            inner,
            max_size=4,
        )
    ),
)


@given(JSON)
def test_no_raw_input_raises(raw: Any) -> None:
    from_raw_input(raw)
    end_in(raw, 3)


def v1_diff(path: str, old: str | None, new: str) -> Diff:
    change = {"operation": "modify", "path": path, "old_text": old, "new_text": new}
    return Diff.model_validate({"changes": [change]})


def v2_diff(path: str, hunks: str) -> Diff:
    text = f"diff --git {path} {path}\n--- {path}\n+++ {path}\n{hunks}"
    changes = [{"operation": "modify", "path": path}]
    return Diff.model_validate({"changes": changes, "patch": {"format": "git_patch", "text": text}})


TEXT = "".join(f"line {number}\n" for number in range(1, 31))
HUNK = "@@ -10,3 +10,4 @@\n line 10\n-line 11\n+line eleven\n+line 11.5\n line 12\n"
WRITTEN = TEXT.replace("line 11\n", "line eleven\nline 11.5\n")
SHIFTED = "new\nnew\n" + TEXT
TWICE = "same\nother\nsame\n"

WHEREABOUTS: list[tuple[str, dict[str, Any], str, int | None, tuple[Basis, int, int] | None]] = [
    ("the line said", {}, TEXT, 7, (Basis.LOCATION, 7, 7)),
    ("past the end", {}, TEXT, 99, (Basis.LOCATION, 30, 30)),
    ("an empty file", {}, "", 5, (Basis.LOCATION, 1, 1)),
    ("nothing said", {}, TEXT, None, None),
    ("a hunk to come", {"diff": v2_diff("/w/a", HUNK)}, TEXT, None, (Basis.HUNK, 11, 11)),
    ("a hunk written", {"diff": v2_diff("/w/a", HUNK)}, WRITTEN, None, (Basis.HUNK, 11, 12)),
    ("a hunk moved", {"diff": v2_diff("/w/a", HUNK)}, SHIFTED, None, (Basis.HUNK, 13, 13)),
    ("a hunk gone", {"diff": v2_diff("/w/a", HUNK)}, "x\n" * 20, None, (Basis.HUNK, 11, 11)),
    ("another file's hunk", {"diff": v2_diff("/w/b", HUNK)}, TEXT, None, None),
    (
        "a line in front of a hunk",
        {"diff": v2_diff("/w/a", HUNK)},
        WRITTEN,
        10,
        (Basis.LOCATION, 10, 12),
    ),
    (
        "a line far from the hunk",
        {"diff": v2_diff("/w/a", HUNK)},
        WRITTEN,
        25,
        (Basis.LOCATION, 25, 25),
    ),
    (
        "a fragment to come",
        {"diff": v1_diff("/w/a", "line 11\n", "line eleven\n")},
        TEXT,
        None,
        (Basis.HUNK, 11, 11),
    ),
    (
        "a whole file to come",
        {"diff": v1_diff("/w/a", TEXT, WRITTEN)},
        TEXT,
        None,
        (Basis.HUNK, 11, 11),
    ),
    (
        "a whole file written",
        {"diff": v1_diff("/w/a", TEXT, WRITTEN), "status": "completed"},
        WRITTEN,
        None,
        (Basis.HUNK, 11, 12),
    ),
    (
        "windows endings",
        {"diff": v1_diff("/w/a", "line 11\n", "line eleven\n")},
        TEXT.replace("\n", "\r\n"),
        None,
        (Basis.HUNK, 11, 11),
    ),
    (
        "a piece that is there twice",
        {"diff": v1_diff("/w/a", "same\n", "x\n")},
        TWICE,
        None,
        None,
    ),
    (
        "a unique piece",
        {"raw": {"old_string": "line 11\nline 12\n", "new_string": "x"}},
        TEXT,
        None,
        (Basis.SNIPPET, 11, 12),
    ),
    (
        "a unique piece inside a line",
        {"raw": {"old_string": "e 11"}},
        TEXT,
        None,
        (Basis.SNIPPET, 11, 11),
    ),
    (
        "a piece after the write",
        {"raw": {"old_string": "line 11\n", "new_string": "line eleven\nline 11.5\n"}},
        WRITTEN,
        None,
        (Basis.SNIPPET, 11, 12),
    ),
    ("an ambiguous piece", {"raw": {"old_string": "same"}}, TWICE, None, None),
    ("a blank piece", {"raw": {"old_string": "\n"}}, TEXT, None, None),
    (
        "a range in rawInput",
        {"raw": {"offset": 5, "limit": 3}},
        TEXT,
        None,
        (Basis.INPUT, 5, 7),
    ),
    (
        "a range past the end",
        {"raw": {"offset": 29, "limit": 300}},
        TEXT,
        None,
        (Basis.INPUT, 29, 30),
    ),
    (
        "the line said is where rawInput begins",
        {"raw": {"offset": 5, "limit": 3}},
        TEXT,
        5,
        (Basis.LOCATION, 5, 7),
    ),
    (
        "the line said is elsewhere",
        {"raw": {"offset": 5, "limit": 3}},
        TEXT,
        9,
        (Basis.LOCATION, 9, 9),
    ),
]


@pytest.mark.parametrize(
    ("given_call", "text", "line", "answer"),
    [case[1:] for case in WHEREABOUTS],
    ids=[case[0] for case in WHEREABOUTS],
)
def test_where_the_work_is(
    given_call: dict[str, Any],
    text: str,
    line: int | None,
    answer: tuple[Basis, int, int] | None,
) -> None:
    call = ToolCall("1", kind="edit", status=given_call.get("status", "in_progress"))
    call.content = [given_call["diff"]] if "diff" in given_call else []
    hints = from_raw_input(given_call.get("raw"))
    start = from_wire_line(line)
    said = None if start is None else LineRange(start, start)
    sight = Sight("/w/a", text, with_line_feeds(text))
    found = work_in(call, hints, sight, said, lambda path: path == "/w/a")
    expected = None
    if answer is not None:
        expected = (answer[0], LineRange(answer[1] - 1, answer[2] - 1))
    assert (None if found is None else (found.basis, found.lines)) == expected
