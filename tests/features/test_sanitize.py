from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.features.sanitize import (
    is_visible,
    visible_command,
    visible_line,
    visible_text,
)

LINES = [
    ("plain text", "plain text"),
    ("naïve café 日本語 🙂", "naïve café 日本語 🙂"),
    ("❤\ufe0f", "❤\ufe0f"),
    ("a\x00b", "a␀b"),
    ("a\x1b[31mred", "a␛[31mred"),
    ("a\x07", "a␇"),
    ("a\x7f", "a␡"),
    ("a\x9b31m", "a⟨U+009B⟩31m"),
    ("a\nb\r\nc\td", "a␊b␍␊c␉d"),
    ("rm \u202etxt.exe", "rm ⟨U+202E⟩txt.exe"),
    ("\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"),
    ("a\u200bb\u200d\u2060\ufeff", "a⟨U+200B⟩b⟨U+200D⟩⟨U+2060⟩⟨U+FEFF⟩"),
    ("a\u00adb", "a⟨U+00AD⟩b"),
    ("a\u2028b\u2029c\u0085d", "a⟨U+2028⟩b⟨U+2029⟩c⟨U+0085⟩d"),
    ("a\u00a0b\u3000c", "a⟨U+00A0⟩b⟨U+3000⟩c"),
    ("\U000e0041\U000e007f", "⟨U+E0041⟩⟨U+E007F⟩"),
    ("x\ufe01\U000e0100", "x⟨U+FE01⟩⟨U+E0100⟩"),
    ("\u3164\u115f\u2800", "⟨U+3164⟩⟨U+115F⟩⟨U+2800⟩"),
    ("\ue000\uffff", "⟨U+E000⟩⟨U+FFFF⟩"),
    ("\ud800", "⟨U+D800⟩"),
    ("[ok](command:evil)", "[ok] (command:evil)"),
    ("[ok](https://evil.example)", "[ok] (https://evil.example)"),
    ("a[0](x)", "a[0](x)"),
]


@pytest.mark.parametrize(("text", "shown"), LINES)
def test_a_line_shows_what_is_there(text: str, shown: str) -> None:
    assert visible_line(text) == shown


def test_prose_keeps_its_lines() -> None:
    assert visible_text("a\r\nb\n\tc\rd") == "a\nb\n\tc␍d"
    assert visible_text("Voulez-vous\u00a0?") == "Voulez-vous\u00a0?"


def test_a_command_marks_its_line_breaks() -> None:
    assert visible_command("git status\r\nrm\u00a0x") == "git status␍␊\nrm⟨U+00A0⟩x"


def test_stacked_marks_do_not_deface_the_lines_around() -> None:
    shown = visible_line("a" + "\u0301" * 50)
    assert shown.startswith("a" + "\u0301" * 6 + "⟨U+0301⟩")


def test_length_is_limited_and_said() -> None:
    assert visible_line("x" * 310) == "x" * 300 + "… (10 more characters)"
    assert visible_text("x" * 5, limit=5) == "xxxxx"


def test_only_what_is_shown_unchanged_is_visible() -> None:
    assert is_visible("git status ü")
    assert not is_visible("git\u200b status")


@given(st.text(), st.sampled_from([visible_line, visible_text, visible_command]))
def test_nothing_hidden_is_ever_shown(text: str, show: object) -> None:
    assert callable(show)
    shown = show(text)
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert all(char in "\n\t" or unicodedata.category(char) not in hidden for char in shown)
    assert show is not visible_line or "\n" not in shown
