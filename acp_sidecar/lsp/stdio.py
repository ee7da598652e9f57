"""LSP's base protocol on stdin and stdout, off the event loop.

Two daemon threads do the blocking: one reads whole messages and posts them to the loop, in order;
one writes. So an editor that stalls never stalls the loop, and a blocked read never keeps the
process alive. What waits to be written is counted, so that agents can be slowed down.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Final

HIGH_WATER: Final = 8 * 1024 * 1024
LOW_WATER: Final = 1024 * 1024
READ_SIZE: Final = 256 * 1024


class _Frames:
    """Takes bytes in any chunks, gives whole message bodies. Unknown headers are skipped."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The bodies that are complete now, those before a fault included.

        Raises:
            ValueError: The stream is no LSP base protocol; nothing after it can be read.
        """
        self._buffer += data
        while (body := self._next()) is not None:
            yield body

    def _next(self) -> bytes | None:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        length = _content_length(bytes(self._buffer[:end]))
        start = end + 4
        if len(self._buffer) < start + length:
            return None
        body = bytes(self._buffer[start : start + length])
        del self._buffer[: start + length]
        return body


def _content_length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and (length := int(value)) >= 0:
            return length
    raise ValueError("a message without a usable Content-Length")


def start_reader(
    fd: int,
    loop: asyncio.AbstractEventLoop,
    on_body: Callable[[bytes], None],
    on_eof: Callable[[], None],
) -> None:
    """Read messages from a descriptor until it ends; call back on the loop, in order."""

    def read() -> None:
        frames = _Frames()
        # A broken pipe, or what is no LSP at all, is an end of input like any other. No buffered
        # file object is used: its lock would be held by this thread when the process ends.
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(fd, READ_SIZE):
                for body in frames.feed(data):
                    loop.call_soon_threadsafe(on_body, body)
        with contextlib.suppress(RuntimeError):  # the loop ended first
            loop.call_soon_threadsafe(on_eof)

    threading.Thread(target=read, name="lsp-reader", daemon=True).start()


class Writer:
    """Pygls' writer: takes whole messages, writes them in order, never blocks the caller.

    Attributes:
        on_pressure: Called on the loop with True when much waits to be written, with False when
            the editor has caught up.
    """

    def __init__(self, fd: int, loop: asyncio.AbstractEventLoop) -> None:
        self.on_pressure: Callable[[bool], None] = lambda _high: None
        self.broken = False
        self._fd = fd
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
                self._write_all(data)
            except OSError:
                self.broken = True  # the reader sees the end of input and ends everything
                return
            self._wrote(len(data))

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view) :]

    def _wrote(self, count: int) -> None:
        with self._lock:
            self._waiting -= count
            low = self._high and self._waiting < LOW_WATER
            self._high = self._high and not low
        if low:
            with contextlib.suppress(RuntimeError):  # the loop ended first
                self._loop.call_soon_threadsafe(self.on_pressure, False)
