"""One agent, connected: a process, a JSON-RPC endpoint, and delivery in the order of arrival.

Everything the agent says is delivered by synchronous calls from one place: messages, answers to
our requests, and the end, in that order and never two at once. So a response never overtakes a
notification that came before it, and state can be kept without locks.

Delivery takes turns with the rest of the program: after `Limits.turn_seconds` the event loop gets
its turn, and reading pauses until the backlog is delivered, so a flooding agent is slowed down by
its own pipe. Nothing here grows without bound: not the backlog, not what an agent that does not
read has yet to read, not its stderr, not the trace.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from acp_sidecar.agent.ending import ExitReport, describe_exit, exit_advice
from acp_sidecar.agent.launch import Launch
from acp_sidecar.agent.process import AgentProcess, Callbacks, Patience
from acp_sidecar.agent.recent_frames import FrameSummary
from acp_sidecar.agent.recorder import Recorder
from acp_sidecar.agent.trace_file import TraceFile
from acp_sidecar.agent.waiting import OnAnswer, Waiting
from acp_sidecar.errors import Fault, Problem
from acp_sidecar.host.ports import AGENT_GONE, NO_ANSWER
from acp_sidecar.wire.frames import DEFAULT_MAX_BYTES, LineDecoder
from acp_sidecar.wire.json_rpc import (
    ErrorResponse,
    Incoming,
    Peer,
    RequestId,
    Response,
    RpcError,
)

_ANSWERS: Final = (Response, ErrorResponse)


@dataclass(frozen=True, slots=True)
class Limits:
    """What an agent may cost.

    Attributes:
        line_bytes: The longest line taken; longer ones are dropped.
        unread_bytes: How much may wait for an agent that does not read; then it is stopped.
        turn_seconds: How long messages are delivered before other work gets its turn.
    """

    line_bytes: int = DEFAULT_MAX_BYTES
    unread_bytes: int = 16 * 2**20
    turn_seconds: float = 0.005


class AgentConnection:
    """One agent from start to exit; `start` starts it. Restarting means making another.

    `on_message` is called with every request, notification and problem, in order. Answers to our
    requests go to their own callbacks instead, in the same order. `on_exit` is called once, after
    the last message and after all open requests failed. `trace` records every frame, and is closed
    at the end.
    """

    def __init__(
        self,
        launch: Launch,
        *,
        on_message: Callable[[Incoming], None],
        on_exit: Callable[[ExitReport], None],
        limits: Limits | None = None,
        patience: Patience | None = None,
        trace: TraceFile | None = None,
    ) -> None:
        callbacks = Callbacks(self._on_stdout, self._on_eof, self._on_stderr, self._on_exited)
        self.launch = launch
        self._on_message = on_message
        self._on_exit = on_exit
        self._limits = limits or Limits()
        self._loop = asyncio.get_running_loop()
        self._record = Recorder(self._loop.time, trace)
        self._patience = patience or Patience()
        self._process = AgentProcess(launch, callbacks, self._patience)
        self._peer = Peer()
        self._lines = LineDecoder(self._limits.line_bytes)
        self._backlog: deque[bytes | Problem | None] = deque()
        self._waiting = Waiting(lambda: bool(self._backlog), self._time_out)
        self._turn_due = False
        self._paused = False
        self._spoke = False
        self._stop_asked = False
        self._stop_reason = ""
        self._status: int | None = None
        self._report: ExitReport | None = None
        self._killing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the agent.

        Raises:
            AgentExited: It never became a process; the text says why and what to do. There will
                be no `on_exit`.
        """
        try:
            await self._process.start()
        except BaseException:
            self._record.close("the agent could not be started")
            raise

    @property
    def running(self) -> bool:
        """Whether the process lives."""
        return self._process.running

    @property
    def pid(self) -> int | None:
        """The process id, or None before the start."""
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The end of the agent's stderr so far."""
        return self._record.last_words()

    @property
    def outgoing_requests(self) -> dict[int, str]:
        """Our requests without an answer: id to method."""
        return self._peer.outgoing_requests

    @property
    def incoming_requests(self) -> dict[RequestId, str]:
        """The agent's requests that we have not answered: id to method."""
        return self._peer.incoming_requests

    def recent_frames(self) -> list[FrameSummary]:
        """The last frames in both directions, without payloads, oldest first."""
        return self._record.recent_frames()

    # --- sending --------------------------------------------------------------------------------

    def request(
        self, method: str, params: Any, on_answer: OnAnswer, timeout: float | None = None
    ) -> int:
        """Ask the agent; `on_answer` is called exactly once, never from within this call.

        It gets the answer in order with all other messages, or an `ErrorResponse` with the code
        `NO_ANSWER` after `timeout` seconds or `AGENT_GONE` when the agent ended.
        """
        request_id, frame = self._peer.request(method, params)
        self._waiting.add(request_id, on_answer)
        if self._report is not None:
            self._loop.call_soon(self._fail, request_id, AGENT_GONE, self._report.reason)
            return request_id
        if timeout is not None:
            self._waiting.limit(request_id, method, timeout)
        self._send(frame, method, request_id)
        return request_id

    def notify(self, method: str, params: Any = None) -> None:
        """Tell the agent something."""
        self._send(self._peer.notify(method, params), method, None)

    def cancel_request(self, request_id: int) -> None:
        """Tell the agent, by `$/cancel_request`, that our request need not be finished.

        The request stays open: the agent still owes an answer, usually the error -32800.
        """
        self.notify("$/cancel_request", {"requestId": request_id})

    def respond(self, request_id: RequestId, result: Any) -> None:
        """Answer the agent's request.

        Raises:
            AlreadyAnswered: The request is not open; a bug of ours.
        """
        self._send(self._peer.respond(request_id, result), "result", request_id)

    def respond_error(
        self, request_id: RequestId, code: int, message: str, data: Any = None
    ) -> None:
        """Refuse the agent's request.

        Raises:
            AlreadyAnswered: The request is not open; a bug of ours.
        """
        frame = self._peer.respond_error(request_id, code, message, data)
        self._send(frame, "error", request_id)

    def _send(self, frame: bytes, what: str, request_id: RequestId | None) -> None:
        if not frame or self._report is not None or not self._reads():
            return
        self._record.sent(frame, what, request_id)
        self._process.write(frame)

    def _reads(self) -> bool:
        """Whether the agent still reads; if it stopped long ago, this is where it is given up."""
        if self._process.unwritten <= self._limits.unread_bytes:
            return True
        if self._killing is None:
            waiting = f"{self._process.unwritten} bytes wait for it"
            self._kill(f"{self.launch.name} was stopped because it does not read: {waiting}.")
            problem = Problem(Fault.AGENT, "agent-does-not-read", self._stop_reason)
            self._loop.call_soon(self._guarded, self._on_message, problem)
        return False

    # --- stopping and slowing -------------------------------------------------------------------

    async def stop(self) -> None:
        """Stop the agent and what it started; returns when all is over and told."""
        self._stop_asked = True
        self.resume()
        await self._process.stop()

    def _kill(self, reason: str) -> None:
        self._stop_reason = reason
        self._killing = self._loop.create_task(self._process.kill())

    def pause(self) -> None:
        """Deliver nothing more until `resume`; the agent will block when its pipe is full."""
        self._paused = True
        self._waiting.pause()
        self._process.pause_reading()

    def resume(self) -> None:
        """Deliver again, from the event loop's next turn on."""
        if self._paused:
            self._paused = False
            self._waiting.resume()
            self._take_turn_soon()

    # --- delivering -----------------------------------------------------------------------------

    def _on_stdout(self, data: bytes) -> None:
        self._backlog.extend(self._lines.feed(data))
        if not self._turn_due:
            self._take_turn()

    def _on_eof(self) -> None:
        self._backlog.extend(self._lines.eof())
        self._backlog.append(None)
        self._take_turn_soon()

    def _take_turn_soon(self) -> None:
        if not self._turn_due:
            self._turn_due = True
            self._loop.call_soon(self._take_due_turn)

    def _take_due_turn(self) -> None:
        self._turn_due = False
        self._take_turn()

    def _take_turn(self) -> None:
        """Deliver until the backlog is empty or the time is up; then read on, or go on later."""
        backlog, now = self._backlog, self._loop.time()
        until = now + self._limits.turn_seconds
        while backlog and not self._paused and now < until:
            self._deliver_next(backlog.popleft(), now)
            now = self._loop.time()
        if self._paused:
            return
        if backlog:
            self._process.pause_reading()
            self._take_turn_soon()
            return
        self._process.resume_reading()
        if self._status is not None:
            self._finish(self._status)

    def _deliver_next(self, line: bytes | Problem | None, now: float) -> None:
        if line is None:
            self._deliver_eof()
        elif isinstance(line, Problem):
            self._record.dropped(line)
            self._guarded(self._on_message, line)
        else:
            self._deliver(line, now)

    def _deliver_eof(self) -> None:
        """The agent can say nothing more; if it does not end by itself now, it is ended."""
        self._record.eof()
        if self.running:
            self._loop.call_later(self._patience.after_eof, self._end_mute)

    def _end_mute(self) -> None:
        if self.running and self._killing is None:
            reason = f"{self.launch.name} was stopped because it closed its stdout and lived on."
            self._kill(reason)

    def _deliver(self, line: bytes, now: float) -> None:
        incoming = self._peer.receive_line(line)
        self._record.received(line, incoming, now)
        self._spoke = self._spoke or any(not isinstance(item, Problem) for item in incoming)
        for message in incoming:
            if isinstance(message, _ANSWERS) and message.id is not None:
                self._answer(message.id, message)
            else:
                self._guarded(self._on_message, message)
        if frame := self._peer.data_to_send():
            self._send(frame, "error", None)

    def _answer(self, request_id: int, answer: Response | ErrorResponse) -> None:
        if on_answer := self._waiting.take(request_id):
            self._guarded(on_answer, answer)

    def _guarded(self, callback: Callable[[Any], None], argument: Any) -> None:
        """A bug in a callback is reported as the loop reports any, and delivery goes on."""
        try:
            callback(argument)
        except Exception as error:  # noqa: BLE001 - the agent's other messages are not to blame
            context = {"message": "a callback of an agent connection failed", "exception": error}
            self._loop.call_exception_handler(context)

    def _on_stderr(self, data: bytes) -> None:
        self._record.stderr(data)

    # --- the end --------------------------------------------------------------------------------

    def _time_out(self, request_id: int, method: str, seconds: float) -> None:
        text = (
            f"{self.launch.name} did not answer {method} within {seconds:g} s. "
            "Wait and try again, or restart the agent; a trace shows what it does instead."
        )
        self.cancel_request(request_id)
        self._fail(request_id, NO_ANSWER, text)

    def _fail(self, request_id: int, code: int, text: str) -> None:
        self._peer.forget(request_id)
        self._answer(request_id, ErrorResponse(request_id, RpcError(code, text)))

    def _on_exited(self, status: int) -> None:
        self._status = status
        self._take_turn_soon()

    def _finish(self, status: int) -> None:
        if self._report is not None:
            return
        report = self._report = self._make_report(status)
        self._record.close(report.reason)
        for request_id in self._waiting.open_ids():
            self._fail(request_id, AGENT_GONE, report.reason)
        self._guarded(self._on_exit, report)

    def _make_report(self, status: int) -> ExitReport:
        expected = self._stop_asked
        return ExitReport(
            name=self.launch.name,
            status=status,
            expected=expected,
            reason=self._stop_reason or f"{self.launch.name} {describe_exit(status)}.",
            advice="" if expected else exit_advice(self.launch, status, spoke=self._spoke),
            last_words=self._record.last_words(),
        )
