"""Bytes, lines and columns come through whole."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.changes.texts import (
    Encoding,
    FileText,
    LineIndex,
    NotText,
    Position,
    decode,
    natural_break,
    split_lines,
    usual_ending,
    with_ending,
)

ODD = "a\x0cb\x85c\u2028d\u2029e\x1cf\x0bg\n"

FILES = {
    "plain": b"a\nb\n",
    "windows": b"a\r\nb\r\n",
    "mac": b"a\rb\r",
    "mixed": b"a\r\nb\nc\rd\n\r\r\n",
    "no final newline": b"a\nb",
    "empty": b"",
    "only a newline": b"\n",
    "separators that are no line ends": ODD.encode(),
    "emoji and combining": "e\u0301 \U0001f600\U0001f468\u200d\U0001f469\n".encode(),
    "bom": codecs.BOM_UTF8 + b"a\n",
    "two boms": codecs.BOM_UTF8 * 2 + b"a\n",
    "only a bom": codecs.BOM_UTF8,
    "utf-16 le": codecs.BOM_UTF16_LE + "aä\r\n😀".encode("utf-16-le"),
    "utf-16 be": codecs.BOM_UTF16_BE + "aä\n".encode("utf-16-be"),
    "utf-32": codecs.BOM_UTF32_LE + "aä\n".encode("utf-32-le"),
    "latin-1": "fünf\n".encode("latin-1"),
    "undecodable": b"\xff\xfe\xfd a \x80\n",
    "encoded surrogates": b"\xed\xa0\x80\n",
    "tabs and trailing blanks": b"\ta \t \n",
}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_a_file_comes_back_byte_for_byte(data: bytes) -> None:
    text = decode(data)
    assert isinstance(text, FileText)
    assert text.encode() == data


@given(data=st.binary(max_size=60).filter(lambda data: b"\0" not in data))
def test_any_bytes_come_back(data: bytes) -> None:
    text = decode(data)
    assert text is NotText.BINARY or (isinstance(text, FileText) and text.encode() == data)


def test_binary_and_large_files_are_named() -> None:
    assert decode(b"a\0b") is NotText.BINARY
    assert decode(b"abc", limit=2) is NotText.TOO_LARGE
    assert decode(b"\xff\xfe\0\0\0\0") is NotText.BINARY
    assert decode(codecs.BOM_UTF16_LE + b"a\0b") is NotText.BINARY


def test_edited_text_is_encoded_as_the_file_was() -> None:
    text = decode(codecs.BOM_UTF16_LE + "a".encode("utf-16-le"))
    assert isinstance(text, FileText)
    assert text.encode("ä") == codecs.BOM_UTF16_LE + "ä".encode("utf-16-le")


@given(text=st.text("ab\r\n\x0c\x85\u2028", max_size=40))
def test_lines_join_to_the_text(text: str) -> None:
    for line_break in ("\n", "\r", "any"):
        lines = split_lines(text, line_break)
        assert "".join(lines) == text
        assert all(lines)


def test_only_the_three_endings_end_a_line() -> None:
    assert split_lines(ODD) == [ODD]
    assert split_lines("a\r\nb\rc\n\rd") == ["a\r\n", "b\r", "c\n", "\r", "d"]
    assert split_lines("a\rb\r\nc", "\n") == ["a\rb\r\n", "c"]


def test_endings() -> None:
    assert [usual_ending(text) for text in ("", "a", "\n\r\n", "\r\n\r\n\n", "\r\r\n\r")] == [
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\r",
    ]
    assert natural_break("a\rb", "") == "\r"
    assert natural_break("a\rb", "\n") == "\n"
    assert with_ending("a\n", "\r\n") == "a\r\n"
    assert with_ending("a", "\r\n") == "a"


COLUMNS = "aä😀\u2028b\r\nx\ry"


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [
        (Encoding.UTF8, [0, 1, 3, 7, 10, 11]),
        (Encoding.UTF16, [0, 1, 2, 4, 5, 6]),
        (Encoding.UTF32, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_columns_are_counted_as_negotiated(encoding: Encoding, columns: list[int]) -> None:
    index = LineIndex(COLUMNS)
    for offset, column in enumerate(columns):
        assert index.position(offset, encoding) == Position(0, column)
        assert index.offset(Position(0, column), encoding) == offset
    assert index.position(7, encoding) == Position(1, 0)
    assert index.position(9, encoding) == Position(2, 0)


def test_places_outside_a_text_are_its_ends() -> None:
    index = LineIndex("ab\r\ncd\n")
    assert index.offset(Position(0, 99)) == 2
    assert index.offset(Position(9, 0)) == 7
    assert index.position(99) == Position(2, 0)
    assert index.position(-1) == Position(0, 0)
    assert index.offset(Position(2, 5)) == 7


@given(text=st.text("aä😀\r\n\u2028\udc80", max_size=20), encoding=st.sampled_from(Encoding))
def test_positions_and_offsets_are_inverse_between_line_ends(text: str, encoding: Encoding) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        position = index.position(offset, encoding)
        inside_ending = text[offset - 1 : offset + 1] == "\r\n"
        assert index.offset(position, encoding) == offset - inside_ending
