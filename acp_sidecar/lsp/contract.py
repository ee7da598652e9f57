"""What an entry of the editor protocol consists of: a message, or a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from acp_sidecar.lsp.arguments import Arguments

Type = Any
"""A type as annotations have it: a class, a union, or None for a result of null."""


@dataclass(frozen=True, slots=True)
class Message:
    """An `acp/*` message.

    Attributes:
        capability: The member of `experimental.acp` in the client's capabilities that switches it
            on.
        result: Of a request; None for a notification.
    """

    method: str
    direction: Literal["to client", "to server"]
    kind: Literal["request", "notification"]
    capability: str
    params: Type
    result: Type
    doc: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `workspace/executeCommand`, which takes one object.

    Attributes:
        errors: When it is answered with an error; its message is for a person.
    """

    name: str
    arguments: type[Arguments]
    result: Type
    doc: str
    errors: tuple[str, ...] = ()
