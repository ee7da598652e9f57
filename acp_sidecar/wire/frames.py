"""Lines out of bytes: the framing of ACP's stdio transport, one JSON text a line.

Sans-IO: bytes come in, in any chunks, and whole lines come out. A line is never refused for
being long until it would cost more memory than `max_bytes`; then it is dropped, which is a
recorded problem, and the next line is read as if nothing had been.
"""

from __future__ import annotations

from typing import Final

from acp_sidecar.errors import Fault, Problem

DEFAULT_MAX_BYTES: Final = 64 * 2**20
"""The longest line that is taken. Published agents were seen to send lines of 500 kB."""

EXCERPT_CHARACTERS: Final = 80


def excerpt(data: bytes) -> str:
    """The beginning of `data` as text that is safe to print on any terminal."""
    head = data[: 4 * EXCERPT_CHARACTERS].decode("utf-8", "replace")
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in head[:EXCERPT_CHARACTERS])
    return shown[:EXCERPT_CHARACTERS]


class LineDecoder:
    r"""Split a stream into lines at `\n`, whatever the chunks; `\r\n` counts as `\n`.

    The time is linear in the bytes fed. What is held between two calls is one unfinished line
    of at most `max_bytes` bytes.
    """

    def __init__(self, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._unfinished = bytearray()
        self._dropping = False

    def feed(self, data: bytes) -> list[bytes | Problem]:
        """Take the next bytes of the stream; give the lines that they finish, in order."""
        lines: list[bytes | Problem] = []
        *finished, rest = data.split(b"\n")
        for line in finished:
            self._finish(line, lines)
        if rest:
            self._hold(rest, lines)
        return lines

    def eof(self) -> list[bytes | Problem]:
        """The stream has ended: give the last line, if it lacked its newline."""
        lines: list[bytes | Problem] = []
        if self._unfinished:
            self._finish(b"", lines)
        self._dropping = False
        return lines

    def _finish(self, tail: bytes, lines: list[bytes | Problem]) -> None:
        if self._dropping:
            self._dropping = False
            return
        if self._unfinished:
            self._unfinished += tail
            tail = bytes(self._unfinished)
            self._unfinished = bytearray()
        if len(tail) > self._max_bytes:
            lines.append(self._too_long(tail))
            return
        lines.append(tail[:-1] if tail.endswith(b"\r") else tail)

    def _hold(self, rest: bytes, lines: list[bytes | Problem]) -> None:
        if self._dropping:
            return
        self._unfinished += rest
        if len(self._unfinished) > self._max_bytes:
            lines.append(self._too_long(self._unfinished))
            self._unfinished = bytearray()
            self._dropping = True

    def _too_long(self, line: bytes | bytearray) -> Problem:
        return Problem(
            Fault.AGENT,
            "line-too-long",
            f"A line of more than {self._max_bytes} bytes was dropped.",
            excerpt=excerpt(bytes(line[: 4 * EXCERPT_CHARACTERS])),
        )
