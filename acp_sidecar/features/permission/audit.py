"""What was decided, by whom and why; the last so many."""

from __future__ import annotations

from collections import deque
from typing import Final

from acp_sidecar.features.permission.messages import AuditEntry, PermissionSettledParams
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

    def remembered(self, now: float, added: Remembered, agent: str) -> None:
        """The user has added a rule."""
        entry: AuditEntry = {
            "permissionId": None,
            "sessionId": added.session,
            "agent": agent,
            "title": f"Remembered rule {added.number}",
            "outcome": "remembered",
            "optionId": None,
            "optionKind": None,
            "by": "user",
            "reason": "added by the user",
            "rule": added.rule.model_dump(by_alias=True, exclude_none=True),
            "age": 0.0,
        }
        self._entries.append((now, entry))

    def view(self, now: float) -> list[AuditEntry]:
        """The oldest first."""
        return [{**entry, "age": max(0.0, now - since)} for since, entry in self._entries]
