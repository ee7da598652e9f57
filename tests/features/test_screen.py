"""A screen drawn by a real emulator, which hostile output must not break."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.features.screen import render


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"a\r\nb", "a\nb"),
        (b"\x1b[2;3Hx\x1b[Ay", "   y\n  x"),
        (b"\x1b[31mred\x1b[38;5;200mx\x1b[0m", "redx"),
        (b"\x1b[38;5m\x1b[38;2;1;2mtext", "text"),
        (b"abc\x1b[2DX\x1b[K", "aX"),
        (b"\x1b]52;c;aGk=\x07\x1b[6n\x1b[c\x1bP+q\x1b\\ok", "ok"),
        (b"before\x1b[?1049hinside", "inside"),
        ("漢字\r\ne\u0301".encode(), "漢字\n\u00e9"),
        ("漢\r\x1b[1P\x1b[Kx".encode(), "x"),
        ("漢\x1b[1D\r\x1b[1P".encode(), ""),
        (b"1\r\n2\r\n3\r\n4\r\n5\r\n6", "2\n3\n4\n5\n6"),
    ],
)
def test_screens(data: bytes, shown: str) -> None:
    assert str(render(data, 20, 5)) == shown


def test_the_cursor_is_told() -> None:
    screen = render(b"ab\r\ncd\x1b[D", 20, 5)
    assert (screen.row, screen.column) == (1, 1)


@pytest.mark.parametrize(("cols", "rows"), [(0, 0), (1, 1), (65535, 65535), (3, 65535)])
def test_any_size(cols: int, rows: int) -> None:
    assert len(render(b"hello\r\nworld", cols, rows).rows) >= 1


SEQUENCES = st.builds(
    lambda private, params, middle, final: f"\x1b[{private}{params}{middle}{final}".encode(),
    st.sampled_from(["", "", "?", ">", "=", "<"]),
    st.lists(st.integers(0, 99999999) | st.just(""), max_size=6).map(
        lambda parts: ";".join(map(str, parts))
    ),
    st.sampled_from(["", "", "", " ", "$", "!"]),
    st.characters(min_codepoint=0x40, max_codepoint=0x7E),
)
ANYTHING = st.lists(
    SEQUENCES | st.binary(max_size=6) | st.sampled_from([b"\n", b"\r", b"text", "漢".encode()]),
    max_size=30,
).map(b"".join)


@settings(max_examples=300, deadline=None)
@given(ANYTHING)
def test_no_output_breaks_the_emulator(data: bytes) -> None:
    assert len(render(data, 20, 5).rows) == 5
