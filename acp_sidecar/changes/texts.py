r"""Text as files have it: line endings, byte order marks, encodings, all of which must survive.

`str.splitlines` is never used on file text: it also breaks at form feeds, NEL and U+2028, which
are ordinary characters in a file.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

MAX_TEXT_BYTES: Final = 16 * 1024 * 1024
"""Files above this size are named, not loaded."""

BOM: Final = "\ufeff"

_ANY_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")

LineBreak = Literal["\n", "\r", "any"]
r"""What ends a line: `\n` (git's rule), a lone `\r` (classic Mac files), or any of the three."""


def split_lines(text: str, line_break: LineBreak = "any") -> list[str]:
    r"""Split `text` into lines that keep their endings, so that joining gives `text` again.

    "any" is the rule of LSP and editors (`\r\n`, `\n`, `\r`); `"\n"` is git's.
    """
    if line_break == "any":
        if "\r" in text:
            return _ANY_LINE.findall(text)
        line_break = "\n"
    parts = text.split(line_break)
    last = parts.pop()
    lines = [part + line_break for part in parts]
    if last:
        lines.append(last)
    return lines


def natural_break(*texts: str) -> LineBreak:
    r"""Git's rule, except for texts whose only line ending is a lone `\r`."""
    if any("\n" in text for text in texts):
        return "\n"
    return "\r" if any("\r" in text for text in texts) else "\n"


def ending_of(line: str) -> str:
    r"""The ending of a line: `\r\n`, `\n`, `\r` or nothing."""
    if line.endswith("\r\n"):
        return "\r\n"
    return line[-1] if line.endswith(("\n", "\r")) else ""


def usual_ending(text: str) -> str:
    r"""The most frequent line ending of `text`; `\n` if it has none."""
    windows = text.count("\r\n")
    unix = text.count("\n") - windows
    mac = text.count("\r") - windows
    most = max(windows, unix, mac)
    if not most or unix == most:
        return "\n"
    return "\r\n" if windows == most else "\r"


def with_ending(line: str, ending: str) -> str:
    """`line` with its ending replaced; a line without an ending stays without."""
    own = ending_of(line)
    return line[: len(line) - len(own)] + ending if own else line


class Encoding(StrEnum):
    """Position encodings of LSP: in what units a column is counted."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text: 0-based line (LSP's lines) and column, in the units asked for."""

    line: int
    character: int


def width(text: str, encoding: Encoding) -> int:
    """How many units of `encoding` the characters of `text` take."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF16:
        return len(text) + sum(1 for char in text if char > "\uffff")
    return len(text.encode("utf-8", "surrogatepass"))


class LineIndex:
    """From offsets (in code points) to lines and columns and back, for one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        offset = 0
        for line in split_lines(text):
            offset += len(line)
            if ending_of(line):
                self._starts.append(offset)

    def position(self, offset: int, encoding: Encoding = Encoding.UTF32) -> Position:
        """The place of `offset`; offsets outside the text are moved to its ends."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return Position(line, width(self.text[self._starts[line] : offset], encoding))

    def offset(self, position: Position, encoding: Encoding = Encoding.UTF32) -> int:
        """The offset of a place; as LSP asks, a column behind the line's end means its end."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[max(0, position.line)]
        line = self._line_text(max(0, position.line))
        if encoding is Encoding.UTF32 or line.isascii():
            return start + max(0, min(position.character, len(line)))
        return start + _columns_to_chars(line, position.character, encoding)

    def line_start(self, line: int) -> int:
        """The offset where a 0-based line begins; behind the last line, the text's length."""
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def _line_text(self, line: int) -> str:
        raw = self.text[self._starts[line] : self.line_start(line + 1)]
        return raw[: len(raw) - len(ending_of(raw))]


def _columns_to_chars(line: str, columns: int, encoding: Encoding) -> int:
    used = 0
    for index, char in enumerate(line):
        if used >= columns:
            return index
        used += width(char, encoding)
    return len(line)


class NotText(StrEnum):
    """Why a file is named but not loaded."""

    BINARY = "binary"
    TOO_LARGE = "too-large"


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file and what is needed to write it back byte for byte."""

    text: str
    encoding: str = "utf-8"
    bom: bytes = b""
    errors: str = "strict"

    def encode(self, text: str | None = None) -> bytes:
        """The bytes of `text` (default: the file's own) in this file's encoding.

        Raises:
            UnicodeEncodeError: `text` has characters that the encoding has not.
        """
        return self.bom + (self.text if text is None else text).encode(self.encoding, self.errors)


_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes, *, limit: int = MAX_TEXT_BYTES) -> FileText | NotText:
    """Decode a file so that encoding it again gives the same bytes.

    UTF-8 without a mark, anything with a byte order mark, and else UTF-8 with the undecodable
    bytes escaped (`surrogateescape`), which also carries latin-1 files through unharmed.
    """
    if len(data) > limit:
        return NotText.TOO_LARGE
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            marked = _decoded(data[len(bom) :], encoding, bom)
            if marked is not None:
                return marked
    if b"\0" in data:
        return NotText.BINARY
    plain = _decoded(data, "utf-8", b"")
    if plain is not None:
        return plain
    return FileText(data.decode("utf-8", "surrogateescape"), errors="surrogateescape")


def _decoded(data: bytes, encoding: str, bom: bytes) -> FileText | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    if text.encode(encoding) != data or "\0" in text:
        return None
    return FileText(text, encoding, bom)
