"""Presence: where the agent of each session works now, whether or not anybody follows.

Rich clients draw it as a collaborator's caret wherever that file is visible. Sessions that exist
at the same time have different colour indexes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from acp_sidecar.features.follow_messages import PresencePayload
from acp_sidecar.features.ports import Edit
from acp_sidecar.features.target import Target

Json = Any


@dataclass(frozen=True, slots=True)
class Presence:
    """An agent at a place. `since` is when it came to this file in this tool call."""

    target: Target
    since: float


class Presences:
    """At most one place for each session."""

    def __init__(self) -> None:
        self._at: dict[str, Presence] = {}
        self._colours: dict[str, int] = {}

    def colour(self, session: str) -> int:
        """The colour index of a session: the lowest that is free when it is first asked for."""
        if session not in self._colours:
            used = set(self._colours.values())
            self._colours[session] = next(index for index in count() if index not in used)
        return self._colours[session]

    def put(self, target: Target, now: float) -> bool:
        """An agent is at a place; answers whether that is news."""
        before = self._at.get(target.session)
        if before is not None and before.target == target:
            return False
        stays = (
            before is not None
            and before.target.call == target.call
            and before.target.path == target.path
        )
        since = before.since if before is not None and stays else now
        self._at[target.session] = Presence(target, since)
        return True

    def clear(self, session: str, call: str | None = None) -> bool:
        """The agent works no more (in `call`, if given); answers whether that is news."""
        here = self._at.get(session)
        if here is None or (call is not None and here.target.call != call):
            return False
        del self._at[session]
        return True

    def present(self, session: str) -> bool:
        return session in self._at

    def forget(self, session: str) -> bool:
        """The session is gone, its colour is free; answers whether it was present."""
        self._colours.pop(session, None)
        return self.clear(session)

    def edited(self, path: str, edits: Iterable[Edit]) -> None:
        edits = list(edits)
        for session, here in self._at.items():
            self._at[session] = replace(here, target=here.target.edited(path, edits))

    def renamed(self, rename: Callable[[str], str | None]) -> bool:
        """A file moved; answers whether an agent was there."""
        news = False
        for session, here in self._at.items():
            target = here.target.renamed(rename)
            news |= target is not here.target
            self._at[session] = replace(here, target=target)
        return news

    def payload(self, now: float) -> list[PresencePayload]:
        return [
            {**here.target.payload(self.colour(session)), "age": max(0.0, now - here.since)}
            for session, here in self._at.items()
        ]

    def view(self, now: float) -> list[Json]:
        """For `acp.state`: lines count from 1, `age` is in seconds."""
        return [
            {
                **here.target.view(),
                "colour": self.colour(session),
                "age": max(0.0, now - here.since),
            }
            for session, here in self._at.items()
        ]
