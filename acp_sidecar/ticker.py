"""When the rooms act: once a turn of the loop after something happened, and when they want to."""

from __future__ import annotations

import asyncio
from typing import Protocol


class Timed(Protocol):
    """What acts in time."""

    def frames(self, now: float) -> None: ...
    def deadline(self) -> float | None: ...
    def tick(self, now: float) -> None: ...


class Ticker:
    """One timer for the earliest deadline.

    Agents speak in bursts; asking every room after every update would cost more than applying the
    updates. Nothing waits longer than the delivery of one burst (`agent.connection.Limits`).
    """

    def __init__(self, timed: Timed, loop: asyncio.AbstractEventLoop) -> None:
        self._timed = timed
        self._loop = loop
        self._look_due = False
        self._timer: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """The time that all features go by, in seconds."""
        return self._loop.time()

    def happened(self) -> None:
        """Something has happened: let the rooms act when this turn of the loop is over."""
        if not self._look_due:
            self._look_due = True
            self._loop.call_soon(self._look)

    def stop(self) -> None:
        """Nothing acts any more."""
        self._look_due = True
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        self._look_due = False
        self._timed.frames(self.now())
        deadline = self._timed.deadline()
        if self._timer is not None:
            if deadline is not None and deadline >= self._timer.when():
                return  # the timer comes first and will look again
            self._timer.cancel()
            self._timer = None
        if deadline is not None:
            self._timer = self._loop.call_at(deadline, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._timed.tick(self.now())
        self.happened()
