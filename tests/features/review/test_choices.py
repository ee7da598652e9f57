"""The user's choices before and after the agent's write, hunk by hunk."""

from __future__ import annotations

import pytest

from acp_sidecar.errors import EditorError
from tests.features.review.desk import Desk, v1_diff

OLD = "".join(f"line {n}\n" for n in range(20))
NEW = OLD.replace("line 3\n", "line three\n").replace("line 15\n", "line fifteen\nand more\n")
FIRST = OLD.replace("line 3\n", "line three\n")
SECOND = OLD.replace("line 15\n", "line fifteen\nand more\n")


def proposed(**settings: object) -> Desk:
    desk = Desk({"a.txt": OLD}, **settings)  # type: ignore[arg-type]
    desk.call(status="pending", kind="edit", title="Edit", content=[v1_diff("a.txt", OLD, NEW)])
    return desk


def written(*, open_it: bool = False) -> Desk:
    desk = proposed()
    if open_it:
        desk.open("a.txt")
    desk.writes("a.txt", NEW)
    desk.call(status="completed")
    return desk


def test_a_proposal_is_shown_with_its_hunks() -> None:
    view = proposed().view()
    (file,) = view["files"]
    assert (view["state"], view["pending"], file["operation"]) == ("proposed", False, "modify")
    assert [hunk["state"] for hunk in file["hunks"]] == ["proposed", "proposed"]
    assert file["hunks"][0]["range"] == {"startLine": 4, "endLine": 4}
    assert (file["added"], file["removed"]) == (3, 2)


def test_the_write_is_seen_in_the_text_and_not_in_the_status() -> None:
    desk = proposed()
    desk.call(status="completed")
    assert desk.states() == ["proposed", "proposed"]
    desk.writes("a.txt", NEW)
    assert desk.states() == ["applied", "applied"]


@pytest.mark.parametrize("open_it", [False, True])
def test_rejecting_a_hunk_after_the_write_takes_back_that_hunk_only(open_it: bool) -> None:
    desk = written(open_it=open_it)
    answer = desk.choose("reject", change_set="s/c", file=0, hunk=1)
    assert answer == {"changed": 1, "failed": []}
    assert desk.text("a.txt") == FIRST
    assert desk.states() == ["applied", "undone"]


def test_rejecting_everything_gives_back_the_old_text_and_undo_the_new() -> None:
    desk = written(open_it=True)
    assert desk.choose("reject")["failed"] == []
    assert desk.text("a.txt") == OLD
    assert desk.undo()["failed"] == []
    assert desk.text("a.txt") == NEW
    assert desk.states() == ["applied", "applied"]


def test_accepting_after_the_write_changes_no_text() -> None:
    desk = written()
    assert desk.choose("accept", change_set="s/c") == {"changed": 2, "failed": []}
    assert desk.states() == ["kept", "kept"]
    assert not desk.editor.applied


def test_accepting_all_before_the_write_allows() -> None:
    desk = proposed()
    desk.asks()
    desk.choose("accept", change_set="s/c")
    assert desk.permissions.answers == {"permission-c": True}
    assert not desk.editor.applied


def test_refusing_all_before_the_write_denies() -> None:
    desk = proposed()
    desk.asks()
    desk.choose("reject", change_set="s/c", file=0, hunk=0)
    assert desk.permissions.answers == {}
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    assert desk.permissions.answers == {"permission-c": False}


@pytest.mark.parametrize("open_it", [False, True])
def test_a_refused_hunk_is_undone_as_soon_as_the_write_is_seen(open_it: bool) -> None:
    desk = proposed()
    if open_it:
        desk.open("a.txt")
    desk.asks()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    assert desk.permissions.answers == {"permission-c": True}
    desk.call(status="in_progress")
    desk.writes("a.txt", NEW)
    desk.passes(3)
    desk.call(status="completed")
    assert desk.text("a.txt") == FIRST
    assert desk.states() == ["kept", "undone"]
    assert len(desk.editor.applied) == 1


def test_partial_reject_denies_and_tells_the_agent_both_lists() -> None:
    desk = proposed(partial="reject")
    desk.asks()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    assert desk.permissions.answers == {"permission-c": False}
    note = desk.review.notes_for_prompt(desk.session)
    assert note is not None
    assert "Wanted in" in note
    assert "+line three" in note
    assert "Refused in" in note
    assert "+line fifteen" in note
    assert desk.review.notes_for_prompt(desk.session) is None


def test_an_answer_to_the_prompt_itself_keeps_the_refused_hunks_refused() -> None:
    desk = proposed()
    desk.asks()
    desk.choose("reject", change_set="s/c", file=0, hunk=0)
    desk.answers("c", allow=True)
    desk.writes("a.txt", NEW)
    desk.call(status="completed")
    desk.passes(3)
    assert desk.text("a.txt") == SECOND
    assert desk.states() == ["undone", "applied"]


def test_a_refused_proposal_can_still_be_taken_in_part() -> None:
    desk = proposed()
    desk.asks()
    desk.answers("c", allow=False)
    desk.call(status="failed")
    assert desk.choose("accept", change_set="s/c", file=0, hunk=0)["failed"] == []
    assert desk.text("a.txt") == FIRST
    assert desk.states() == ["kept", "proposed"]


def test_the_agent_is_told_once_what_was_undone() -> None:
    desk = written()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    note = desk.review.notes_for_prompt(desk.session)
    assert note is not None
    assert "Undone in /project/a.txt:16" in note
    assert desk.review.notes_for_prompt(desk.session) is None
    desk.undo()
    note = desk.review.notes_for_prompt(desk.session)
    assert note is not None
    assert "Restored" in note


@pytest.mark.parametrize(
    "selection",
    [
        {"change_set": "s/unknown"},
        {"change_set": "s/c", "file": 7},
        {"change_set": "s/c", "file": 0, "hunk": 2},
        {"change_set": "s/c", "file": "/project/other.txt"},
        {"file": 0},
    ],
)
def test_a_selection_of_nothing_is_an_error(selection: dict[str, object]) -> None:
    desk = proposed()
    with pytest.raises(EditorError):
        desk.choose("accept", **selection)


def test_nothing_to_take_back_is_an_error() -> None:
    with pytest.raises(EditorError):
        proposed().undo()
