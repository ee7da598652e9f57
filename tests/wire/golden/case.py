"""One row of the tables, and how a decoded value is written down."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from acp_sidecar.session.base import UnknownVariant
from acp_sidecar.session.handshake import AgentCapabilities
from acp_sidecar.wire.lenient import decode
from acp_sidecar.wire.protocol import Adapter, Outgoing, SessionUpdates
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v2.adapter import V2Adapter

Json = Any

SESSION = "sess-1"

ABILITIES: dict[str, Json] = {
    "session": {name: {} for name in ("list", "resume", "load", "close", "delete")},
    "auth": {"logout": {}},
}


def adapter_of(version: int) -> Adapter:
    """An adapter for an agent of that version that can do everything."""
    abilities = decode(AgentCapabilities, ABILITIES, "capabilities").value
    return V2Adapter(abilities) if version == 2 else V1Adapter(abilities)


@dataclass(frozen=True)
class Said:
    """Something an agent says by itself.

    Attributes:
        means: What is understood, as `written` writes it.
        problems: Codes of what is recorded as wrong with it.
        valid: Whether the published schema allows it; drafts and mistakes are not.
        before: What the agent said before, on the same connection.
    """

    name: str
    method: str
    params: Json
    means: Json
    id: int | str | None = None
    problems: tuple[str, ...] = ()
    valid: bool = True
    before: tuple[tuple[str, Json], ...] = ()

    def message(self) -> Json:
        head = {"jsonrpc": "2.0"} if self.id is None else {"jsonrpc": "2.0", "id": self.id}
        return {**head, "method": self.method, "params": self.params}


@dataclass(frozen=True)
class Answered:
    """An agent's answer to a request of ours."""

    name: str
    request: Callable[[Adapter], Outgoing[Any]]
    result: Json
    means: Json
    problems: tuple[str, ...] = ()
    valid: bool = True

    def message(self) -> Json:
        return {"jsonrpc": "2.0", "id": 0, "result": self.result}


def written(value: Any) -> Json:
    """A decoded value as JSON: three states stay three, and the type is named by `is`."""
    if isinstance(value, SessionUpdates):
        return {"sessionId": value.session_id, "updates": [written(u) for u in value.updates]}
    if isinstance(value, UnknownVariant):
        return {"is": type(value).__name__, **value.raw()}
    if isinstance(value, BaseModel):
        fields = value.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {"is": type(value).__name__, **fields}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {"is": type(value).__name__, **dataclasses.asdict(value)}
    return value


def update(name: str, told: Json, *means: Json, **more: Any) -> Said:
    """A `session/update`, and the updates that it means."""
    params = {"sessionId": SESSION, "update": told}
    expected = {"sessionId": SESSION, "updates": list(means)}
    return Said(name, "session/update", params, expected, **more)
