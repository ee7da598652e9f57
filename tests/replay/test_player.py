"""The player keeps the recorded order, and no difference of the client can hang it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.replay.player import Player
from acp_sidecar.replay.roots import Roots
from acp_sidecar.replay.script import script_of
from acp_sidecar.wire.trace import Direction, TraceLine
from tests.replay.recorded import RECORDINGS, lines_of, said


def out(method: str, id: int | None = None, **params: Any) -> tuple[Direction, Any]:  # noqa: A002
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return Direction.OUT, message if id is None else {**message, "id": id}


def answered(id: Any, result: Any = "ok") -> dict[str, Any]:  # noqa: A002
    return {"jsonrpc": "2.0", "id": id, "result": result}


def update(text: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "session/update", "params": text}


def asks(id: Any) -> dict[str, Any]:  # noqa: A002
    return {"jsonrpc": "2.0", "id": id, "method": "session/request_permission"}


def player(*steps: tuple[Direction, Any] | dict[str, Any] | list[Any]) -> Player:
    """A player of a script: agent's messages as they are, the client's by `out`."""
    lines: list[TraceLine] = []
    for number, step in enumerate(steps, start=1):
        direction, message = step if isinstance(step, tuple) else (Direction.IN, step)
        if direction is Direction.NOISE:
            lines.append(TraceLine(direction, 0.0, None, str(message), number))
        else:
            lines.append(TraceLine(direction, 0.0, message, "", number))
    return Player(script_of(lines), Roots([]))


def request(method: str, id: Any, **params: Any) -> dict[str, Any]:  # noqa: A002
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def differences(player: Player) -> list[str]:
    return [str(difference) for difference in player.take_differences()]


TURN = (
    out("initialize", 0, protocolVersion=1),
    answered(0, "hello"),
    out("session/new", 1),
    answered(1, "session"),
    out("session/set_config_option", 2, value="x"),
    update("option set"),
    answered(2, "options"),
    out("session/prompt", 3, prompt="p"),
    update("working"),
    asks("perm"),
    (Direction.OUT, answered("perm", "yes")),
    update("done"),
    answered(3, "end_turn"),
    out("session/list", 4),
    answered(4, "list"),
    out("session/prompt", 5, prompt="q"),
    update("again"),
    answered(5, "end_turn"),
)


def opened(agent: Player) -> None:
    agent.receive(request("initialize", "i", protocolVersion=1))
    agent.receive(request("session/new", "n"))


def test_ids_are_those_of_the_live_requests_whatever_their_type() -> None:
    agent = player(*TURN)
    assert said(agent.start()) == []
    assert said(agent.receive(request("initialize", "zero", protocolVersion=1))) == [
        answered("zero", "hello")
    ]
    assert said(agent.receive(request("session/new", -1))) == [answered(-1, "session")]
    assert differences(agent) == []


def test_the_play_waits_for_each_answer_it_waited_for_then() -> None:
    agent = player(*TURN)
    opened(agent)
    agent.receive(request("session/set_config_option", "o", value="x"))
    assert said(agent.receive(request("session/prompt", "p", prompt="p"))) == [
        update("working"),
        asks("perm"),
    ]
    assert said(agent.receive(answered("perm", "yes"))) == [
        update("done"),
        answered("p", "end_turn"),
    ]
    assert differences(agent) == []


def test_a_request_left_out_is_told_and_its_answer_is_not_said() -> None:
    agent = player(*TURN)
    opened(agent)
    assert said(agent.receive(request("session/prompt", "p", prompt="p"))) == [
        update("option set"),
        update("working"),
        asks("perm"),
    ]
    assert differences(agent) == ["line 5: the client did not send session/set_config_option"]


def test_a_request_that_was_left_out_and_comes_late_gets_its_recorded_answer() -> None:
    agent = player(*TURN)
    opened(agent)
    agent.receive(request("session/prompt", "p", prompt="p"))
    late = request("session/set_config_option", "o", value="x")
    assert said(agent.receive(late)) == [answered("o", "options")]


def test_a_request_that_the_recording_has_later_is_answered_out_of_turn() -> None:
    agent = player(*TURN)
    agent.receive(request("initialize", "i", protocolVersion=1))
    assert said(agent.receive(request("session/list", "l"))) == [answered("l", "list")]
    assert differences(agent) == ["line 14: the client sent session/list out of turn"]
    assert said(agent.receive(request("session/new", "n"))) == [answered("n", "session")]
    agent.receive(request("session/prompt", "p", prompt="p"))
    # Its answer is not said a second time when its place comes.
    assert said(agent.receive(answered("perm", "yes"))) == [
        update("done"),
        answered("p", "end_turn"),
    ]


def test_a_request_while_a_permission_is_open_does_not_close_it() -> None:
    agent = player(*TURN)
    opened(agent)
    agent.receive(request("session/prompt", "p", prompt="p"))
    assert said(agent.receive(request("session/list", "l"))) == [answered("l", "list")]
    assert said(agent.receive(answered("perm", "yes"))) == [
        update("done"),
        answered("p", "end_turn"),
    ]


def test_the_next_prompt_goes_on_where_an_answer_never_came() -> None:
    agent = player(*TURN)
    opened(agent)
    agent.receive(request("session/prompt", "p", prompt="p"))
    assert said(agent.receive(request("session/prompt", "q", prompt="q"))) == [
        update("done"),
        answered("p", "end_turn"),
        update("again"),
        answered("q", "end_turn"),
    ]
    assert "line 11: the client did not send an answer to request perm" in differences(agent)


def test_an_unrecorded_request_is_refused_and_told() -> None:
    agent = player(*TURN)
    (answer,) = said(agent.receive(request("session/fork", 9)))
    assert (answer["id"], answer["error"]["code"]) == (9, -32601)
    assert differences(agent) == [
        "the client sent session/fork, which the recording does not have here"
    ]


def test_a_second_initialize_is_refused_not_played_twice() -> None:
    agent = player(*TURN)
    agent.receive(request("initialize", "i", protocolVersion=1))
    (answer,) = said(agent.receive(request("initialize", "j", protocolVersion=1)))
    assert answer["error"]["code"] == -32601


def test_another_version_another_answer_and_other_words_are_told() -> None:
    agent = player(*TURN)
    agent.receive(request("initialize", 0, protocolVersion=2, info={"name": "other"}))
    agent.receive(request("session/new", 1, _meta={"mine": 1}))
    agent.receive(request("session/set_config_option", 2, value="x"))
    agent.receive(request("session/prompt", 3, prompt="other"))
    agent.receive(answered("perm", "no"))
    assert differences(agent) == [
        "line 1: initialize: params.protocolVersion is 2, and was 1",
        'line 8: session/prompt: params.prompt is "other", and was "p"',
        'line 11: session/request_permission: the answer.result is "no", and was "yes"',
    ]


def test_a_recorded_cancel_is_waited_for() -> None:
    agent = player(
        out("session/prompt", 0),
        update("working"),
        out("session/cancel"),
        update("stopping"),
        answered(0, "cancelled"),
    )
    assert said(agent.receive(request("session/prompt", "p"))) == [update("working")]
    assert said(agent.receive({"jsonrpc": "2.0", "method": "session/cancel"})) == [
        update("stopping"),
        answered("p", "cancelled"),
    ]
    assert differences(agent) == []


def test_a_cancel_that_was_not_recorded_is_told_and_the_turn_ends_as_it_did() -> None:
    agent = player(*TURN)
    opened(agent)
    agent.receive(request("session/prompt", "p", prompt="p"))
    assert agent.receive({"jsonrpc": "2.0", "method": "session/cancel"}) == []
    assert said(agent.receive(answered("perm", "cancelled")))[-1] == answered("p", "end_turn")


def test_when_the_client_leaves_the_rest_is_said() -> None:
    agent = player(*TURN)
    agent.receive(request("initialize", "i", protocolVersion=1))
    said_at_the_end = said(agent.close())
    assert said_at_the_end == [
        update("option set"),
        update("working"),
        asks("perm"),
        update("done"),
        update("again"),
    ]
    assert len(differences(agent)) == 6


def test_what_the_agent_did_wrong_it_does_wrong_again() -> None:
    agent = player(
        (Direction.NOISE, "Welcome!\x1b[0m"),
        out("initialize", 0),
        answered(7, "wrong id"),
        answered(0, "first"),
        answered(0, "second"),
        [update("in"), asks(1), answered(0, "third")],
    )
    assert agent.start() == [b"Welcome!\x1b[0m\n"]
    assert said(agent.receive(request("initialize", "x"))) == [
        answered(7, "wrong id"),
        answered("x", "first"),
        answered("x", "second"),
        [update("in"), asks(1), answered("x", "third")],
    ]


def test_batches_of_either_side_are_taken_apart() -> None:
    batch = [out("initialize", 0)[1], out("session/new", 1)[1]]
    agent = player((Direction.OUT, batch), answered(0, "a"), answered(1, "b"))
    live = [request("initialize", "x"), request("session/new", "y"), 3]
    assert said(agent.receive(live)) == [answered("x", "a"), answered("y", "b")]
    assert differences(agent) == ["the client sent JSON that is no message"]


MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "id": st.integers(-1, 3) | st.none() | st.booleans() | st.lists(st.integers(), max_size=1),
        "method": st.sampled_from(
            ["initialize", "session/new", "session/prompt", "session/cancel", "session/list", "x"]
        )
        | st.none(),
        "params": st.none() | st.dictionaries(st.sampled_from(["a", "_meta"]), st.integers()),
        "result": st.none() | st.integers(),
    },
)


@given(st.sampled_from(RECORDINGS), st.lists(MESSAGES | st.integers() | st.lists(MESSAGES)))
def test_no_client_breaks_a_replay_and_every_request_with_a_recorded_answer_gets_one(
    path: Any, messages: list[Any]
) -> None:
    lines = lines_of(path)
    agent = Player(script_of(lines), Roots([]))
    heard = said(agent.start())
    for message in messages:
        heard += said(agent.receive(message))
    heard += said(agent.close())
    told = [item for item in heard if "method" in item]
    assert told == [line.msg for line in lines if line.dir is Direction.IN and "method" in line.msg]
