"""Lines come out whole and in order, however the bytes were cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.wire.frames import LineDecoder, excerpt

CASES = [
    (b"", []),
    (b"\n", [b""]),
    (b"a\n", [b"a"]),
    (b"a\r\n", [b"a"]),
    (b"a\rb\n", [b"a\rb"]),
    (b"a\nb\n\nc\n", [b"a", b"b", b"", b"c"]),
    (b"\xff\x00\xe2\x80\xa8\x85\n", [b"\xff\x00\xe2\x80\xa8\x85"]),
    (b"12345678\n", [b"12345678"]),
    (b"123456789\nb\n", ["line-too-long", b"b"]),
    (b"a\n" + b"x" * 40 + b"\nb\n", [b"a", "line-too-long", b"b"]),
    (b"1234567\r\n", [b"1234567"]),
    (b"\xf0\x9f\x98\x80\n", ["\U0001f600".encode()]),
]


def decode(chunks: list[bytes]) -> list[bytes | str]:
    decoder = LineDecoder(max_bytes=8)
    found: list[bytes | Problem] = []
    for chunk in chunks:
        found += decoder.feed(chunk)
    found += decoder.eof()
    return [line.code if isinstance(line, Problem) else line for line in found]


@pytest.mark.parametrize(("data", "expected"), CASES)
def test_lines_fed_whole_bytewise_and_with_more_to_come(
    data: bytes, expected: list[bytes | str]
) -> None:
    assert decode([data]) == expected
    assert decode([data[i : i + 1] for i in range(len(data))]) == expected
    assert decode([data + b"tail"]) == [*expected, b"tail"]


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"1234567", b"\xff"])), st.data())
def test_the_chunks_make_no_difference(pieces: list[bytes], draw: st.DataObject) -> None:
    data = b"".join(pieces)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=8)))
    edges = [0, *cuts, len(data)]
    chunks = [data[a:b] for a, b in pairwise(edges)]
    assert decode(chunks) == decode([data])


@given(st.lists(st.binary(max_size=8).map(lambda b: b.replace(b"\n", b"").replace(b"\r", b""))))
def test_lines_within_the_limit_survive_byte_for_byte(lines: list[bytes]) -> None:
    assert decode([b"".join(line + b"\n" for line in lines)]) == lines


def test_a_dropped_line_is_told_when_it_is_dropped_and_only_once() -> None:
    decoder = LineDecoder(max_bytes=8)
    (problem,) = decoder.feed(b"\x1b[31m too long")
    assert isinstance(problem, Problem)
    assert problem.fault is Fault.AGENT
    assert problem.excerpt == r"\x1b[31m too long"
    assert decoder.feed(b"and longer" * 100) == []
    assert decoder.feed(b"\nnext\n") == [b"next"]


def test_what_is_held_never_exceeds_the_limit_by_more_than_a_chunk() -> None:
    decoder = LineDecoder(max_bytes=1000)
    for _ in range(100):
        decoder.feed(b"x" * 100)
        assert len(decoder._unfinished) <= 1100


def test_a_line_unfinished_at_the_end_is_given_once() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b'{"a":1}') == []
    assert decoder.eof() == [b'{"a":1}']
    assert decoder.eof() == []


@given(st.binary())
def test_an_excerpt_can_be_printed(data: bytes) -> None:
    shown = excerpt(data)
    assert shown.isprintable()
    assert len(shown) <= 80
