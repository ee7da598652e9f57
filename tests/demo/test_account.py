"""The account: it must say no where the sidecar's word and the disk differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.demo.account import Disk, Fact, Seen, account
from acp_sidecar.demo.project import FileOnDisk, changes, solution

ROOT = Path("/project")
SEEN = Seen(follow_moves=1, follow_misses=0, permissions_asked=1, permissions_allowed=1)


def session(**more: Any) -> dict[str, Any]:
    call = {
        "toolCallId": "c",
        "kind": "edit",
        "title": "Edit a",
        "status": "completed",
        "locations": [{"path": "/project/a"}],
    }
    return {
        "sessionId": "s",
        "protocolVersion": 2,
        "state": "idle",
        "stopReason": "end_turn",
        "busy": False,
        "toolCalls": [call],
    } | more


def state(operation: str = "modify", path: str = "/project/a", **more: Any) -> dict[str, Any]:
    file = {"operation": operation, "path": path, "oldPath": None} | more
    change_set = {"changeSet": "1", "sessionId": "s", "toolCallId": "c", "files": [file]}
    net = change_set | {"changeSet": "net", "toolCallId": None}
    return {"changeSets": [change_set, net], "permissions": []}


def wrong(facts: list[Fact]) -> set[str]:
    return {fact.name for fact in facts if not fact.right}


DISK = Disk(ROOT, {"a": "1\n"}, {"a": "2\n"}, None)
UNLIKE = Disk(ROOT, DISK.before, DISK.after, wanted={"a": "3\n"})


def test_an_edit_that_is_on_disk_is_right() -> None:
    made = account(state(), session(), SEEN, DISK)
    assert made.right
    assert made.files == [FileOnDisk("modify", "a", None, hunks=1, added=1, removed=1)]


@pytest.mark.parametrize(
    ("told", "its_session", "seen", "disk", "fact"),
    [
        (state(path="/project/b"), session(), SEEN, DISK, "files changed"),
        (state("add"), session(), SEEN, DISK, "files changed"),
        (state(), session(), SEEN, Disk(ROOT, DISK.before, DISK.before, None), "files changed"),
        (state(), session(busy=True), SEEN, DISK, "the turn"),
        (state(), session(state="running"), SEEN, DISK, "the turn"),
        (state(), session(), Seen(0, 0, 1, 1), DISK, "places followed"),
        (state(), session(), Seen(2, 1, 1, 1), DISK, "places followed"),
        (state() | {"permissions": [{}]}, session(), SEEN, DISK, "permissions"),
        (
            state(),
            session(),
            SEEN,
            Disk(ROOT, DISK.before, DISK.after, {"a": "3\n"}),
            "the project",
        ),
    ],
)
def test_each_difference_is_told(
    told: dict[str, Any], its_session: dict[str, Any], seen: Seen, disk: Disk, fact: str
) -> None:
    made = account(told, its_session, seen, disk)
    assert not made.right
    assert wrong(made.facts) == {fact}


def test_an_unfinished_call_is_told() -> None:
    call = session()["toolCalls"][0] | {"status": "in_progress"}
    made = account(state(), session(toolCalls=[call]), SEEN, DISK)
    assert wrong(made.facts) == {"tool calls", "files changed"}


def test_a_refused_edit_must_not_be_on_disk() -> None:
    call = session()["toolCalls"][0] | {"status": "failed"}
    refused = session(toolCalls=[call])
    assert account(state(), refused, SEEN, Disk(ROOT, DISK.before, DISK.before, None)).right
    assert not account(state(), refused, SEEN, DISK).right


def test_a_move_is_two_files_to_v1() -> None:
    moved = Disk(ROOT, {"old": "1\n2\n"}, {"new": "1\n2\n"}, None)
    files = [
        {"operation": "modify", "path": "/project/old", "oldPath": None},
        {"operation": "add", "path": "/project/new", "oldPath": None},
    ]
    told = {
        "changeSets": [{"changeSet": "1", "sessionId": "s", "toolCallId": "c", "files": files}],
        "permissions": [],
    }
    assert account(told, session(protocolVersion=1), SEEN, moved).right
    assert not account(told, session(protocolVersion=2), SEEN, moved).right


def test_changes_on_disk_are_told_apart() -> None:
    before = {"same": "s\n", "old": "a\nb\nc\n", "gone": "x\n", "edited": "1\n" * 20}
    after = {
        "same": "s\n",
        "new": "a\nb\nd\n",
        "made": "entirely\ndifferent\n",
        "edited": "0\n" + "1\n" * 18 + "2\n",
    }
    assert changes(before, after) == [
        FileOnDisk("modify", "edited", None, hunks=2, added=2, removed=2),
        FileOnDisk("add", "made", None, hunks=1, added=2, removed=0),
        FileOnDisk("move", "new", "old", hunks=1, added=1, removed=1),
        FileOnDisk("delete", "gone", None, hunks=1, added=0, removed=1),
    ]


def test_the_solution_has_every_file_of_the_project() -> None:
    files = solution()
    assert {"docs/usage.md", "tests/test_min_length.py", "tally/report.py"} <= files.keys()
    assert "docs/usage.txt" not in files
