"""LSP's base protocol on stdin and stdout, off the event loop.

Two daemon threads do the blocking: one reads whole messages and posts them to the loop, in order;
one writes. So an editor that stalls never stalls the loop, and a blocked read never keeps the
process alive. What waits to be written is counted, so that agents can be slowed down.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from typing import BinaryIO, Final

HIGH_WATER: Final = 8 * 1024 * 1024
LOW_WATER: Final = 1024 * 1024


def start_reader(
    stdin: BinaryIO,
    loop: asyncio.AbstractEventLoop,
    on_body: Callable[[bytes], None],
    on_eof: Callable[[], None],
) -> None:
    """Read messages until the end of input; call back on the loop, in order."""

    def read() -> None:
        try:
            while (body := _read_body(stdin)) is not None:
                loop.call_soon_threadsafe(on_body, body)
        except (OSError, ValueError):
            pass  # a broken pipe is an end of input like any other
        with contextlib.suppress(RuntimeError):  # the loop ended first
            loop.call_soon_threadsafe(on_eof)

    threading.Thread(target=read, name="lsp-reader", daemon=True).start()


def _read_body(stdin: BinaryIO) -> bytes | None:
    """One message's body; None at the end of input. Unknown headers are skipped."""
    length = -1
    while line := stdin.readline():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
        elif not line.strip() and length >= 0:
            body = stdin.read(length)
            return body if len(body) == length else None
    return None


class Writer:
    """Pygls' writer: takes whole messages, writes them in order, never blocks the caller.

    Attributes:
        on_pressure: Called on the loop with True when much waits to be written, with False when
            the editor has caught up.
    """

    def __init__(self, stdout: BinaryIO, loop: asyncio.AbstractEventLoop) -> None:
        self.on_pressure: Callable[[bool], None] = lambda _high: None
        self.broken = False
        self._stdout = stdout
        self._loop = loop
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting = 0
        self._lock = threading.Lock()
        self._high = False
        self._thread = threading.Thread(target=self._run, name="lsp-writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Take one whole message."""
        if self.broken:
            return
        with self._lock:
            self._waiting += len(data)
            high = self._waiting > HIGH_WATER and not self._high
            self._high = self._high or high
        self._queue.put(data)
        if high:
            self._loop.call_soon(self.on_pressure, True)

    def close(self) -> None:
        """Nothing: the process decides when stdout ends (`finish`)."""

    def finish(self, timeout: float) -> None:
        """Write what waits, for at most `timeout` seconds."""
        self._queue.put(None)
        self._thread.join(timeout)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._stdout.write(data)
                if self._queue.empty():
                    self._stdout.flush()
            except (OSError, ValueError):
                self.broken = True  # the reader sees the end of input and ends everything
                return
            self._wrote(len(data))

    def _wrote(self, count: int) -> None:
        with self._lock:
            self._waiting -= count
            low = self._high and self._waiting < LOW_WATER
            self._high = self._high and not low
        if low:
            with contextlib.suppress(RuntimeError):  # the loop ended first
                self._loop.call_soon_threadsafe(self.on_pressure, False)
