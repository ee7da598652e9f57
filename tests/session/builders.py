"""Short ways to say updates as an agent would, through the real decoder."""

from __future__ import annotations

import base64
from typing import Any

from acp_sidecar.session.reducer import Effect, apply
from acp_sidecar.session.state import Session
from acp_sidecar.session.updates import Update
from acp_sidecar.wire.v2.adapter import decode_update

Json = Any


def session(**more: Any) -> Session:
    """An empty session."""
    return Session("s", "s", "agent", "/project", 2, **more)


def update(kind: str, /, **fields: Json) -> Update:
    """A v2 session update; fields are in JSON's names."""
    decoded = decode_update({"sessionUpdate": kind, **fields})
    assert decoded.value is not None, decoded.problems
    assert not decoded.problems
    return decoded.value


def tell(to: Session, kind: str, /, **fields: Json) -> Effect:
    """Apply an update."""
    return apply(to, update(kind, **fields))


def text_item(text: str) -> Json:
    """A text block as an item of a tool call's content."""
    return {"type": "content", "content": {"type": "text", "text": text}}


def b64(data: bytes) -> str:
    """Base64, as JSON carries bytes."""
    return base64.b64encode(data).decode("ascii")
