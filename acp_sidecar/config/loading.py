"""Reading settings: each bad one keeps its default and becomes a problem that is shown."""

from __future__ import annotations

from typing import Any, Final

from pydantic import ValidationError

from acp_sidecar.config.settings import Config
from acp_sidecar.errors import Fault, Problem
from acp_sidecar.pruning import without


def load(raw: Any) -> tuple[Config, list[Problem]]:
    """Read settings; each bad one keeps its default and is reported.

    Args:
        raw: What the editor sent, an object or nothing.
    """
    if raw is None:
        return Config(), []
    if not isinstance(raw, dict):
        return Config(), [_problem("acp", "settings must be an object")]
    problems: list[Problem] = []
    remaining = raw
    while True:
        try:
            return Config.model_validate(remaining), problems
        except ValidationError as error:
            bad = error.errors(include_url=False)
            first_bad_rule = _first_bad_rule([each["loc"] for each in bad])
            if first_bad_rule is not None:
                problems += [_rule_problem(each) for each in bad if _is_rule(each["loc"])]
                remaining = _with_rules_before(remaining, first_bad_rule)
                continue
            remaining, found = without(remaining, [_taken_out(each["loc"]) for each in bad])
            problems += [_problem(_dotted(each["loc"]), each["msg"]) for each in bad]
            if not found:
                return Config(), problems


def _dotted(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


def _taken_out(location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """What goes with a bad setting: an agent goes with its command."""
    return location[:2] if location[:1] + location[2:] == ("agents", "command") else location


def _problem(where: str, message: str) -> Problem:
    text = f"Setting {where}: {message}. The default is used."
    return Problem(Fault.CONFIG, "bad-setting", text, where)


ASK_ALWAYS: Final = {"do": "ask"}
"""Stands where rules could not be read: no rule after it, and no remembered one, is used."""


def _is_rule(location: tuple[int | str, ...]) -> bool:
    """Whether rules are lost with what stands there."""
    return location[:1] == ("permissions",) and (len(location) == 1 or location[1] == "rules")


def _first_bad_rule(locations: list[tuple[int | str, ...]]) -> int | None:
    """Index of the first rule that cannot be used; 0 if the whole list cannot."""
    bad = [loc[2] if len(loc) > 2 else 0 for loc in locations if _is_rule(loc)]
    return min((index for index in bad if isinstance(index, int)), default=None)


def _with_rules_before(raw: dict[str, Any], first_bad: int) -> dict[str, Any]:
    """A copy whose rules end before the bad one, where everything is asked instead.

    A bad rule may be one that denies, and rules after it may allow what it would have denied.
    """
    permissions = raw["permissions"]
    if not isinstance(permissions, dict):
        return {**raw, "permissions": {"rules": [ASK_ALWAYS]}}
    rules = permissions["rules"]
    kept = rules[:first_bad] if isinstance(rules, list) else []
    return {**raw, "permissions": {**permissions, "rules": [*kept, ASK_ALWAYS]}}


def _rule_problem(error: Any) -> Problem:
    where = _dotted(error["loc"])
    text = (
        f"Setting {where}: {error['msg']}. Neither this permission rule nor any after it is used: "
        "what they would decide is asked."
    )
    return Problem(Fault.CONFIG, "bad-permission-rule", text, where)
