"""Files that a prompt names: `@path` in its text."""

from __future__ import annotations

import re
from typing import Final

MOST: Final = 100
"""Mentions of one prompt that are looked at."""

_MENTION: Final = re.compile(r'(?<![^\s(\["\'`])@(?:"([^"\n]+)"|(\S+))')
_TRAILING: Final = ".,;:!?)]}>\"'`"


def mentions(text: str) -> list[list[str]]:
    """What may be paths, in order: for each mention its readings, the longest first.

    `@"a b.txt"` is a path with blanks. Punctuation behind a path is no part of it, unless there is
    such a file: whoever asks tries the readings one by one.
    """
    found: list[list[str]] = []
    for quoted, plain in _MENTION.findall(text):
        if len(found) >= MOST:
            break
        if quoted:
            found.append([quoted])
            continue
        shortest = len(plain.rstrip(_TRAILING))
        found.append([plain[:end] for end in range(len(plain), max(shortest, 1) - 1, -1)])
    return found


def mention(path: str) -> str:
    """How a path is written in a prompt."""
    return f'@"{path}"' if re.search(r"\s", path) else f"@{path}"
