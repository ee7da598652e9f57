"""Rules that cannot be read never widen what is allowed."""

from __future__ import annotations

import pytest

from acp_sidecar.config import load
from tests.features.permission.world import Json

ALLOW_READ = {"do": "allow", "match": {"kind": "read"}}
ALLOW_ALL = {"do": "allow"}

BAD_RULES: list[Json] = [
    {"do": "dney", "match": {"path": "secret/**"}},
    {"match": {"path": "secret/**"}},
    {"do": "deny", "match": {"pth": "secret/**"}},
    {"do": "deny", "match": {"kind": "exec"}},
    {"do": "deny", "match": {"command": "rm 'x"}},
    {"do": "deny", "match": {"command": "  "}},
    {"do": "deny", "match": {"path": ""}},
    {"do": "deny", "match": {"path": "../x"}},
    {"do": "deny", "match": {"path": "a/./x"}},
    {"do": "deny", "match": {"subject": "_new"}},
    {"do": "deny", "match": {"agent": ""}},
    {"do": "deny", "match": []},
    {"do": "deny", "match": None},
    {"do": "deny", "extra": 1},
    "deny",
    None,
]


@pytest.mark.parametrize("bad", BAD_RULES)
def test_a_bad_rule_ends_the_list_with_asking(bad: Json) -> None:
    config, problems = load({"permissions": {"rules": [ALLOW_READ, bad, ALLOW_ALL, "also bad"]}})
    assert [rule.do for rule in config.permissions.rules] == ["allow", "ask"]
    assert config.permissions.rules[1].match.model_dump(exclude_none=True) == {}
    assert problems[0].code == "bad-permission-rule"
    assert problems[0].where.startswith("permissions.rules.1")
    assert "nor any after it is used" in problems[0].message


@pytest.mark.parametrize("raw", [[], "deny", {"rules": "deny"}, {"rules": {"do": "deny"}}])
def test_lost_rules_mean_that_everything_is_asked(raw: Json) -> None:
    config, problems = load({"permissions": raw})
    assert [rule.do for rule in config.permissions.rules] == ["ask"]
    assert problems


def test_another_bad_setting_leaves_the_rules_alone() -> None:
    raw = {"permissions": {"rules": [ALLOW_READ], "timeout": -1}, "follow": {"rate": "fast"}}
    config, problems = load(raw)
    assert [rule.do for rule in config.permissions.rules] == ["allow"]
    assert {problem.where for problem in problems} == {"permissions.timeout", "follow.rate"}


def test_a_bad_rule_and_another_bad_setting() -> None:
    config, problems = load({"permissions": {"rules": ["bad"], "inert": 99}, "trace": 3})
    assert [rule.do for rule in config.permissions.rules] == ["ask"]
    assert config.permissions.inert == 0.5
    assert {problem.code for problem in problems} == {"bad-permission-rule", "bad-setting"}


def test_home_is_meant_by_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/user")
    monkeypatch.setenv("USERPROFILE", "/home/user")
    raw = {"permissions": {"rules": [{"do": "deny", "match": {"path": "~/.ssh/**"}}]}}
    config, problems = load(raw)
    assert problems == []
    assert config.permissions.rules[0].match.path == "/home/user/.ssh/**"
