"""What agents ask: each question is answered exactly once, and by nobody but its session's user."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.host.incoming import EARLY_QUESTIONS
from acp_sidecar.session.view import session_view, terminal_view
from acp_sidecar.wire.json_rpc import ErrorResponse, RpcError
from acp_sidecar.wire.protocol import ClientOffer
from tests.host.world import V1, V2, World

Json = Any

CANCELLED = {"outcome": {"outcome": "cancelled"}}
OPTION = {"optionId": "yes", "name": "Yes", "kind": "allow_once"}
CALL = {"type": "tool_call", "toolCall": {"toolCallId": "c", "title": "Edit", "kind": "edit"}}


def permission(session: str = "s", **fields: Json) -> Json:
    return {"sessionId": session, "title": "Go on?", "options": [OPTION], **fields}


def asked(world: World, request_id: int | str = 1, **fields: Json) -> None:
    world.agent.asks(request_id, "session/request_permission", permission(**fields))


def test_the_listener_answers_and_only_once() -> None:
    world = World()
    world.with_session()
    asked(world)
    ((request, question),) = world.ears.permissions
    assert request.title == "Go on?"
    assert world.agent.responses == {}
    question.respond({"outcome": {"outcome": "selected", "optionId": "yes"}})
    question.respond(CANCELLED)
    question.refuse(-1, "again")
    assert world.agent.responses == {1: {"outcome": {"outcome": "selected", "optionId": "yes"}}}
    assert world.agent.refusals == {}


def test_several_are_answered_in_any_order() -> None:
    world = World()
    world.with_session()
    for request_id in (1, "two", 3):
        asked(world, request_id)
    for _, question in reversed(world.ears.permissions):
        question.respond(CANCELLED)
    assert list(world.agent.responses) == [3, "two", 1]


def test_its_subject_announces_the_call_and_its_texts_are_its_own() -> None:
    world = World()
    session = world.with_session()
    asked(world, subject=CALL, description="Really?")
    call = session.tool_calls["c"]
    assert (call.title, call.kind, call.status, call.content) == ("Edit", "edit", "pending", [])
    asked(world, 2, subject={"type": "tool_call", "toolCall": {"toolCallId": "c"}}, title="Other")
    assert session.tool_calls["c"].title == "Edit"


def test_the_ids_of_a_command_make_nothing() -> None:
    world = World()
    session = world.with_session()
    subject = {
        "type": "command",
        "command": "ls",
        "cwd": "/p",
        "toolCallId": "c",
        "terminalId": "t",
    }
    before = session_view(session)
    asked(world, subject=subject)
    assert session_view(session) == before
    world.agent.tells("s", "terminal_update", terminalId="t", command="ls -l")
    assert terminal_view(session.terminals["t"])["command"] == "ls -l"


@pytest.mark.parametrize("ids", [{}, {"toolCallId": None, "terminalId": None, "_meta": None}])
def test_ids_of_a_command_that_are_null_are_not_given(ids: Json) -> None:
    world = World()
    world.with_session()
    asked(world, subject={"type": "command", "command": "ls", "cwd": "/p", **ids})
    subject: Any = world.ears.permissions[0][0].subject
    assert (subject.tool_call_id, subject.terminal_id, subject.meta) == (None, None, None)


@pytest.mark.parametrize("missing", ["command", "cwd"])
def test_a_command_must_say_what_and_where(missing: str) -> None:
    world = World()
    world.with_session()
    subject = {"type": "command", "command": "ls", "cwd": "/p"}
    del subject[missing]
    asked(world, subject=subject)
    assert world.agent.refusals == {1: -32602}
    assert world.ears.permissions == []
    assert world.ears.codes == ["malformed"]


def test_what_is_asked_while_cancelling_is_cancelled_and_its_call_is_known() -> None:
    world = World()
    session = world.with_session()
    world.prompt(session)
    world.sessions.turns.cancel(world.host, session)
    asked(world, subject=CALL)
    assert world.agent.responses == {1: CANCELLED}
    assert world.ears.permissions == []
    assert session.tool_calls["c"].title == "Edit"


def test_after_the_cancelled_turn_it_may_ask_again() -> None:
    world = World()
    session = world.with_session()
    world.prompt(session)
    world.sessions.turns.cancel(world.host, session)
    world.agent.answers("session/prompt", {"messageId": "m"})
    world.agent.tells("s", "state_update", state="idle", stopReason="cancelled")
    asked(world)
    assert len(world.ears.permissions) == 1


def test_what_is_asked_before_the_session_is_known_waits_for_it() -> None:
    world = World()
    world.ready()
    world.new()
    asked(world)
    assert (world.ears.permissions, world.agent.responses) == ([], {})
    world.agent.answers("session/new", {"sessionId": "s"})
    ((_, question),) = world.ears.permissions
    question.respond(CANCELLED)
    assert world.agent.responses == {1: CANCELLED}


def test_what_is_asked_for_a_session_that_never_comes_is_cancelled() -> None:
    world = World()
    world.ready()
    world.new()
    asked(world, 1, session="other")
    world.agent.refuses("session/new", -32603, "no")
    assert world.agent.responses == {1: CANCELLED}
    asked(world, 2)
    assert world.agent.responses[2] == CANCELLED
    assert world.ears.codes == ["unknown-session"]


def test_a_flood_for_unknown_sessions_is_bounded() -> None:
    world = World()
    world.ready()
    world.new()
    for request_id in range(EARLY_QUESTIONS + 3):
        asked(world, request_id)
    assert sorted(world.agent.responses) == [EARLY_QUESTIONS + i for i in range(3)]
    world.agent.answers("session/new", {"sessionId": "s"})
    assert len(world.ears.permissions) == EARLY_QUESTIONS


def test_a_question_taken_back_is_refused_and_told_once() -> None:
    world = World()
    world.with_session()
    asked(world)
    for _ in range(2):
        world.agent.says("$/cancel_request", {"requestId": 1})
    assert world.agent.refusals == {1: -32800}
    assert world.ears.withdrawn == [("agent", 1)]
    world.ears.permissions[0][1].respond(CANCELLED)
    assert world.agent.responses == {}


def test_taking_back_what_was_answered_is_no_problem() -> None:
    world = World()
    world.with_session()
    asked(world)
    world.ears.permissions[0][1].respond(CANCELLED)
    world.agent.says("$/cancel_request", {"requestId": 1})
    assert (world.ears.withdrawn, world.ears.problems, world.agent.refusals) == ([], [], {})


def test_an_agent_that_is_gone_is_not_answered() -> None:
    world = World()
    world.with_session()
    asked(world)
    world.agent.exits()
    world.ears.permissions[0][1].respond(CANCELLED)
    assert world.agent.responses == {}


def test_the_questions_of_v1_are_the_same() -> None:
    world = World()
    session = world.with_session(V1)
    world.agent.asks(
        0,
        "session/request_permission",
        {"sessionId": "s", "toolCall": CALL["toolCall"], "options": [OPTION]},
    )
    ((request, question),) = world.ears.permissions
    assert request.title == "Edit"
    assert session.tool_calls["c"].kind == "edit"
    question.respond(CANCELLED)
    assert world.agent.responses == {0: CANCELLED}


# --- elicitations and the rest --------------------------------------------------------------------


def test_a_form_goes_to_the_user_and_its_end_is_told() -> None:
    world = World()
    world.ready()
    form = {"mode": "form", "message": "Who?", "requestedSchema": {}, "requestId": 1}
    world.agent.asks(1, "elicitation/create", form)
    ((_, question),) = world.ears.elicitations
    question.respond({"action": "decline"})
    world.agent.says("elicitation/complete", {"elicitationId": "e"})
    assert world.agent.responses == {1: {"action": "decline"}}
    assert world.ears.heard == ["completed e"]


def test_an_unknown_way_of_asking_is_declined() -> None:
    world = World()
    world.ready()
    world.agent.asks(1, "elicitation/create", {"mode": "_voice", "message": "Say it"})
    assert world.agent.responses == {1: {"action": "decline"}}
    assert world.ears.elicitations == []


READ = {"sessionId": "s", "path": "/p/a"}
WRITE = {**READ, "content": "x"}
RUN = {"sessionId": "s", "command": "ls"}
TERMINAL = {"sessionId": "s", "terminalId": "t"}
ASKED = {
    "fs/read_text_file": READ,
    "fs/write_text_file": WRITE,
    "terminal/create": RUN,
    "terminal/output": TERMINAL,
    "terminal/wait_for_exit": TERMINAL,
    "terminal/kill": TERMINAL,
    "terminal/release": TERMINAL,
}
ALL = ClientOffer(True, True, True)


@pytest.mark.parametrize(
    ("introduction", "offer"),
    [(V1, ClientOffer()), (V2, ALL)],
    ids=["v1 that was offered nothing", "v2, which has no such methods"],
)
@pytest.mark.parametrize("method", [*ASKED, "_vendor/x", ""])
def test_what_is_not_offered_is_refused_and_recorded(
    introduction: Json, offer: ClientOffer, method: str
) -> None:
    world = World(offer=offer)
    world.with_session(introduction)
    world.agent.asks(1, method, ASKED.get(method, {}))
    assert world.agent.refusals == {1: -32601}
    assert world.ears.codes == ["unknown-request"]
    assert world.ears.client_requests == []


@pytest.mark.parametrize("method", ASKED)
def test_what_is_offered_reaches_the_listener_and_is_answered_once(method: str) -> None:
    world = World(offer=ALL)
    world.with_session(V1)
    world.agent.asks(1, method, ASKED[method])
    ((request, question),) = world.ears.client_requests
    assert request.session_id == "s"
    question.respond({"x": 1})
    question.refuse(-1, "again")
    assert (world.agent.responses, world.agent.refusals) == ({1: {"x": 1}}, {})


def test_each_offer_is_for_its_own_methods() -> None:
    world = World(offer=ClientOffer(read_files=True))
    world.with_session(V1)
    for request_id, (method, params) in enumerate(ASKED.items()):
        world.agent.asks(request_id, method, params)
    assert len(world.ears.client_requests) == 1
    assert world.agent.refusals == dict.fromkeys(range(1, len(ASKED)), -32601)


def test_an_offer_that_changes_counts_from_the_next_start_on() -> None:
    world = World(offer=ALL)
    world.with_session(V1)
    world.host.offer = ClientOffer()
    world.agent.asks(1, "fs/read_text_file", READ)
    assert len(world.ears.client_requests) == 1


@pytest.mark.parametrize("closed", [True, False])
def test_what_is_asked_of_a_session_that_is_not_open_is_refused(closed: bool) -> None:
    world = World(offer=ALL)
    session = world.with_session(V1)
    session.closed = closed
    world.agent.asks(1, "fs/read_text_file", READ if closed else {**READ, "sessionId": "strange"})
    assert world.agent.refusals == {1: -32002}
    assert world.ears.codes == ["unknown-session"]


def test_what_is_asked_while_a_session_opens_is_not_kept_waiting() -> None:
    world = World(offer=ALL)
    world.ready(V1)
    world.new()
    world.agent.asks(1, "fs/read_text_file", READ)
    assert world.agent.refusals == {1: -32002}


def test_bad_parameters_are_told() -> None:
    world = World(offer=ALL)
    world.with_session(V1)
    world.agent.asks(1, "fs/read_text_file", {**READ, "line": "one"})
    world.agent.asks(2, "terminal/create", {**RUN, "env": [{"name": "A"}]})
    assert world.agent.refusals == {1: -32602, 2: -32602}
    assert world.ears.codes == ["malformed", "malformed"]


def test_a_request_can_be_taken_back() -> None:
    world = World(offer=ALL)
    world.with_session(V1)
    world.agent.asks(1, "terminal/wait_for_exit", TERMINAL)
    world.agent.says("$/cancel_request", {"requestId": 1})
    world.ears.client_requests[0][1].respond({})
    assert (world.agent.responses, world.agent.refusals) == ({}, {1: -32800})


def test_what_cannot_be_understood_is_refused_or_recorded() -> None:
    world = World()
    world.ready()
    world.agent.asks(1, "session/request_permission", [])
    world.agent.says("session/update", "junk")
    world.agent.says("_vendor/hello", None)
    world.agent.says("session/hello", None)
    world.agent.sends(Problem(Fault.AGENT, "invalid-json", "no JSON"))
    world.agent.sends(ErrorResponse(None, RpcError(-32700, "what?")))
    assert world.agent.refusals == {1: -32602}
    codes = [
        *("malformed", "malformed", "extension-notification", "unknown-notification"),
        *("invalid-json", "stray-answer"),
    ]
    assert world.ears.codes == codes
    assert world.host.problem_count == len(codes)
