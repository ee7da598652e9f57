"""The trace file: every frame of one agent's life, readable by its owner only, bounded.

Lines are collected in memory and written in blocks: when enough has come together, when nothing
more came for a moment, and at the end. A disk that refuses ends the trace and nothing else.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from acp_sidecar.errors import EnvironmentProblem, Fault, Problem
from acp_sidecar.wire.trace import Direction, message_line, text_line

DEFAULT_MAX_BYTES: Final = 256 * 2**20
_BLOCK_BYTES: Final = 64 * 2**10
_IDLE_SECONDS: Final = 0.2


class TraceFile:
    """Writes one trace. Times are those of the event loop, counted from the opening."""

    def __init__(
        self,
        path: Path,
        on_problem: Callable[[Problem], None],
        max_bytes: int = DEFAULT_MAX_BYTES,
    ) -> None:
        """Open the file anew, for its owner only.

        Raises:
            EnvironmentProblem: It cannot be written.
        """
        self._path = path
        self._on_problem = on_problem
        self._left = max_bytes
        self._max_bytes = max_bytes
        self._loop = asyncio.get_running_loop()
        self._started = self._loop.time()
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._timer: asyncio.TimerHandle | None = None
        self._fd: int | None = _open(path)

    def message(self, direction: Direction, frame: bytes) -> None:
        """Record a frame, as its JSON text."""
        if self._fd is not None:
            self._add(message_line(direction, self._now(), frame))

    def text(self, direction: Direction, text: str) -> None:
        """Record something that is no message."""
        if self._fd is not None:
            self._add(text_line(direction, self._now(), text))

    def close(self, reason: str) -> None:
        """Write what waits and an `end` line that says why. Can be called twice."""
        if self._fd is not None:
            self._queue(text_line(Direction.END, self._now(), reason))
            self._finish()

    def _now(self) -> float:
        return self._loop.time() - self._started

    def _add(self, line: bytes) -> None:
        if len(line) > self._left:
            limit = f"the trace was stopped at its limit of {self._max_bytes} bytes"
            self._queue(text_line(Direction.END, self._now(), limit))
            self._finish()
            text = f"The trace {self._path} reached its limit of {self._max_bytes} bytes."
            self._on_problem(Problem(Fault.CONFIG, "trace-full", text, str(self._path)))
            return
        self._left -= len(line)
        self._queue(line)
        if self._waiting_bytes >= _BLOCK_BYTES:
            self._write()
        elif self._timer is None:
            self._timer = self._loop.call_later(_IDLE_SECONDS, self._write)

    def _queue(self, line: bytes) -> None:
        self._waiting.append(line)
        self._waiting_bytes += len(line)

    def _write(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        data = b"".join(self._waiting)
        self._waiting.clear()
        self._waiting_bytes = 0
        try:
            while data and self._fd is not None:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            self._close_fd()
            text = f"The trace {self._path} ends early: {error.strerror}."
            problem = Problem(Fault.ENVIRONMENT, "trace-not-written", text, str(self._path))
            self._on_problem(problem)

    def _finish(self) -> None:
        self._write()
        self._close_fd()

    def _close_fd(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def _open(path: Path) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    flags |= getattr(os, "O_BINARY", 0)
    try:
        fd = os.open(path, flags, 0o600)
        if hasattr(os, "fchmod"):
            # The mode above is for new files only; an older trace may be readable by others.
            os.fchmod(fd, 0o600)
    except OSError as error:
        raise EnvironmentProblem(
            f"The trace {path} cannot be written: {error.strerror}.",
            advice="Set `trace` to a path in a directory of your own.",
        ) from error
    return fd
