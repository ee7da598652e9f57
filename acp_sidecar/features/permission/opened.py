"""One permission that nobody has settled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from acp_sidecar.features.permission.facts import Facts
from acp_sidecar.features.permission.prompts import Prompt
from acp_sidecar.features.ports import Withdraw
from acp_sidecar.session.permissions import PermissionRequest
from acp_sidecar.session.state import Session

Answer = Callable[[str | None], None]
"""Answers the agent with an option's id, or "cancelled"."""


@dataclass(eq=False, slots=True)
class Open:
    """A permission from its request until it is settled.

    Attributes:
        facts: What was verified when it was asked.
        since: When, in seconds.
        answer: Answers the agent, once.
        reason: Which rule asks, or empty.
        prompt: In an editor without prompts of its own.
        withdraw: Takes a rich client's prompt back.
    """

    permission_id: str
    session: Session
    request: PermissionRequest
    facts: Facts
    since: float
    answer: Answer
    reason: str = ""
    prompt: Prompt | None = None
    withdraw: Withdraw | None = None
