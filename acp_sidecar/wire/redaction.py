"""What of a message is nobody's business but the two that exchange it, taken out for the trace.

Values of environment variables and HTTP headers, and whatever a sign-in carries besides the name of
its method. What a tool call or a message contains is not looked into: it is what a trace is for.
"""

from __future__ import annotations

import re
from typing import Any, Final

from acp_sidecar.wire.json_text import dump, parse

Json = Any

REDACTED: Final = "[redacted]"

_SUSPICIOUS: Final = re.compile(rb'"(?:env|headers|authenticate|auth\\?/login)"|\\u00[2-7]')
"""Found in every frame that may have to be changed; letters may be written as escapes."""

_SIGN_IN: Final = frozenset({"authenticate", "auth/login"})
_KEPT_OF_SIGN_IN: Final = frozenset({"methodId"})
_LISTS: Final = ("mcpServers", "authMethods")


def redacted(frame: bytes) -> bytes:
    """The frame, or what is left of it; frames without secrets come out as they are."""
    if not _SUSPICIOUS.search(frame):
        return frame
    parsed = parse(frame)
    if not parsed.found:
        return frame
    messages = parsed.value if isinstance(parsed.value, list) else [parsed.value]
    changed = [_message(each) for each in messages]
    if changed == messages:
        return frame
    return dump(changed if isinstance(parsed.value, list) else changed[0])


def _message(message: Json) -> Json:
    if not isinstance(message, dict):
        return message
    cleaned = dict(message)
    for part in ("params", "result"):
        if isinstance(message.get(part), dict):
            cleaned[part] = _part(message[part])
    if message.get("method") in _SIGN_IN and isinstance(cleaned.get("params"), dict):
        cleaned["params"] = {
            key: value if key in _KEPT_OF_SIGN_IN else REDACTED
            for key, value in cleaned["params"].items()
        }
    return cleaned


def _part(part: dict[str, Json]) -> dict[str, Json]:
    """Params or a result: the variables of a terminal, the servers and ways to sign in."""
    cleaned = _without_values(part)
    for name in _LISTS:
        if isinstance(cleaned.get(name), list):
            cleaned[name] = [_item(each) for each in cleaned[name]]
    return cleaned


def _item(item: Json) -> Json:
    if not isinstance(item, dict):
        return item
    cleaned = _without_values(item)
    meta = cleaned.get("_meta")
    if isinstance(meta, dict):
        inner = {
            key: _without_values(value) if isinstance(value, dict) else value
            for key, value in meta.items()
        }
        cleaned["_meta"] = inner
    return cleaned


def _without_values(fields: dict[str, Json]) -> dict[str, Json]:
    return {
        key: _named(value) if key in {"env", "headers"} else value for key, value in fields.items()
    }


def _named(values: Json) -> Json:
    """Names without their values: a map, or a list of `{name, value}`."""
    if isinstance(values, dict):
        return dict.fromkeys(values, REDACTED)
    if not isinstance(values, list):
        return values if values is None else REDACTED
    return [
        {**each, "value": REDACTED} if isinstance(each, dict) and "value" in each else each
        for each in values
    ]
