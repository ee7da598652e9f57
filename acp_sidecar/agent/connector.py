"""Starts and stops agent connections for hosts (`host.ports.Connector`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from acp_sidecar.agent.connection import AgentConnection
from acp_sidecar.agent.ending import ExitReport
from acp_sidecar.agent.launch import Launch
from acp_sidecar.agent.process import Patience
from acp_sidecar.agent.trace_file import TraceFile
from acp_sidecar.config import AgentSettings
from acp_sidecar.errors import Problem, SidecarError
from acp_sidecar.host.ports import Connection, Gone
from acp_sidecar.wire.json_rpc import Incoming


class ProcessConnector:
    """Connects to agents that are subprocesses.

    Attributes:
        connections: What runs now, for pausing, for the doctor and for the end.
    """

    def __init__(
        self,
        agents: dict[str, AgentSettings],
        *,
        cwd: Path,
        stop_seconds: float,
        trace: Path | None,
        on_problem: Callable[[Problem], None],
    ) -> None:
        self.connections: dict[str, AgentConnection] = {}
        self._agents = agents
        self._cwd = cwd
        self._patience = Patience(after_eof=stop_seconds / 2, after_term=stop_seconds / 2)
        self._trace = trace
        self._on_problem = on_problem
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    def connect(
        self,
        agent: str,
        *,
        on_ready: Callable[[Connection], None],
        on_failed: Callable[[SidecarError], None],
        on_message: Callable[[Incoming], None],
        on_gone: Callable[[Gone], None],
    ) -> None:
        def exited(report: ExitReport) -> None:
            if self.connections.get(agent) is connection:
                del self.connections[agent]
            on_gone(Gone(report.reason, report.advice, report.last_words, report.expected))

        connection = AgentConnection(
            self._launch(agent),
            on_message=on_message,
            on_exit=exited,
            patience=self._patience,
            trace=self._open_trace(agent),
        )

        async def start() -> None:
            try:
                await connection.start()
            except SidecarError as error:
                on_failed(error)
                return
            if self._stopping:
                await connection.stop()
                return
            self.connections[agent] = connection
            on_ready(connection)

        self._run(start())

    def disconnect(self, connection: Connection) -> None:
        if isinstance(connection, AgentConnection):
            self._run(connection.stop())

    async def stop_all(self) -> None:
        """Stop every agent, also those that are still starting; returns when all have ended."""
        self._stopping = True
        await asyncio.gather(*(one.stop() for one in list(self.connections.values())))
        await asyncio.gather(*self._tasks)

    def pause(self) -> None:
        """Read no more from any agent: the editor has to catch up."""
        for connection in self.connections.values():
            connection.pause()

    def resume(self) -> None:
        """Read again."""
        for connection in self.connections.values():
            connection.resume()

    def _launch(self, agent: str) -> Launch:
        settings = self._agents[agent]
        return Launch(agent, tuple(settings.command or ()), self._cwd, dict(settings.env))

    def _open_trace(self, agent: str) -> TraceFile | None:
        if self._trace is None:
            return None
        try:
            return TraceFile(_free_name(self._trace, agent), self._on_problem)
        except SidecarError as error:
            self._on_problem(Problem(error.fault, "trace", str(error), str(self._trace)))
            return None

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _free_name(path: Path, agent: str) -> Path:
    """One connection a file: the first gets the name that was set, later ones a number."""
    if not path.exists():
        return path
    numbered = (path.with_stem(f"{path.stem}-{agent}-{number}") for number in range(1, 1000))
    return next((each for each in numbered if not each.exists()), path)
