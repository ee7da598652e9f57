"""Sessions and turns: what is sent, what is so, and what the listener hears."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.errors import AgentError, NotSupported, SidecarError
from acp_sidecar.session.handshake import SessionList
from acp_sidecar.session.state import Session
from tests.host.world import TIMEOUTS, V1, V2, World

Json = Any

IDLE = {"state": "idle", "stopReason": "end_turn"}


def text(value: str) -> Json:
    return {"type": "text", "text": value}


def summary(session: Session) -> tuple[bool, str, str | None]:
    return session.busy, session.state, session.stop_reason


# --- opening --------------------------------------------------------------------------------------


def test_a_new_session_is_asked_for_once_the_agent_is_ready() -> None:
    world = World()
    world.new()
    world.run()
    world.agent.answers("initialize", V2)
    asked = world.agent.open[-1]
    assert (asked.method, asked.params["cwd"], asked.timeout) == (
        "session/new",
        "/p",
        TIMEOUTS.request,
    )
    world.agent.answers("session/new", {"sessionId": "s"})
    assert [session.session_id for session in world.opened] == ["s"]
    assert world.ears.heard == ["opened s"]


@pytest.mark.parametrize("result", [None, {}, {"sessionId": 5}])
@pytest.mark.parametrize("introduction", [V1, V2])
def test_a_session_without_an_id_is_none(introduction: Json, result: Json) -> None:
    world = World()
    world.ready(introduction)
    world.new()
    world.agent.answers("session/new", result)
    assert isinstance(world.failures[0], AgentError)
    assert (world.opened, world.store.by_key) == ([], {})


def test_no_answer_and_no_agent_fail_the_opening() -> None:
    world = World()
    world.ready()
    world.new()
    world.agent.is_silent("session/new")
    world.new()
    world.agent.exits()
    assert len(world.failures) == 2
    world.new()
    world.programs.starts[-1].on_failed(AgentError("will not start"))
    assert str(world.failures[2]) == "will not start"


def test_updates_before_the_session_is_known_are_applied_when_it_is() -> None:
    world = World()
    world.ready()
    world.new()
    for piece in "ab":
        world.agent.tells("s", "agent_message_chunk", messageId="m", content=text(piece))
    world.agent.answers("session/new", {"sessionId": "s"})
    (message,) = world.opened[0].messages.values()
    assert [str(block) for block in message.content] == ["ab"]
    assert world.ears.codes == ["early-update"]
    assert world.ears.heard == ["opened s", "agent m", "agent m"]


def test_options_from_the_settings_are_set_if_there_are_such() -> None:
    world = World(options={"mode": "ask", "nope": True})
    world.ready()
    world.new()
    option = {"type": "select", "configId": "mode", "name": "M", "currentValue": "x", "options": []}
    world.agent.answers("session/new", {"sessionId": "s", "configOptions": [option]})
    (asked,) = world.agent.open
    assert asked.params == {"sessionId": "s", "configId": "mode", "type": "id", "value": "ask"}
    changed = [{**option, "currentValue": "ask"}]
    world.agent.answers("session/set_config_option", {"configOptions": changed})
    current = world.opened[0].config_options[0]
    assert current.model_dump()["currentValue"] == "ask"


# --- turns of v2 ----------------------------------------------------------------------------------


def test_a_turn_of_v2() -> None:
    world = World()
    session = world.with_session()
    world.prompt(session)
    assert world.agent.open[-1].timeout is None
    assert summary(session) == (True, "idle", None)
    world.agent.answers("session/prompt", {"messageId": "m"})
    world.agent.tells("s", "state_update", state="running")
    assert summary(session) == (True, "running", None)
    world.agent.tells("s", "state_update", **IDLE)
    assert summary(session) == (False, "idle", "end_turn")
    assert world.ears.heard[1:] == [
        "turn started",
        "state",
        "state",
        "turn ended, told: end_turn",
    ]


def test_v2_may_be_prompted_while_it_is_busy() -> None:
    world = World()
    session = world.with_session()
    world.prompt(session)
    world.prompt(session, "and also")
    assert [asked.method for asked in world.agent.open] == ["session/prompt"] * 2


def test_a_prompt_that_is_refused_ends_its_turn() -> None:
    world = World()
    session = world.with_session()
    world.prompt(session)
    world.agent.refuses("session/prompt", -32603, "model down")
    assert summary(session) == (False, "idle", "error")
    assert session.error is not None
    assert "model down" in session.error.message
    assert world.ears.heard[-1] == "turn ended, untold: error"


def test_a_refusal_after_the_turn_ended_changes_nothing() -> None:
    world = World()
    session = world.with_session()
    world.prompt(session)
    world.agent.tells("s", "state_update", **IDLE)
    world.agent.refuses("session/prompt", -32603, "late")
    assert summary(session) == (False, "idle", "end_turn")


def test_a_prompt_whose_request_was_cancelled_is_a_cancelled_turn() -> None:
    world = World()
    session = world.with_session(V1)
    world.prompt(session)
    world.agent.refuses("session/prompt", -32800, "cancelled")
    assert summary(session) == (False, "idle", "cancelled")
    assert session.error is None


# --- turns of v1 ----------------------------------------------------------------------------------


def test_a_turn_of_v1_in_v2s_words() -> None:
    world = World()
    session = world.with_session(V1)
    world.prompt(session, "hello")
    assert summary(session) == (True, "running", None)
    (message,) = session.messages.values()
    assert (message.role, str(message.content[0])) == ("user", "hello")
    world.agent.answers("session/prompt", {"stopReason": "refusal"})
    assert summary(session) == (False, "idle", "refusal")
    assert world.ears.heard[-1] == "turn ended, told: refusal"


def test_an_echo_of_the_prompt_is_not_shown_twice() -> None:
    world = World()
    session = world.with_session(V1)
    world.prompt(session, "hello you")
    for piece in ("hello ", "you"):
        world.agent.tells("s", "user_message_chunk", content=text(piece))
    assert len(session.messages) == 1


# --- cancelling -----------------------------------------------------------------------------------


def test_cancelling_marks_unfinished_calls_and_later_updates_still_count() -> None:
    world = World()
    session = world.with_session()
    world.prompt(session)
    for call, status in {"a": "in_progress", "b": "pending", "c": "completed"}.items():
        world.agent.tells("s", "tool_call_update", toolCallId=call, status=status)
    world.sessions.turns.cancel(world.host, session)
    assert world.agent.notified == [("session/cancel", {"sessionId": "s"})]
    statuses = {name: call.status for name, call in session.tool_calls.items()}
    assert statuses == {"a": "cancelled", "b": "cancelled", "c": "completed"}
    assert session.busy
    world.agent.tells("s", "tool_call_update", toolCallId="a", status="failed", rawOutput="sigint")
    world.agent.tells("s", "state_update", state="idle", stopReason="cancelled")
    assert session.tool_calls["a"].status == "failed"
    assert session.tool_calls["a"].raw_output == "sigint"
    assert summary(session) == (False, "idle", "cancelled")
    assert not session.cancelling


@pytest.mark.parametrize("introduction", [V1, V2])
def test_a_prompt_after_a_cancelled_turn_is_a_new_one(introduction: Json) -> None:
    world = World()
    session = world.with_session(introduction)
    world.prompt(session)
    world.sessions.turns.cancel(world.host, session)
    result = {"stopReason": "cancelled"} if introduction is V1 else {"messageId": "m"}
    world.agent.answers("session/prompt", result)
    world.agent.tells("s", "state_update", state="idle", stopReason="cancelled")
    world.prompt(session)
    assert (session.busy, session.cancelling, session.stop_reason) == (True, False, None)


# --- the end of the agent -------------------------------------------------------------------------


@pytest.mark.parametrize("introduction", [V1, V2])
def test_an_agent_that_ends_in_a_turn_ends_the_turn(introduction: Json) -> None:
    world = World()
    session = world.with_session(introduction)
    world.prompt(session)
    world.agent.tells("s", "tool_call_update", toolCallId="a", status="in_progress")
    world.agent.exits()
    assert summary(session) == (False, "idle", "error")
    assert session.error is not None
    assert session.tool_calls["a"].status == "cancelled"
    ends = [told for told in world.ears.heard if told.startswith("turn ended")]
    assert ends == ["turn ended, untold: error"]


# --- resuming, closing, deleting, listing ---------------------------------------------------------


def resume(world: World, session_id: str = "s", *, replay: bool = True) -> None:
    world.sessions.resume(
        world.host,
        session_id,
        "/p",
        [],
        replay=replay,
        done=world.opened.append,
        failed=world.failures.append,
    )


def test_a_past_that_is_told_again_replaces_what_was_known() -> None:
    world = World()
    world.with_session()
    world.agent.tells("s", "agent_message_chunk", messageId="m", content=text("once"))
    resume(world)
    assert world.agent.open[-1].params["replayFrom"] == {"type": "start"}
    assert world.store.by_key["s"].replaying
    world.agent.tells("s", "agent_message_chunk", messageId="m", content=text("once"))
    world.agent.tells("s", "tool_call_update", toolCallId="c", status="completed")
    world.agent.answers("session/resume", {})
    session = world.opened[-1]
    (message,) = session.messages.values()
    assert (str(message.content[0]), message.replayed) == ("once", True)
    assert session.tool_calls["c"].replayed
    assert not session.replaying
    assert world.store.by_key == {"s": session}


def test_a_session_resumed_without_its_past_keeps_what_is_known() -> None:
    world = World()
    session = world.with_session()
    world.agent.tells("s", "agent_message_chunk", messageId="m", content=text("once"))
    resume(world, replay=False)
    assert "replayFrom" not in world.agent.open[-1].params
    world.agent.answers("session/resume", {})
    assert world.opened[-1] is session
    assert len(session.messages) == 1


def test_v1_loads_its_past() -> None:
    world = World()
    world.ready(V1)
    resume(world, "old")
    assert world.agent.open[-1].method == "session/load"
    world.agent.tells("old", "user_message_chunk", content=text("then"))
    world.agent.answers("session/load", None)
    (message,) = world.opened[-1].messages.values()
    assert message.replayed


def test_an_unknown_session_is_not_there_after_a_failed_resume() -> None:
    world = World()
    world.ready()
    resume(world, "nope")
    world.agent.refuses("session/resume", -32002, "Session not found")
    assert "not found" in str(world.failures[0])
    assert world.store.by_key == {}


def test_an_agent_that_cannot_resume_says_so() -> None:
    world = World()
    world.ready({"protocolVersion": 1})
    resume(world)
    assert isinstance(world.failures[0], NotSupported)
    assert world.agent.open == []


def test_closing_ends_the_turn_and_keeps_the_session() -> None:
    world = World()
    session = world.with_session()
    done: list[SidecarError | None] = []
    world.prompt(session)
    world.sessions.close(world.host, session, done.append)
    world.agent.answers("session/close", {})
    assert done == [None]
    assert session.closed
    assert summary(session) == (False, "idle", "cancelled")
    assert world.store.by_key == {"s": session}


def test_deleting_forgets_the_session() -> None:
    world = World()
    world.with_session()
    done: list[SidecarError | None] = []
    world.sessions.delete(world.host, "s", done.append)
    world.agent.answers("session/close", {})
    world.agent.answers("session/delete", {})
    assert done == [None]
    assert world.store.by_key == {}
    world.sessions.delete(world.host, "s", done.append)
    world.agent.refuses("session/delete", -32002, "Session not found")
    assert "not found" in str(done[1])


def test_pages_of_sessions() -> None:
    world = World()
    pages: list[SessionList] = []
    world.ready()
    world.sessions.list_page(world.host, "/p", "c", pages.append, world.failures.append)
    assert world.agent.open[-1].params == {"cwd": "/p", "cursor": "c"}
    page = {"sessions": [{"sessionId": "a", "cwd": "/p"}, {"bad": 1}], "nextCursor": "d"}
    world.agent.answers("session/list", page)
    assert [one.session_id for one in pages[0].sessions] == ["a"]
    assert pages[0].next_cursor == "d"
    assert world.ears.codes == ["invalid-item"]


@pytest.mark.parametrize("introduction", [V1, V2], ids=["v1", "v2"])
def test_an_open_session_is_cancelled_and_closed_before_it_is_deleted(introduction: Json) -> None:
    deletes = {"loadSession": True, "sessionCapabilities": {"close": {}, "delete": {}}}
    world = World()
    session = world.with_session(
        introduction if introduction is V2 else {**V1, "agentCapabilities": deletes}
    )
    world.prompt(session)
    done: list[SidecarError | None] = []
    world.sessions.delete(world.host, "s", done.append)
    assert world.agent.notified == [("session/cancel", {"sessionId": "s"})]
    world.agent.refuses("session/close", -32603, "not now")  # what counts is the deletion
    world.agent.answers("session/delete", {})
    assert (done, session.busy, world.store.by_key) == ([None], False, {})
    world.agent.tells("s", "agent_message_chunk", messageId="m", content=text("a ghost"))
    assert world.store.by_key == {}


# --- the further roots ----------------------------------------------------------------------------

ROOTS: Json = {**V2, "capabilities": {"session": {"additionalDirectories": {}}}}


def test_changed_roots_are_told_to_agents_that_take_them_before_the_next_prompt() -> None:
    world = World()
    session = world.with_session(ROOTS)
    went_on: list[bool] = []

    def rooted(*directories: str) -> None:
        world.sessions.with_roots(world.host, session, directories, lambda: went_on.append(True))

    rooted()
    assert (went_on, world.agent.open) == ([True], [])
    rooted("/other")
    assert went_on == [True]
    params = world.agent.open[-1].params
    assert (params["additionalDirectories"], "replayFrom" in params) == (["/other"], False)
    world.agent.answers("session/resume", {})
    assert (went_on, session.additional_directories) == ([True, True], ["/other"])
    rooted()
    world.agent.refuses("session/resume", -32603, "no")
    assert (len(went_on), session.additional_directories) == (3, ["/other"])
    assert world.ears.codes == ["roots-not-taken"]


@pytest.mark.parametrize("introduction", [V1, V2], ids=["v1", "v2"])
def test_agents_that_take_no_roots_are_not_bothered(introduction: Json) -> None:
    world = World()
    session = world.with_session(introduction)
    went_on: list[bool] = []
    world.sessions.with_roots(world.host, session, ["/other"], lambda: went_on.append(True))
    assert (went_on, world.agent.open) == ([True], [])


# --- agents that answer nothing -------------------------------------------------------------------


def test_silence_fails_what_was_asked_and_changes_nothing() -> None:
    world = World()
    session = world.with_session()
    done: list[SidecarError | None] = []
    pages: list[SessionList] = []
    world.sessions.list_page(world.host, None, None, pages.append, world.failures.append)
    world.sessions.close(world.host, session, done.append)
    world.sessions.stop_tool_call(world.host, session, "c", done.append)
    world.sessions.delete(world.host, "other", done.append)
    resume(world, replay=False)
    methods = [asked.method for asked in world.agent.open]
    for method in methods:
        world.agent.is_silent(method)
    assert [str(each) for each in [*done, *world.failures]] == [
        *(f"no answer to {methods[number]}" for number in (1, 2, 3)),
        *(f"no answer to {methods[number]}" for number in (0, 4)),
    ]
    assert (pages, session.closed, list(world.store.by_key)) == ([], False, ["s"])


def test_a_session_that_is_resumed_twice_at_once_is_one() -> None:
    world = World()
    world.ready()
    resume(world, "old", replay=False)
    resume(world, "old", replay=False)
    world.agent.answers("session/resume", {})
    world.agent.answers("session/resume", {})
    assert world.opened[0] is world.opened[1]
    assert list(world.store.by_key) == ["old"]
