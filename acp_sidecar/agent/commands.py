"""Commands that agents have us run: started in groups of their own, watched, and ended.

Pipes and no pseudo-terminal, on every system: nobody can type into these commands, and what they
write is read by a model. Without a terminal, programs neither page nor prompt nor draw progress
bars, and wait for no key. Both outputs are one pipe, so that they stay in order; input is empty.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, cast

from acp_sidecar.agent import groups
from acp_sidecar.agent.guardian import Guardian

_OUTPUT: Final = 1
_POLL_SECONDS: Final = 0.02
_DRAIN_IDLE: Final = 0.25
"""Seconds without output after which a command that has ended is taken to be done."""

_DRAIN_TOTAL: Final = 5.0
_GRACE: Final = 1.0
"""Seconds between SIGTERM and SIGKILL."""


class Command(Protocol):
    """What to run: a shell's command line with words added to it, or words alone."""

    @property
    def line(self) -> str | None: ...
    @property
    def words(self) -> tuple[str, ...]: ...
    @property
    def cwd(self) -> str: ...
    @property
    def env(self) -> Mapping[str, str]: ...


class Events(Protocol):
    """What is told of a command, in order."""

    def started(self) -> None: ...
    def failed(self, reason: str) -> None: ...
    def output(self, data: bytes) -> None: ...
    def ended(self, exit_code: int | None, signal: str | None) -> None: ...


class CommandRunner:
    """Runs commands; all of them end with it."""

    def __init__(self) -> None:
        self._running: set[CommandProcess] = set()

    def finds(self, program: str, cwd: str, env: Mapping[str, str]) -> bool:
        """Whether this is the name or the path of a program, as it stands."""
        return _find(program, cwd, env) is not None

    def run(self, command: Command, events: Events) -> CommandProcess:
        """Start a command; `events` hear of it from the loop's next turn on."""
        process = CommandProcess(command, events, self._running.discard)
        self._running.add(process)
        return process

    def pause(self) -> None:
        """Read no more output: the editor has to catch up."""
        for process in self._running:
            process.pause()

    def resume(self) -> None:
        """Read again."""
        for process in self._running:
            process.resume()

    async def stop_all(self) -> None:
        """End every command and all that they started; returns when nothing of them is left."""
        running = list(self._running)
        for process in running:
            process.kill()
        await asyncio.gather(*(process.gone.wait() for process in running))


class CommandProcess(asyncio.SubprocessProtocol):
    """One command.

    Attributes:
        gone: Set when nothing of it and of what it started is left.
    """

    def __init__(
        self, command: Command, events: Events, on_gone: Callable[[CommandProcess], None]
    ) -> None:
        self.gone = asyncio.Event()
        self._command = command
        self._events = events
        self._on_gone = on_gone
        self._guardian = Guardian()
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._group = 0
        self._closed = False
        self._paused = False
        self._last_output = 0.0
        self._exited = asyncio.Event()
        self._kill = asyncio.Event()
        self._life = self._loop.create_task(self._live())

    def kill(self) -> None:
        """End it and everything in its group; safe to call at any time."""
        self._kill.set()

    def pause(self) -> None:
        """Read no output; the command blocks when its pipe is full."""
        self._paused = True
        if (pipe := self._pipe()) is not None:
            pipe.pause_reading()

    def resume(self) -> None:
        """Read again."""
        if self._paused:
            self._paused = False
            self._last_output = self._loop.time()
            if (pipe := self._pipe()) is not None:
                pipe.resume_reading()

    def _pipe(self) -> asyncio.ReadTransport | None:
        pipe = self._transport.get_pipe_transport(_OUTPUT) if self._transport else None
        return cast("asyncio.ReadTransport | None", pipe)

    # --- its life ---------------------------------------------------------------------------------

    async def _live(self) -> None:
        try:
            reason = await self._start()
            if reason:
                self._events.failed(reason)
                return
            self._events.started()
            killer = self._loop.create_task(self._end_when_asked())
            await self._exited.wait()
            await self._drain()
            self._tell_end()
            if not groups.lives(self._group):
                self._kill.set()
            await killer
        finally:
            if self._group and not self._exited.is_set():
                groups.kill(self._group)
            await self._guardian.release()
            if self._transport is not None:
                self._transport.close()
            self.gone.set()
            self._on_gone(self)

    async def _start(self) -> str:
        """Start it; returns why it could not be started, in words for the agent."""
        command = self._command
        words = _words(command)
        if isinstance(words, str):
            return words
        self._guardian.start()
        try:
            await self._loop.subprocess_exec(
                lambda: self,
                *words,
                cwd=command.cwd,
                env={**os.environ, **command.env},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=sys.platform != "win32",
                creationflags=groups.CREATION_FLAGS,
            )
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or str(error)
            return f"{words[0]} could not be started: {said}"
        return ""

    async def _end_when_asked(self) -> None:
        await self._kill.wait()
        if not self._exited.is_set() or groups.lives(self._group):
            groups.terminate(self._group)
            deadline = self._loop.time() + _GRACE
            while groups.lives(self._group):
                if self._loop.time() >= deadline:
                    groups.kill(self._group)
                    return
                await asyncio.sleep(_POLL_SECONDS)

    async def _drain(self) -> None:
        """Take what it has written last; what it left behind may hold the pipe for ever."""
        deadline = self._loop.time() + _DRAIN_TOTAL
        self._last_output = self._loop.time()
        while not self._closed and self._loop.time() < deadline:
            if self._paused:
                deadline = self._loop.time() + _DRAIN_TOTAL
            elif self._loop.time() - self._last_output > _DRAIN_IDLE:
                return
            await asyncio.sleep(_POLL_SECONDS)

    def _tell_end(self) -> None:
        status = self._transport.get_returncode() if self._transport else None
        if status is None or status >= 0:
            self._events.ended(status, None)
            return
        name = str(-status)
        with contextlib.suppress(ValueError):
            name = signal.Signals(-status).name
        self._events.ended(None, name)

    # --- asyncio.SubprocessProtocol ---------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._group = self._transport.get_pid()
        self._guardian.watch(self._group)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._last_output = self._loop.time()
        self._events.output(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._closed = True

    def process_exited(self) -> None:
        self._exited.set()


def _words(command: Command) -> list[str] | str:
    """The command as the operating system wants it; a text says why it cannot be had."""
    if not Path(command.cwd).is_dir():
        return f"The folder {command.cwd} does not exist"
    if command.line is None:
        found = _find(command.words[0], command.cwd, command.env)
        return (
            f"There is no program {command.words[0]}"
            if found is None
            else [found, *command.words[1:]]
        )
    if sys.platform == "win32":
        shell = os.environ.get("COMSPEC", "cmd.exe")
        return [shell, "/d", "/s", "/c", f"{command.line} {subprocess.list2cmdline(command.words)}"]
    # Models write for bash; where there is none, the shell that every system has.
    shell = shutil.which("bash") or "/bin/sh"
    if not command.words:
        return [shell, "-c", command.line]
    return [shell, "-c", f'{command.line} "$@"', shell, *command.words]


def _find(program: str, cwd: str, env: Mapping[str, str]) -> str | None:
    """The path of a program: of a name on PATH, or of a path seen from `cwd`."""
    if Path(program).name != program:
        program = str(Path(cwd) / program)
    path = env.get("PATH", os.environ.get("PATH"))
    return shutil.which(program, path=path)
