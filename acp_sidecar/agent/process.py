"""The agent subprocess: started, fed, drained and stopped, leaving nothing behind.

The agent gets its own session and process group, so that what it starts can be stopped with it.
stderr is always drained; nothing here waits for a slow reader or writer. All callbacks are called
synchronously by the event loop, stdout in order and before the exit is told.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

from acp_sidecar.agent import groups
from acp_sidecar.agent import launch as launching
from acp_sidecar.agent.guardian import Guardian
from acp_sidecar.agent.launch import Launch

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_POLL_SECONDS: Final = 0.02


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a process, in seconds.

    Attributes:
        after_eof: For it to end by itself once its input is closed.
        after_term: For its group to end once it got SIGTERM.
        drain_idle: For more output, once it has ended and others still hold its stdout.
        drain_total: For such output altogether.
    """

    after_eof: float = 1.5
    after_term: float = 1.5
    drain_idle: float = 0.25
    drain_total: float = 5.0


@dataclass(frozen=True, slots=True)
class Callbacks:
    """What the owner of a process wants to hear: bytes as they come, and one end."""

    stdout: Callable[[bytes], None]
    stdout_eof: Callable[[], None]
    stderr: Callable[[bytes], None]
    exited: Callable[[int], None]


class AgentProcess(asyncio.SubprocessProtocol):
    """One life of one subprocess. Restarting means making another."""

    def __init__(self, launch: Launch, callbacks: Callbacks, patience: Patience) -> None:
        self._launch = launch
        self._call = callbacks
        self._patience = patience
        self._guardian = Guardian()
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._group = 0
        self._status: int | None = None
        self._exited = asyncio.Event()
        self._gone = asyncio.Event()
        self._open_outputs = {_STDOUT, _STDERR}
        self._told_exit = False
        self._paused = False
        self._last_output = 0.0
        self._ending: asyncio.Task[None] | None = None
        self._stopping: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, which on POSIX is its group's too; None before the start."""
        return self._transport.get_pid() if self._transport else None

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._transport is not None and self._status is None

    async def start(self) -> None:
        """Start it.

        Raises:
            AgentExited: It never became a process; the text says why and what to do.
        """
        command = launching.resolve(self._launch)
        self._guardian.start()
        try:
            await self._loop.subprocess_exec(
                lambda: self,
                *command,
                cwd=self._launch.cwd,
                env=self._launch.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=sys.platform != "win32",
                creationflags=groups.CREATION_FLAGS,
            )
        except OSError as error:
            raise launching.start_failure(self._launch, error) from error
        finally:
            if self._transport is None:
                await self._guardian.release()

    # --- its input ------------------------------------------------------------------------------

    @property
    def unwritten(self) -> int:
        """How many bytes wait for the agent to read them."""
        pipe = self._stdin()
        return pipe.get_write_buffer_size() if pipe else 0

    def write(self, data: bytes) -> None:
        """Queue bytes for its stdin; they are lost if it has ended or its stdin is closed."""
        pipe = self._stdin()
        if pipe is not None and not pipe.is_closing():
            pipe.write(data)

    def _stdin(self) -> asyncio.WriteTransport | None:
        pipe = self._transport.get_pipe_transport(_STDIN) if self._transport else None
        return cast("asyncio.WriteTransport | None", pipe)

    # --- its output -----------------------------------------------------------------------------

    def pause_reading(self) -> None:
        """Read no more stdout for now; the agent will block when its pipe is full."""
        if not self._paused and (pipe := self._stdout()):
            self._paused = True
            pipe.pause_reading()

    def resume_reading(self) -> None:
        """Read stdout again."""
        if self._paused:
            self._paused = False
            self._last_output = self._loop.time()
            if pipe := self._stdout():
                pipe.resume_reading()

    def _stdout(self) -> asyncio.ReadTransport | None:
        pipe = self._transport.get_pipe_transport(_STDOUT) if self._transport else None
        return cast("asyncio.ReadTransport | None", pipe)

    # --- its end --------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Close its stdin, wait, SIGTERM to the group, wait, SIGKILL. Safe to call at any time."""
        if self._transport is None:
            return
        if self._stopping is None:
            self._stopping = self._loop.create_task(self._descend(self._patience.after_eof))
        await asyncio.shield(self._stopping)

    async def kill(self) -> None:
        """As `stop`, for a process that no longer listens: begin with SIGTERM."""
        if self._transport is None:
            return
        if self._stopping is None:
            self._stopping = self._loop.create_task(self._descend(0.0))
        await asyncio.shield(self._stopping)

    async def _descend(self, after_eof: float) -> None:
        if (pipe := self._stdin()) and not pipe.is_closing():
            pipe.close()
        if not await _within(after_eof, self._exited):
            groups.terminate(self._group)
            if not await _within(self._patience.after_term, self._exited):
                groups.kill(self._group)
        await self._gone.wait()

    async def _end(self) -> None:
        """After the process itself: take its last output, tell, and stop whom it left behind."""
        left_behind = self._loop.create_task(self._stop_left_behind())
        deadline = self._loop.time() + self._patience.drain_total
        self._last_output = self._loop.time()
        while self._open_outputs and self._loop.time() < deadline:
            if self._paused:
                deadline = self._loop.time() + self._patience.drain_total
            elif self._loop.time() - self._last_output > self._patience.drain_idle:
                break
            await asyncio.sleep(_POLL_SECONDS)
        self._lost_output(_STDOUT)
        self._told_exit = True
        self._call.exited(cast("int", self._status))
        await left_behind
        await self._guardian.release()
        if self._transport is not None:
            self._transport.close()
        self._gone.set()

    async def _stop_left_behind(self) -> None:
        groups.terminate(self._group)
        deadline = self._loop.time() + self._patience.after_term
        while groups.lives(self._group):
            if self._loop.time() >= deadline:
                groups.kill(self._group)
                return
            await asyncio.sleep(_POLL_SECONDS)

    def _lost_output(self, fd: int) -> None:
        if fd == _STDOUT and fd in self._open_outputs:
            self._call.stdout_eof()
        self._open_outputs.discard(fd)

    # --- asyncio.SubprocessProtocol -------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._group = self._transport.get_pid()
        self._guardian.watch(self._group)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._last_output = self._loop.time()
        if fd == _STDERR and not self._told_exit:
            self._call.stderr(data)
        elif fd == _STDOUT and _STDOUT in self._open_outputs:
            self._call.stdout(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._lost_output(fd)

    def process_exited(self) -> None:
        status = self._transport.get_returncode() if self._transport else None
        self._status = -1 if status is None else status
        self._exited.set()
        self._ending = self._loop.create_task(self._end())


async def _within(seconds: float, event: asyncio.Event) -> bool:
    if event.is_set():
        return True
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True
