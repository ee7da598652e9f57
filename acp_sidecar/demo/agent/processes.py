"""A command that the agent runs itself, with its output as it comes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

_CHUNK_BYTES: Final = 4096
_GRACE_SECONDS: Final = 2.0
_COLOUR: Final = {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1", "PYTHONUNBUFFERED": "1"}

PYTHON: Final = Path(sys.executable).name


class Process:
    """A running command. It stays in the agent's process group, so that it dies with the agent."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, arguments: list[str], cwd: Path) -> Process:
        """Start the program with its output in one stream and no input, and no shell between.

        Raises:
            OSError: It cannot be started.
        """
        process = await asyncio.create_subprocess_exec(
            *runnable(arguments),
            cwd=cwd,
            env={**os.environ, **_COLOUR, "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return cls(process)

    async def output(self) -> AsyncIterator[bytes]:
        """The bytes as they come, cut anywhere, to the end of the stream."""
        stream = self._process.stdout
        assert stream is not None  # noqa: S101 - opened as a pipe above
        while data := await stream.read(_CHUNK_BYTES):
            yield data

    async def wait(self) -> tuple[int | None, str | None]:
        """The exit code, or the name of the signal that ended it."""
        code = await self._process.wait()
        if code >= 0:
            return code, None
        return None, signal.Signals(-code).name

    def terminate(self) -> None:
        """Ask the process to end."""
        if self._process.returncode is None:
            self._process.terminate()

    async def stop(self) -> None:
        """Make sure that the process has ended: ask, wait a moment, insist."""
        if self._process.returncode is not None:
            return
        self.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), _GRACE_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


def runnable(arguments: list[str]) -> list[str]:
    """The command as started: our own Python for the name under which it is shown."""
    if arguments[0] == PYTHON:
        return [sys.executable, *arguments[1:]]
    return arguments
