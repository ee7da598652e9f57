"""What is written down of a connection is bounded, private and readable."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.agent.last_words import LastWords
from acp_sidecar.agent.recent_frames import RecentFrames
from acp_sidecar.agent.recorder import Recorder
from acp_sidecar.agent.trace_file import _IDLE_SECONDS, TraceFile
from acp_sidecar.errors import EnvironmentProblem, Problem
from acp_sidecar.wire.json_rpc import Peer
from acp_sidecar.wire.trace import Direction, TraceLine, read_trace

FRAME = b'{"jsonrpc":"2.0","method":"m"}\n'


def read(path: Path) -> list[TraceLine]:
    lines, problems = read_trace([path.read_bytes()])
    assert problems == []
    return lines


async def test_a_trace_is_whole_after_closing(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    trace = TraceFile(path, lambda problem: pytest.fail(problem.message))
    trace.message(Direction.OUT, FRAME)
    trace.text(Direction.NOISE, "a\nb\u2028\ud83d")
    trace.close("done")
    trace.close("again")
    trace.message(Direction.IN, FRAME)
    assert [(line.dir, line.msg, line.text) for line in read(path)] == [
        ("out", {"jsonrpc": "2.0", "method": "m"}, ""),
        ("noise", None, "a\nb\u2028\ufffd"),
        ("end", None, "done"),
    ]


async def test_a_trace_is_written_when_nothing_comes_for_a_moment(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    trace = TraceFile(path, lambda problem: pytest.fail(problem.message))
    trace.message(Direction.OUT, FRAME)
    assert path.stat().st_size == 0
    await asyncio.sleep(2 * _IDLE_SECONDS)
    assert len(read(path)) == 1
    trace.close("done")


async def test_a_trace_stops_at_its_limit_and_says_so_once(tmp_path: Path) -> None:
    problems: list[Problem] = []
    path = tmp_path / "trace"
    trace = TraceFile(path, problems.append, max_bytes=1000)
    for _ in range(100):
        trace.message(Direction.IN, FRAME)
    trace.close("done")
    lines = read(path)
    assert [problem.code for problem in problems] == ["trace-full"]
    assert "limit of 1000 bytes" in lines[-1].text
    assert [line.dir for line in lines[:-1]] == [Direction.IN] * (len(lines) - 1)
    assert 800 < path.stat().st_size < 1200


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
async def test_a_trace_is_its_owners_only_even_if_an_older_one_was_not(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o644)
    TraceFile(path, lambda _problem: None).close("done")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "old" not in path.read_text(encoding="utf-8")


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="needs O_NOFOLLOW")
async def test_a_trace_never_follows_a_link_somebody_put_there(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("precious", encoding="utf-8")
    (tmp_path / "trace").symlink_to(target)
    with pytest.raises(EnvironmentProblem):
        TraceFile(tmp_path / "trace", lambda _problem: None)
    assert target.read_text(encoding="utf-8") == "precious"


async def test_a_trace_that_cannot_be_opened_is_the_environments_fault(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot be written") as caught:
        TraceFile(tmp_path / "no" / "trace", lambda _problem: None)
    assert "`trace`" in caught.value.advice


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
async def test_a_full_disk_ends_the_trace_and_nothing_else() -> None:
    problems: list[Problem] = []
    trace = TraceFile(Path("/dev/full"), problems.append)
    for _ in range(3000):
        trace.message(Direction.IN, FRAME)
    trace.close("done")
    assert [problem.code for problem in problems] == ["trace-not-written"]


ODD_LINES = [
    b"\x1b[32m" + FRAME.strip() + b"\x1b[0m",
    b'{"jsonrpc":"2.0","method":"m","params":[NaN,"\\ud83d"]}',
    b'{"jsonrpc":"2.0","method":"m","params":"\xff"}',
    b'{"method":"m"}',
    b"[" * 1000,
    b"\x00\xff\x1b",
    b"42",
]


async def test_every_line_of_a_trace_is_strict_json_whatever_the_agent_said(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    recorder = Recorder(lambda: 0.0, TraceFile(path, lambda problem: pytest.fail(problem.message)))
    peer = Peer()
    for line in ODD_LINES:
        recorder.received(line, peer.receive_line(line), 1.0)
    recorder.stderr(b"\xff\x1b[1mhalf a line")
    recorder.close("done")

    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is no JSON")

    read_back = [
        json.loads(line, parse_constant=refuse)
        for line in path.read_bytes().decode().split("\n")[:-1]
    ]
    assert [line["dir"] for line in read_back] == ["in"] * 4 + ["noise"] * 2 + ["in", "err", "end"]


@given(st.lists(st.binary(max_size=50)))
def test_last_words_do_not_depend_on_the_chunks(chunks: list[bytes]) -> None:
    pieces, whole = LastWords(4, 60), LastWords(4, 60)
    for chunk in chunks:
        pieces.feed(chunk)
    whole.feed(b"".join(chunks))
    assert pieces.text() == whole.text()


@given(st.lists(st.binary(max_size=300)))
def test_last_words_never_keep_more_than_they_may(chunks: list[bytes]) -> None:
    words = LastWords(4, 60)
    for chunk in chunks:
        words.feed(chunk)
        assert len(words._kept) <= 60


def test_last_words_are_the_last_and_printable() -> None:
    words = LastWords(max_lines=2, max_bytes=100)
    words.feed(b"x" * 1000 + b"\none\n\x1b[1mtwo\x1b[0m\r\n\x07three\tfour\xff\n\n")
    assert words.text() == "two\n\\x07three\tfour\ufffd"


def test_recent_frames_are_a_ring() -> None:
    frames = RecentFrames(limit=3)
    for number in range(5):
        frames.add(float(number), Direction.OUT, "m", number, 10)
    assert [frame.id for frame in frames.summaries()] == [2, 3, 4]
