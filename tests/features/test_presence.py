"""Presence: who works where now, in which colour, and when nobody does."""

from __future__ import annotations

from acp_sidecar.config import FollowSettings
from acp_sidecar.features.ports import Edit, Span
from acp_sidecar.session import reducer
from tests.features.follow_world import RICH, World


def places(world: World) -> list[tuple[str, str, int]]:
    return [(here["sessionId"], here["path"], here["line"]) for here in world.presence]


def test_presence_says_who_is_where_for_what_and_since_when() -> None:
    world = World()
    world.edit("1", "/w/a.py", 5, title="Edit a")
    world.now += 2
    assert world.presence == [
        {
            "sessionId": "s1",
            "agent": "claude",
            "colour": 0,
            "path": "/w/a.py",
            "uri": "file:///w/a.py",
            "line": 5,
            "endLine": 5,
            "basis": "location",
            "kind": "edit",
            "title": "Edit a",
            "toolCallId": "1",
            "age": 2.0,
        }
    ]


def test_presence_goes_on_while_follow_is_paused_and_off() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    world.act("typed", "/w/a.py")
    world.read("1", "/w/a.py", 6)
    world.wait(1)
    assert places(world) == [("s1", "/w/a.py", 6)]
    world.follow.set_mode(world.now, "off")
    world.read("1", "/w/a.py", 7)
    world.wait(1)
    assert places(world) == [("s1", "/w/a.py", 7)]
    assert world.editor.notified[-1]["presence"][0]["range"]["start"]["line"] == 6
    assert world.moves == [("/w/a.py", 5)]


def test_the_age_counts_from_when_the_agent_came_to_the_file() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    world.wait(2)
    world.read("1", "/w/a.py", 6)
    assert world.presence[0]["age"] == 2.0
    world.read("2", "/w/a.py", 7)
    world.wait(1)
    assert world.presence[0]["age"] < 2.0


def test_sessions_have_colours_of_their_own_and_free_ones_are_used_again() -> None:
    world = World()
    second, third = world.open("s2"), world.open("s3")
    world.read("1", "/w/a.py", 1)
    world.read("1", "/w/b.py", 2, session=second)
    world.wait(1)
    world.follow.session_closed(world.now, world.session)
    world.read("1", "/w/c.py", 3, session=third)
    world.wait(1)
    colours = {here["sessionId"]: here["colour"] for here in world.presence}
    assert colours == {"s2": 1, "s3": 0}


def test_the_end_of_a_turn_clears_the_presence_of_that_session() -> None:
    world = World()
    other = world.open("s2")
    world.read("1", "/w/a.py", 1)
    world.read("1", "/w/b.py", 2, session=other)
    world.wait(1)
    world.end_turn()
    assert places(world) == [("s2", "/w/b.py", 2)]
    assert [here["sessionId"] for here in world.editor.notified[-1]["presence"]] == ["s2"]


def test_an_agent_that_is_gone_is_nowhere_in_all_its_sessions() -> None:
    world = World()
    other, codex = world.open("s2"), world.open("s3", "codex")
    for session, path in ((world.session, "a"), (other, "b"), (codex, "c")):
        world.read("1", f"/w/{path}.py", 1, session=session)
        world.wait(1)
    world.read("2", "/w/b.py", 9)
    world.follow.agent_gone(world.now, "claude")
    world.wait(1)
    assert [session for session, _, _ in places(world)] == ["s3"]


def test_a_call_outside_a_turn_is_present_until_it_ends() -> None:
    world = World()
    world.end_turn()
    world.read("1", "/w/a.py", 5)
    assert places(world) == [("s1", "/w/a.py", 5)]
    world.call("1", status="completed")
    assert places(world) == []
    world.read("2", "/w/b.py", 5, status="completed")
    world.wait(1)
    assert places(world) == []
    assert world.moves[-1] == ("/w/b.py", 5)


def test_the_end_of_a_call_in_a_turn_leaves_the_agent_where_it_is() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    world.call("1", status="completed")
    assert places(world) == [("s1", "/w/a.py", 5)]


def test_presence_drifts_with_edits_and_follows_renames() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    edit = Edit(Span(0, 0, 0, 0), "x\n")
    world.follow.document_changed(world.now, "/w/a.py", [edit], by_us=True)
    assert places(world) == [("s1", "/w/a.py", 6)]
    change = {"operation": "move", "oldPath": "/w/a.py", "path": "/w/z.py"}
    content = [{"type": "diff", "changes": [change]}]
    world.call("2", kind="move", status="completed", content=content)
    assert places(world) == [("s1", "/w/z.py", 6)]


def test_nothing_is_sent_again_that_a_rich_client_knows() -> None:
    world = World(RICH, FollowSettings(enabled=False))
    world.read("1", "/w/a.py", 5)
    world.wait(1)
    sent = len(world.editor.notified)
    world.read("1", "/w/a.py", 5, title=None)
    world.call("1", status="in_progress")
    world.wait(1)
    reducer.turn_ended(world.session, None)
    assert len(world.editor.notified) == sent
