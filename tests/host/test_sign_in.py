"""Requests that are refused for want of a sign-in are tried once more after it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from acp_sidecar.errors import AgentError, AgentExited, AuthRequired
from acp_sidecar.session.state import Session
from tests.host.world import V1, V2, Json, World

AUTH = -32000
WANTED = "Authentication required"

V1_RESUMES: Json = {**V1, "agentCapabilities": {"sessionCapabilities": {"resume": {}}}}
V1_LOADS: Json = {**V1, "agentCapabilities": {"loadSession": True}}


def refused(world: World, method: str) -> Callable[[AgentError | None], None]:
    """Refuse the request; returns what tells that the user has signed in, or has given up."""
    world.agent.refuses(method, AUTH, WANTED)
    error, done = world.ears.sign_ins.pop()
    assert "wants you to sign in" in str(error)
    return done


@pytest.mark.parametrize("introduction", [V1, V2], ids=["v1", "v2"])
def test_a_session_is_opened_after_the_sign_in(introduction: Json) -> None:
    world = World()
    world.ready(introduction)
    world.new()
    signed_in = refused(world, "session/new")
    assert world.host.auth_required
    assert (world.failures, world.agent.open) == ([], [])
    signed_in(None)
    world.agent.answers("session/new", {"sessionId": "s"})
    assert [session.session_id for session in world.opened] == ["s"]


def test_it_is_tried_again_once() -> None:
    world = World()
    world.ready()
    world.new()
    refused(world, "session/new")(None)
    world.agent.refuses("session/new", AUTH, WANTED)
    assert world.ears.sign_ins == []
    assert isinstance(world.failures[0], AuthRequired)
    assert "acp.agent.login" in str(world.failures[0])


def test_who_gives_up_is_told_why_nothing_came_of_it() -> None:
    world = World()
    world.ready()
    world.new()
    gave_up = AuthRequired("You are not signed in.")
    refused(world, "session/new")(gave_up)
    assert (world.failures, world.agent.open) == ([gave_up], [])


def test_the_other_requests_are_tried_again_too() -> None:
    world = World()
    session = world.with_session()
    mode = {"type": "select", "configId": "mode", "name": "M", "currentValue": "", "options": []}
    world.agent.tells("s", "config_option_update", configOptions=[mode])
    done: list[object] = []
    world.sessions.list_page(world.host, None, None, done.append, world.failures.append)
    world.sessions.set_option(world.host, session, "mode", "ask", done.append)
    world.sessions.delete(world.host, "other", done.append)
    answers: dict[str, Json] = {
        "session/list": {"sessions": []},
        "session/set_config_option": {"configOptions": []},
        "session/delete": {},
    }
    for method, answer in answers.items():
        refused(world, method)(None)
        world.agent.answers(method, answer)
    assert world.failures == []
    assert len(done) == 3


# --- prompts --------------------------------------------------------------------------------------


def prompted(introduction: Json = V2) -> tuple[World, Session]:
    world = World()
    session = world.with_session(introduction)
    world.prompt(session)
    return world, session


@pytest.mark.parametrize("introduction", [V1, V2], ids=["v1", "v2"])
def test_a_prompt_is_sent_again_in_the_same_turn(introduction: Json) -> None:
    world, session = prompted(introduction)
    signed_in = refused(world, "session/prompt")
    assert session.busy
    signed_in(None)
    again = world.agent.asked("session/prompt")
    assert again.params["prompt"] == [{"type": "text", "text": "hi"}]
    assert world.ears.heard.count("turn started") == 1
    if introduction is V1:
        assert len(session.messages) == 1  # the user has said it once


def test_a_prompt_that_is_refused_again_has_failed() -> None:
    world, session = prompted()
    refused(world, "session/prompt")(None)
    world.agent.refuses("session/prompt", AUTH, WANTED)
    assert (session.busy, session.stop_reason) == (False, "error")
    assert session.error is not None
    assert session.error.code == AUTH


def test_giving_up_ends_the_turn() -> None:
    world, session = prompted()
    refused(world, "session/prompt")(AuthRequired("You are not signed in."))
    assert (session.busy, session.stop_reason) == (False, "error")
    assert session.error is not None
    assert session.error.message == "You are not signed in."


def test_cancelling_while_asked_ends_the_turn_and_sends_nothing() -> None:
    world, session = prompted()
    signed_in = refused(world, "session/prompt")
    world.sessions.turns.cancel(world.host, session)
    assert (session.busy, session.stop_reason) == (False, "cancelled")
    signed_in(None)
    assert (world.agent.open, world.agent.notified) == ([], [])


@pytest.mark.parametrize("introduction", [V1_RESUMES, V2], ids=["v1", "v2"])
def test_a_restarted_agent_is_told_which_session_it_is(introduction: Json) -> None:
    world, session = prompted(introduction)
    signed_in = refused(world, "session/prompt")
    restart(world, introduction)
    assert session.busy
    signed_in(None)
    world.agent.answers("session/resume", {})
    assert world.agent.asked("session/prompt").params["sessionId"] == "s"
    assert session.busy


def test_an_agent_that_only_loads_tells_the_session_anew() -> None:
    world, _ = prompted(V1_LOADS)
    signed_in = refused(world, "session/prompt")
    restart(world, V1_LOADS)
    signed_in(None)
    world.agent.answers("session/load", {})
    world.agent.answers("session/prompt", {"stopReason": "end_turn"})
    (session,) = world.store.by_key.values()
    assert (session.busy, session.stop_reason) == (False, "end_turn")


def test_a_session_that_the_restarted_agent_does_not_know_ends_its_turn() -> None:
    world, session = prompted()
    signed_in = refused(world, "session/prompt")
    restart(world, V2)
    signed_in(None)
    world.agent.refuses("session/resume", -32002, "no such session")
    assert (session.busy, session.stop_reason) == (False, "error")


def restart(world: World, introduction: Json) -> None:
    world.host.restart(world.readiness.append)
    world.agent.exits(expected=True)
    world.run()
    world.agent.answers("initialize", introduction)
    assert world.readiness[-1] is None


@pytest.mark.parametrize("what", ["close", "tool call", "terminal"])
def test_closing_and_stopping_are_tried_again_too(what: str) -> None:
    world = World()
    session = world.with_session()
    done: list[object] = []
    methods = {
        "close": "session/close",
        "tool call": "tool_call/cancel",
        "terminal": "terminal/cancel",
    }
    sessions = world.sessions
    if what == "close":
        sessions.close(world.host, session, done.append)
    elif what == "tool call":
        sessions.stop_tool_call(world.host, session, "c", done.append)
    else:
        sessions.stop_terminal(world.host, session, "t", done.append)
    refused(world, methods[what])(None)
    assert (done, session.closed) == ([], False)
    world.agent.answers(methods[what], {})
    assert done == [None]
    assert session.closed == (what == "close")


def test_closing_what_an_agent_that_is_gone_had_open_fails_and_starts_nothing() -> None:
    world = World()
    session = world.with_session()
    world.agent.exits()
    done: list[object] = []
    world.sessions.close(world.host, session, done.append)
    assert isinstance(done[0], AgentExited)
    assert len(world.programs.starts) == 1


def test_who_is_signed_out_in_a_turn_keeps_what_was_said() -> None:
    """The second prompt is refused for want of a sign-in: the turn goes on, the prompt is held."""
    world = World()
    session = world.with_session()
    world.prompt(session, "first")
    world.agent.answers("session/prompt", {})
    world.agent.tells("s", "state_update", state="running")
    world.prompt(session, "second")
    world.agent.refuses("session/prompt", AUTH, WANTED)
    assert session.busy
    assert [(each.text, each.state) for each in session.queued] == [("second", "held")]
    world.agent.tells("s", "state_update", state="idle", stopReason="end_turn")
    world.sessions.turns.release(world.host, session)
    signed_in = refused(world, "session/prompt")
    signed_in(None)
    world.agent.answers("session/prompt", {})
    assert (session.busy, session.queued) == (True, [])
