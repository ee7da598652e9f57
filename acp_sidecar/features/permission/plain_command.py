"""Read a command line as the words of one plain command, or say why that is in doubt.

Rules may only speak about commands whose words are certain in every common shell: no operator,
expansion, redirection, assignment, comment, escape, line break or odd character. This is stricter
than any shell on purpose: what is in doubt is asked, never guessed.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from acp_sidecar.features.sanitize import is_visible

LONGEST: Final = 32_768
"""Characters; a longer command is not read."""

_BARE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-")
_BLANKS: Final = " \t"
_NEVER_IN_DOUBLE_QUOTES: Final = frozenset("$`\\!")
_WINDOWS_OPERATORS: Final = frozenset("&|<>^%!'`$;(){}@,=")
_ASSIGNMENT: Final = re.compile(r"\w+\+?=")
_KEYWORDS: Final = frozenset(
    {
        "if",
        "then",
        "elif",
        "else",
        "fi",
        "for",
        "while",
        "until",
        "do",
        "done",
        "case",
        "esac",
        "in",
        "function",
        "select",
        "time",
        "coproc",
        "repeat",
        "foreach",
        "end",
        "switch",
        "begin",
        "and",
        "or",
        "not",
        "nocorrect",
        "noglob",
    }
)
_SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_SHELL_FOLDERS: Final = ("", "/bin/", "/usr/bin/")
_SCRIPT_FLAGS: Final = frozenset({"-c", "-lc", "-cl"})
_UNSAFE_IN_LIST: Final = frozenset(";&|<>()$`\\\"'*?[]{}~#!^")


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a plain command, or (`words` is None) why it is not known to be plain."""

    words: tuple[str, ...] | None
    doubt: str = ""


def read_line(text: str, *, windows: bool = False) -> Reading:
    """Read the text of a command line.

    Args:
        text: What would be given to a shell.
        windows: The shell may be cmd or PowerShell, where single quotes or `%` mean other things.
    """
    if len(text) > LONGEST:
        return _doubt("it is too long to be read")
    odd = next((char for char in text if _is_odd(char)), None)
    if odd is not None:
        return _doubt(f"it contains the character U+{ord(odd):04X}")
    if windows and not _WINDOWS_OPERATORS.isdisjoint(text):
        return _doubt("it contains characters that may mean something to the shell")
    reading = _words(text)
    if reading.words is None:
        return reading
    return _checked(text, reading.words)


def read_list(words: Sequence[str], *, windows: bool = False) -> Reading:
    """Read a command given as a list; `sh -c SCRIPT` counts as its script."""
    script = script_of(words)
    if script is not None:
        return read_line(script, windows=windows)
    for word in words:
        if any(_is_odd(char) for char in word) or not _UNSAFE_IN_LIST.isdisjoint(word):
            # It may be joined to a line on its way to a shell.
            return _doubt("one of its words would mean something else to a shell")
    return _checked_first(tuple(words))


def script_of(words: Sequence[str]) -> str | None:
    """The script of `sh -c SCRIPT`, for the shells that everybody means by their names."""
    if len(words) != 3 or words[1] not in _SCRIPT_FLAGS:
        return None
    folder, slash, name = words[0].rpartition("/")
    return words[2] if name in _SHELLS and folder + slash in _SHELL_FOLDERS else None


def _is_odd(char: str) -> bool:
    if char.isascii():
        return (char < " " and char != "\t") or char == "\x7f"
    # PowerShell takes typographic quotes and dashes for ASCII's; some shells split at odd blanks.
    return unicodedata.category(char)[0] not in "LMN" or not is_visible(char)


def _words(text: str) -> Reading:
    words: list[str] = []
    word: str | None = None
    at = 0
    while at < len(text):
        char = text[at]
        if char in _BLANKS:
            words += [] if word is None else [word]
            word, at = None, at + 1
        elif char in "'\"":
            end = text.find(char, at + 1)
            quoted = text[at + 1 : end]
            if end < 0:
                return _doubt("a quote is not closed")
            if char == '"' and not _NEVER_IN_DOUBLE_QUOTES.isdisjoint(quoted):
                return _doubt("something in double quotes would be expanded")
            word, at = (word or "") + quoted, end + 1
        elif char in _BARE or not char.isascii():
            word, at = (word or "") + char, at + 1
        else:
            return _doubt(f"it contains {char}, which means something to the shell")
    words += [] if word is None else [word]
    return Reading(tuple(words))


def _checked(text: str, words: tuple[str, ...]) -> Reading:
    try:
        agreed = tuple(shlex.split(text)) == words
    except ValueError:
        agreed = False
    if not agreed:
        return _doubt("its words are not certain")
    # zsh expands a word that begins with "=", wherever it stands.
    if any(part.startswith("=") for part in text.split()):
        return _doubt("a word that begins with = may be expanded")
    return _checked_first(words)


def _checked_first(words: tuple[str, ...]) -> Reading:
    if not words or not words[0]:
        return _doubt("it names no program")
    first = words[0]
    if _ASSIGNMENT.match(first):
        return _doubt("it sets a variable first")
    if first in _KEYWORDS or first[0] in "%-+":
        return _doubt("its first word is not a program")
    return Reading(words)


def _doubt(reason: str) -> Reading:
    return Reading(None, reason)
