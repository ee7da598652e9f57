"""Longer stories: several files, several calls, changes of mind, and agents that go away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.features.ports import EditFile
from acp_sidecar.session.tool_calls import Diff, PathChange, ToolCallContentChunk
from tests.features.review.desk import Desk, path, v1_diff
from tests.features.review.test_choices import FIRST, NEW, OLD, SECOND, proposed, written


def two_files() -> Desk:
    desk = Desk({"a.txt": OLD, "b.txt": OLD})
    desk.call(status="pending", content=[v1_diff("a.txt", OLD, NEW), v1_diff("b.txt", OLD, NEW)])
    desk.asks()
    return desk


def test_what_was_refused_in_several_files_is_undone_in_one_edit() -> None:
    desk = two_files()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.choose("reject", change_set="s/c", file=1, hunk=0)
    assert not desk.permissions.answers
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    desk.choose("accept", change_set="s/c", file=1, hunk=1)
    desk.writes("a.txt", NEW)
    desk.passes(0.5)
    assert not desk.editor.applied
    desk.writes("b.txt", NEW)
    desk.call(status="completed")
    desk.passes(3)
    assert (desk.text("a.txt"), desk.text("b.txt")) == (FIRST, SECOND)
    (applied,) = desk.editor.applied
    assert {step.path for step in applied.change.steps if isinstance(step, EditFile)} == {
        path("a.txt"),
        path("b.txt"),
    }


def test_a_file_that_is_never_written_does_not_keep_the_others_waiting() -> None:
    desk = two_files()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.choose("reject", change_set="s/c", file=1)
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    desk.writes("a.txt", NEW)
    desk.passes(3)
    assert (desk.text("a.txt"), desk.text("b.txt")) == (FIRST, OLD)


def test_a_refusal_can_be_taken_back_before_the_write() -> None:
    desk = proposed()
    desk.asks()
    desk.choose("reject", change_set="s/c", file=0, hunk=0)
    desk.undo()
    assert [hunk["choice"] for hunk in desk.view()["files"][0]["hunks"]] == [None, None]
    desk.choose("accept", change_set="s/c")
    desk.writes("a.txt", NEW)
    desk.call(status="completed")
    desk.passes(3)
    assert desk.text("a.txt") == NEW
    assert not desk.editor.applied


def test_a_refusal_can_be_taken_back_after_it_was_carried_out() -> None:
    desk = proposed()
    desk.asks()
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.writes("a.txt", NEW)
    desk.call(status="completed")
    desk.passes(3)
    assert desk.text("a.txt") == FIRST
    assert desk.undo() == {"changed": 1, "failed": []}
    assert desk.text("a.txt") == NEW


def test_the_editors_own_undo_is_not_fought() -> None:
    desk = proposed()
    desk.open("a.txt")
    desk.asks()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    desk.writes("a.txt", NEW)
    desk.passes(2)
    assert desk.text("a.txt") == FIRST
    desk.types("a.txt", NEW)
    desk.call(status="completed")
    desk.passes(20)
    assert desk.text("a.txt") == NEW
    assert len(desk.editor.applied) == 1
    assert desk.states()[1] == "applied"


def test_the_editors_own_undo_is_not_fought_while_other_files_are_waited_for() -> None:
    desk = two_files()
    desk.open("a.txt")
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.choose("reject", change_set="s/c", file=1)
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    desk.writes("a.txt", NEW)
    desk.passes(3)
    assert desk.text("a.txt") == FIRST
    desk.types("a.txt", NEW)
    desk.passes(3)
    assert desk.text("a.txt") == NEW


def test_a_copy_of_a_hunk_is_not_taken_for_the_hunk_that_the_user_changed() -> None:
    desk = written(open_it=True)
    copied = NEW + "\n" + NEW
    desk.editor.change(path("a.txt"), [TextEdit(len(NEW), len(NEW), "\n" + NEW)])
    assert desk.states() == ["applied", "applied"]
    mine = copied.replace("line three\n", "line three, mine\n", 1)
    desk.types("a.txt", mine)
    assert desk.states() == ["conflict", "applied"]
    desk.choose("reject", change_set="s/c", file=0, hunk=0)
    assert desk.text("a.txt") == mine


def test_keeping_everything_does_not_revise_what_was_undone_or_refused() -> None:
    desk = written()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.call("refused", status="pending", content=[v1_diff("b.txt", None, "new\n")])
    desk.asks("refused")
    desk.answers("refused", allow=False)
    desk.call("refused", status="failed")
    desk.choose("accept")
    assert desk.text("a.txt") == FIRST
    assert desk.text("b.txt") is None
    assert desk.states() == ["kept", "undone"]


def test_undoing_everything_leaves_what_was_kept() -> None:
    desk = written()
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    desk.choose("reject")
    assert desk.text("a.txt") == FIRST
    assert desk.states() == ["kept", "undone"]


def test_choices_made_before_the_agent_asks_answer_it() -> None:
    desk = proposed()
    desk.choose("reject", change_set="s/c")
    desk.asks()
    assert desk.permissions.answers == {"permission-c": False}


def test_a_second_question_about_the_same_call_is_a_new_one() -> None:
    desk = proposed()
    desk.asks()
    desk.answers("c", allow=False)
    desk.asks()
    desk.choose("accept", change_set="s/c")
    assert desk.permissions.answers == {"permission-c": True}
    assert not desk.editor.applied


def test_a_call_that_is_never_closed_is_over_with_its_turn() -> None:
    desk = proposed()
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    assert not desk.editor.applied
    desk.review.turn_ended(desk.now, desk.session)
    desk.undo()
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    assert desk.text("a.txt") == FIRST


def test_nobody_waits_for_a_write_that_was_denied() -> None:
    desk = proposed()
    desk.asks()
    desk.choose("reject", change_set="s/c", file=0, hunk=0)
    desk.answers("c", allow=False)
    desk.call(status="failed", content=[])
    desk.passes(60)
    assert desk.review.deadline() is None
    assert desk.text("a.txt") == OLD


def test_a_refused_hunk_that_is_nowhere_after_the_write_is_told_of() -> None:
    desk = proposed()
    desk.asks()
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.writes("a.txt", "something else\n")
    desk.call(status="completed")
    desk.passes(60)
    assert desk.editor.messages
    assert desk.text("a.txt") == "something else\n"
    assert desk.review.deadline() is None


def test_a_diff_that_comes_in_a_chunk_is_reviewed() -> None:
    desk = Desk({"a.txt": OLD})
    desk.call(status="pending")
    chunk = ToolCallContentChunk(tool_call_id="c", content=v1_diff("a.txt", OLD, NEW))
    desk.chunk(chunk)
    assert desk.states() == ["proposed", "proposed"]


def test_a_change_that_no_patch_tells_is_read_from_the_text() -> None:
    desk = Desk({"a.txt": OLD})
    named = Diff(changes=[PathChange(operation="modify", path=path("a.txt"))])
    desk.call(status="pending", content=[named])
    desk.asks()
    assert desk.view()["files"][0]["hunks"] == []
    desk.choose("accept", change_set="s/c")
    assert desk.permissions.answers == {"permission-c": True}
    desk.writes("a.txt", NEW)
    desk.call(status="completed")
    assert desk.states() == ["kept", "kept"]
    desk.choose("reject", change_set="s/c", file=0, hunk=0)
    assert desk.text("a.txt") == SECOND


@pytest.mark.parametrize("repeat", [1, 2])
def test_a_snippet_that_is_there_twice_is_shown_and_never_applied(repeat: int) -> None:
    text = "x = 1\n" + "\n" * 9
    desk = Desk({"a": text * repeat})
    desk.call(status="failed", content=[v1_diff("a", "x = 1\n", "x = 2\n")])
    desk.choose("accept", change_set="s/c")
    changed = desk.text("a") == "x = 2\n" + "\n" * 9
    assert changed == (repeat == 1)
    if repeat == 2:
        assert desk.states() == ["unanchored"]
        assert desk.text("a") == text * 2


def calls(draw: st.DataObject, old: list[str]) -> Iterator[tuple[str, str]]:
    """What several calls make of a text, each of what the one before it left."""
    rows = list(old)
    for number in range(draw.draw(st.integers(1, 4))):
        before = "".join(rows)
        at = draw.draw(st.integers(0, len(rows) - 1))
        rows[at] = f"call {number} line {at}\n"
        if draw.draw(st.booleans()):
            rows.insert(at, f"call {number} above {at}\n")
        yield before, "".join(rows)


@settings(max_examples=40, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.data(), st.booleans(), st.booleans())
def test_undoing_a_session_gives_back_what_was_there_before_it(
    data: st.DataObject, is_open: bool, with_user: bool
) -> None:
    old = [f"line {number}\n" for number in range(8)]
    desk = Desk({"a": "".join(old)})
    if is_open or with_user:
        desk.open("a")
    for number, (before, after) in enumerate(calls(data, old)):
        desk.call(f"c{number}", status="pending", content=[v1_diff("a", before, after)])
        desk.writes("a", after)
        desk.call(f"c{number}", status="completed")
    end = desk.text("a") or ""
    if with_user:
        desk.types("a", "typed\n\n\n\n" + end)
        end, old = desk.text("a") or "", ["typed\n\n\n\n", *old]
    assert desk.choose("reject")["failed"] == []
    assert desk.text("a") == "".join(old)
    assert len(desk.editor.applied) == 1
    assert desk.undo()["failed"] == []
    assert desk.text("a") == end
