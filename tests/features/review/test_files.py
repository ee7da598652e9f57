"""Files that are created, deleted, moved and copied, and files that are not text."""

from __future__ import annotations

import dataclasses

import pytest

from acp_sidecar.session.tool_calls import Diff, PathChange, PathPairChange
from tests.features.review.desk import Desk, git_diff, path, v1_diff
from tests.features.review.fakes import ABLE

TEXT = "one\ntwo\nthree\n"


def created() -> Desk:
    desk = Desk()
    desk.call(status="pending", content=[v1_diff("new.txt", None, TEXT)])
    desk.writes("new.txt", TEXT)
    desk.call(status="completed")
    return desk


def deletion() -> Diff:
    patch = (
        "diff --git a/old.txt b/old.txt\ndeleted file mode 100644\n"
        "--- a/old.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n"
    )
    return git_diff(patch, PathChange(operation="delete", path=path("old.txt")))


def renaming(*, edited: bool) -> Diff:
    patch = (
        "diff --git a/old.txt b/new.txt\nsimilarity index 60%\n"
        "rename from old.txt\nrename to new.txt\n"
    )
    if edited:
        patch += "--- a/old.txt\n+++ b/new.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
    change = PathPairChange(operation="move", old_path=path("old.txt"), path=path("new.txt"))
    return git_diff(patch, change)


def copying() -> Diff:
    patch = (
        "diff --git a/old.txt b/new.txt\nsimilarity index 60%\ncopy from old.txt\ncopy to new.txt\n"
        "--- a/old.txt\n+++ b/new.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
    )
    change = PathPairChange(operation="copy", old_path=path("old.txt"), path=path("new.txt"))
    return git_diff(patch, change)


def moved() -> Desk:
    desk = Desk({"old.txt": TEXT})
    desk.call(status="pending", content=[renaming(edited=False)])
    desk.writes("old.txt", None)
    desk.writes("new.txt", TEXT)
    desk.call(status="completed")
    return desk


def test_a_created_file_is_deleted_when_it_is_rejected_and_comes_back_on_undo() -> None:
    desk = created()
    assert desk.states() == ["applied"]
    assert desk.choose("reject", change_set="s/c") == {"changed": 1, "failed": []}
    assert desk.text("new.txt") is None
    assert desk.undo()["failed"] == []
    assert desk.text("new.txt") == TEXT


def test_a_created_file_with_something_of_the_users_in_it_is_not_deleted() -> None:
    desk = created()
    desk.open("new.txt")
    desk.types("new.txt", TEXT + "mine\n")
    failed = desk.choose("reject", change_set="s/c")["failed"]
    # Whether what was typed right behind the agent's lines touches them is a matter of taste.
    assert desk.text("new.txt") == (TEXT + "mine\n" if failed else "mine\n")


def test_a_created_file_that_the_user_changed_inside_is_left_alone() -> None:
    desk = created()
    desk.open("new.txt")
    mine = TEXT.replace("two", "two and mine")
    desk.types("new.txt", mine)
    (failure,) = desk.choose("reject", change_set="s/c")["failed"]
    assert failure["reason"]
    assert desk.text("new.txt") == mine


def test_a_deleted_file_comes_back() -> None:
    desk = Desk({"old.txt": TEXT})
    desk.call(status="pending", content=[deletion()])
    assert desk.states() == ["proposed"]
    desk.writes("old.txt", None)
    desk.call(status="completed")
    assert desk.states() == ["applied"]
    assert desk.choose("reject", change_set="s/c")["failed"] == []
    assert desk.text("old.txt") == TEXT


def test_a_deleted_file_comes_back_also_if_only_the_baseline_knows_it() -> None:
    desk = Desk({"old.txt": TEXT})
    diff = Diff(changes=[PathChange(operation="delete", path=path("old.txt"))])
    desk.call(status="pending", content=[diff])
    desk.writes("old.txt", None)
    desk.call(status="completed")
    assert desk.choose("reject", change_set="s/c")["failed"] == []
    assert desk.text("old.txt") == TEXT


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("open_it", [False, True])
def test_a_moved_file_moves_back(edited: bool, open_it: bool) -> None:
    desk = Desk({"old.txt": TEXT})
    desk.call(status="pending", content=[renaming(edited=edited)])
    desk.writes("old.txt", None)
    desk.writes("new.txt", TEXT.replace("two", "TWO") if edited else TEXT)
    desk.call(status="completed")
    if open_it:
        desk.open("new.txt")
    assert desk.view()["files"][0]["state"] == "applied"
    assert desk.choose("reject", change_set="s/c")["failed"] == []
    assert (desk.text("old.txt"), desk.text("new.txt")) == (TEXT, None)
    assert desk.undo()["failed"] == []
    assert desk.text("old.txt") is None
    assert desk.text("new.txt") == (TEXT.replace("two", "TWO") if edited else TEXT)


def test_a_move_is_told_by_the_disk_although_a_buffer_of_the_old_file_is_left() -> None:
    desk = Desk({"old.txt": TEXT})
    desk.open("old.txt")
    left = desk.files.open[path("old.txt")]
    desk.call(status="pending", content=[renaming(edited=False)])
    desk.writes("old.txt", None)
    desk.files.open[path("old.txt")] = left
    desk.writes("new.txt", TEXT)
    desk.call(status="completed")
    assert desk.view()["files"][0]["state"] == "applied"
    assert desk.choose("reject") == {"changed": 1, "failed": []}
    assert path("new.txt") not in desk.files.on_disk
    assert desk.files.on_disk[path("old.txt")] == TEXT


