"""Settings: whatever an editor sends, there are settings, and what is wrong with it is said."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.config import AgentSettings, Config, load
from acp_sidecar.errors import Fault

Json = Any

AGENT = {"command": ["agent", "--acp"]}


def places(raw: Json) -> list[str]:
    """Where the problems of some settings are."""
    return [problem.where for problem in load(raw)[1]]


def test_nothing_is_the_defaults() -> None:
    assert load(None) == (Config(), [])
    assert load({}) == (Config(), [])


@pytest.mark.parametrize("raw", [[], "x", 5, True])
def test_what_is_no_object_is_the_defaults_and_is_said(raw: Json) -> None:
    config, problems = load(raw)
    assert config == Config()
    assert [problem.where for problem in problems] == ["acp"]


def test_names_are_as_editors_write_them() -> None:
    config, problems = load(
        {
            "agents": {"mine": {**AGENT, "env": {"A": "b"}, "protocol": 1, "options": {"m": True}}},
            "defaultAgent": "mine",
            "trace": "~/trace.jsonl",
            "follow": {"resumeAfter": 2.5, "resumeOnPrompt": False},
            "review": {"tellAgent": False, "maxFileSize": 10},
            "terminal": {"outputLimit": 2048},
        }
    )
    assert problems == []
    assert config.agents["mine"] == AgentSettings(
        command=["agent", "--acp"], env={"A": "b"}, protocol=1, options={"m": True}
    )
    assert (config.default_agent, config.trace) == ("mine", "~/trace.jsonl")
    assert (config.follow.resume_after, config.follow.resume_on_prompt) == (2.5, False)
    assert (config.review.tell_agent, config.review.max_file_size) == (False, 10)
    assert config.terminal.output_limit == 2048


BAD = [
    ({"follow": {"rate": 0}}, "follow.rate"),
    ({"follow": {"rate": "fast"}}, "follow.rate"),
    ({"follow": {"trail": 10_001}}, "follow.trail"),
    ({"follow": 5}, "follow"),
    ({"follow": {"rat": 5}}, "follow.rat"),
    ({"folow": {}}, "folow"),
    ({"review": {"partial": "both"}}, "review.partial"),
    ({"timeouts": {"request": -1}}, "timeouts.request"),
    ({"timeouts": {"request": float("nan")}}, "timeouts.request"),
    ({"terminal": {"outputLimit": 1}}, "terminal.outputLimit"),
    ({"trace": ["a"]}, "trace"),
    ({"agents": []}, "agents"),
    ({"agents": {"bad": {"command": "a string"}}}, "agents.bad.command"),
    ({"agents": {"bad": {"command": []}}}, "agents.bad.command"),
    ({"agents": {"bad": None}}, "agents.bad"),
    ({"defaultAgent": {"a": 1}}, "defaultAgent"),
]


@pytest.mark.parametrize(("bad", "where"), BAD)
def test_a_bad_setting_keeps_its_default_and_the_others_stay(bad: Json, where: str) -> None:
    good = {"permissions": {"inert": 0.25}}
    config, problems = load({**good, **bad})
    assert config == Config.model_validate(good)
    assert problems[0].where == where
    assert where in problems[0].message
    assert {problem.fault for problem in problems} == {Fault.CONFIG}


def test_all_that_is_bad_is_said() -> None:
    raw = {"follow": {"rate": 0, "trail": -1, "enabled": False}, "nope": 1}
    assert sorted(places(raw)) == ["follow.rate", "follow.trail", "nope"]
    assert load(raw)[0].follow.enabled is False


def test_one_bad_agent_leaves_the_others() -> None:
    config, problems = load({"agents": {"bad": {"command": []}, "good": AGENT}})
    assert list(config.agents) == ["good"]
    assert all(problem.where.startswith("agents.bad") for problem in problems)


@pytest.mark.parametrize("version", [0, 3, "2", 1.5])
def test_a_version_that_nobody_speaks_is_not_offered(version: Json) -> None:
    config, problems = load({"agents": {"a": {**AGENT, "protocol": version}}})
    assert config.agents["a"].protocol is None
    assert [problem.where for problem in problems] == ["agents.a.protocol"]


def test_what_is_sent_is_not_changed() -> None:
    raw = {"follow": {"rate": 0}, "agents": {"a": AGENT}}
    load(raw)
    assert raw == {"follow": {"rate": 0}, "agents": {"a": {"command": ["agent", "--acp"]}}}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        *("agents", "defaultAgent", "trace", "follow", "permissions", "review", "terminal"),
        *("timeouts", "rules", "rate", "command", "do", "match", "request", "x"),
    ]
)
SETTINGS = st.recursive(
    JSON,
    lambda inner: st.dictionaries(KEYS, inner, max_size=5) | st.lists(inner, max_size=3),
    max_leaves=12,
)


@given(SETTINGS)
@settings(max_examples=100, deadline=None)
def test_any_settings_are_survived(raw: Json) -> None:
    config, problems = load(raw)
    assert isinstance(config, Config)
    assert load(config.model_dump(by_alias=True)) == (config, [])
    if not problems and isinstance(raw, dict):
        assert config == Config.model_validate(raw)
