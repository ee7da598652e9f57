"""Tell the editor what has changed: `acp/review` deltas, or that code lenses are to be asked for.

The first change is told at once, those right after it together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from acp_sidecar.features.ports import Editor
from acp_sidecar.features.review.items import ReviewSet
from acp_sidecar.features.review.messages import ReviewDelta, SetDelta
from acp_sidecar.features.review.views import file_view, fingerprint, set_head

METHOD: Final = "acp/review"
FRAME: Final = 0.05
"""Seconds between two messages."""

LOOK: Final = 0.05
"""Seconds after a look at what was touched that had nothing to tell."""

CALM: Final = 0.3
"""Seconds in which edits of the user's are gathered: they only move hunks."""


class Pusher:
    """Remembers what the editor knows, and sends the difference."""

    def __init__(self, editor: Editor, is_pending: Callable[[ReviewSet], bool]) -> None:
        self._editor = editor
        self._is_pending = is_pending
        self._touched: dict[str, None] = {}
        self._removed: dict[str, None] = {}
        self._known: dict[str, tuple[object, list[object]]] = {}
        self._next = float("-inf")
        self._due = float("inf")

    def touch(self, change_set: str) -> None:
        """Something about a set may have changed."""
        self._touched[change_set] = None
        self._due = float("-inf")

    def drift(self, now: float, change_set: str) -> None:
        """The user has typed in a file of a set: that can wait a little."""
        self._touched[change_set] = None
        self._due = min(self._due, now + CALM)

    def gone(self, change_set: str) -> None:
        """A set is no more."""
        self._touched.pop(change_set, None)
        if self._known.pop(change_set, None) is not None:
            self._removed[change_set] = None
            self._due = float("-inf")

    def touched(self) -> Iterable[str]:
        return list(self._touched)

    def deadline(self) -> float | None:
        return max(self._next, self._due) if self._touched or self._removed else None

    def is_due(self, now: float) -> bool:
        at = self.deadline()
        return at is not None and now >= at

    def send(self, now: float, sets: Mapping[str, ReviewSet]) -> None:
        """Send what is different from what was sent; the sets touched are fresh."""
        is_rich = "review" in self._editor.abilities.rich
        changed: list[SetDelta] = []
        is_new = bool(self._removed)
        for key in self._touched:
            different = self._different(sets[key]) if key in sets else None
            if different is not None:
                is_new = True
                if is_rich:
                    changed.append(self._delta(sets[key], different))
        removed = list(self._removed)
        self._touched.clear()
        self._removed.clear()
        self._due = float("inf")
        if not is_new:
            self._next = now + LOOK
            return
        self._next = now + FRAME
        if is_rich:
            message: ReviewDelta = {"changeSets": changed, "removed": removed}
            self._editor.notify(METHOD, message)
        else:
            self._editor.refresh()

    def _different(self, review: ReviewSet) -> list[int] | None:
        """The files that are not as the editor knows them; `None` if nothing is different."""
        pending = self._is_pending(review)
        head = review.state(), review.title, pending, review.problems, len(review.files)
        files: list[object] = [fingerprint(review, file) for file in review.files]
        known_head, known = self._known.get(review.id, (None, []))
        different = [
            index for index, mark in enumerate(files) if index >= len(known) or known[index] != mark
        ]
        self._known[review.id] = head, files
        return different if different or head != known_head else None

    def _delta(self, review: ReviewSet, different: list[int]) -> SetDelta:
        return {
            **set_head(review, pending=self._is_pending(review)),
            "files": [file_view(review, index, words=True) for index in different],
            "fileCount": len(review.files),
        }
