"""What is written down of a connection: the trace, the last frames, the last words on stderr."""

from __future__ import annotations

from collections.abc import Callable

from acp_sidecar.agent.last_words import LastWords
from acp_sidecar.agent.recent_frames import FrameSummary, RecentFrames
from acp_sidecar.agent.trace_file import TraceFile
from acp_sidecar.errors import Problem
from acp_sidecar.wire.frames import LineDecoder
from acp_sidecar.wire.json_rpc import Incoming, RequestId
from acp_sidecar.wire.json_text import dump, parse
from acp_sidecar.wire.trace import Direction


class Recorder:
    """Writes down what passes; never changes it. `clock` gives seconds, from any start."""

    def __init__(self, clock: Callable[[], float], trace: TraceFile | None) -> None:
        self._clock = clock
        self._started = clock()
        self._trace = trace
        self._recent = RecentFrames()
        self._last_words = LastWords()
        self._stderr = LineDecoder()

    def sent(self, frame: bytes, what: str, request_id: RequestId | None) -> None:
        """We sent a frame."""
        t = self._clock() - self._started
        self._recent.add(t, Direction.OUT, what, request_id, len(frame))
        if self._trace:
            self._trace.message(Direction.OUT, frame)

    def received(self, line: bytes, incoming: list[Incoming], now: float) -> None:
        """A line came, at `now` on our clock, and this is what it held."""
        t = now - self._started
        for message in incoming:
            self._recent.add_incoming(t, message, len(line))
        if self._trace is None or not incoming:
            return
        if isinstance(incoming[0], Problem):
            self._trace_odd_line(self._trace, line)
        else:
            self._trace.message(Direction.IN, line)

    def dropped(self, problem: Problem) -> None:
        """A line came that was too long to keep."""
        self._recent.add_incoming(self._clock() - self._started, problem, 0)
        if self._trace:
            self._trace.text(Direction.NOISE, f"[{problem.message}] {problem.excerpt}")

    def stderr(self, data: bytes) -> None:
        """Bytes came on stderr."""
        self._last_words.feed(data)
        if self._trace:
            self._trace_stderr(self._stderr.feed(data))

    def eof(self) -> None:
        """The agent's stdout has ended."""
        if self._trace:
            self._trace.text(Direction.EOF, "the agent closed its stdout")

    def close(self, reason: str) -> None:
        """Nothing more will come. Can be called twice."""
        if self._trace:
            self._trace_stderr(self._stderr.eof())
            self._trace.close(reason)

    def last_words(self) -> str:
        """The end of stderr so far, printable."""
        return self._last_words.text()

    def recent_frames(self) -> list[FrameSummary]:
        """The last frames in both directions, oldest first."""
        return self._recent.summaries()

    def _trace_odd_line(self, trace: TraceFile, line: bytes) -> None:
        """Record what was understood of it, so that nobody stumbles over it a second time."""
        parsed = parse(line)
        if parsed.found:
            trace.message(Direction.IN, dump(parsed.value))
        else:
            trace.text(Direction.NOISE, line.decode("utf-8", "replace"))

    def _trace_stderr(self, lines: list[bytes | Problem]) -> None:
        for line in lines:
            if self._trace and isinstance(line, bytes):
                self._trace.text(Direction.ERR, line.decode("utf-8", "replace"))
