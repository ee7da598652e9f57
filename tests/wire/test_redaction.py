"""Traces leave out what is secret, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.wire.redaction import REDACTED, redacted

SECRET = "sk-0123456789"  # noqa: S105 - nobody's

MESSAGES: dict[str, Any] = {
    "login": {"id": 1, "method": "auth/login", "params": {"methodId": "m", "_meta": {"k": SECRET}}},
    "v1 login": {"id": 1, "method": "authenticate", "params": {"methodId": "m", "token": SECRET}},
    "servers": {
        "id": 2,
        "method": "session/new",
        "params": {
            "cwd": "/p",
            "mcpServers": [
                {"type": "stdio", "command": "x", "env": [{"name": "KEY", "value": SECRET}]},
                {"type": "http", "url": "u", "headers": [{"name": "Auth", "value": SECRET}]},
                {"type": "stdio", "command": "old", "env": {"KEY": SECRET}},
                {"type": "odd", "env": SECRET},
            ],
        },
    },
    "methods": {
        "id": 0,
        "result": {
            "authMethods": [
                {"type": "terminal", "methodId": "t", "env": [{"name": "A", "value": SECRET}]},
                {"type": "terminal", "id": "t", "env": {"A": SECRET}},
                {"id": "old", "_meta": {"terminal-auth": {"command": "c", "env": {"A": SECRET}}}},
            ]
        },
    },
    "terminal": {
        "id": "9",
        "method": "terminal/create",
        "params": {"command": "make", "env": [{"name": "A", "value": SECRET}]},
    },
}


@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("escaped", [False, True])
def test_secrets_are_taken_out(name: str, batch: bool, escaped: bool) -> None:
    message = MESSAGES[name]
    frame = json.dumps([message] if batch else message)
    if escaped:
        frame = frame.replace("auth/login", "auth\\/login").replace('"env"', '"\\u0065nv"')
    kept = redacted(frame.encode())
    assert SECRET.encode() not in kept
    assert REDACTED.encode() in kept
    found = json.loads(kept)
    assert _without_values(found[0] if batch else found) == _without_values(message)


def _without_values(value: Any) -> Any:
    """What must be the same: everything but the text that was taken out."""
    if isinstance(value, dict):
        return {key: _without_values(item) for key, item in value.items() if key != "_meta"}
    if isinstance(value, list):
        return [_without_values(item) for item in value]
    return "" if value in {SECRET, REDACTED} else value


@pytest.mark.parametrize(
    "message",
    [
        {"method": "session/update", "params": {"update": {"rawInput": {"env": {"A": "shown"}}}}},
        {"method": "session/prompt", "params": {"prompt": [{"type": "text", "text": '"env"'}]}},
        {"id": 1, "result": {"authMethods": []}},
        {"id": 1, "error": {"code": -32000, "message": "authenticate", "data": {"env": 1}}},
        {"method": "auth/login", "params": None},
        ["env"],
        "env",
    ],
)
def test_what_is_no_secret_stays_byte_for_byte(message: Any) -> None:
    frame = json.dumps(message, indent=1).encode()
    assert redacted(frame) == frame


@given(st.binary())
def test_any_bytes_come_through(data: bytes) -> None:
    redacted(data)
    redacted(b'{"env": ' + data)
