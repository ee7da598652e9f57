"""From the start of a program to an agreed version, and every way in which that fails."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.errors import AgentError, AgentExited, ConfigError
from acp_sidecar.host.agent_host import HostState
from tests.host.world import ECHOES_2, TIMEOUTS, V1, V2, World

Json = Any


@pytest.mark.parametrize(
    ("introduction", "version"), [(V1, 1), (V2, 2), ({"protocolVersion": 1}, 1)]
)
def test_the_answer_decides(introduction: Json, version: int) -> None:
    world = World()
    world.start()
    assert world.offered() == 2
    assert world.agent.open[-1].timeout == TIMEOUTS.initialize
    world.agent.answers("initialize", introduction)
    assert world.readiness == [None]
    assert world.host.adapter.version == version
    assert world.host.notes == [f"Speaks ACP version {version}."]
    assert world.ears.states == ["starting", "ready"]
    assert world.programs.stopped == []


def test_what_is_ready_is_not_started_again() -> None:
    world = World()
    world.ready()
    world.host.when_ready(world.readiness.append)
    assert world.readiness == [None, None]
    assert len(world.programs.starts) == 1


def test_several_that_wait_are_told_in_order_of_one_start() -> None:
    world, order = World(), []
    for name in "abc":
        world.host.when_ready(lambda _error, name=name: order.append(name))  # type: ignore[misc]  # mypy infers no lambda with a default
    world.run()
    world.agent.answers("initialize", V2)
    assert order == ["a", "b", "c"]
    assert len(world.programs.starts) == 1


def test_two_in_the_words_of_one_is_started_again_with_one() -> None:
    world = World()
    world.start()
    first = world.agent
    first.answers("initialize", ECHOES_2)
    assert world.programs.stopped == [first]
    assert world.host.state is HostState.STARTING
    world.run()
    assert world.offered() == 1
    world.agent.answers("initialize", ECHOES_2)  # it says 2 to everybody
    assert world.readiness == [None]
    assert world.host.adapter.version == 1
    assert world.host.notes == [
        "It answered version 2 but speaks version 1: restarted with an offer of 1.",
        "Speaks ACP version 1.",
    ]


def test_what_the_first_life_still_says_is_not_heard() -> None:
    world = World()
    world.start()
    first = world.agent
    first.answers("initialize", ECHOES_2)
    world.run()
    first.tells("s", "usage_update", used=1, size=2)
    first.exits(expected=True)
    assert world.host.state is HostState.STARTING
    world.agent.answers("initialize", V1)
    assert world.readiness == [None]
    assert (world.ears.problems, world.ears.gone) == ([], [])


def test_an_error_to_two_is_tried_again_with_one_on_the_same_connection() -> None:
    world = World()
    world.start()
    world.agent.refuses("initialize", -32602, "bad version")
    assert world.offered() == 1
    world.agent.answers("initialize", V1)
    assert world.host.adapter.version == 1
    assert world.host.notes[0] == "It refused an offer of version 2 (bad version): offered 1."
    assert len(world.programs.starts) == 1


def test_an_error_to_one_too_is_the_end() -> None:
    world = World()
    world.start()
    world.agent.refuses("initialize", -32602, "bad version")
    world.agent.refuses("initialize", -32603, "broken")
    (error,) = world.readiness
    assert isinstance(error, AgentError)
    assert "broken" in str(error)
    assert world.host.state is HostState.FAILED
    assert world.host.failure is error
    assert world.host.last_words == "stderr said so"
    assert world.programs.stopped == [world.agent]


@pytest.mark.parametrize("protocol", [1, 2])
def test_a_version_that_was_chosen_is_the_only_one_offered(protocol: int) -> None:
    world = World(protocol=protocol)
    world.start()
    assert world.offered() == protocol
    world.agent.refuses("initialize", -32602, "bad version")
    assert world.host.state is HostState.FAILED
    assert len(world.programs.starts) == 1


@pytest.mark.parametrize("version", [0, 3, 9])
def test_a_version_that_nobody_offered(version: int) -> None:
    world = World()
    world.start()
    world.agent.answers("initialize", {**V2, "protocolVersion": version})
    (error,) = world.readiness
    assert f"version {version}" in str(error)
    assert world.host.state is HostState.FAILED
    assert world.programs.stopped == [world.agent]


@pytest.mark.parametrize(
    "introduction", [None, [], "2", {}, {"protocolVersion": "2"}, {"protocolVersion": True}]
)
def test_an_answer_that_is_none(introduction: Json) -> None:
    world = World()
    world.start()
    world.agent.answers("initialize", introduction)
    assert world.host.state is HostState.FAILED
    assert "unreadable" in str(world.readiness[0])
    assert world.ears.codes == ["malformed"]


def test_silence_is_not_taken_for_a_refusal() -> None:
    world = World()
    world.start()
    world.agent.is_silent("initialize")
    assert world.host.state is HostState.FAILED
    assert "no answer" in str(world.readiness[0])
    assert world.agent.open == []


def test_a_program_that_does_not_start() -> None:
    world = World()
    world.host.when_ready(world.readiness.append)
    world.programs.starts[-1].on_failed(ConfigError("There is no such program."))
    assert str(world.readiness[0]) == "There is no such program."
    assert world.ears.states == ["starting", "failed"]


def test_a_program_that_ends_before_it_answers() -> None:
    world = World()
    world.start()
    world.agent.exits()
    (error,) = world.readiness
    assert isinstance(error, AgentExited)
    assert "Start it again." in str(error)
    assert world.host.state is HostState.FAILED
    assert world.host.last_words == "stderr said so"


def test_after_a_failure_it_can_be_asked_for_again_with_the_newest_offer() -> None:
    world = World()
    world.start()
    world.agent.refuses("initialize", -32602, "bad version")
    world.agent.exits()
    world.start()
    assert world.offered() == 2
    world.agent.answers("initialize", V2)
    assert world.readiness[1:] == [None]
    assert world.host.failure is None
    assert world.host.notes == ["Speaks ACP version 2."]


def test_what_comes_before_the_version_is_agreed_breaks_nothing() -> None:
    world = World()
    world.start()
    world.agent.tells("s", "usage_update", used=1, size=2)
    world.agent.asks(1, "session/request_permission", {})
    assert world.agent.refusals == {1: -32600}
    assert world.ears.codes == ["before-initialize", "before-initialize"]
    world.agent.answers("initialize", V2)
    assert world.readiness == [None]


# --- the end --------------------------------------------------------------------------------------


def test_stopping_is_told_when_the_program_has_ended() -> None:
    world, stopped = World(), []
    world.ready()
    world.host.stop(lambda: stopped.append(True))
    assert (stopped, world.host.state) == ([], HostState.STOPPING)
    world.agent.exits(expected=True)
    assert (stopped, world.host.state) == ([True], HostState.STOPPED)
    assert world.host.failure is None


def test_stopping_what_does_not_run_is_done_at_once() -> None:
    world, stopped = World(), []
    world.host.stop(lambda: stopped.append(True))
    assert stopped == [True]


def test_stopping_while_it_starts() -> None:
    world, stopped = World(), []
    world.host.when_ready(world.readiness.append)
    world.host.stop(lambda: stopped.append(True))
    world.run()
    assert world.programs.stopped == [world.agent]
    assert world.agent.open == []
    world.agent.exits(expected=True)
    assert stopped == [True]
    assert isinstance(world.readiness[0], AgentExited)
    assert world.host.state is HostState.STOPPED


def test_stopping_what_then_does_not_start() -> None:
    world, stopped = World(), []
    world.host.when_ready(world.readiness.append)
    world.host.stop(lambda: stopped.append(True))
    world.programs.starts[-1].on_failed(ConfigError("There is no such program."))
    assert stopped == [True]
    assert world.host.state is HostState.STOPPED
    assert world.host.failure is None
    assert isinstance(world.readiness[0], ConfigError)


def test_stopping_while_it_introduces_itself() -> None:
    world = World()
    world.start()
    world.host.stop()
    world.agent.answers("initialize", V2)
    world.agent.exits(expected=True)
    assert world.ears.states == ["starting", "stopping", "stopped"]


def test_a_restart_is_a_new_program() -> None:
    world = World()
    world.ready()
    first = world.agent
    world.host.restart(world.readiness.append)
    first.exits(expected=True)
    world.run()
    world.agent.answers("initialize", V1)
    assert world.agent is not first
    assert world.readiness == [None, None]
    assert world.host.adapter.version == 1


def test_a_start_while_it_stops_is_a_new_program_once_it_has_ended() -> None:
    world = World()
    world.ready()
    first = world.agent
    world.host.stop()
    world.host.when_ready(world.readiness.append)
    world.run()
    assert world.agent is first
    first.exits(expected=True)
    world.run()
    world.agent.answers("initialize", V2)
    assert world.agent is not first
    assert world.readiness == [None, None]
    assert world.ears.states[-4:] == ["stopping", "stopped", "starting", "ready"]


def test_an_end_that_nobody_asked_for_is_a_failure_with_the_last_words() -> None:
    world = World()
    world.ready()
    world.agent.exits()
    assert world.host.state is HostState.FAILED
    assert str(world.host.failure) == "It ended. Start it again."
    for what in ("adapter", "connection"):
        with pytest.raises(AgentExited, match="not running"):
            getattr(world.host, what)