def test_a_deleted_file_that_is_still_open_is_said_to_be_saved() -> None:
    desk = Desk({"old.txt": TEXT})
    desk.open("old.txt")
    left = desk.files.open[path("old.txt")]
    patch = (
        "diff --git a/old.txt b/old.txt\ndeleted file mode 100644\n--- a/old.txt\n+++ /dev/null\n"
    )
    patch += "@@ -1,3 +0,0 @@\n-one\n-two\n-three\n"
    change = PathChange(operation="delete", path=path("old.txt"))
    desk.call(status="pending", content=[git_diff(patch, change)])
    desk.writes("old.txt", None)
    desk.files.open[path("old.txt")] = left
    desk.review.file_changed(desk.now, path("old.txt"))
    desk.call(status="completed")
    assert desk.view()["files"][0]["state"] == "applied"
    (failed,) = desk.choose("reject", change_set="s/c")["failed"]
    assert "save it" in failed["reason"]
    desk.files.on_disk[path("old.txt")] = TEXT  # saved
    desk.review.file_changed(desk.now, path("old.txt"))
    assert desk.choose("reject", change_set="s/c")["failed"] == []


def test_one_hunk_of_a_moved_file_is_undone_where_the_file_is() -> None:
    desk = Desk({"old.txt": TEXT})
    desk.call(status="pending", content=[renaming(edited=True)])
    desk.writes("old.txt", None)
    desk.writes("new.txt", TEXT.replace("two", "TWO"))
    desk.call(status="completed")
    assert desk.choose("reject", change_set="s/c", file=0, hunk=0)["failed"] == []
    assert (desk.text("old.txt"), desk.text("new.txt")) == (None, TEXT)


def test_a_copy_is_deleted_only_if_it_is_as_it_was_made() -> None:
    desk = Desk({"old.txt": TEXT})
    desk.call(status="pending", content=[copying()])
    desk.writes("new.txt", TEXT.replace("two", "TWO"))
    desk.call(status="completed")
    assert desk.choose("reject", change_set="s/c")["failed"] == []
    assert (desk.text("old.txt"), desk.text("new.txt")) == (TEXT, None)
    desk.undo()
    assert desk.text("new.txt") == TEXT.replace("two", "TWO")
    desk.open("new.txt")
    desk.types("new.txt", "mine\n")
    assert desk.choose("reject", change_set="s/c")["failed"]
    assert desk.text("new.txt") == "mine\n"


@pytest.mark.parametrize(("make", "missing"), [(created, "delete"), (moved, "rename")])
def test_an_editor_that_cannot_do_it_is_not_asked(make: object, missing: str) -> None:
    desk: Desk = make()  # type: ignore[operator]
    operations = ABLE.resource_operations - {missing}
    desk.editor._abilities = dataclasses.replace(ABLE, resource_operations=operations)
    answer = desk.choose("reject", change_set="s/c")
    assert missing in answer["failed"][0]["reason"]
    assert not desk.editor.applied


@pytest.mark.parametrize("reason", ["binary", "too-large", "unreadable", "directory"])
def test_what_cannot_be_read_is_named_and_left_alone(reason: str) -> None:
    desk = Desk({"a.txt": "old\n"})
    desk.files.reasons[path("a.txt")] = reason
    desk.call(status="completed", content=[v1_diff("a.txt", "old\n", "new\n")])
    assert desk.states() == ["unanchored"]
    assert desk.choose("reject", change_set="s/c")["failed"][0]["reason"]
    assert not desk.editor.applied


@pytest.mark.parametrize("bad", ["/etc/passwd", "../x", "a\0b", "C:\\x", "http://x/y", ""])
def test_a_path_that_leaves_the_workspace_is_shown_and_never_applied(bad: str) -> None:
    desk = Desk({})
    change = PathChange(operation="modify", path=bad, old_text="root\n", new_text="mine\n")
    desk.files.on_disk["/etc/passwd"] = "root\n"
    desk.files.on_disk["/x"] = "root\n"
    desk.call(status="failed", content=[Diff(changes=[change])])
    (file,) = desk.view()["files"]
    assert file["problems"]
    assert desk.choose("accept", change_set="s/c")["changed"] in (0, 1)
    assert not desk.editor.applied


def test_a_binary_file_is_named() -> None:
    change = PathChange(operation="modify", path=path("a.png"), file_type="binary")
    desk = Desk({"a.png": ""})
    desk.call(status="completed", content=[Diff(changes=[change])])
    (file,) = desk.view()["files"]
    assert (file["fileType"], file["hunks"]) == ("binary", [])
    assert "binary" in desk.choose("reject", change_set="s/c")["failed"][0]["reason"]


def test_bytes_that_are_no_text_are_not_sent_to_an_editor() -> None:
    old, new = "caf\udce9\nx\n", "plain\nx\n"
    desk = Desk({"a.txt": old})
    desk.call(status="pending", content=[v1_diff("a.txt", old, new)])
    desk.writes("a.txt", new)
    desk.call(status="completed")
    assert "Unicode" in desk.choose("reject", change_set="s/c")["failed"][0]["reason"]
    assert not desk.editor.applied
