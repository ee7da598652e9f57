"""From the diffs of a tool call to a change set."""

from __future__ import annotations

import pytest

from acp_sidecar.changes.from_diff import MAX_PIECES, change_set
from acp_sidecar.changes.git_patch import Limits
from acp_sidecar.changes.hunks import FileChange
from acp_sidecar.session.tool_calls import (
    Diff,
    DiffChange,
    DiffPatch,
    PathChange,
    PathPairChange,
    UnknownChange,
)


def modify(path: str, **more: str) -> PathChange:
    return PathChange(operation="modify", path=path, **more)  # type: ignore[arg-type]


def diff(*changes: DiffChange, patch: str | None = None, form: str = "git_patch") -> Diff:
    text = None if patch is None else DiffPatch(format=form, text=patch)
    return Diff(changes=list(changes), patch=text)


def section(path: str, old: str = "a", new: str = "b") -> str:
    return f"diff --git {path} {path}\n--- {path}\n+++ {path}\n@@ -1 +1 @@\n-{old}\n+{new}\n"


def codes(change: FileChange) -> list[str]:
    return [problem.code for problem in change.problems]


def only(*diffs: Diff) -> FileChange:
    files = change_set(diffs).files
    assert len(files) == 1
    return files[0]


@pytest.mark.parametrize(
    ("path", "in_patch"),
    [
        ("/w/src/f", "/w/src/f"),
        ("/w/src/f", "src/f"),
        ("C:\\w\\f", "C:\\w\\f"),
        ("C:\\w\\f", "c:/w/f"),
        ("C:\\w\\f", "w/f"),
        ("\\\\srv\\s\\f", "//srv/s/f"),
        ("/w/a b", "/w/a b"),
    ],
)
def test_sections_find_their_change(path: str, in_patch: str) -> None:
    change = only(diff(modify(path), patch=section(in_patch)))
    assert (change.path, change.operation, change.file_type) == (path, "modify", "text")
    assert len(change.hunks) == 1
    assert not change.problems


def test_prefixed_sections_find_their_change() -> None:
    patch = "diff --git a/w/f b/w/f\n--- a/w/f\n+++ b/w/f\n@@ -1 +1 @@\n-a\n+b\n"
    assert len(only(diff(modify("/w/f"), patch=patch)).hunks) == 1


def test_a_relative_path_that_fits_two_changes_is_not_guessed() -> None:
    files = change_set([diff(modify("/w/a/f"), modify("/w/b/f"), patch=section("f"))]).files
    assert [change.path for change in files] == ["/w/a/f", "/w/b/f", "f"]
    assert [len(change.hunks) for change in files] == [0, 0, 1]
    assert codes(files[2]) == ["patch-not-in-changes", "path-not-plain"]


def test_changes_that_the_patch_does_not_have_are_there_without_hunks() -> None:
    moved = PathPairChange(operation="move", old_path="/w/x", path="/w/y")
    made = PathChange(operation="add", path="/w/new", file_type="directory")
    link = PathChange(operation="add", path="/w/link", file_type="symlink")
    blob = PathChange(operation="modify", path="/w/b", file_type="binary", mime_type="image/png")
    files = change_set([diff(modify("/w/f"), moved, made, link, blob, patch=section("/w/f"))]).files
    assert [change.operation for change in files] == ["modify", "move", "add", "add", "modify"]
    assert [len(change.hunks) for change in files] == [1, 0, 0, 0, 0]
    assert [change.is_text for change in files] == [True, True, False, False, False]
    assert (files[1].old_path, files[1].source, files[4].mime_type) == ("/w/x", "/w/x", "image/png")
    assert not any(change.problems for change in files)


def test_a_move_with_changes_has_them() -> None:
    moved = PathPairChange(operation="move", old_path="/w/x", path="/w/y")
    patch = (
        "diff --git a/w/x b/w/y\nsimilarity index 50%\nrename from w/x\nrename to w/y\n"
        "--- a/w/x\n+++ b/w/y\n@@ -1 +1 @@\n-a\n+b\n"
    )
    change = only(diff(moved, patch=patch))
    assert len(change.hunks) == 1
    assert not change.problems


@pytest.mark.parametrize(
    ("change", "patch"),
    [
        (PathChange(operation="add", path="/w/f"), section("/w/f")),
        (PathChange(operation="delete", path="/w/f"), section("/w/f")),
        (
            modify("/w/f"),
            "diff --git /w/f /w/f\nnew file mode 100644\n--- /dev/null\n+++ /w/f\n",
        ),
        (PathChange(operation="modify", path="/w/f", file_type="binary"), section("/w/f")),
        (
            PathPairChange(operation="move", old_path="/w/x", path="/w/f"),
            "diff --git /w/z /w/f\nrename from /w/z\nrename to /w/f\n",
        ),
    ],
)
def test_disagreements_are_named_and_the_list_of_changes_wins(
    change: DiffChange, patch: str
) -> None:
    found = only(diff(change, patch=patch))
    assert codes(found) == ["patch-contradicts"]
    assert found.operation == change.operation


