"""The trail: what is in it, walking it, and how it keeps up with edits and renames."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.config import FollowSettings
from acp_sidecar.features.drift import drifted
from acp_sidecar.features.places import LineRange
from acp_sidecar.features.ports import Edit, Span
from acp_sidecar.features.target import renaming
from tests.features.follow_world import PLAIN, World, numbered


def walked(count: int = 3, settings: FollowSettings | None = None) -> World:
    """An agent that reads lines 10, 20, 30, ... of a.py, each by a call of its own."""
    world = World(settings=settings)
    for index in range(1, count + 1):
        world.read(str(index), "/w/a.py", index * 10, status="completed")
        world.wait(1)
    return world


def line_shown(world: World) -> int:
    line: int = world.target["line"]
    return line


def test_an_entry_says_where_what_by_whom_and_how_long_ago() -> None:
    world = World()
    world.edit("1", "/w/a.py", 5, title="Edit a")
    world.now += 3
    assert world.follow.trail_view(world.now) == [
        {
            "sessionId": "s1",
            "agent": "claude",
            "path": "/w/a.py",
            "uri": "file:///w/a.py",
            "line": 5,
            "endLine": 5,
            "kind": "edit",
            "title": "Edit a",
            "toolCallId": "1",
            "age": 3.0,
            "state": "shown",
            "current": False,
        }
    ]


def test_what_was_passed_too_fast_is_in_the_trail_too() -> None:
    world = World()
    for line in (10, 20, 30):
        world.read(str(line), "/w/a.py", line)
    world.wait(1)
    assert world.trail == [
        ("/w/a.py", 10, "shown"),
        ("/w/a.py", 20, "passed"),
        ("/w/a.py", 30, "shown"),
    ]


def test_what_a_call_says_more_exactly_replaces_what_it_said() -> None:
    world = World()
    world.edit("1", "/w/a.py", title="Edit")
    world.edit("1", "/w/a.py", 7, title="Edit a")
    world.edit("1", "/w/a.py", 7, title="Edit a", kind="read")
    world.edit("1", "/w/a.py", 9)
    world.wait(1)
    assert [line for _, line, _ in world.trail] == [7, 9]


def test_each_diff_of_a_call_is_a_place_of_its_own() -> None:
    world = World()
    for line in (10, 50):
        change = {
            "operation": "modify",
            "path": "/w/a.py",
            "old_text": f"line {line}\n",
            "new_text": "x\n",
        }
        world.call("1", kind="edit", content=[{"type": "diff", "changes": [change]}])
        world.wait(1)
    assert [line for _, line, _ in world.trail] == [10, 50]


def test_the_oldest_go_first() -> None:
    world = walked(5, FollowSettings(trail=3))
    assert [line for _, line, _ in world.trail] == [30, 40, 50]
    world.follow.configure(FollowSettings(trail=2))
    assert [line for _, line, _ in world.trail] == [40, 50]


def test_walking_back_pauses_and_walking_past_the_end_goes_live() -> None:
    world = walked(3)
    assert world.follow.trail_move(world.now, "back")
    assert (line_shown(world), world.paused) == (20, "trail")
    assert world.editor.notified[-1]["trail"] == {"position": 2, "length": 3}
    assert world.follow.trail_move(world.now, "back")
    assert line_shown(world) == 10
    assert not world.follow.trail_move(world.now, "back")
    assert world.follow.trail_move(world.now, "forward")
    assert (line_shown(world), world.paused) == (20, "trail")
    assert world.follow.trail_move(world.now, "forward")
    assert (line_shown(world), world.follow.view()["paused"]) == (30, None)
    assert world.editor.notified[-1]["trail"] is None
    assert not world.follow.trail_move(world.now, "forward")


def test_the_agent_goes_on_during_a_walk_and_the_live_end_is_where_it_is_now() -> None:
    world = walked(3)
    world.follow.trail_move(world.now, "back")
    world.read("4", "/w/b.py", 40, status="completed")
    world.wait(1)
    assert line_shown(world) == 20
    world.follow.trail_move(world.now, "forward")
    assert line_shown(world) == 30
    world.follow.trail_move(world.now, "forward")
    assert (line_shown(world), world.paused) == (40, None)


def test_the_place_where_the_user_stands_may_be_dropped() -> None:
    world = walked(3, FollowSettings(trail=3))
    world.follow.trail_move(world.now, "back")
    world.follow.trail_move(world.now, "back")
    for index in range(4, 7):
        world.read(str(index), "/w/a.py", index * 10, status="completed")
        world.wait(1)
    assert world.follow.view()["trail"] == {"position": 1, "length": 3}
    world.follow.trail_move(world.now, "forward")
    assert line_shown(world) == 50


def test_a_prompt_ends_the_walk() -> None:
    world = walked(3)
    world.follow.trail_move(world.now, "back")
    world.follow.prompt_sent(world.now, world.session)
    assert world.follow.view()["trail"] is None
    world.follow.trail_move(world.now, "back")
    assert world.follow.view()["trail"] == {"position": 1, "length": 3}


def test_a_walk_passes_by_what_is_not_there() -> None:
    world = World()
    world.files.reasons["/w"] = "directory"
    world.read("1", "/w/a.py", 10, status="completed")
    world.wait(1)
    world.read("2", "/w", status="completed")
    world.wait(1)
    world.read("3", "/w/b.py", 20, status="completed")
    world.wait(1)
    world.read("4", "/w/c.py", 30, status="completed")
    world.wait(1)
    del world.files.files["/w/b.py"]
    world.follow.trail_move(world.now, "back")
    assert (world.target["path"], line_shown(world)) == ("/w/a.py", 10)
    assert [state for _, _, state in world.trail] == ["shown", "directory", "missing", "shown"]


def test_a_walk_keeps_to_the_session_that_is_followed() -> None:
    world = walked(2)
    other = world.open("s2")
    world.read("1", "/w/b.py", 1, session=other, status="completed")
    world.wait(1)
    world.follow.set_mode(world.now, "on", "s1")
    world.read("3", "/w/a.py", 30, status="completed")
    world.wait(1)
    world.follow.trail_move(world.now, "back")
    assert (world.target["path"], line_shown(world)) == ("/w/a.py", 20)


def test_the_trail_is_walked_also_while_follow_is_off() -> None:
    world = walked(2)
    world.follow.set_mode(world.now, "off")
    world.follow.trail_move(world.now, "back")
    assert (line_shown(world), world.follow.view()["mode"], world.paused) == (10, "off", None)


def test_plain_clients_are_walked_too() -> None:
    world = World(PLAIN)
    for line in (10, 20):
        world.read(str(line), "/w/a.py", line, status="completed")
        world.wait(1)
    world.follow.trail_move(world.now, "back")
    assert world.moves == [("/w/a.py", 10), ("/w/a.py", 20), ("/w/a.py", 10)]


def move(old: str, new: str) -> dict[str, Any]:
    return {"type": "diff", "changes": [{"operation": "move", "oldPath": old, "path": new}]}


def test_the_trail_survives_renames() -> None:
    world = walked(2)
    world.call("9", kind="move", status="in_progress", content=[move("/w/a.py", "/w/new.py")])
    assert world.trail[0][0] == "/w/a.py"
    world.files.files["/w/new.py"] = world.files.files.pop("/w/a.py")
    world.call("9", status="completed")
    world.wait(1)
    assert {path for path, _, _ in world.trail} == {"/w/new.py"}
    world.follow.trail_move(world.now, "back")
    assert world.target["path"] == "/w/new.py"


@pytest.mark.parametrize(
    ("old", "path", "new"),
    [
        ("/w/a", "/w/a", "/w/b"),
        ("/w/a", "/w/a/x.py", "/w/b/x.py"),
        ("/w/a", "/w/a.py", None),
        ("/w/a", "/w", None),
    ],
)
def test_renaming_a_folder_renames_what_is_in_it(old: str, path: str, new: str | None) -> None:
    assert renaming(old, "/w/b")(path) == new


def test_places_drift_with_edits() -> None:
    world = walked(2)
    above = Edit(Span(0, 0, 0, 0), "x\ny\n")
    world.follow.document_changed(world.now, "/w/a.py", [above], by_us=True)
    assert [line for _, line, _ in world.trail] == [12, 22]
    world.follow.document_changed(world.now, "/w/b.py", [above], by_us=True)
    assert [line for _, line, _ in world.trail] == [12, 22]
    world.follow.trail_move(world.now, "back")
    assert line_shown(world) == 12


INSERT = Edit(Span(5, 0, 5, 0), "x\n")
DRIFTS = [
    ("insert above", LineRange(9, 9), Edit(Span(0, 0, 0, 0), "x\n"), LineRange(10, 10)),
    ("insert below", LineRange(3, 3), INSERT, LineRange(3, 3)),
    ("insert right before", LineRange(5, 5), INSERT, LineRange(6, 6)),
    ("insert right behind", LineRange(3, 4), INSERT, LineRange(3, 4)),
    ("insert inside", LineRange(4, 6), INSERT, LineRange(4, 7)),
    ("windows ending", LineRange(5, 5), Edit(Span(0, 0, 0, 0), "x\r\ny\r"), LineRange(7, 7)),
    ("delete above", LineRange(9, 9), Edit(Span(2, 0, 4, 0), ""), LineRange(7, 7)),
    ("delete all of it", LineRange(5, 6), Edit(Span(4, 0, 8, 0), ""), LineRange(4, 4)),
    ("delete its end", LineRange(5, 8), Edit(Span(7, 0, 9, 0), ""), LineRange(5, 6)),
    ("type in the line", LineRange(5, 5), Edit(Span(5, 3, 5, 4), "xy"), LineRange(5, 5)),
    ("break the line", LineRange(5, 5), Edit(Span(5, 3, 5, 3), "\n"), LineRange(5, 6)),
    ("break the line above", LineRange(5, 5), Edit(Span(4, 3, 4, 3), "\n"), LineRange(6, 6)),
    ("join with the line above", LineRange(5, 5), Edit(Span(4, 3, 5, 0), ""), LineRange(4, 4)),
    (
        "reload the file",
        LineRange(5, 8),
        Edit(Span(0, 0, 100, 0), numbered(101)),
        LineRange(5, 8),
    ),
    ("the file becomes short", LineRange(5, 8), Edit(Span(0, 0, 100, 0), "x\n"), LineRange(1, 1)),
]


@pytest.mark.parametrize(
    ("lines", "edit", "after"), [case[1:] for case in DRIFTS], ids=[case[0] for case in DRIFTS]
)
def test_drift(lines: LineRange, edit: Edit, after: LineRange) -> None:
    assert drifted(lines, [edit]) == after


TEXTS = st.text(st.sampled_from("ab\n"), max_size=12)


@st.composite
def edits_elsewhere(draw: st.DrawFn) -> tuple[list[str], int, Edit, str]:
    """A text of distinct lines, one of them marked, and an edit that leaves the mark alone."""
    count = draw(st.integers(1, 12))
    lines = [f"{index}\n" for index in range(count)]
    mark = draw(st.integers(0, count - 1))
    lines[mark] = "MARK\n"
    before = draw(st.booleans())
    low, high = (0, mark) if before else (mark + 1, count)
    start, end = sorted([draw(st.integers(low, high)), draw(st.integers(low, high))])
    text = draw(TEXTS)
    if before and text and not text.endswith("\n"):
        text += "\n"
    return lines, mark, Edit(Span(start, 0, end, 0), text), text


@given(edits_elsewhere())
def test_a_line_that_no_edit_touches_is_found_again(
    case: tuple[list[str], int, Edit, str],
) -> None:
    lines, mark, edit, text = case
    after = "".join(lines[: edit.span.start_line]) + text + "".join(lines[edit.span.end_line :])
    found = drifted(LineRange(mark, mark), [edit])
    assert found.start == found.end
    assert after.split("\n")[found.start] == "MARK"


POINTS = st.tuples(st.integers(0, 9), st.integers(0, 9))
SPANS = st.tuples(POINTS, POINTS).map(sorted).map(lambda two: Span(*two[0], *two[1]))


@given(st.integers(0, 9), st.integers(0, 9), st.lists(st.builds(Edit, SPANS, TEXTS), max_size=5))
def test_drift_keeps_ranges_sound(start: int, length: int, edits: list[Edit]) -> None:
    lines = drifted(LineRange(start, start + length), edits)
    assert 0 <= lines.start <= lines.end
