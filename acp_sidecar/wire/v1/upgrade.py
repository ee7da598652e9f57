"""v1 session updates in v2's words. Pure functions of JSON; what needs memory is in `adapter`."""

from __future__ import annotations

import base64
from typing import Any, Final

from acp_sidecar.wire.v2.drafts import auth_method, command, config_option, each, plan

Json = Any

PLAN_ID: Final = "plan"
MODE_OPTION: Final = "mode"
MODEL_OPTION: Final = "model"


def tool_call_content(item: Json) -> Json:
    """A v1 diff (one file, two texts) becomes a v2 diff of one change that keeps the texts."""
    if not isinstance(item, dict) or item.get("type") != "diff":
        return item
    old_text = item.get("oldText")
    change = {
        "operation": "modify" if old_text else "add",
        "path": item.get("path"),
        "fileType": "text",
        "oldText": old_text,
        "newText": item.get("newText"),
    }
    upgraded = {"type": "diff", "changes": [change]}
    return {**upgraded, "_meta": item["_meta"]} if "_meta" in item else upgraded


def tool_call(update: dict[str, Json]) -> dict[str, Json]:
    """`tool_call` and `tool_call_update`: in v1 `null` means the same as omitted."""
    upgraded = {key: value for key, value in update.items() if value is not None}
    upgraded["sessionUpdate"] = "tool_call_update"
    if "content" in upgraded:
        upgraded["content"] = each(upgraded["content"], tool_call_content)
    return upgraded


def terminal_updates(update: dict[str, Json]) -> list[dict[str, Json]]:
    """Terminals that v1 agents show through `_meta` of a tool call, as v2 says it.

    Seen in the wild: `terminal_info` (cwd), `terminal_output` and `terminal_output_delta` (text to
    append) and `terminal_exit`; each names its terminal.
    """
    meta = update.get("_meta")
    if not isinstance(meta, dict):
        return []
    found = []
    for key, value in meta.items():
        terminal_id = value.get("terminal_id") if isinstance(value, dict) else None
        if isinstance(terminal_id, str):
            found += _terminal_update(key, terminal_id, value)
    return found


def _terminal_update(key: str, terminal_id: str, value: dict[str, Json]) -> list[dict[str, Json]]:
    update = {"sessionUpdate": "terminal_update", "terminalId": terminal_id}
    match key:
        case "terminal_info":
            return [{**update, **{k: value[k] for k in ("command", "cwd") if k in value}}]
        case "terminal_output" | "terminal_output_delta" if isinstance(value.get("data"), str):
            data = base64.b64encode(value["data"].encode("utf-8", "surrogatepass")).decode("ascii")
            return [{**update, "sessionUpdate": "terminal_output_chunk", "data": data}]
        case "terminal_exit":
            status = {"exitCode": value.get("exit_code"), "signal": value.get("signal")}
            return [{**update, "exitStatus": status}]
        case _:
            return []


def mode_option(modes: dict[str, Json]) -> Json:
    """v1 session modes as a config option of category mode."""
    options = [
        {"value": mode.get("id"), "name": mode.get("name"), "description": mode.get("description")}
        for mode in modes.get("availableModes") or ()
        if isinstance(mode, dict)
    ]
    return _select(MODE_OPTION, "Mode", modes.get("currentModeId"), options)


def with_mode(options: list[Json], mode_id: Json) -> list[Json]:
    """Options after `current_mode_update`: agents that have both tell the change once."""
    return [
        {**option, "currentValue": mode_id} if _offers_mode(option, mode_id) else option
        for option in options
    ]


def _offers_mode(option: Json, mode_id: Json) -> bool:
    if not isinstance(option, dict) or option.get("category") != MODE_OPTION:
        return False
    choices = option.get("options")
    if not isinstance(choices, list):
        return False
    grouped = [each.get("options") for each in choices if isinstance(each, dict)]
    inner = [item for group in grouped if isinstance(group, list) for item in group]
    found = [each for each in [*choices, *inner] if isinstance(each, dict)]
    return any(each.get("value") == mode_id for each in found)


def model_option(models: dict[str, Json]) -> Json:
    """v1 session models (an extension many agents send) as a config option of category model."""
    options = [
        {
            "value": model.get("modelId"),
            "name": model.get("name"),
            "description": model.get("description"),
        }
        for model in models.get("availableModels") or ()
        if isinstance(model, dict)
    ]
    return _select(MODEL_OPTION, "Model", models.get("currentModelId"), options)


def _select(config_id: str, name: str, current: Json, options: list[Json]) -> Json:
    return {
        "type": "select",
        "configId": config_id,
        "name": name,
        "category": config_id,
        "currentValue": current,
        "options": options,
    }


def _ability(flag: Json) -> Json:
    return {} if flag is True else None


def capabilities(v1: Json) -> Json:
    """v1 agent capabilities (booleans) as v2's (objects that are there or not)."""
    v1 = v1 if isinstance(v1, dict) else {}
    prompt = v1.get("promptCapabilities") or {}
    mcp = v1.get("mcpCapabilities") or {}
    session = v1.get("sessionCapabilities") or {}
    auth = v1.get("auth") or {}
    return {
        "session": {
            **(session if isinstance(session, dict) else {}),
            "load": _ability(v1.get("loadSession")),
            "prompt": {
                "image": _ability(prompt.get("image")),
                "audio": _ability(prompt.get("audio")),
                "embeddedContext": _ability(prompt.get("embeddedContext")),
            }
            if isinstance(prompt, dict)
            else None,
            "mcp": {"stdio": {}, "http": _ability(mcp.get("http"))}
            if isinstance(mcp, dict)
            else None,
        },
        "auth": auth,
        "_meta": v1.get("_meta"),
    }


def initialize_result(result: Json) -> Json:
    """v1's answer to `initialize` in v2's words; agents may leave their name out."""
    if not isinstance(result, dict):
        return result
    info = result.get("agentInfo") or {"name": "", "version": ""}
    return {
        "protocolVersion": result.get("protocolVersion"),
        "info": info,
        "capabilities": capabilities(result.get("agentCapabilities")),
        "authMethods": each(result.get("authMethods") or [], auth_method),
        "_meta": result.get("_meta"),
    }


def available_commands(update: dict[str, Json]) -> dict[str, Json]:
    """`available_commands_update`: v2 commands have a `type`."""
    return {**update, "availableCommands": each(update.get("availableCommands"), command)}


def config_options(options: Json) -> Json:
    """A list of v1 config options in v2's names."""
    return each(options, config_option)


def plan_update(update: dict[str, Json]) -> Json:
    """`plan`: v1 has one plan per session, without an id."""
    return plan({**update, "planId": PLAN_ID})