def test_sections_beyond_the_list_of_changes_are_shown() -> None:
    files = change_set([diff(modify("/w/f"), patch=section("/w/g") + section("/w/f"))]).files
    assert [(change.path, codes(change)) for change in files] == [
        ("/w/f", []),
        ("/w/g", ["patch-not-in-changes"]),
    ]


def test_an_unknown_format_and_a_null_patch_leave_the_changes() -> None:
    result = change_set([diff(modify("/w/f"), patch="...", form="svn")])
    assert [problem.code for problem in result.problems] == ["patch-unknown-format"]
    assert [change.path for change in result.files] == ["/w/f"]
    assert change_set([diff(modify("/w/f"))]).problems == ()


def test_an_unknown_operation_is_kept_by_its_name() -> None:
    change = UnknownChange.model_validate({"operation": "chmod", "path": "/w/f", "x": 1})
    found = only(diff(change))
    assert (found.operation, found.path) == ("chmod", "/w/f")
    nameless = only(diff(UnknownChange.model_validate({"operation": "_x", "path": 5})))
    assert codes(nameless) == ["path-not-plain"]


@pytest.mark.parametrize(
    "path", ["f", "~/f", "../f", "/w/../etc/passwd", "C:\\w\\..\\f", "/w/\0", ""]
)
def test_paths_that_must_not_be_followed_are_named(path: str) -> None:
    assert codes(only(diff(modify(path)))) == ["path-not-plain"]


def test_several_diffs_and_several_files_are_all_there_once() -> None:
    one = diff(modify("/w/f"), patch=section("/w/f"))
    two = diff(modify("/w/g"), patch=section("/w/g"))
    again = diff(modify("/w/f"), patch=section("/w/f", "c", "d"))
    files = change_set([one, two, one, again]).files
    assert [change.path for change in files] == ["/w/f", "/w/g", "/w/f"]


def test_v1_pieces_of_one_file_are_one_change() -> None:
    first = diff(modify("/w/f", old_text="a\n", new_text="b\n"))
    second = diff(modify("/w/f", old_text="c\n", new_text="d\n"))
    change = only(first, second, first)
    assert [(piece.old, piece.new) for piece in change.snippets] == [("a\n", "b\n"), ("c\n", "d\n")]
    assert [hunk.numbered for hunk in change.hunks] == [False, False]


def test_a_type_change_is_one_change_with_both_modes() -> None:
    patch = (
        "diff --git /w/f /w/f\ndeleted file mode 120000\n--- /w/f\n+++ /dev/null\n@@ -1 +0,0 @@\n"
        "-x\n\\ No newline at end of file\n"
        "diff --git /w/f /w/f\nnew file mode 100644\n--- /dev/null\n+++ /w/f\n@@ -0,0 +1 @@\n+x\n"
    )
    change = only(diff(modify("/w/f"), patch=patch))
    assert (change.old_mode, change.new_mode) == ("120000", "100644")


def test_too_large_a_patch_leaves_the_changes_and_applies_nothing() -> None:
    result = change_set([diff(modify("/w/f"), patch=section("/w/f") * 3)], Limits(characters=20))
    assert [problem.code for problem in result.problems] == ["patch-too-large"]
    assert [len(change.hunks) for change in result.files] == [0]


def test_fifty_thousand_files_are_all_there() -> None:
    paths = [f"/w/{number}" for number in range(50_000)]
    patch = "".join(section(f"nowhere/{number}") for number in range(2_000))
    result = change_set([diff(*map(modify, paths), patch=patch)])
    assert len(result.files) == 52_000


def test_very_many_pieces_of_one_file_are_bounded_and_named() -> None:
    pieces = [diff(modify("/w/f", old_text=f"{n}\n", new_text="x\n")) for n in range(3_000)]
    change = only(*pieces)
    assert len(change.snippets) == MAX_PIECES
    assert codes(change) == ["too-many-pieces"]
    assert not change.whole


def test_very_many_versions_of_one_file_are_all_shown() -> None:
    versions = [diff(modify("/w/f"), patch=section("/w/f", f"{n}")) for n in range(2_000)]
    assert len(change_set(versions).files) == 2_000
