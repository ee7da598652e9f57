"""What agents are given of a file can be sent back unchanged, and nothing of others is lost."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.changes.texts import FileText, decode
from acp_sidecar.changes.whole_file import (
    encoded,
    excerpt,
    rewritten,
    speakable,
    with_endings_of,
)

TEXTS = st.text(st.sampled_from("ab\r\n\u2028\x85\x0c"))


@given(st.binary() | TEXTS.map(lambda text: text.encode("utf-16")))
def test_any_text_file_comes_back_byte_for_byte(data: bytes) -> None:
    file = decode(data)
    if isinstance(file, FileText):
        given_text = json.loads(json.dumps(speakable(file.text)).encode("utf-8"))
        given_text.encode("utf-8")  # what JSON in UTF-8 can carry
        assert encoded(given_text, file) == data


@given(TEXTS, st.integers(1, 10), st.integers(0, 10))
def test_excerpts_are_pieces_that_join(text: str, line: int, limit: int) -> None:
    head = excerpt(text, None, line - 1)
    assert head + excerpt(text, line, limit) + excerpt(text, line + limit, None) == text


@given(TEXTS, TEXTS)
def test_endings_are_changed_and_nothing_else(content: str, existing: str) -> None:
    def lines(text: str) -> list[str]:
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    assert lines(with_endings_of(content, existing)) == lines(content)


@given(TEXTS)
def test_what_is_sent_back_unchanged_changes_nothing(text: str) -> None:
    assert rewritten(text, text, text) == text
    assert rewritten(None, text, text) == text


def test_both_sides_are_kept_or_nothing_is_done() -> None:
    base = "a\nb\nc\nd\ne\n"
    assert rewritten(base, base.replace("a", "A"), base.replace("e", "E")) == "A\nb\nc\nd\nE\n"
    assert rewritten(base, base.replace("a", "A"), base.replace("a", "x")) is None


def test_line_feeds_over_a_windows_file() -> None:
    assert with_endings_of("a\nb\n", "x\r\ny\r\n") == "a\r\nb\r\n"
    assert with_endings_of("a\r\nb\n", "x\r\n") == "a\r\nb\n"  # it mixes them on purpose
    assert with_endings_of("a\n", "x\r\ny\n") == "a\n"
