"""What the misbehaving programs share: reading requests and answering them, without any care."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any


def say(**message: Any) -> None:
    """Send one message at once."""
    raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def raw(data: bytes) -> None:
    """Send bytes at once."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def requests() -> Iterator[dict[str, Any]]:
    """All requests that come, until the end of input."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "method" in message and "id" in message:
            yield message


def answer_everything() -> None:
    """Be an ordinary agent from here on: answer each request with its own method."""
    for request in requests():
        say(id=request["id"], result=request["method"])
