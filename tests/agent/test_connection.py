"""A connection delivers in order, fails every request once, and survives its owner's bugs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.agent.connection import AgentConnection
from acp_sidecar.agent.ending import ExitReport
from acp_sidecar.agent.launch import Launch
from acp_sidecar.agent.process import Patience
from acp_sidecar.agent.trace_file import TraceFile
from acp_sidecar.host.ports import AGENT_GONE, NO_ANSWER
from acp_sidecar.wire.json_rpc import (
    ErrorResponse,
    Incoming,
    Notification,
    Request,
    Response,
)
from acp_sidecar.wire.trace import Direction
from tests.faults.harness import QUICK, ROOT, Host, hosted


async def test_a_polite_agent_ends_at_the_end_of_its_input() -> None:
    patience = Patience(after_eof=30, after_term=30)
    async with hosted("silence", patience=patience) as host:
        await host.connection.stop()
    report = await host.exit
    assert (report.status, report.expected) == (0, True)


async def test_sigterm_is_tried_before_sigkill() -> None:
    async with hosted("does_not_read", patience=Patience(after_eof=0.1, after_term=30)) as host:
        await host.until(Notification)
        await host.connection.stop()
    assert (await host.exit).reason == "fake was killed by SIGTERM."


async def test_stopping_twice_at_once_is_stopping_once() -> None:
    async with hosted("silence") as host:
        await asyncio.gather(host.connection.stop(), host.connection.stop())
        await host.connection.stop()
    assert sum(isinstance(item, ExitReport) for item in host.delivered) == 1


async def test_a_request_after_the_end_fails_at_once_but_not_within_the_call() -> None:
    async with hosted("silence") as host:
        await host.connection.stop()
        answers: list[Response | ErrorResponse] = []
        host.connection.request("late", None, answers.append, 5)
        assert answers == []
        await asyncio.sleep(0)
    (answer,) = answers
    assert isinstance(answer, ErrorResponse)
    assert answer.error.code == AGENT_GONE
    assert host.connection.outgoing_requests == {}


async def test_messages_after_the_end_are_lost_in_silence() -> None:
    async with hosted("exit_at_once") as host:
        await host.exit
        host.connection.notify("late")
        host.connection.cancel_request(0)


async def test_an_answer_after_its_time_is_a_problem_and_no_second_answer() -> None:
    async with hosted("reads_late") as host:
        error = await host.ask("initialize", within=0.05)
        assert error.code == NO_ANSWER
        assert await host.ask("next") == "next"
        sent = [frame.what for frame in host.connection.recent_frames()]
    assert host.problems == ["late-answer"]
    assert "$/cancel_request" in sent, "the agent need not finish what nobody waits for"


async def test_an_answer_that_only_waits_for_its_turn_is_in_time() -> None:
    async with hosted("flood") as host:
        assert await host.ask("flood", 0) == 0

        def pause_at_the_first(message: Incoming) -> None:
            host.on_message(message)
            if message == Notification("n", 0):
                host.connection.pause()

        host.connection._on_message = pause_at_the_first
        asking = asyncio.create_task(host.ask("flood", 10, within=2))
        await asyncio.sleep(3)
        assert not asking.done()
        host.connection.resume()
        assert await asking == 10


async def test_a_bug_in_a_callback_is_reported_and_costs_one_message() -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _loop, context: reported.append(context)
    )
    async with hosted("flood") as host:

        def buggy(message: Incoming) -> None:
            if message == Notification("n", 3):
                raise RuntimeError("a bug of ours")
            host.on_message(message)

        host.connection._on_message = buggy
        assert await host.ask("flood", 10) == 10
    assert [str(context["exception"]) for context in reported] == ["a bug of ours"]
    told = [item.params for item in host.delivered if isinstance(item, Notification)]
    assert told[:9] == [0, 1, 2, 4, 5, 6, 7, 8, 9]


async def test_requests_of_the_agent_are_open_until_answered() -> None:
    async with hosted("double_answers") as host:
        await host.ask("one")
        await host.until(Request)
        assert host.connection.incoming_requests == {7: "ask"}
        host.connection.respond_error(7, -32601, "no such method")
        assert host.connection.incoming_requests == {}


async def test_the_last_frames_are_known_without_their_payloads() -> None:
    async with hosted("wrong_ids") as host:
        await host.ask("initialize", {"secret": "s3cret"})
        frames = host.connection.recent_frames()
    assert [(frame.dir, frame.what, frame.id) for frame in frames][:2] == [
        (Direction.OUT, "initialize", 0),
        (Direction.NOISE, "unknown-response-id", None),
    ]
    assert frames[-1].what == "result"
    assert all(frame.size > 0 for frame in frames)
    assert "s3cret" not in repr(frames)
    assert [frame.t for frame in frames] == sorted(frame.t for frame in frames)


async def test_the_trace_of_an_agent_that_never_started_says_so(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    host = Host()
    connection = AgentConnection(
        Launch("a", ("no-such-agent-here",), ROOT),
        on_message=host.on_message,
        on_exit=host.on_exit,
        patience=QUICK,
        trace=TraceFile(path, host.on_message),
    )
    with pytest.raises(Exception, match="not on PATH"):
        await connection.start()
    assert "could not be started" in path.read_text(encoding="utf-8")


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def children() -> set[str]:
    tasks = Path("/proc/self/task").iterdir()
    return set(" ".join((task / "children").read_text(encoding="ascii") for task in tasks).split())


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
async def test_no_file_descriptor_and_no_zombie_is_left() -> None:
    async def once() -> int:
        async with hosted("silence") as host:
            await host.ask("m", within=0.05)
        return descriptors()

    others = children()
    first = await once()
    assert [await once() for _ in range(3)] == [first] * 3
    assert children() == others
