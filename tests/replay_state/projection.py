"""The part of `acp.state` that the reference tells too, in the reference's shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Json = Any


def at_home(value: Json, root: Path) -> Json:
    """Paths as the recording has them."""
    return json.loads(json.dumps(value).replace(str(root), "/workspace"))


def of_session(session: Json) -> Json:
    """What is compared of a session."""
    return {
        "state": session["state"],
        "busy": session["busy"],
        "closed": session["closed"],
        "stopReason": session["stopReason"],
        "options": {o["configId"]: o["currentValue"] for o in session["configOptions"]},
        "commands": [command["name"] for command in session["availableCommands"]],
        "messages": [
            [message["role"], "".join(map(_text, message["content"]))]
            for message in session["messages"]
        ],
        "toolCalls": {call["toolCallId"]: _call(call) for call in session["toolCalls"]},
        "terminals": {t["terminalId"]: _terminal(t) for t in session["terminals"]},
        "plans": {plan["planId"]: _entries(plan) for plan in session["plans"] if "entries" in plan},
        "usage": session["usage"] and [session["usage"]["used"], session["usage"]["size"]],
        "notices": [notice["title"] for notice in session["notices"]],
    }


def differences(expected: Json, actual: Json, where: str = "") -> list[str]:
    """Where two values differ, one line a place."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        names = sorted(expected.keys() | actual.keys())
        return [
            line
            for name in names
            for line in differences(expected.get(name), actual.get(name), f"{where}.{name}")
        ]
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        return [
            line
            for index, pair in enumerate(zip(expected, actual, strict=True))
            for line in differences(*pair, f"{where}[{index}]")
        ]
    if expected == actual:
        return []
    return [f"{where}: expected {str(expected)[:300]!r}, is {str(actual)[:300]!r}"]


def _call(call: Json) -> Json:
    return {
        **{name: call[name] for name in ("title", "name", "kind", "status", "rawInput")},
        "rawOutput": call["rawOutput"],
        "content": [_item(item) for item in call["content"]],
        "locations": [[place["path"], place.get("line")] for place in call["locations"]],
    }


def _terminal(terminal: Json) -> Json:
    status = terminal["exitStatus"]
    return {
        "output": terminal["output"],
        "exit": status if status is None else [status.get("exitCode"), status.get("signal")],
        "command": terminal["command"],
    }


def _item(item: Json) -> Json:
    match item["type"]:
        case "content":
            return ["content", _text(item["content"])]
        case "terminal":
            return ["terminal", item["terminalId"]]
        case "diff":
            return ["diff", [change["path"] for change in item["changes"]]]
        case other:
            return [other]


def _text(block: Json) -> str:
    text: str = block["text"] if block["type"] == "text" else f"<{block['type']}>"
    return text


def _entries(plan: Json) -> Json:
    return [[entry["content"], entry["status"]] for entry in plan["entries"]]
