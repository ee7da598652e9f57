"""Who waits for which answer of the agent, and for how long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from acp_sidecar.wire.json_rpc import ErrorResponse, Response

OnAnswer: TypeAlias = Callable[[Response | ErrorResponse], None]

_AGAIN_SECONDS: Final = 0.05


class _Limit(NamedTuple):
    """A time limit of `seconds`, which is over at `due` of the listening time."""

    request_id: int
    method: str
    seconds: float
    due: float


class Waiting:
    """The open requests with their callbacks and time limits.

    Time in which we were paused and could hear no answer does not count, and nothing is over while
    `is_behind` says that messages have come which are not delivered.
    """

    def __init__(
        self, is_behind: Callable[[], bool], on_over: Callable[[int, str, float], None]
    ) -> None:
        """Args: `on_over` gets the id, the method and the seconds of a request whose time is up."""
        self._loop = asyncio.get_running_loop()
        self._is_behind = is_behind
        self._on_over = on_over
        self._callbacks: dict[int, OnAnswer] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._paused_at: float | None = None
        self._paused_seconds = 0.0

    def add(self, request_id: int, on_answer: OnAnswer) -> None:
        """Somebody waits for the answer to a request."""
        self._callbacks[request_id] = on_answer

    def limit(self, request_id: int, method: str, seconds: float) -> None:
        """Wait no longer than this for the answer."""
        due = self._listening_time() + seconds
        self._arm(_Limit(request_id, method, seconds, due), seconds)

    def take(self, request_id: int) -> OnAnswer | None:
        """The one that waits for this answer, who then waits no more."""
        if timer := self._timers.pop(request_id, None):
            timer.cancel()
        return self._callbacks.pop(request_id, None)

    def open_ids(self) -> list[int]:
        """The requests that somebody waits for, oldest first."""
        return list(self._callbacks)

    def pause(self) -> None:
        """From now on no answer can be heard."""
        if self._paused_at is None:
            self._paused_at = self._loop.time()

    def resume(self) -> None:
        """Answers can be heard again."""
        if self._paused_at is not None:
            self._paused_seconds += self._loop.time() - self._paused_at
            self._paused_at = None

    def _listening_time(self) -> float:
        now = self._loop.time() if self._paused_at is None else self._paused_at
        return now - self._paused_seconds

    def _arm(self, limit: _Limit, seconds: float) -> None:
        self._timers[limit.request_id] = self._loop.call_later(seconds, self._check, limit)

    def _check(self, limit: _Limit) -> None:
        left = limit.due - self._listening_time()
        if left > 0 or self._is_behind():
            self._arm(limit, max(left, _AGAIN_SECONDS))
        else:
            self._on_over(limit.request_id, limit.method, limit.seconds)
