"""What agents have the client do (ACP v1 `fs/*`, `terminal/*`): how it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from acp_sidecar.session.permissions import PermissionRequest
from acp_sidecar.session.state import Session

T = TypeVar("T")


class Refusal(StrEnum):
    """Why something was not done."""

    INVALID = "invalid"
    """The request itself makes no sense."""
    NOT_FOUND = "not-found"
    DENIED = "denied"
    CANCELLED = "cancelled"
    FAILED = "failed"


class Ask(Protocol):
    """Puts a question to the user, in the name of one request of an agent.

    `answered` gets the id of the option, or None; it is never called if the agent takes its
    request back or is gone.
    """

    def __call__(
        self, session: Session, request: PermissionRequest, answered: Callable[[str | None], None]
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Caller(Generic[T]):
    """One request of an agent: to be answered exactly once, by `done` or by `refuse`.

    Answering a request that the agent has taken back does nothing.
    """

    done: Callable[[T], None]
    refuse: Callable[[Refusal, str], None]
    ask: Ask
