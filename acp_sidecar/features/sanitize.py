"""Show text of an agent as text: nothing in it may act on, hide from or mislead who reads it.

Control, bidirectional, zero-width and other invisible characters become visible marks, length is
limited, and links that some editors would make clickable are broken. For what a person reads, never
for what is stored, sent on or matched by rules.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

_Show = Callable[[str], str]

TITLE_LIMIT: Final = 300
"""Characters of a title, a path or a button's owner text that are shown."""

TEXT_LIMIT: Final = 4000
"""Characters of a description or a command that are shown."""

_COMBINING_RUN: Final = 6
"""Living scripts stack at most this many marks on a letter; more deface the lines around it."""

_INVISIBLE_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
"""Letters and marks by category that show as nothing or as a blank."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_LINK: Final = re.compile(r"\]\((?=\s*[a-zA-Z][a-zA-Z0-9+.-]*:)")
_ORDINARY: Final = re.compile(r"[\x20-\x7e]*\Z")


def visible_text(text: str, limit: int = TEXT_LIMIT) -> str:
    """Prose of several lines. Line breaks and tabs stay; CRLF counts as one line break.

    Args:
        text: What the agent said.
        limit: The most characters that are shown; how many were left out is said.
    """
    joined = text.replace("\r\n", "\n")
    return _broken_links(_limited(joined, limit, _prose_char))


def visible_line(text: str, limit: int = TITLE_LIMIT) -> str:
    """A title, name or path on one line: line breaks, tabs and odd blanks are marked too."""
    return _broken_links(_limited(text, limit, _line_char))


def visible_command(text: str, limit: int = TEXT_LIMIT) -> str:
    """A command exactly as it is: line breaks stay and are marked, every odd blank is marked."""
    return _broken_links(_limited(text, limit, _command_char))


def is_visible(text: str) -> bool:
    """Whether all of a line is shown as it is, with nothing marked."""
    return all(_line_char(char) == char for char in text)


def _limited(text: str, limit: int, show: _Show) -> str:
    kept = text[:limit]
    shown = kept if _ORDINARY.match(kept) else _marked(kept, show)
    left_out = len(text) - len(kept)
    return f"{shown}… ({left_out} more characters)" if left_out else shown


def _marked(text: str, show: _Show) -> str:
    shown: list[str] = []
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        shown.append(_code(char) if run > _COMBINING_RUN else show(char))
    return "".join(shown)


def _prose_char(char: str) -> str:
    return char if char in "\n\t" or not _is_hidden(char) else _mark(char)


def _line_char(char: str) -> str:
    odd_blank = char != " " and unicodedata.category(char) == "Zs"
    return _mark(char) if odd_blank or _is_hidden(char) else char


def _command_char(char: str) -> str:
    return "␊\n" if char == "\n" else _line_char(char)


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN or char in _INVISIBLE_LETTERS or _selects(char)


def _selects(char: str) -> bool:
    """Variation selectors but the one that emoji need: they can carry hidden data."""
    return "\ufe00" <= char <= "\ufe0e" or "\U000e0100" <= char <= "\U000e01ef"


def _mark(char: str) -> str:
    point = ord(char)
    if point < 0x20:
        return chr(0x2400 + point)
    return "␡" if point == 0x7F else _code(char)


def _code(char: str) -> str:
    return f"⟨U+{ord(char):04X}⟩"


def _broken_links(text: str) -> str:
    """Editors make `[label](command:...)` in messages clickable; a blank takes that away."""
    return _LINK.sub("] (", text)
