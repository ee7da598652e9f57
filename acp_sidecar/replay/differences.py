"""Where a client's message differs from the recorded one, in words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

_SHOWN: Final = 60
_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class Difference:
    """Something the client did differently; `line` is the trace's, or 0 if it is in none."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


def params_difference(method: str, recorded: Any, live: Any) -> str:
    """The first difference between two params, or "".

    Who the client is (names, capabilities) and `_meta` are its own business: of `initialize`, only
    the protocol version is compared. What `$/cancel_request` names is an id, which is never alike.
    """
    if method == "$/cancel_request":
        return ""
    if method == "initialize":
        recorded, live = _version(recorded), _version(live)
    return first_difference(recorded or {}, live or {}, "params")


def first_difference(recorded: Any, live: Any, where: str) -> str:
    """The first place in which two JSON values differ, and how; "" if they say the same."""
    if isinstance(recorded, dict) and isinstance(live, dict):
        return _first_in_objects(recorded, live, where)
    if isinstance(recorded, list) and isinstance(live, list) and len(recorded) == len(live):
        pairs = enumerate(zip(recorded, live, strict=True))
        found = (first_difference(a, b, f"{where}[{index}]") for index, (a, b) in pairs)
        return next(filter(None, found), "")
    if recorded == live:
        return ""
    return f"{where} is {_short(live)}, and was {_short(recorded)}"


def _first_in_objects(recorded: dict[str, Any], live: dict[str, Any], where: str) -> str:
    for key in [*recorded, *(key for key in live if key not in recorded)]:
        if key == "_meta":
            continue
        a, b = recorded.get(key, _MISSING), live.get(key, _MISSING)
        if found := first_difference(a, b, f"{where}.{key}"):
            return found
    return ""


def _version(params: Any) -> Any:
    return {"protocolVersion": params.get("protocolVersion")} if isinstance(params, dict) else {}


def _short(value: Any) -> str:
    if value is _MISSING:
        return "missing"
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
