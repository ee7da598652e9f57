"""Control functions are recognised to their end, wherever the bytes are split."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.features.escapes import MAX_SEQUENCE, Control, Csi, Token, Tokenizer
from acp_sidecar.features.plain_terminal import (
    FULL_SCREEN_NOTICE,
    LIVE_ROWS,
    PlainTerminal,
    plain_text,
)


def tokens(data: bytes) -> list[Token]:
    return list(Tokenizer().feed(data, final=True))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"abc", ["abc"]),
        (b"a\x1b[1;31mb", ["a", Csi("", (1, 31), "m"), "b"]),
        (b"\x1b[?25l", [Csi("?", (25,), "l")]),
        (b"\x1b[;5H", [Csi("", (0, 5), "H")]),
        (b"\x1b[99999999999A", [Csi("", (0xFFFF,), "A")]),
        (b"\r\n\b\t", [Control("\r"), Control("\n"), Control("\b"), Control("\t")]),
        (b"a\x1b]52;c;aGk=\x07b", ["a", "b"]),
        (b"a\x1b]0;title\x1b\\b", ["a", "b"]),
        (b"a\x1b]8;;https://e.example\x1b\\link\x1b]8;;\x1b\\", ["a", "link"]),
        (b"a\x1bP1$r0m\x1b\\b", ["a", "b"]),
        (b"a\x1b_Gf=100;AAAA\x1b\\b\x1b^pm\x1b\\\x1bXsos\x1b\\", ["a", "b"]),
        (b"a\xc2\x9d52;c;aGk=\xc2\x9cb", ["a", "b"]),
        (b"a\xc2\x9b31mb", ["a", Csi("", (31,), "m"), "b"]),
        (b"a\x1b]0;cancelled\x18b", ["a", "b"]),
        (b"a\x1b]0;broken off\x1b[31mb", ["a", Csi("", (31,), "m"), "b"]),
        (b"a\x1b[6nb\x1b[>cb", ["a", Csi("", (6,), "n"), "b", Csi(">", (), "c"), "b"]),
        (b"a\x1b[38:2::1:2:3mb", ["a", "b"]),
        (b"a\x1b[!pb\x1b[1 qb", ["a", "b", "b"]),
        (b"a\x1b(0b\x1b=c\x1b7d\x1b#8", ["a", "b", "c", "d"]),
        (b"a\x1bEb", ["a", Control("\n"), "b"]),
        (b"a\x1b[12\x07b", ["a", "b"]),
        (b"a\x1b", ["a"]),
        (b"a\x07\x00\x7fb", ["a", "b"]),
        (b"\xff\xe2\x82", ["\ufffd\ufffd"]),
    ],
)  # fmt: skip
def test_tokens(data: bytes, expected: list[Token]) -> None:
    assert tokens(data) == expected


def test_a_sequence_without_an_end_is_dropped_and_ends() -> None:
    data = b"a\x1b[" + b"1" * (MAX_SEQUENCE * 3) + b"\nb"
    assert tokens(data)[-2:] == [Control("\n"), "b"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"one\r\ntwo\r\n", "one\ntwo\n"),
        (b" 10%\r 50%\r100%\n", "100%\n"),
        (b"done\rx\n", "xone\n"),
        (b"long line\r\x1b[Kshort\n", "short\n"),
        (b"ab\b\bxy\b \n", "x\n"),
        (b"password: ", "password: "),
        (b"a\tb\n", "a       b\n"),
        (b"1\n2\n3\n\x1b[3Aone\n\x1b[Btwo?\r\x1b[2Kthree\n", "one\n2\nthree\n"),
        (b"\x1b[31mred\x1b[0m\n", "red\n"),
        (b"old\n\x1b[2J\x1b[Hnew\n", "old\nnew\n"),
        (b"a\n\x1b[?1049hscreen\x1b[5;5Hx\x1b[?1049lb\n", f"a\n{FULL_SCREEN_NOTICE}\nb\n"),
        (b"abc\x1b[1;1Hx\x1b[0J\n", "x\n"),
        (b"a  \nb\n", "a\nb\n"),
        (b"\x1b[5Cx\n", "     x\n"),
        ("naïve 漢字 e\u0301\n".encode(), "naïve 漢字 e\u0301\n"),
    ],
)
def test_plain_text(data: bytes, expected: str) -> None:
    assert plain_text(data) == expected


FRAGMENTS = (
    *(
        b"\x1b [ ] P \\ \x07 \x18 ? 1049 2 ; m h l A B C D G H J K n c ( # \xc3 \xa9 \xff".split(
            b" "
        )
    ),
    *(b"52;c;aGk=", b"\r", b"\n", b"\b", b"\t", b"text", b" ", b"\xc2\x9b", b"\xc2\x9d", b"\x00"),
    *("漢".encode(), b"\x1b[2A", b"\x1b[K", b"\x1b[2J", b"\x1b[?1049h", b"1" * 300),
)
BYTES = st.lists(st.sampled_from(FRAGMENTS), max_size=60).map(b"".join)


@settings(max_examples=300, deadline=None)
@given(BYTES, st.data())
def test_any_split_gives_the_same_text(data: bytes, draw: st.DataObject) -> None:
    terminal = PlainTerminal()
    done, rest = "", data
    while rest:
        size = draw.draw(st.integers(1, len(rest)))
        terminal.feed(rest[:size])
        done += terminal.take_final()
        rest = rest[size:]
    terminal.feed(b"", final=True)
    assert done + terminal.take_final() + terminal.live() == plain_text(data)


@settings(max_examples=300, deadline=None)
@given(BYTES | st.binary(max_size=200))
def test_no_control_survives(data: bytes) -> None:
    left = {char for char in plain_text(data) if ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0}
    assert left <= {"\n"}


@settings(deadline=None)
@given(BYTES)
def test_the_live_end_is_bounded(data: bytes) -> None:
    terminal = PlainTerminal()
    for _ in range(20):
        terminal.feed(data)
        terminal.take_final()
        assert terminal.live().count("\n") < LIVE_ROWS


def test_final_text_comes_once_and_in_order() -> None:
    terminal = PlainTerminal()
    lines = [f"line {number}\n" for number in range(100)]
    seen = ""
    for line in lines:
        terminal.feed(line.encode())
        seen += terminal.take_final()
    assert "".join(lines).startswith(seen)
    assert seen + terminal.live() == "".join(lines)


def test_many_lines_at_once_are_the_same_as_one_byte_at_a_time() -> None:
    data = b"".join(
        (
            b"\x1b[32mok\x1b[0m one\r\n" * 30,
            b"\x1b[" + b"1" * 300 + b"mgarbage\n",
            b"x" * 5000 + b"\nprogress\r\x1b[Kdone\n",
            b"\x1b[2Aover\nlast",
        )
    )
    terminal = PlainTerminal()
    for byte in data:
        terminal.feed(bytes([byte]))
    assert terminal.take_final() + terminal.live() == plain_text(data)
