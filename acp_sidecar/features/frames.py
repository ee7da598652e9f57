"""When to push: the first change at once, what follows within a frame together.

What comes slowly need not wait for a frame to end: a change after a calm goes at once too.
"""

from __future__ import annotations

from typing import Final

FRAME: Final = 0.016
"""Seconds between two pushes of the same kind, while changes come fast."""

CALM: Final = 0.005
"""Seconds without a change after which the next one goes at once."""


class Frames:
    """Collects marks; `due` says once that it is time. Times are seconds of any one clock."""

    __slots__ = ("_calm", "_deadline", "_interval", "_marked", "_next")

    def __init__(self, interval: float = FRAME, calm: float = CALM) -> None:
        self._interval = interval
        self._calm = calm
        self._marked = float("-inf")
        self._next = float("-inf")
        self._deadline: float | None = None

    def mark(self, now: float, *, urgent: bool = False) -> None:
        """Something has changed; `urgent` does not wait for the frame to end."""
        at_once = urgent or now - self._marked >= self._calm
        self._marked = now
        wanted = now if at_once else max(now, self._next)
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
