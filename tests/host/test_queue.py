"""Prompts that wait: in their order, held when they may be unwanted, and never lost."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.session.queue import QueuedPrompt
from acp_sidecar.session.state import Session
from tests.host.world import V1, V2, World

Json = Any


def running(introduction: Json) -> tuple[World, Session]:
    """A session with a turn that runs."""
    world = World()
    session = world.with_session(introduction)
    world.prompt(session, "first")
    if introduction is V2:
        world.agent.answers("session/prompt", {})
        world.agent.tells("s", "state_update", state="running")
    return world, session


def ends(world: World, introduction: Json, reason: str = "end_turn") -> None:
    """The agent ends the turn."""
    if introduction is V1:
        world.agent.answers("session/prompt", {"stopReason": reason})
    else:
        world.agent.tells("s", "state_update", state="idle", stopReason=reason)


def queued(session: Session) -> list[tuple[str, str]]:
    return [(each.text, each.state) for each in session.queued]


def asked(world: World) -> list[str]:
    """The first text of every prompt that the agent has not answered."""
    prompts = [each for each in world.agent.open if each.method == "session/prompt"]
    return [each.params["prompt"][0]["text"] for each in prompts]


def wait(world: World, session: Session, text: str) -> None:
    prompt = QueuedPrompt(text, text, [{"type": "text", "text": text}])
    assert not world.sessions.turns.prompt(world.host, session, prompt, wait=True)


both = pytest.mark.parametrize("introduction", [V1, V2], ids=["v1", "v2"])


def test_v1_is_prompted_one_turn_after_the_other() -> None:
    world, session = running(V1)
    world.prompt(session, "second")
    world.prompt(session, "third")
    assert asked(world) == ["first"]
    assert world.ears.queues[-1] == [("second", "waiting"), ("third", "waiting")]
    ends(world, V1)
    assert (asked(world), queued(session)) == (["second"], [("third", "waiting")])
    assert session.busy
    ends(world, V1)
    assert (asked(world), queued(session)) == (["third"], [])
    ends(world, V1)
    assert not session.busy


def test_v2_has_a_prompt_at_once_and_it_is_shown_until_it_is_taken() -> None:
    world, session = running(V2)
    world.prompt(session, "second")
    assert (asked(world), queued(session)) == (["second"], [("second", "sent")])
    world.agent.answers("session/prompt", {})
    assert queued(session) == []
    assert world.ears.queues[-1] == []


def test_a_turn_follows_if_v2_takes_the_prompt_after_the_end_of_the_turn_before() -> None:
    world, session = running(V2)
    world.prompt(session, "second")
    ends(world, V2)
    assert session.busy
    world.agent.answers("session/prompt", {})
    ends(world, V2)
    assert (session.busy, session.stop_reason) == (False, "end_turn")


@both
def test_who_wants_to_wait_waits_for_the_end_of_the_turn(introduction: Json) -> None:
    world, session = running(introduction)
    wait(world, session, "second")
    before = asked(world)
    assert "second" not in before
    ends(world, introduction)
    assert asked(world) == ["second"]


def test_v2_is_not_sent_ahead_of_what_waits() -> None:
    world, session = running(V2)
    wait(world, session, "second")
    world.prompt(session, "third")
    assert queued(session) == [("second", "waiting"), ("third", "waiting")]


@pytest.mark.parametrize("reason", ["cancelled", "refusal"])
@both
def test_what_waited_for_a_turn_that_failed_is_held_until_it_is_released(
    introduction: Json, reason: str
) -> None:
    world, session = running(introduction)
    wait(world, session, "second")
    wait(world, session, "third")
    ends(world, introduction, reason)
    assert queued(session) == [("second", "held"), ("third", "held")]
    assert (asked(world), world.ears.held) == ([], [2])
    assert world.sessions.turns.release(world.host, session) == 2
    assert (asked(world), queued(session)) == (["second"], [("third", "waiting")])


def test_what_is_said_while_a_turn_is_being_cancelled_is_sent_after_it() -> None:
    world, session = running(V2)
    wait(world, session, "old")
    world.sessions.turns.cancel(world.host, session)
    world.prompt(session, "new")
    assert queued(session) == [("old", "held"), ("new", "waiting")]
    ends(world, V2, "cancelled")
    assert (asked(world), queued(session)) == (["new"], [("old", "held")])


@both
def test_what_is_released_while_a_turn_is_being_cancelled_is_sent_after_it(
    introduction: Json,
) -> None:
    world, session = running(introduction)
    wait(world, session, "second")
    wait(world, session, "third")
    world.sessions.turns.cancel(world.host, session)
    assert queued(session) == [("second", "held"), ("third", "held")]
    assert world.sessions.turns.release(world.host, session) == 2
    assert not {"second", "third"} & set(asked(world))
    ends(world, introduction, "cancelled")
    assert (asked(world), queued(session)) == (["second"], [("third", "waiting")])
    world.sessions.turns.cancel(world.host, session)
    assert queued(session) == [("third", "held")]


def test_an_error_of_the_prompt_holds_what_waits_for_it() -> None:
    world, session = running(V1)
    world.prompt(session, "second")
    world.agent.refuses("session/prompt", -32603, "model down")
    assert queued(session) == [("second", "held")]


@both
def test_an_agent_that_ends_leaves_every_prompt_held(introduction: Json) -> None:
    world, session = running(introduction)
    world.prompt(session, "second")
    world.agent.exits()
    assert queued(session) == [("second", "held")]
    assert (session.busy, world.ears.held) == (False, [1])


def test_an_agent_that_refuses_a_second_prompt_is_asked_after_the_turn() -> None:
    world, session = running(V2)
    world.prompt(session, "second")
    world.agent.refuses("session/prompt", -32603, "busy")
    assert (session.busy, session.error) == (True, None)
    assert queued(session) == [("second", "waiting")]
    world.prompt(session, "third")
    assert asked(world) == []  # it is not asked that way again
    ends(world, V2)
    assert asked(world) == ["second"]


def test_a_second_prompt_that_is_refused_after_the_turn_leaves_no_turn_behind() -> None:
    world, session = running(V2)
    world.prompt(session, "second")
    ends(world, V2)
    assert session.busy
    world.agent.refuses("session/prompt", -32603, "busy")
    assert asked(world) == ["second"]
    world.agent.refuses("session/prompt", -32603, "still no")
    assert (session.busy, queued(session), asked(world)) == (False, [], [])
    assert session.error is not None


def test_a_prompt_is_taken_out_before_it_is_sent_and_not_after() -> None:
    world, session = running(V2)
    world.prompt(session, "sent")
    wait(world, session, "waits")
    turns = world.sessions.turns
    assert turns.unqueue(session, "nothing") is None
    taken = turns.unqueue(session, "waits")
    kept = turns.unqueue(session, "sent")
    assert taken is not None
    assert (taken.text, kept and kept.state) == ("waits", "sent")
    assert queued(session) == [("sent", "sent")]


def test_notes_go_with_the_prompt_that_is_sent_next_and_only_once() -> None:
    world, session = running(V1)
    world.prompt(session, "second")
    world.ears.notes = [{"type": "text", "text": "undone: a hunk"}]
    ends(world, V1)
    (prompt,) = world.agent.open
    assert [block["text"] for block in prompt.params["prompt"]] == ["second", "undone: a hunk"]


def test_closing_and_deleting_send_nothing_more() -> None:
    world, session = running(V1)
    world.prompt(session, "second")
    world.sessions.close(world.host, session, lambda _error: None)
    world.agent.answers("session/close", {})
    assert (session.busy, asked(world), queued(session)) == (False, ["first"], [("second", "held")])


def test_a_session_told_anew_keeps_its_queue() -> None:
    world, session = running(V2)
    world.prompt(session, "second")
    world.agent.exits()
    world.host.when_ready(world.readiness.append)
    world.run()
    world.agent.answers("initialize", V2)
    world.sessions.resume(
        world.host,
        "s",
        "/p",
        [],
        replay=True,
        done=world.opened.append,
        failed=world.failures.append,
    )
    world.agent.answers("session/resume", {})
    again = world.opened[-1]
    assert again is not session
    assert queued(again) == [("second", "held")]
    world.sessions.turns.release(world.host, again)
    assert asked(world) == ["second"]
