"""What still waits for the user's choice, in views, deltas, lenses and wide selections."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from acp_sidecar.session.tool_calls import PathChange, PathPairChange
from tests.features.review.desk import Desk, git_diff, path, v1_diff
from tests.features.review.fakes import ABLE
from tests.features.review.test_choices import FIRST, NEW, OLD, proposed, written

RICH = dataclasses.replace(ABLE, rich=frozenset({"review"}))


def flags(desk: Desk, call_id: str = "c") -> tuple[bool, list[bool]]:
    """Whether the first file of a set waits, and which of its hunks do."""
    file = desk.view(f"s/{call_id}")["files"][0]
    return file["open"], [hunk["open"] for hunk in file["hunks"]]


def test_hunks_wait_before_and_after_the_write_until_they_are_chosen() -> None:
    desk = proposed()
    assert flags(desk) == (True, [True, True])
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    assert flags(desk) == (True, [True, False])
    desk.writes("a.txt", NEW)
    desk.call(status="completed")
    assert flags(desk) == (True, [True, False])
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    assert flags(desk) == (False, [False, False])
    desk.undo()
    assert flags(desk) == (True, [True, False])


@pytest.mark.parametrize("status", ["failed", "completed"])
def test_what_was_refused_with_its_permission_waits_no_more(status: str) -> None:
    desk = proposed()
    desk.asks()
    assert flags(desk) == (True, [True, True])
    desk.answers("c", allow=False)
    desk.call(status=status)
    assert flags(desk) == (False, [False, False])
    assert desk.review.lenses(path("a.txt")) == []


def test_the_past_of_a_resumed_session_does_not_wait() -> None:
    desk = Desk({"a.txt": NEW})
    desk.session.replaying = True
    desk.call(status="completed", content=[v1_diff("a.txt", OLD, NEW)])
    assert flags(desk) == (False, [False, False])


def test_what_the_editors_undo_takes_back_waits_again_and_can_be_refused_again() -> None:
    desk = written(open_it=True)
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    assert flags(desk) == (True, [True, False])
    desk.types("a.txt", NEW)  # the user presses ctrl+z
    desk.passes(1)
    assert flags(desk) == (True, [True, True])
    assert len(desk.review.lenses(path("a.txt"))) == 4
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    desk.choose("reject")  # all that is undecided
    assert desk.text("a.txt") == FIRST
    assert flags(desk) == (False, [False, False])


def test_a_proposal_that_we_made_and_the_editor_took_back_waits_again() -> None:
    desk = Desk({"a.txt": OLD})
    desk.call(status="completed", content=[v1_diff("a.txt", OLD, NEW)])
    desk.open("a.txt")
    desk.choose("accept", change_set="s/c")
    assert desk.text("a.txt") == NEW
    assert flags(desk) == (False, [False, False])
    desk.types("a.txt", OLD)
    assert flags(desk) == (True, [True, True])
    assert len(desk.review.lenses(path("a.txt"))) == 4


def test_a_file_without_hunks_waits_by_itself() -> None:
    desk = Desk({"old.txt": "text\n"})
    patch = "diff --git a/old.txt b/new.txt\nrename from old.txt\nrename to new.txt\n"
    move: Any = {"operation": "move", "path": path("new.txt"), "old_path": path("old.txt")}
    desk.call(status="pending", content=[git_diff(patch, PathPairChange(**move))])
    assert flags(desk) == (True, [])
    desk.choose("accept", change_set="s/c")
    assert flags(desk) == (False, [])


def test_a_binary_file_waits_only_as_long_as_the_agent_can_be_answered() -> None:
    desk = Desk({})
    change = PathChange(operation="add", path=path("a.png"), file_type="binary")
    desk.call(status="pending", content=[git_diff("", change)])
    desk.asks()
    assert flags(desk) == (True, [])
    desk.answers("c", allow=True)
    desk.call(status="completed")
    assert flags(desk) == (False, [])


def test_a_rich_editor_is_told_when_a_hunk_waits_no_more_though_its_text_stays() -> None:
    desk = Desk({"a.txt": OLD}, abilities=RICH)
    desk.call(status="pending", content=[v1_diff("a.txt", OLD, NEW)])
    desk.asks()
    desk.passes(1)
    desk.editor.notified.clear()
    desk.answers("c", allow=False)
    desk.call(status="failed")
    desk.passes(1)
    told = [params for method, params in desk.editor.notified if method == "acp/review"]
    files = [file for delta in told for each in delta["changeSets"] for file in each["files"]]
    assert [file["open"] for file in files] == [False]
