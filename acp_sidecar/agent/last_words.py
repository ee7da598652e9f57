"""The end of an agent's stderr, bounded: what tells a person why it died."""

from __future__ import annotations

import re
from typing import Final

MAX_LINES: Final = 40
MAX_BYTES: Final = 16 * 2**10

_SEQUENCE: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


class LastWords:
    """Keeps the last bytes fed to it; costs nothing more, however much passes through."""

    def __init__(self, max_lines: int = MAX_LINES, max_bytes: int = MAX_BYTES) -> None:
        self._max_lines = max_lines
        self._max_bytes = max_bytes
        self._kept = b""

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        if len(data) < self._max_bytes:
            data = self._kept + data
        self._kept = data[-self._max_bytes :]

    def text(self) -> str:
        """The last lines, printable, without ANSI sequences and blank lines at the ends."""
        text = _SEQUENCE.sub("", self._kept.decode("utf-8", "replace")).replace("\r", "")
        lines = text.strip("\n").split("\n")[-self._max_lines :]
        return "\n".join("".join(_shown(c) for c in line) for line in lines)


def _shown(character: str) -> str:
    if character.isprintable() or character == "\t":
        return character
    return ascii(character)[1:-1]
