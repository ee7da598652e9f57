"""Trace lines are written and read back; bad ones are told and left out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.errors import Problem
from acp_sidecar.wire.json_rpc import Peer
from acp_sidecar.wire.trace import (
    Direction,
    TraceLine,
    message_line,
    read_line,
    read_trace,
    text_line,
)


@given(
    st.dictionaries(st.text(), st.text() | st.integers()),
    st.sampled_from([Direction.IN, Direction.OUT]),
)
def test_a_message_comes_back_as_it_was_sent(params: dict[str, Any], direction: Direction) -> None:
    frame = Peer().notify("m", params)
    line = message_line(direction, 1.25, frame)
    assert line.count(b"\n") == 1
    assert json.loads(line)["msg"]["params"] == params
    assert read_line(line, 3) == TraceLine(
        direction, 1.25, {"jsonrpc": "2.0", "method": "m", "params": params}, "", 3
    )


@given(st.text())
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert read_line(text_line(Direction.ERR, 0.5, text)) == TraceLine(
        Direction.ERR, 0.5, text=text
    )


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"[1]",
        b"{}",
        b'{"dir":"sideways","t":1,"text":""}',
        b'{"dir":"in","t":1}',
        b'{"dir":"in","t":1,"msg":"x"}',
        b'{"dir":["in"],"t":1,"msg":{}}',
        b"\xff",
    ],
)
def test_a_bad_line_is_told_with_its_number_and_left_out(line: bytes) -> None:
    good = text_line(Direction.EOF, 2, "bye")
    lines, problems = read_trace([good + line + b"\n" + good])
    assert [(problem.code, problem.where) for problem in problems] == [("bad-trace-line", "line 2")]
    assert [line.number for line in lines] == [1, 3]


def test_blank_lines_and_missing_times_are_no_problem() -> None:
    lines, problems = read_trace([b'\n{"dir":"err","te', b'xt":"a"}\n\r\n{"dir":"end","t":"x"}'])
    assert problems == []
    assert [(line.dir, line.t, line.text) for line in lines] == [("err", 0, "a"), ("end", 0, "")]


@given(st.binary())
def test_any_bytes_are_survived(data: bytes) -> None:
    lines, problems = read_trace([data])
    assert len(lines) + len(problems) <= data.count(b"\n") + 1
    assert all(isinstance(problem, Problem) for problem in problems)
