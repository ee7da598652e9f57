"""When to push: the first change at once, what follows within a frame together."""

from __future__ import annotations

from typing import Final

FRAME: Final = 0.016
"""Seconds between two pushes of the same kind."""


class Frames:
    """Collects marks; `due` says once that it is time. Times are seconds of any one clock."""

    __slots__ = ("_deadline", "_interval", "_next")

    def __init__(self, interval: float = FRAME) -> None:
        self._interval = interval
        self._next = float("-inf")
        self._deadline: float | None = None

    def mark(self, now: float, *, urgent: bool = False) -> None:
        """Something has changed; `urgent` does not wait for the frame to end."""
        wanted = now if urgent else max(now, self._next)
        self._deadline = wanted if self._deadline is None else min(self._deadline, wanted)

    def deadline(self) -> float | None:
        """When `due` will be true, if nothing else happens."""
        return self._deadline

    def due(self, now: float) -> bool:
        """Whether to push now; begins the next frame if so."""
        if self._deadline is None or now < self._deadline:
            return False
        self._deadline = None
        self._next = now + self._interval
        return True
