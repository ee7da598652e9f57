"""Older drafts of v2, and v1's words for the same things, in the newest draft's words.

Pure renaming of JSON: `modernize` is tried only on what could not be read as it is, and the v1
adapter builds on the same pieces. What is already new comes out unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

Json = Any


def _rename(item: Json, old: str, new: str) -> Json:
    if isinstance(item, dict) and old in item and new not in item:
        return {new if key == old else key: value for key, value in item.items()}
    return item


def _default(item: Json, key: str, value: Json) -> Json:
    return {**item, key: value} if isinstance(item, dict) and key not in item else item


def each(items: Json, change: Callable[[Json], Json]) -> Json:
    """`change` applied to every item, if it is a list."""
    return [change(item) for item in items] if isinstance(items, list) else items


def config_option(option: Json) -> Json:
    """`id` was once the name of `configId`, and `group` of `groupId`."""
    option = _rename(option, "id", "configId")
    if isinstance(option, dict) and "options" in option:
        groups = each(option["options"], lambda group: _rename(group, "group", "groupId"))
        option = {**option, "options": groups}
    return option


def command(item: Json) -> Json:
    """Commands and their input had no `type` once."""
    item = _default(item, "type", "command")
    if isinstance(item, dict) and isinstance(item.get("input"), dict):
        item = {**item, "input": _default(item["input"], "type", "text")}
    return item


def auth_method(item: Json) -> Json:
    """`id` was once the name of `methodId`; without a `type` the agent does it; env was a map."""
    item = _default(_rename(item, "id", "methodId"), "type", "agent")
    if isinstance(item, dict) and isinstance(item.get("env"), dict):
        item = {**item, "env": [{"name": k, "value": v} for k, v in item["env"].items()]}
    return item


def plan(update: Json) -> Json:
    """A plan without an id is the session's only one."""
    plan_id = update.get("planId", "plan")
    items = {"type": "items", "planId": plan_id, "entries": update.get("entries")}
    return {"sessionUpdate": "plan_update", "plan": items}


def _update(update: dict[str, Json]) -> Json:
    kind = update.get("sessionUpdate")
    if kind == "tool_call":
        return {**update, "sessionUpdate": "tool_call_update"}
    if kind == "plan":
        return plan(update)
    if kind == "plan_update" and isinstance(update.get("plan"), dict):
        return {
            **update,
            "plan": _default(_default(update["plan"], "type", "items"), "planId", "plan"),
        }
    return update


_LISTS: Final[dict[str, Callable[[Json], Json]]] = {
    "configOptions": config_option,
    "availableCommands": command,
    "authMethods": auth_method,
}


def modernize(payload: Json) -> Json:
    """An update or an answer in the newest draft's words."""
    if not isinstance(payload, dict):
        return payload
    renamed = {
        key: each(value, _LISTS[key]) if key in _LISTS else value for key, value in payload.items()
    }
    return _update(renamed)
