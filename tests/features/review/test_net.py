"""The net change of a session: also without diffs, and without the user's own edits."""

from __future__ import annotations

import pytest

from acp_sidecar.session.tool_calls import Diff, PathChange, ToolCallLocation
from tests.features.review.desk import Desk, path, v1_diff

OLD = "".join(f"line {n}\n" for n in range(12))
ONCE = OLD.replace("line 3\n", "line three\n")
TWICE = ONCE.replace("line 9\n", "line nine\n")


def edits_without_diff(desk: Desk, call_id: str, name: str, text: str | None) -> None:
    """A call that says where it works, and writes."""
    locations = [ToolCallLocation(path=path(name))]
    desk.call(call_id, status="in_progress", kind="edit", locations=locations)
    desk.writes(name, text)
    desk.call(call_id, status="completed")


def test_an_edit_without_a_diff_is_reviewed_all_the_same() -> None:
    desk = Desk({"a": OLD})
    edits_without_diff(desk, "c", "a", ONCE)
    view = desk.view("s/net")
    assert view["toolCallId"] is None
    (file,) = view["files"]
    assert (file["operation"], file["added"], file["removed"]) == ("modify", 1, 1)
    assert desk.choose("reject", change_set="s/net", file=0, hunk=0)["failed"] == []
    assert desk.text("a") == OLD
    assert desk.view("s/net") is None
    desk.undo()
    assert desk.text("a") == ONCE


def test_several_calls_on_one_file_are_one_net_change() -> None:
    desk = Desk({"a": OLD})
    edits_without_diff(desk, "c1", "a", ONCE)
    edits_without_diff(desk, "c2", "a", TWICE)
    assert len(desk.view("s/net")["files"][0]["hunks"]) == 2
    edits_without_diff(desk, "c3", "a", OLD)
    assert desk.view("s/net") is None


def test_rejecting_everything_takes_back_calls_that_built_on_each_other() -> None:
    desk = Desk({"a": OLD})
    desk.open("a")
    third = ONCE.replace("line three\n", "line 3, again\nand more\n")
    for number, (before, after) in enumerate([(OLD, ONCE), (ONCE, third)]):
        desk.call(f"c{number}", status="pending", content=[v1_diff("a", before, after)])
        desk.writes("a", after)
        desk.call(f"c{number}", status="completed")
    assert desk.choose("reject", session_id="s")["failed"] == []
    assert desk.text("a") == OLD
    assert len(desk.editor.applied) == 1
    desk.undo()
    assert desk.text("a") == third


def test_a_diff_that_comes_with_the_write_tells_the_baseline() -> None:
    desk = Desk({"a": OLD})
    desk.writes("a", ONCE)
    desk.call(status="completed", content=[v1_diff("a", "line 3\n", "line three\n")])
    edits_without_diff(desk, "later", "a", TWICE)
    assert len(desk.view("s/net")["files"][0]["hunks"]) == 2


def test_what_the_user_edits_is_not_the_agents() -> None:
    desk = Desk({"a": OLD})
    desk.open("a")
    edits_without_diff(desk, "c", "a", ONCE)
    desk.types("a", ONCE.replace("line 9\n", "line 9, mine\n"))
    (file,) = desk.view("s/net")["files"]
    assert len(file["hunks"]) == 1
    assert desk.choose("reject", change_set="s/net")["failed"] == []
    assert desk.text("a") == OLD.replace("line 9\n", "line 9, mine\n")


@pytest.mark.parametrize("saved", [False, True])
def test_the_users_save_does_not_confuse_the_net_change(saved: bool) -> None:
    desk = Desk({"a": OLD})
    desk.open("a")
    edits_without_diff(desk, "c1", "a", ONCE)
    mine = ONCE.replace("line 6\n", "line 6, mine\n")
    desk.types("a", mine)
    if saved:
        desk.files.on_disk[path("a")] = mine
        desk.review.file_changed(desk.now, path("a"))
    edits_without_diff(desk, "c2", "a", mine.replace("line 9\n", "line nine\n"))
    hunks = desk.view("s/net")["files"][0]["hunks"]
    removed = [line for hunk in hunks for line in hunk["lines"] if line.startswith("-")]
    assert removed == ["-line 3", "-line 9"]


def test_a_new_file_is_deleted_only_as_the_agent_left_it() -> None:
    desk = Desk({})
    edits_without_diff(desk, "c", "new", "made\n")
    desk.open("new")
    desk.types("new", "made\nmine\n")
    assert "yours" in desk.choose("reject", change_set="s/net")["failed"][0]["reason"]
    assert desk.text("new") == "made\nmine\n"
    desk.types("new", "made\n")
    assert desk.choose("reject", change_set="s/net")["failed"] == []
    assert desk.text("new") is None
    desk.undo()
    assert desk.text("new") == "made\n"


def test_a_deleted_file_comes_back_from_the_baseline() -> None:
    desk = Desk({"a": OLD})
    edits_without_diff(desk, "c", "a", None)
    assert desk.view("s/net")["files"][0]["operation"] == "delete"
    desk.choose("reject", change_set="s/net")
    assert desk.text("a") == OLD


def test_a_file_that_is_only_read_or_too_large_has_no_net_change() -> None:
    desk = Desk({"a": OLD, "big": "x"})
    desk.files.reasons[path("big")] = "too-large"
    locations = [ToolCallLocation(path=path(name)) for name in ("a", "big", "none")]
    desk.call(status="completed", kind="read", locations=locations)
    assert desk.view("s/net") is None


def test_a_binary_file_that_appears_is_named() -> None:
    desk = Desk({})
    desk.call(status="in_progress", locations=[ToolCallLocation(path=path("a.png"))])
    desk.files.on_disk[path("a.png")] = ""
    desk.files.reasons[path("a.png")] = "binary"
    desk.call(status="completed")
    (file,) = desk.view("s/net")["files"]
    assert (file["operation"], file["fileType"], file["hunks"]) == ("add", "binary", [])
    assert desk.choose("reject", change_set="s/net")["failed"]


def test_replayed_calls_are_history_and_touch_no_baseline() -> None:
    desk = Desk({"a": ONCE})
    desk.session.replaying = True
    desk.call(status="completed", content=[v1_diff("a", OLD, ONCE)])
    assert desk.states() == ["applied"]
    desk.call("d", status="in_progress", locations=[ToolCallLocation(path=path("a"))])
    desk.session.replaying = False
    desk.writes("a", TWICE)
    assert desk.view("s/net") is None or len(desk.view("s/net")["files"][0]["hunks"]) == 2


def test_paths_outside_have_no_baseline() -> None:
    desk = Desk({})
    desk.files.on_disk["/etc/hosts"] = "x\n"
    diff = Diff(changes=[PathChange(operation="modify", path="/etc/hosts")])
    desk.call(status="in_progress", content=[diff])
    desk.files.on_disk["/etc/hosts"] = "y\n"
    desk.call(status="completed")
    assert desk.view("s/net") is None


def test_a_closed_session_is_forgotten() -> None:
    desk = Desk({"a": OLD})
    edits_without_diff(desk, "c", "a", ONCE)
    desk.view("s/net")
    desk.review.session_closed(desk.session)
    assert desk.review.view() == []
