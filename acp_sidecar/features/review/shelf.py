"""All change sets of all sessions, each looked at afresh before anybody uses it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from acp_sidecar.changes.hunks import Side
from acp_sidecar.features.review.items import ReviewFile, ReviewSet
from acp_sidecar.features.review.reading import Reading
from acp_sidecar.features.review.tracking import refresh

MAX_SETS: Final = 1_000
"""Sets that are kept; the oldest that are over go first."""

FileAt = tuple[ReviewSet, int, ReviewFile]


class PermissionPort(Protocol):
    """What the review needs from the permission feature, which chooses the option."""

    def open_for(self, session_key: str, tool_call_id: str) -> str | None:
        """The id of the open permission of a tool call."""
        ...

    def settle(self, permission_id: str, allow: bool) -> None:
        """Answer it."""
        ...


class Shelf:
    """Change sets by id, oldest first."""

    def __init__(self, reading: Reading, permissions: PermissionPort) -> None:
        self.sets: dict[str, ReviewSet] = {}
        self._by_path: dict[str, list[FileAt]] | None = None
        self._reading = reading
        self._permissions = permissions

    def add(self, review: ReviewSet) -> list[ReviewSet]:
        """Put a set on the shelf; returns those that have to go for it."""
        self.sets[review.id] = review
        self.reordered()
        if len(self.sets) <= MAX_SETS:
            return []
        over = (each for each in self.sets.values() if each.finished and each is not review)
        return [next(over, next(iter(self.sets.values())))]

    def remove(self, review: ReviewSet) -> None:
        self.sets.pop(review.id, None)
        self.reordered()

    def reordered(self) -> None:
        """Some set has other files than before."""
        self._by_path = None

    def of_session(self, session_key: str) -> list[ReviewSet]:
        return [each for each in self.sets.values() if each.session_key == session_key]

    def permission(self, review: ReviewSet) -> str | None:
        """The id of the open permission of a set's tool call."""
        if review.tool_call_id is None:
            return None
        return self._permissions.open_for(review.session_key, review.tool_call_id)

    def is_pending(self, review: ReviewSet) -> bool:
        return self.permission(review) is not None

    def prefer(self, review: ReviewSet) -> Side | None:
        """Which side to believe where the text allows both."""
        if review.net or review.completed:
            return Side.NEW
        return Side.OLD if review.finished or self.is_pending(review) else None

    def refresh(self, review: ReviewSet) -> None:
        """Look at all files of a set."""
        prefer = self.prefer(review)
        for file in review.files:
            refresh(file, self._reading, prefer)

    def refresh_all(self, ids: Iterable[str]) -> None:
        for key in ids:
            if key in self.sets:
                self.refresh(self.sets[key])

    def files_at(self, real: str) -> list[FileAt]:
        """The files of all sets at a real path, as they were last seen."""
        if self._by_path is None:
            self._by_path = {}
            for review in self.sets.values():
                for index, file in enumerate(review.files):
                    for path in {file.path, file.old_path or file.path}:
                        self._by_path.setdefault(path, []).append((review, index, file))
        return self._by_path.get(real, [])

    def fresh_files_at(self, real: str) -> list[FileAt]:
        """The same, looked at now."""
        found = self.files_at(real)
        for review, _, file in found:
            refresh(file, self._reading, self.prefer(review))
        return found
