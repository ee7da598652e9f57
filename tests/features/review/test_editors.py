"""Editors that do not do what they say, do it late, or have not reloaded what was written."""

from __future__ import annotations

import pytest

from acp_sidecar.features.ports import EditFile
from tests.features.review.desk import Desk, Selected, path, v1_diff
from tests.features.review.test_choices import FIRST, NEW, OLD, SECOND, proposed


def written(mode: str, *, open_it: bool = True) -> Desk:
    desk = Desk({"a.txt": OLD}, mode=mode)
    if open_it:
        desk.open("a.txt")
    desk.call(status="pending", content=[v1_diff("a.txt", OLD, NEW)])
    desk.writes("a.txt", NEW)
    desk.call(status="completed")
    return desk


def test_applied_is_a_claim_and_the_text_is_the_proof() -> None:
    desk = written("liar")
    answer = desk.choose("reject", change_set="s/c")
    assert answer["changed"] == 0
    assert len(answer["failed"]) == 2
    assert desk.states() == ["applied", "applied"]
    assert len(desk.editor.applied) == 1


def test_an_edit_that_shows_counts_whatever_the_editor_says() -> None:
    desk = written("shy")
    assert desk.choose("reject", change_set="s/c") == {"changed": 2, "failed": []}
    assert desk.text("a.txt") == OLD


def test_half_an_edit_is_half_a_success() -> None:
    desk = written("partial")
    answer = desk.choose("reject", change_set="s/c")
    assert answer["changed"] == 1
    assert [each["hunk"] for each in answer["failed"]] == [1]
    assert desk.states() == ["undone", "applied"]


def test_a_refusal_is_answered_with_the_editors_reason() -> None:
    desk = written("refuses")
    answer = desk.choose("reject", change_set="s/c")
    assert [each["reason"] for each in answer["failed"]] == ["no", "no"]
    assert desk.states() == ["applied", "applied"]


def test_the_change_may_come_after_the_answer() -> None:
    desk = written("late")
    desk.review.choose(desk.now, "reject", _all(), desk.replies.append)
    desk.passes(0.4)
    assert not desk.replies
    desk.editor.catch_up()
    assert desk.answer() == {"changed": 2, "failed": []}
    assert desk.states() == ["undone", "undone"]


def test_a_change_that_comes_too_late_is_seen_all_the_same() -> None:
    desk = written("late")
    assert desk.choose("reject", change_set="s/c")["changed"] == 0
    desk.editor.catch_up()
    assert desk.text("a.txt") == OLD
    assert desk.states() == ["proposed", "proposed"]


def test_an_edit_of_a_stale_version_is_made_anew() -> None:
    desk = written("truthful")
    true_apply = desk.editor.apply

    def typing_first(change: object, done: object) -> None:
        desk.editor.apply = true_apply  # type: ignore[method-assign]
        desk.types("a.txt", "typed\n" + (desk.text("a.txt") or ""))
        true_apply(change, done)  # type: ignore[arg-type]

    desk.editor.apply = typing_first  # type: ignore[method-assign,assignment]
    assert desk.choose("reject", change_set="s/c") == {"changed": 2, "failed": []}
    assert desk.text("a.txt") == "typed\n" + OLD
    versions = [_edit(each.change).version for each in desk.editor.applied]
    assert versions[1] == (versions[0] or 0) + 1


def test_edits_carry_versions_and_an_annotation_for_each_hunk() -> None:
    desk = written("truthful")
    desk.choose("reject", change_set="s/c")
    (applied,) = desk.editor.applied
    step = _edit(applied.change)
    assert step.version == 2
    assert [each.annotation for each in step.edits] == ["s/c#0.0", "s/c#0.1"]
    assert applied.change.annotations["s/c#0.1"] == "Undo hunk 2 of a.txt (+2 -1)"
    assert not applied.change.needs_confirmation


def test_two_choices_at_once_are_two_edits_one_after_the_other() -> None:
    desk = written("late")
    for hunk in (0, 1):
        desk.review.choose(desk.now, "reject", _all(hunk=hunk), desk.replies.append)
    assert len(desk.editor.applied) == 1
    desk.editor.catch_up()
    desk.passes(0.2)
    assert len(desk.editor.applied) == 2
    desk.editor.catch_up()
    desk.passes(0.2)
    assert [each["changed"] for each in desk.replies] == [1, 1]
    assert desk.text("a.txt") == OLD


def test_a_choice_and_its_undo_at_once_leave_the_text_as_it_was() -> None:
    desk = written("late")
    desk.review.choose(desk.now, "reject", _all(), desk.replies.append)
    desk.review.undo(desk.now, desk.replies.append)
    for _ in range(2):
        desk.editor.catch_up()
        desk.passes(0.2)
    assert [each["failed"] for each in desk.replies] == [[], []]
    assert desk.text("a.txt") == NEW
    assert desk.states() == ["applied", "applied"]


def test_what_was_undone_is_redone_around_what_the_user_typed_since() -> None:
    desk = written("truthful")
    desk.choose("reject", change_set="s/c")
    desk.types("a.txt", OLD.replace("line 9\n", "line 9, mine\n"))
    assert desk.undo()["failed"] == []
    assert desk.text("a.txt") == NEW.replace("line 9\n", "line 9, mine\n")


def test_what_was_undone_is_not_redone_over_what_the_user_typed_since() -> None:
    desk = written("truthful")
    desk.choose("reject", change_set="s/c", file=0, hunk=0)
    mine = SECOND.replace("line 3\n", "line 3, mine\n")
    desk.types("a.txt", mine)
    assert desk.undo()["failed"][0]["hunk"] == 0
    assert desk.text("a.txt") == mine


def test_a_buffer_that_is_reloaded_late_has_the_refused_hunks_undone() -> None:
    desk = _allowed_in_part()
    desk.writes("a.txt", NEW, reload=False)
    desk.passes(0.5)
    assert not desk.editor.applied
    desk.writes("a.txt", NEW, reload=True)
    desk.call(status="completed")
    desk.passes(3)
    assert desk.text("a.txt") == FIRST
    assert len(desk.editor.applied) == 1


def test_a_buffer_that_is_never_reloaded_gets_what_was_accepted_and_nothing_else() -> None:
    desk = _allowed_in_part()
    desk.writes("a.txt", NEW, reload=False)
    desk.call(status="completed")
    desk.passes(3)
    assert desk.text("a.txt") == FIRST
    assert desk.files.disk(path("a.txt")).text == NEW
    assert len(desk.editor.applied) == 1
    assert desk.states() == ["kept", "undone"]


def _allowed_in_part() -> Desk:
    desk = proposed()
    desk.open("a.txt")
    desk.asks()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    assert desk.permissions.answers == {"permission-c": True}
    return desk


def _all(hunk: int | None = None) -> Selected:
    return Selected("s/c", None if hunk is None else 0, hunk)


def _edit(change: object) -> EditFile:
    (step,) = change.steps  # type: ignore[attr-defined]
    assert isinstance(step, EditFile)
    return step


@pytest.mark.parametrize("mode", ["truthful", "liar", "partial", "refuses", "shy", "late"])
def test_every_choice_is_answered(mode: str) -> None:
    desk = written(mode)
    assert set(desk.choose("reject", change_set="s/c")) == {"changed", "failed"}
