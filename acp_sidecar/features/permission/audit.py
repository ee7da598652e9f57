"""What was decided, by whom and why; the last so many."""

from __future__ import annotations

from collections import deque
from typing import Final, Literal

from acp_sidecar.features.permission.messages import (
    AuditEntry,
    PermissionSettledParams,
    RememberedView,
)
from acp_sidecar.features.permission.rules import Remembered

KEPT: Final = 500


class Audit:
    """A bounded list of decisions and of rules remembered."""

    def __init__(self) -> None:
        self._entries: deque[tuple[float, AuditEntry]] = deque(maxlen=KEPT)

    def settled(
        self, now: float, settled: PermissionSettledParams, option_kind: str | None
    ) -> None:
        """A permission is settled."""
        entry: AuditEntry = {
            "permissionId": settled["permissionId"],
            "sessionId": settled["sessionId"],
            "agent": settled["agent"],
            "title": settled["title"],
            "outcome": settled["outcome"],
            "optionId": settled["optionId"],
            "optionKind": option_kind,
            "by": settled["by"],
            "reason": settled["reason"],
            "rule": None,
            "age": 0.0,
        }
        self._entries.append((now, entry))

    def rule(
        self, now: float, rule: Remembered, agent: str, what: Literal["remembered", "forgotten"]
    ) -> None:
        """The user has added a rule, or taken it back."""
        entry: AuditEntry = {
            "permissionId": None,
            "sessionId": rule.session,
            "agent": agent,
            "title": f"Remembered rule {rule.number}",
            "outcome": what,
            "optionId": None,
            "optionKind": None,
            "by": "user",
            "reason": f"{what} by the user",
            "rule": remembered_view(rule)["rule"],
            "age": 0.0,
        }
        self._entries.append((now, entry))

    def view(self, now: float) -> list[AuditEntry]:
        """The oldest first."""
        return [{**entry, "age": max(0.0, now - since)} for since, entry in self._entries]


def remembered_view(remembered: Remembered) -> RememberedView:
    """A remembered rule, as it would stand in the settings."""
    return {
        "number": remembered.number,
        "sessionId": remembered.session,
        "rule": remembered.rule.model_dump(by_alias=True, exclude_none=True),
    }
