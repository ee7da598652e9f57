"""What one frame costs between an agent's pipe and our code, against a bare asyncio line relay.

The frames are those of the recordings, sent by a child process as fast as its pipe takes them.
Every way of reading them is measured in the same run and in turns, in CPU time of this process
only, and the best turn counts: the child's work and other programs are not ours.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from acp_sidecar.agent.connection import AgentConnection
from acp_sidecar.agent.ending import ExitReport
from acp_sidecar.agent.launch import Launch
from acp_sidecar.agent.trace_file import TraceFile
from acp_sidecar.wire.json_rpc import Incoming, Notification
from acp_sidecar.wire.json_text import dump
from acp_sidecar.wire.trace import Direction, read_trace

RECORDINGS = Path(__file__).resolve().parent.parent / "tests" / "recordings"
FRAMES = 100_000
TURNS = 3
SEND = "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read())"


def notifications() -> list[bytes]:
    """Every notification in the recordings but those over 4 kB, which are rare and few."""
    messages = [
        line.msg
        for path in sorted(RECORDINGS.glob("*.jsonl"))
        for line in read_trace([path.read_bytes()])[0]
        if line.dir is Direction.IN and "id" not in line.msg
    ]
    frames = [json.dumps(msg, separators=(",", ":")).encode() + b"\n" for msg in messages]
    return [frame for frame in frames if len(frame) < 4096]


class Sink:
    """Where relayed frames go: the null device, written as a pipe is."""

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self.write = transport.write

    @classmethod
    async def open(cls) -> Sink:
        device = Path("/dev/null").open("wb")  # noqa: ASYNC230, SIM115 - the transport closes it
        loop = asyncio.get_running_loop()
        transport, _protocol = await loop.connect_write_pipe(asyncio.BaseProtocol, device)
        return cls(transport)


async def bare_readline(command: tuple[str, ...], frames: int) -> None:
    sink = await Sink.open()
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    count = 0
    while line := await process.stdout.readline():
        sink.write(line)
        count += 1
    await process.wait()
    assert count == frames


async def readline_and_json(command: tuple[str, ...], frames: int) -> None:
    sink = await Sink.open()
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    count = 0
    while line := await process.stdout.readline():
        message = json.loads(line)
        sink.write(json.dumps(message, separators=(",", ":")).encode())
        count += 1
    await process.wait()
    assert count == frames


async def deliver(
    command: tuple[str, ...],
    frames: int,
    on_message: Callable[[Incoming], None],
    trace: TraceFile | None = None,
) -> None:
    ended: asyncio.Future[ExitReport] = asyncio.get_running_loop().create_future()
    count = 0

    def counted(message: Incoming) -> None:
        nonlocal count
        count += 1
        on_message(message)

    launch = Launch("bench", command, Path.cwd())
    connection = AgentConnection(launch, on_message=counted, on_exit=ended.set_result, trace=trace)
    await connection.start()
    await ended
    await connection.stop()
    assert count == frames


async def connection_only(command: tuple[str, ...], frames: int) -> None:
    await deliver(command, frames, lambda _message: None)


async def connection_relay(command: tuple[str, ...], frames: int) -> None:
    sink = await Sink.open()

    def relay(message: Incoming) -> None:
        assert isinstance(message, Notification)
        sink.write(dump({"jsonrpc": "2.0", "method": message.method, "params": message.params}))

    await deliver(command, frames, relay)


async def connection_with_trace(command: tuple[str, ...], frames: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        trace = TraceFile(Path(directory) / "trace", lambda _problem: None, 2**40)
        await deliver(command, frames, lambda _message: None, trace)


WAYS: dict[str, Callable[[tuple[str, ...], int], Awaitable[None]]] = {
    "bare asyncio readline relay": bare_readline,
    "readline + json both ways": readline_and_json,
    "AgentConnection, delivered": connection_only,
    "AgentConnection, relayed": connection_relay,
    "AgentConnection, traced": connection_with_trace,
}


def microseconds(
    way: Callable[[tuple[str, ...], int], Awaitable[None]], command: tuple[str, ...], frames: int
) -> float:
    """CPU time of this process for one frame."""

    async def run() -> None:
        await way(command, frames)

    started = time.process_time()
    asyncio.run(run())
    return (time.process_time() - started) / frames * 1e6


def main() -> None:
    """Measure every way in turns and print what a frame costs, and the ratios."""
    sample = notifications()
    frames = FRAMES // len(sample) * len(sample)
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"".join(sample) * (frames // len(sample)))
        file.flush()
        command = (sys.executable, "-c", SEND, file.name)
        best = dict.fromkeys(WAYS, float("inf"))
        for _ in range(TURNS):
            for name, way in WAYS.items():
                best[name] = min(best[name], microseconds(way, command, frames))
    size = sum(map(len, sample)) / len(sample)
    print(f"transport: {frames} notifications of {size:.0f} bytes on average, CPU per frame")
    base = best["bare asyncio readline relay"]
    for name, cost in best.items():
        print(f"  {name:30} {cost:7.2f} us  {cost / base:5.2f}x")


if __name__ == "__main__":
    main()
