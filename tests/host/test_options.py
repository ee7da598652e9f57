"""Config options: what can be set is, in order; what cannot is said."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.errors import NotSupported, SidecarError
from acp_sidecar.session.state import Session
from tests.host.world import V1, World

Json = dict[str, Any]


def select(config_id: str, current: str, *values: str, **more: Any) -> Json:
    choices = [{"value": value, "name": value.upper()} for value in values]
    named = {"configId": config_id, "name": config_id.title(), "currentValue": current}
    return {"type": "select", **named, "options": choices, **more}


MODE = select("mode", "ask", "ask", "code", category="mode")
MODEL = select("model", "small", "small", "large", category="model")
EFFORT = select("effort", "low", "low", "high", category="thought_level")
GROUPED = {
    **select("model", "a"),
    "options": [
        {"groupId": "one", "name": "One", "options": [{"value": "a", "name": "A"}]},
        {"groupId": "two", "name": "Two", "options": [{"value": "b", "name": "B"}]},
    ],
}
VERBOSE = {"type": "boolean", "configId": "verbose", "name": "Verbose", "currentValue": False}
SLIDER = {"type": "_slider", "configId": "heat", "name": "Heat", "currentValue": 0.5, "max": 1}


def opened(world: World, *options: Json) -> None:
    """The agent has answered `session/new`; settings may be set next."""
    world.ready()
    world.new()
    world.agent.answers("session/new", {"sessionId": "s", "configOptions": list(options)})


def with_options(*options: Json) -> tuple[World, Session]:
    world = World()
    opened(world, *options)
    return world, world.opened[0]


def set_option(world: World, session: Session, config_id: str, value: Any) -> list[Any]:
    outcome: list[SidecarError | None] = []
    world.sessions.set_option(world.host, session, config_id, value, outcome.append)
    return outcome


# --- by the user ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config_id", "value"), [("mode", "code"), ("model", "b"), ("verbose", True)]
)
def test_every_type_is_set(config_id: str, value: Any) -> None:
    world, session = with_options(MODE, GROUPED, VERBOSE, SLIDER)
    outcome = set_option(world, session, config_id, value)
    assert world.agent.asked("session/set_config_option").params["value"] == value
    assert outcome == []


@pytest.mark.parametrize(
    ("config_id", "value", "told"),
    [
        ("nope", "x", "There are: mode, model, verbose, heat."),
        ("mode", "fly", "It has: ask, code."),
        ("model", "c", "It has: a, b."),
        ("mode", True, "It has: ask, code."),
        ("verbose", "yes", "true or false"),
        ("heat", "0.7", "_slider"),
    ],
)
def test_what_cannot_be_set_is_said_and_not_sent(config_id: str, value: Any, told: str) -> None:
    world, session = with_options(MODE, GROUPED, VERBOSE, SLIDER)
    (error,) = set_option(world, session, config_id, value)
    assert told in str(error)
    assert world.agent.open == []
    assert isinstance(error, NotSupported) == (config_id == "heat")


def test_options_of_unknown_type_are_kept_whole_and_shown() -> None:
    _, session = with_options(SLIDER)
    assert [option.model_dump(by_alias=True) for option in session.config_options] == [SLIDER]


def test_what_the_agent_changes_is_so() -> None:
    world, session = with_options(MODE)
    world.agent.tells("s", "config_option_update", configOptions=[{**MODE, "currentValue": "code"}])
    assert session.config_options[0].model_dump()["currentValue"] == "code"


# --- by the settings ------------------------------------------------------------------------------


def test_the_session_is_ready_when_its_options_are_set() -> None:
    world = World(options={"mode": "code", "verbose": True})
    opened(world, MODE, VERBOSE)
    assert world.opened == []
    changed = [{**MODE, "currentValue": "code"}, VERBOSE]
    world.agent.answers("session/set_config_option", {"configOptions": changed})
    assert world.opened == []
    world.agent.answers("session/set_config_option", {"configOptions": changed})
    assert len(world.opened) == 1


def test_what_is_so_already_is_not_set() -> None:
    world = World(options={"mode": "ask"})
    opened(world, MODE)
    assert len(world.opened) == 1
    assert world.agent.open == []


def test_an_option_that_comes_with_another_is_set_after_it() -> None:
    world = World(options={"effort": "high", "model": "large"})
    opened(world, MODEL)
    model = world.agent.open[0]
    assert model.params["configId"] == "model"
    both = [{**MODEL, "currentValue": "large"}, EFFORT]
    world.agent.answers("session/set_config_option", {"configOptions": both})
    assert world.agent.open[0].params["configId"] == "effort"


def test_what_has_no_effect_is_told_and_keeps_nothing_up() -> None:
    world = World(options={"nope": "x", "mode": "fly", "heat": "hot", "model": "large"})
    opened(world, MODE, SLIDER, MODEL)
    world.agent.refuses("session/set_config_option", -32603, "not today")
    assert len(world.opened) == 1
    assert world.ears.codes == ["bad-option"] * 4
    told = " ".join(problem.message for problem in world.ears.problems)
    for part in ("agents.agent.options.nope", "It has: ask, code.", "_slider", "not today"):
        assert part in told


def test_an_agent_that_never_answers_ends_the_wait() -> None:
    world = World(options={"mode": "code"})
    opened(world, MODE)
    world.agent.is_silent("session/set_config_option")
    assert len(world.opened) == 1


# --- when a session is opened again ---------------------------------------------------------------


def resumed(world: World, session: Session, *options: Json) -> None:
    world.sessions.resume(
        world.host,
        session.session_id,
        "/p",
        [],
        replay=True,
        done=world.opened.append,
        failed=world.failures.append,
    )
    world.agent.answers("session/resume", {"configOptions": list(options)})


def test_settings_are_applied_again() -> None:
    world = World(options={"mode": "code"})
    opened(world, MODE)
    world.agent.answers("session/set_config_option", {"configOptions": []})
    resumed(world, world.opened[0], MODE)
    assert world.agent.asked("session/set_config_option").params["value"] == "code"


def test_what_the_user_has_chosen_since_wins_over_the_settings() -> None:
    world = World(options={"mode": "ask"})
    opened(world, MODE)
    set_option(world, world.opened[0], "mode", "code")
    changed = {**MODE, "currentValue": "code"}
    world.agent.answers("session/set_config_option", {"configOptions": [changed]})
    resumed(world, world.opened[0], MODE)
    assert world.agent.asked("session/set_config_option").params["value"] == "code"


# --- v1 -------------------------------------------------------------------------------------------


def test_modes_and_models_of_v1_are_options_too() -> None:
    world = World(options={"mode": "code", "model": "large"})
    world.ready(V1)
    world.new()
    modes = {
        "currentModeId": "ask",
        "availableModes": [{"id": i, "name": i} for i in ("ask", "code")],
    }
    models = {
        "currentModelId": "small",
        "availableModels": [{"modelId": i, "name": i} for i in ("small", "large")],
    }
    world.agent.answers("session/new", {"sessionId": "s", "modes": modes, "models": models})
    world.agent.answers("session/set_mode", {})
    world.agent.answers("session/set_model", {})
    (session,) = world.opened
    dumped = [option.model_dump() for option in session.config_options]
    current = {option["category"]: option["currentValue"] for option in dumped}
    assert current == {"mode": "code", "model": "large"}
    world.agent.tells("s", "current_mode_update", currentModeId="ask")
    assert session.config_options[0].model_dump()["currentValue"] == "ask"


def test_a_change_of_mode_is_one_of_the_option_where_an_agent_has_both() -> None:
    world = World()
    world.ready(V1)
    world.new()
    option = {key: value for key, value in MODE.items() if key != "configId"} | {"id": "mode"}
    modes = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "A"}]}
    answer = {"sessionId": "s", "modes": modes, "configOptions": [option]}
    world.agent.answers("session/new", answer)
    (session,) = world.opened
    world.agent.tells("s", "current_mode_update", currentModeId="code")
    (only,) = session.config_options
    assert only.model_dump()["currentValue"] == "code"
    world.agent.tells("s", "current_mode_update", currentModeId="never heard of")
    assert session.config_options[0].model_dump()["currentValue"] == "code"
