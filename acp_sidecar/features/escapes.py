"""Terminal output understood: characters and control functions (ECMA-48), split anywhere.

`Tokenizer` turns bytes into tokens. Only printable text, a few motions and erasures come out;
everything that could act on a terminal beyond its text (clipboard, titles, queries, DCS, key
maps) is recognised to its end and dropped here, so that no reader of tokens can let it through.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MAX_SEQUENCE: Final = 256
"""Characters of a control sequence after which it is taken for garbage."""

MAX_STRING: Final = 8 * 1024 * 1024
"""Characters of an OSC, DCS, APC, PM or SOS string after which what follows is text again."""


@dataclass(frozen=True, slots=True)
class Control:
    """A C0 control that moves: one of BS, TAB, LF, CR."""

    char: str


@dataclass(frozen=True, slots=True)
class Csi:
    """A control sequence without intermediates: `CSI private params final`."""

    private: str
    params: tuple[int, ...]
    final: str

    def param(self, index: int, default: int) -> int:
        """A parameter, with 0 and omitted standing for the default as in most functions."""
        return (self.params[index] if index < len(self.params) else 0) or default


@dataclass(frozen=True, slots=True)
class Lines:
    """Whole lines, each ended by a line feed, with nothing in them but text."""

    text: str


Token = str | Control | Csi | Lines
"""A run of printable text, a motion, a control sequence, or many lines at once."""

_TEXT: Final = re.compile(r"[^\x00-\x1f\x7f-\x9f]+")
_PART: Final = r"[^\x00-\x1f\x7f-\x9f]*+(?:\x1b\[[0-9;]{0,250}+m[^\x00-\x1f\x7f-\x9f]*+)*+"
_LINE_PART: Final = re.compile(_PART)
_LINES: Final = re.compile(rf"(?:{_PART}\r?\n)++")
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m|\r")
_CSI: Final = re.compile(r"([<-?]?)([0-9:;<-?]*)([ -/]*)([@-~])")
_CSI_PART: Final = re.compile(r"[0-?]*[ -/]*")
_INTERMEDIATES: Final = re.compile(r"[ -/]*")
_ESCAPE: Final = re.compile(r"[ -/]*[0-~]")
_STRING_END: Final = re.compile(r"\x1b\\|[\x07\x18\x1a\x9c]|\x1b(?=[^\\])")
_STRING_STARTS: Final = "]PX^_"
_C1: Final = {"\x9b": "[", "\x9d": "]", "\x90": "P", "\x98": "X", "\x9e": "^", "\x9f": "_"}
_MOTIONS: Final = {
    "\b": "\b",
    "\t": "\t",
    "\n": "\n",
    "\x0b": "\n",
    "\x0c": "\n",
    "\x84": "\n",
    "\x85": "\n",
    "\r": "\r",
}
_MAX_PARAM: Final = 0xFFFF


class Tokenizer:
    """Bytes in, tokens out; keeps what may still be the beginning of a character or a sequence.

    Args:
        lines: Give whole lines as one token, without their colours: much faster, for readers who
            want the text only.
    """

    __slots__ = ("_decoder", "_in_string", "_lines", "_rest", "_string_length")

    def __init__(self, *, lines: bool = False) -> None:
        self._lines = lines
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._in_string = False
        self._string_length = 0

    def feed(self, data: bytes, *, final: bool = False) -> Iterator[Token]:
        """Tokens completed by these bytes; `final` gives up on what is incomplete.

        Read the iterator to its end before feeding more.
        """
        text = self._rest + self._decoder.decode(data, final)
        position = 0
        no_lines_before = 0 if self._lines else len(text)
        while position < len(text):
            if not self._in_string and position >= no_lines_before:
                whole = _LINES.match(text, position)
                if whole is not None:
                    yield Lines(_COLOURS.sub("", whole.group()))
                    position = whole.end()
                    continue
                # Until what is no part of a line has been passed, trying again is in vain.
                part = _LINE_PART.match(text, position)
                no_lines_before = (part.end() if part else position) + 1
            if self._in_string:
                following = self._skip_string(text, position)
                token: Token | None = None
            else:
                following, token = self._next(text, position)
            if following is None:
                break
            position = following
            if token is not None:
                yield token
        self._rest = "" if final else text[position:]

    def _skip_string(self, text: str, position: int) -> int | None:
        end = _STRING_END.search(text, position)
        # An ESC at the very end may be half of the terminator.
        stop = end.start() if end is not None else len(text) - text.endswith("\x1b")
        room = MAX_STRING - self._string_length
        if stop - position > room:
            self._in_string = False
            return position + room
        self._string_length += stop - position
        if end is not None:
            self._in_string = False
            # A lone ESC ends the string and begins the next sequence.
            return end.start() if end.group() == "\x1b" else end.end()
        return stop if stop > position else None

    def _next(self, text: str, position: int) -> tuple[int | None, Token | None]:
        run = _TEXT.match(text, position)
        if run is not None:
            return run.end(), run.group()
        char = text[position]
        if char == "\x1b":
            return self._escape(text, position)
        if char in _C1:
            return self._introduced(_C1[char], text, position + 1)
        motion = _MOTIONS.get(char)
        return position + 1, None if motion is None else Control(motion)

    def _escape(self, text: str, position: int) -> tuple[int | None, Token | None]:
        if position + 1 == len(text):
            return None, None
        introducer = text[position + 1]
        if introducer == "[" or introducer in _STRING_STARTS:
            return self._introduced(introducer, text, position + 2)
        complete = _ESCAPE.match(text, position + 1, position + MAX_SEQUENCE)
        if complete is not None:
            return complete.end(), Control("\n") if complete.group() in "DE" else None
        begun = _INTERMEDIATES.match(text, position + 1, position + MAX_SEQUENCE)
        if begun is not None and begun.end() == len(text) < position + MAX_SEQUENCE:
            return None, None
        return begun.end() if begun else position + 1, None

    def _introduced(
        self, introducer: str, text: str, start: int
    ) -> tuple[int | None, Token | None]:
        if introducer != "[":
            self._in_string = True
            self._string_length = 0
            return start, None
        limit = start + MAX_SEQUENCE
        sequence = _CSI.match(text, start, limit)
        if sequence is not None:
            private, params, intermediates, final = sequence.groups()
            known = not intermediates and not set(params) & set(":<=>?")
            return sequence.end(), Csi(private, _numbers(params), final) if known else None
        begun = _CSI_PART.match(text, start, limit)
        end = begun.end() if begun else start
        if end == len(text) < limit:
            return None, None
        # Garbage: the introducer and what looked like parameters are dropped, nothing of it shows.
        return end, None


def _numbers(params: str) -> tuple[int, ...]:
    if not params:
        return ()
    return tuple(min(int(each[:6] or 0), _MAX_PARAM) for each in params.split(";"))
