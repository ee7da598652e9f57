"""Runs one program of `programs/` as an agent and keeps what the connection delivers."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from acp_sidecar.agent.connection import AgentConnection, Limits
from acp_sidecar.agent.ending import ExitReport
from acp_sidecar.agent.launch import Launch
from acp_sidecar.agent.process import Patience
from acp_sidecar.agent.trace_file import TraceFile
from acp_sidecar.errors import Problem
from acp_sidecar.wire.json_rpc import ErrorResponse, Incoming, Response

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = "tests.faults.programs"
QUICK = Patience(after_eof=0.3, after_term=0.3, drain_idle=0.2, drain_total=1.0)


class Host:
    """The near side of one connection: everything that was delivered, in order."""

    connection: AgentConnection

    def __init__(self) -> None:
        self.delivered: list[Incoming | ExitReport] = []
        self.exit: asyncio.Future[ExitReport] = asyncio.get_running_loop().create_future()
        self._news = asyncio.Event()

    def on_message(self, message: Incoming) -> None:
        self.delivered.append(message)
        self._news.set()

    def on_exit(self, report: ExitReport) -> None:
        self.delivered.append(report)
        self.exit.set_result(report)

    async def ask(self, method: str, params: Any = None, *, within: float | None = None) -> Any:
        """Ask and wait; gives the result, or the error as it is."""
        answered: asyncio.Future[Response | ErrorResponse]
        answered = asyncio.get_running_loop().create_future()

        def on_answer(answer: Response | ErrorResponse) -> None:
            self.delivered.append(answer)
            answered.set_result(answer)

        self.connection.request(method, params, on_answer, within)
        answer = await answered
        return answer.result if isinstance(answer, Response) else answer.error

    async def until(self, wanted: type[Incoming], count: int = 1) -> None:
        """Wait until `count` messages of a kind have come."""
        while sum(isinstance(item, wanted) for item in self.delivered) < count:
            self._news.clear()
            await self._news.wait()

    @property
    def problems(self) -> list[str]:
        """The codes of all problems, in order."""
        return [item.code for item in self.delivered if isinstance(item, Problem)]


@contextlib.asynccontextmanager
async def hosted(
    program: str,
    *,
    limits: Limits | None = None,
    patience: Patience = QUICK,
    trace: Path | None = None,
) -> AsyncIterator[Host]:
    """Host a program; afterwards it is stopped and must be gone."""
    host = Host()
    launch = Launch("fake", (sys.executable, "-m", f"{PROGRAMS}.{program}"), ROOT)
    host.connection = AgentConnection(
        launch,
        on_message=host.on_message,
        on_exit=host.on_exit,
        limits=limits,
        patience=patience,
        trace=TraceFile(trace, host.on_message) if trace else None,
    )
    await host.connection.start()
    pid = host.connection.pid
    try:
        yield host
    finally:
        await host.connection.stop()
    assert pid is not None
    assert not is_alive(pid)
    assert host.exit.done()


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    shown = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return bool(shown.stdout.strip()) and not shown.stdout.startswith("Z")


def wait_until_gone(pids: list[int], seconds: float = 60) -> list[int]:
    """Wait for processes to end; gives those that did not."""
    deadline = time.monotonic() + seconds
    while (left := [pid for pid in pids if is_alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left
