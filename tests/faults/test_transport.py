"""One misbehaving program a fault: it is recorded, and the session goes on or ends clearly.

That no process is left behind is checked by `hosted` for every one of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from acp_sidecar.agent.connection import Limits
from acp_sidecar.agent.ending import ExitReport
from acp_sidecar.errors import Problem
from acp_sidecar.host.ports import AGENT_GONE, NO_ANSWER
from acp_sidecar.wire.json_rpc import (
    ErrorResponse,
    Incoming,
    Notification,
    Request,
    Response,
    RpcError,
)
from acp_sidecar.wire.trace import Direction, read_trace
from tests.faults.harness import PROGRAMS, QUICK, ROOT, Host, hosted, is_alive, wait_until_gone


async def test_exit_at_once_tells_its_last_words_and_what_to_try() -> None:
    async with hosted("exit_at_once") as host:
        error = await host.ask("initialize")
        report = await host.exit
    assert isinstance(error, RpcError)
    assert (error.code, error.message) == (AGENT_GONE, "fake ended with exit status 1.")
    assert not report.expected
    assert "fatal: no API key; run `agent login` first" in report.message
    assert "in a terminal" in report.advice


async def test_exit_mid_line_delivers_all_before_the_end() -> None:
    async with hosted("exit_mid_line") as host:
        assert await host.ask("one") == "first"
        report = await host.exit
    assert [type(item) for item in host.delivered] == [Response, Problem, ExitReport]
    assert host.problems == ["not-json"]
    assert report.reason == "fake ended with exit status 3."
    assert "Restart" in report.advice


async def test_every_open_request_fails_once_and_before_the_exit_is_told() -> None:
    async with hosted("exit_mid_line") as host:
        answers = await asyncio.gather(*(host.ask(f"m{number}") for number in range(5)))
        await host.exit
    assert answers[0] == "first"
    assert [error.code for error in answers[1:]] == [AGENT_GONE] * 4
    assert [type(item) for item in host.delivered][-5:] == [ErrorResponse] * 4 + [ExitReport]


async def test_a_last_message_without_newline_counts() -> None:
    async with hosted("exit_without_newline") as host:
        assert await host.ask("one") == "last"
        report = await host.exit
    assert host.problems == []
    assert report.status == 0


async def test_death_by_signal_is_named() -> None:
    async with hosted("killed") as host:
        error = await host.ask("one")
    assert error.message == "fake was killed by SIGSEGV."


async def test_silence_ends_in_an_error_that_says_what_to_try_and_a_stop_is_expected() -> None:
    async with hosted("silence") as host:
        error = await host.ask("initialize", within=0.2)
        assert error.code == NO_ANSWER
        assert "fake did not answer initialize within 0.2 s" in error.message
        assert "restart" in error.message
    report = await host.exit
    assert report.expected
    assert report.advice == ""


async def test_banner_blank_lines_and_colour_are_no_obstacle() -> None:
    async with hosted("banner") as host:
        assert await host.ask("one") == "ok"
        assert await host.ask("two") == "ok"
    assert set(host.problems) == {"not-json"}
    # The greeting, "ready", the bare ANSI sequence, and one warning a request; blanks are silent.
    assert len(host.problems) == 5


async def test_invalid_utf8_is_recorded_and_what_can_be_read_is_delivered() -> None:
    async with hosted("invalid_utf8") as host:
        assert await host.ask("one") == "one"
    assert host.problems == ["invalid-utf8", "invalid-utf8"]
    assert Notification("note", "\ufffd") in host.delivered


async def test_wrong_shapes_and_absurd_nesting_are_recorded() -> None:
    async with hosted("wrong_shapes") as host:
        assert await host.ask("one") == "one"
    assert host.problems.count("not-json-rpc") == 7
    assert host.problems[-1] == "nested-too-deep"


async def test_a_flood_arrives_in_order_and_the_answer_between_its_neighbours() -> None:
    count = 30_000
    async with hosted("flood") as host:
        assert await host.ask("flood", count) == count
        await host.until(Notification, count + 1)
    *told, report = host.delivered
    assert isinstance(report, ExitReport)
    assert told == [
        *(Notification("n", number) for number in range(count)),
        Response(0, count),
        Notification("n", "after"),
    ]


def slowed(host: Host, seconds: float) -> None:
    """Let every message take its time, as if much were done with it."""

    def slow(message: Incoming) -> None:
        host.on_message(message)
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            pass

    host.connection._on_message = slow


async def test_a_flood_leaves_the_event_loop_its_turns() -> None:
    seen = [0]

    async def editor(host: Host) -> None:
        while True:
            await asyncio.sleep(0)
            seen.append(len(host.delivered))

    async with hosted("flood", limits=Limits(turn_seconds=0.001)) as host:
        slowed(host, 30e-6)
        task = asyncio.create_task(editor(host))
        await host.ask("flood", 10_000)
        task.cancel()
    # About 30 messages fit into a turn; a whole chunk from the pipe would be over a thousand.
    assert max(after - before for before, after in pairwise(seen)) < 500


def held(host: Host) -> int:
    """How many bytes were read and not delivered."""
    return sum(len(line) for line in host.connection._backlog if isinstance(line, bytes))


async def settled(host: Host) -> int:
    """How many bytes are held once no more come in."""
    before, now = -1, held(host)
    while now != before:
        await asyncio.sleep(0.5)
        before, now = now, held(host)
    return now


@pytest.mark.parametrize("paused", ["before the flood", "in the midst of it"])
async def test_paused_delivery_loses_nothing_and_holds_little(paused: str) -> None:
    count = 60_000
    async with hosted("flood") as host:
        assert await host.ask("flood", 0) == 0
        if paused == "before the flood":
            host.connection.pause()
        asking = asyncio.create_task(host.ask("flood", count))
        if paused == "in the midst of it":
            await host.until(Notification, 2)
            host.connection.pause()
        seen = len(host.delivered)
        # 2.7 MB are to be sent; the agent is blocked by its pipe, and here is what was in flight.
        assert await settled(host) < 256 * 2**10
        assert len(host.delivered) == seen
        host.connection.resume()
        assert await asking == count
    told = [item.params for item in host.delivered if isinstance(item, Notification)]
    assert told[1 : count + 1] == [*range(count)]


async def test_an_agent_that_is_faster_than_we_are_is_slowed_down() -> None:
    most = 0
    async with hosted("flood", limits=Limits(turn_seconds=0.001)) as host:
        slowed(host, 30e-6)
        asking = asyncio.create_task(host.ask("flood", 30_000))
        while not asking.done():
            await asyncio.sleep(0)
            most = max(most, held(host))
    # The agent sent 1.3 MB.
    assert most < 512 * 2**10


async def test_what_a_dead_agent_left_in_its_pipe_is_delivered_before_its_exit() -> None:
    async with hosted("says_much_and_exits") as host:
        host.connection.pause()
        asking = asyncio.create_task(host.ask("one"))
        await host.connection._process._exited.wait()
        await asyncio.sleep(2 * QUICK.drain_idle)
        assert host.delivered == []
        host.connection.resume()
        assert await asking == "all said"
        await host.exit
    *told, answer, report = host.delivered
    assert told == [Notification("n", number) for number in range(1000)]
    assert isinstance(answer, Response)
    assert isinstance(report, ExitReport)


async def test_a_line_of_70_kb_is_nothing_special() -> None:
    async with hosted("long_lines") as host:
        assert len(await host.ask("long", 70_000)) == 70_000
        await host.until(Notification)
    assert host.problems == []


async def test_a_line_of_70_mb_is_dropped_and_the_next_is_read() -> None:
    async with hosted("long_lines") as host:
        asking = asyncio.create_task(host.ask("long", 70 * 2**20, within=60))
        await host.until(Notification)
        assert host.problems == ["line-too-long"]
        assert len(await host.ask("short", 5)) == 5
        asking.cancel()


async def test_wrong_ids_are_recorded_and_the_right_one_is_taken() -> None:
    async with hosted("wrong_ids") as host:
        assert await host.ask("one") == "right"
    assert host.problems == ["unknown-response-id"] * 3 + ["invalid-id"] * 2


async def test_double_answers_and_doubly_used_ids_are_recorded() -> None:
    async with hosted("double_answers") as host:
        assert await host.ask("one") == "first"
        await host.until(Notification)
    assert host.problems == ["id-in-use", "second-answer"]
    assert [item for item in host.delivered if isinstance(item, Request)] == [
        Request(7, "ask", None)
    ]


async def test_stderr_is_drained_and_its_tail_kept() -> None:
    async with hosted("chatty_stderr") as host:
        assert await host.ask("one") == "ok"
        for _ in range(100):
            if "last words" in host.connection.last_words:
                break
            await asyncio.sleep(0.05)
        words = host.connection.last_words
    lines = words.split("\n")
    assert lines[-1] == "the very last words"
    assert lines[-2].startswith("099999 ")
    assert len(lines) == 40
    assert len(words) <= 16 * 2**10


async def test_the_stop_ladder_goes_down_to_sigkill_for_the_whole_group() -> None:
    async with hosted("stubborn") as host:
        pids = await host.ask("pids")
        assert all(is_alive(pid) for pid in pids)
        await host.connection.stop()
        report = await host.exit
        assert wait_until_gone(pids, 5) == []
    assert report.expected
    assert report.reason == "fake was killed by SIGKILL."


async def test_a_grandchild_that_holds_stdout_delays_nothing_and_is_stopped() -> None:
    async with hosted("leaves_grandchild") as host:
        pids = await host.ask("pids")
        report = await host.exit
        assert report.status == 0
        assert wait_until_gone(pids, 5) == []
    assert Notification("last", None) in host.delivered
    assert isinstance(host.delivered[-1], ExitReport)


async def test_a_daemon_that_keeps_writing_to_stdout_cannot_delay_the_exit_for_ever() -> None:
    async with hosted("leaves_daemon") as host:
        _agent, daemon = await host.ask("pids")
        try:
            async with asyncio.timeout(30):
                await host.exit
            assert Notification("last", None) in host.delivered
            assert isinstance(host.delivered[-1], ExitReport)
        finally:
            # It left our group by its own will, so it is not ours to stop; but it is this test's.
            os.kill(daemon, signal.SIGKILL)


async def test_what_a_late_reader_must_read_waits_for_it() -> None:
    async with hosted("reads_late") as host:
        host.connection.notify("big", "x" * 5 * 2**20)
        assert await host.ask("one") == "one"
    assert host.problems == []


async def test_an_agent_that_never_reads_is_given_up_before_it_costs_much() -> None:
    async with hosted("does_not_read", limits=Limits(unread_bytes=2**20)) as host:
        await host.until(Notification)
        for _ in range(50):
            host.connection.notify("big", "x" * 100_000)
        assert host.connection._process.unwritten < 1.2 * 2**20
        report = await host.exit
    assert host.problems == ["agent-does-not-read"]
    assert not report.expected
    assert "does not read" in report.reason


async def test_an_agent_that_closes_stdout_and_lives_on_is_ended() -> None:
    async with hosted("closes_stdout") as host:
        error = await host.ask("one")
        report = await host.exit
    assert error.code == AGENT_GONE
    assert "closed its stdout" in report.reason


async def test_a_batch_is_answered_by_one_array() -> None:
    async with hosted("batches") as host:

        def answer(message: Incoming) -> None:
            host.delivered.append(message)
            if isinstance(message, Request):
                host.connection.respond(message.id, f"for {message.id}")

        host.connection._on_message = answer
        answers = await host.ask("one")
    assert [(item["id"], item["result"]) for item in answers] == [(1, "for 1"), ("two", "for two")]
    assert [type(item) for item in host.delivered][:4] == [Request, Notification, Request, Response]


async def test_a_trace_of_trouble_can_be_read_back(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    async with hosted("banner", trace=path) as host:
        await host.ask("one")
    lines, problems = read_trace([path.read_bytes()])
    assert problems == []
    assert [line.dir for line in lines if line.dir is not Direction.NOISE] == [
        Direction.OUT,
        Direction.IN,
        Direction.EOF,
        Direction.END,
    ]
    assert "Welcome to agent 1.0!" in "".join(line.text for line in lines)


async def parent_of(program: str, *how: str) -> tuple[asyncio.subprocess.Process, list[int]]:
    parent = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        f"{PROGRAMS}.parent",
        f"{PROGRAMS}.{program}",
        *how,
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert parent.stdout is not None
    pids = json.loads(await parent.stdout.readline())
    return parent, [parent.pid, *pids]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("whom", ["parent", "group", "itself"])
async def test_nothing_outlives_a_host_that_dies_by_any_means(whom: str) -> None:
    parent, pids = await parent_of("stubborn", *(["leave"] if whom == "itself" else []))
    if whom == "parent":
        parent.kill()
    elif whom == "group":
        os.killpg(parent.pid, signal.SIGKILL)
    await parent.wait()
    assert await asyncio.to_thread(wait_until_gone, pids) == []
