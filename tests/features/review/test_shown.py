"""What is shown: views, deltas to rich editors, code lenses and actions, previews."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.features.ports import EditFile, Span
from acp_sidecar.session.tool_calls import PathChange
from tests.features.review.desk import Desk, Selected, git_diff, path, v1_diff
from tests.features.review.fakes import ABLE
from tests.features.review.test_choices import FIRST, NEW, OLD, proposed, written

RICH = dataclasses.replace(ABLE, rich=frozenset({"review"}))


def rich() -> Desk:
    desk = Desk({"a.txt": OLD, "b.txt": OLD}, abilities=RICH)
    desk.call(status="pending", content=[v1_diff("a.txt", OLD, NEW), v1_diff("b.txt", OLD, FIRST)])
    return desk


def deltas(desk: Desk) -> list[Any]:
    return [params for method, params in desk.editor.notified if method == "acp/review"]


class Client:
    """A rich client: keeps what the deltas add up to."""

    def __init__(self) -> None:
        self.sets: dict[str, Any] = {}

    def take(self, delta: Any) -> None:
        for each in delta["changeSets"]:
            files = self.sets.get(each["changeSet"], {}).get("files", [])
            by_index = {file["file"]: file for file in [*files, *each["files"]]}
            kept = [by_index[at] for at in range(each["fileCount"])]
            self.sets[each["changeSet"]] = {**each, "files": kept}
        for each in delta["removed"]:
            del self.sets[each]

    def state(self) -> list[Any]:
        return [
            {key: value for key, value in each.items() if key != "fileCount"}
            for each in self.sets.values()
        ]


def test_deltas_add_up_to_the_view() -> None:
    desk = rich()
    desk.open("a.txt")
    desk.asks()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.choose("accept", change_set="s/c", file=0, hunk=0)
    desk.choose("accept", change_set="s/c", file=1)
    desk.writes("a.txt", NEW)
    desk.passes(0.2)
    desk.types("a.txt", "typed\n" + (desk.text("a.txt") or ""))
    desk.writes("b.txt", FIRST)
    desk.call(status="completed")
    desk.passes(3)
    client = Client()
    for delta in deltas(desk):
        client.take(delta)
    shown = {each["changeSet"]: each for each in client.state()}
    assert shown == {each["changeSet"]: each for each in desk.review.view()}
    assert shown["s/c"]["files"][0]["hunks"][0]["range"] == {"startLine": 5, "endLine": 5}


def test_only_files_that_changed_are_sent_again() -> None:
    desk = rich()
    desk.passes(1)
    desk.editor.notified.clear()
    desk.writes("b.txt", FIRST)
    desk.passes(1)
    files = [
        file["file"]
        for delta in deltas(desk)
        for each in delta["changeSets"]
        if each["changeSet"] == "s/c"
        for file in each["files"]
    ]
    assert files == [1]


def test_the_first_change_is_told_at_once_and_the_next_ones_together() -> None:
    desk = Desk({"a.txt": OLD}, abilities=RICH)
    for number in range(5):
        desk.call(f"c{number}", status="pending", content=[v1_diff("a.txt", OLD, NEW)])
    assert len(deltas(desk)) == 1
    desk.passes(1)
    assert len(deltas(desk)) == 2
    assert desk.review.deadline() is None


def test_a_plain_editor_is_asked_to_refresh_and_is_sent_nothing() -> None:
    desk = proposed()
    desk.passes(1)
    assert desk.editor.refreshes >= 1
    assert not desk.editor.notified


def test_nothing_is_told_when_nothing_has_changed() -> None:
    desk = rich()
    desk.passes(1)
    desk.editor.notified.clear()
    desk.call(title="Edit")
    desk.call(title="Edit")
    desk.call(raw_input={"x": 1})
    desk.review.file_changed(desk.now, path("a.txt"))
    desk.passes(1)
    assert [len(each["changeSets"]) for each in deltas(desk)] == [1]


def test_a_set_whose_diffs_are_cleared_is_removed_unless_something_came_of_it() -> None:
    desk = rich()
    desk.call(content=[])
    desk.passes(1)
    assert desk.review.view() == []
    assert deltas(desk)[-1]["removed"] == ["s/c"]
    desk.call(content=[v1_diff("a.txt", OLD, NEW)])
    desk.choose("reject", change_set="s/c", file=0, hunk=0)
    desk.call(content=[])
    assert desk.view("s/c") is not None


def test_a_diff_that_is_sent_again_keeps_the_choices() -> None:
    desk = proposed()
    desk.choose("reject", change_set="s/c", file=0, hunk=1)
    desk.call(content=[v1_diff("a.txt", OLD, NEW)])
    desk.call(content=[v1_diff("a.txt", OLD, NEW), v1_diff("b.txt", None, "new\n")])
    more = NEW.replace("line 8\n", "line eight\n")
    desk.call(content=[v1_diff("a.txt", OLD, more)])
    choices = [hunk["choice"] for hunk in desk.view()["files"][0]["hunks"]]
    assert choices == [None, None, "rejected"]


def test_words_are_marked_for_rich_editors_in_the_lines_that_they_are_in() -> None:
    old, new = "one two three\nsame\n", "one 2 three\nsame\n"
    desk = Desk({"a": old}, abilities=RICH)
    desk.call(status="pending", content=[v1_diff("a", old, new)])
    (hunk,) = desk.view()["files"][0]["hunks"]
    marked = [hunk["lines"][w["line"]][1:][w["start"] : w["end"]] for w in hunk["words"]]
    assert marked == ["two", "2"]


def test_lines_are_shown_as_a_patch_has_them() -> None:
    desk = Desk({"a": "one\r\ntwo"})
    desk.call(status="pending", content=[v1_diff("a", "one\r\ntwo", "one\r\n2")])
    (hunk,) = desk.view()["files"][0]["hunks"]
    no_newline = "\\ No newline at end of file"
    assert hunk["lines"] == [" one\r", "-two", no_newline, "+2", no_newline]


def test_lenses_stand_at_the_hunks_and_move_with_the_text() -> None:
    desk = written(open_it=True)
    at = [(each.line, each.title, each.command) for each in desk.review.lenses(path("a.txt"))]
    assert at == [
        (3, "Keep (+1 -1)", "acp.review.accept"),
        (3, "Undo", "acp.review.reject"),
        (15, "Keep (+2 -1)", "acp.review.accept"),
        (15, "Undo", "acp.review.reject"),
    ]
    desk.types("a.txt", "typed\n" + NEW)
    assert [each.line for each in desk.review.lenses(path("a.txt"))] == [4, 4, 16, 16]


def test_a_lens_does_what_it_says() -> None:
    desk = written(open_it=True)
    lens = desk.review.lenses(path("a.txt"))[3]
    argument = lens.argument
    chosen = Selected(argument["changeSet"], argument["file"], argument["hunk"])
    desk.review.choose(desk.now, "reject", chosen, desk.replies.append)
    assert desk.answer()["changed"] == 1
    assert desk.text("a.txt") == FIRST
    assert len(desk.review.lenses(path("a.txt"))) == 2


def test_a_proposal_is_accepted_or_refused_and_not_kept_or_undone() -> None:
    titles = [each.title for each in proposed().review.lenses(path("a.txt"))]
    assert titles[:2] == ["Accept (+1 -1)", "Refuse"]


@pytest.mark.parametrize(
    ("lines", "count"), [((3, 3), 4), ((15, 16), 4), ((0, 19), 6), ((8, 9), 0)]
)
def test_actions_are_those_of_the_hunks_in_the_range(lines: tuple[int, int], count: int) -> None:
    desk = written()
    found = desk.review.actions(path("a.txt"), Span(lines[0], 0, lines[1], 0))
    assert len(found) == count


@pytest.mark.parametrize("is_written", [False, True])
def test_a_preview_goes_forward_until_the_write_and_back_after_it(is_written: bool) -> None:
    desk = written(open_it=True) if is_written else proposed()
    preview = desk.review.preview(Selected("s/c"))
    assert preview.direction == ("back" if is_written else "forward")
    assert not preview.failed
    desk.editor.carry_out(preview.change)
    assert desk.text("a.txt") == (OLD if is_written else NEW)


def test_a_preview_of_one_hunk_is_that_hunk() -> None:
    preview = proposed().review.preview(Selected("s/c", 0, 0))
    (step,) = preview.change.steps
    assert isinstance(step, EditFile)
    assert [edit.text for edit in step.edits] == ["line three\n"]
    assert step.version is None


def test_both_texts_are_there_before_and_after_the_write() -> None:
    for desk in (proposed(), written()):
        assert desk.review.texts("s/c", 0) == (OLD, NEW)


def test_the_preview_text_is_a_patch() -> None:
    text = proposed().review.preview_text("s/c")
    assert text.startswith("diff --git ")
    assert "\n-line 3\n+line three\n" in text
    assert "\n@@ -13,7 +13,8 @@" in text


def test_what_is_wrong_with_a_patch_is_shown() -> None:
    broken = git_diff("diff --git a/x b/x\n@@ nonsense", PathChange(operation="modify", path="/x"))
    desk = Desk({})
    desk.call(status="pending", content=[broken])
    view = desk.view()
    assert view["problems"] or view["files"][0]["problems"]


def test_edits_of_the_user_elsewhere_move_the_hunks() -> None:
    desk = written(open_it=True)
    desk.editor.change(path("a.txt"), [TextEdit(0, 0, "typed\n\n")])
    ranges = [hunk["range"] for hunk in desk.view()["files"][0]["hunks"]]
    assert ranges == [{"startLine": 6, "endLine": 6}, {"startLine": 18, "endLine": 19}]


def test_a_hunk_that_the_user_changed_is_a_conflict_and_never_overwritten() -> None:
    desk = written(open_it=True)
    mine = NEW.replace("line three", "line three, mine")
    desk.types("a.txt", mine)
    assert desk.states() == ["conflict", "applied"]
    answer = desk.choose("reject", change_set="s/c")
    assert answer["changed"] == 1
    assert [each["hunk"] for each in answer["failed"]] == [0]
    assert desk.text("a.txt") == mine.replace("line fifteen\nand more\n", "line 15\n")


def test_what_was_refused_has_no_lens_but_can_still_be_had() -> None:
    desk = proposed()
    desk.asks()
    desk.answers("c", allow=False)
    desk.call(status="failed")
    assert desk.review.lenses(path("a.txt")) == []
    titles = [each.title for each in desk.review.actions(path("a.txt"), Span(3, 0, 3, 0))]
    assert titles[0] == "Accept this hunk of the agent"


def test_the_past_of_a_resumed_session_is_shown_and_left_alone() -> None:
    desk = Desk({"a.txt": NEW})
    desk.session.replaying = True
    desk.call(status="completed", content=[v1_diff("a.txt", OLD, NEW)])
    assert desk.states() == ["applied", "applied"]
    assert desk.review.lenses(path("a.txt")) == []
    desk.choose("reject")
    assert desk.text("a.txt") == NEW
    desk.choose("reject", change_set="s/c")
    assert desk.text("a.txt") == OLD
