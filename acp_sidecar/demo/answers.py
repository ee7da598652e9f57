"""Who answers the demo's questions: the person at the terminal, or `--yes`."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]


async def allow(titles: Sequence[str], permission: Json | None) -> int | None:
    """Choose what allows this once; dismiss a question that has no such answer."""
    if permission is None:
        return None
    for kind in ("allow_once", "allow_always"):
        for index, option in enumerate(permission["options"]):
            if option["kind"] == kind and index < len(titles):
                return index
    return None


class Keyboard:
    """Lines typed at the terminal. What was typed before a question appeared is no answer to it."""

    def __init__(self, prompt: Callable[[int], None]) -> None:
        self._prompt = prompt
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._started = False

    async def choose(self, titles: Sequence[str], _permission: Json | None) -> int | None:
        """Ask until there is an answer: a number, or an empty line to dismiss."""
        self._start()
        self._forget_what_was_typed()
        while True:
            self._prompt(len(titles))
            line = await self._lines.get()
            if line is None or not line.strip():
                return None
            if line.strip().isdecimal() and 1 <= int(line) <= len(titles):
                return int(line) - 1

    def _start(self) -> None:
        """One thread reads for ever: reading a terminal cannot be cancelled on every system."""
        if not self._started:
            self._started = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        line = "-"
        while line:
            line = sys.stdin.readline()
            try:
                loop.call_soon_threadsafe(self._lines.put_nowait, line or None)
            except RuntimeError:
                return  # the demo is over

    def _forget_what_was_typed(self) -> None:
        while not self._lines.empty():
            self._lines.get_nowait()
        if sys.platform != "win32":
            import termios  # noqa: PLC0415 - not on Windows

            if sys.stdin.isatty():
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
