"""Terminal output as text that can be read without a terminal.

The last rows are kept as a small screen in which the cursor moves, so that progress bars and
redrawn status lines show what they ended as. Rows that leave it are final: whoever follows the
text gets appended pieces and a short rewritable end. Columns count code points, not cells; a
real screen is drawn by `features.screen`. Escapes never come through (see `features.escapes`).
"""

from __future__ import annotations

from typing import Final

from acp_sidecar.features.escapes import Control, Csi, Lines, Token, Tokenizer

LIVE_ROWS: Final = 24
"""Rows in which a cursor may still move up."""

MAX_COLUMNS: Final = 2000
"""Characters after which a row is final and goes on in the next, without a line break."""

TAB: Final = 8
ALTERNATE_SCREENS: Final = frozenset({47, 1047, 1049})
FULL_SCREEN_NOTICE: Final = "[full-screen program; its screen is not part of this text]"


class PlainTerminal:
    """Feed bytes; read `take_final()` (each row once) and `live()` (may still change)."""

    __slots__ = ("_alternate", "_column", "_final", "_row", "_rows", "_tokens", "_wrapped")

    def __init__(self) -> None:
        self._tokens = Tokenizer(lines=True)
        self._final: list[str] = []
        self._rows: list[str] = [""]
        self._wrapped: list[bool] = [False]
        self._row = 0
        self._column = 0
        self._alternate = False

    def feed(self, data: bytes, *, final: bool = False) -> None:
        """Take bytes as they come; `final` ends an incomplete character as U+FFFD."""
        for token in self._tokens.feed(data, final=final):
            self._take(token)

    def take_final(self) -> str:
        """Text that will not change any more, since the last call."""
        text = "".join(self._final)
        self._final.clear()
        return text

    def live(self) -> str:
        """The end of the text, which later bytes may change."""
        rows = zip(self._rows[:-1], self._wrapped[1:], strict=True)
        ended = "".join(row if wrapped else row.rstrip() + "\n" for row, wrapped in rows)
        return ended + self._rows[-1].rstrip("\r")

    def _take(self, token: Token) -> None:
        if self._alternate and not isinstance(token, Csi):
            return
        match token:
            case str():
                self._write(token)
            case Lines(text):
                self._write_lines(text)
            case Control(char):
                self._move(char)
            case Csi(private="?", final="h" | "l"):
                self._mode(token)
            case Csi(private="") if not self._alternate:
                self._sequence(token)
            case _:
                pass

    def _write_lines(self, text: str) -> None:
        lines = text.split("\n")
        row = self._rows[-1]
        at_end = self._row == len(self._rows) - 1 and self._column == len(row)
        if at_end and len(row) + max(map(len, lines)) <= MAX_COLUMNS:
            self._rows[-1] += lines[0]
            self._rows += lines[1:]
            self._wrapped += [False] * (len(lines) - 1)
            self._row = len(self._rows) - 1
            self._column = 0
            self._finish(max(0, len(self._rows) - LIVE_ROWS))
            return
        for line in lines[:-1]:
            self._write(line)
            self._next_row(wrapped=False)

    def _write(self, text: str) -> None:
        while text:
            room = MAX_COLUMNS - self._column
            if room <= 0:
                self._next_row(wrapped=True)
                continue
            piece, text = text[:room], text[room:]
            row = self._rows[self._row]
            if self._column > len(row):
                row = row.ljust(self._column)
            end = self._column + len(piece)
            self._rows[self._row] = row[: self._column] + piece + row[end:]
            self._column = end

    def _move(self, char: str) -> None:
        match char:
            case "\n":
                self._next_row(wrapped=False)
            case "\r":
                self._column = 0
            case "\b":
                self._column = max(0, self._column - 1)
            case _:
                self._column = min((self._column // TAB + 1) * TAB, MAX_COLUMNS)

    def _next_row(self, *, wrapped: bool) -> None:
        self._column = 0
        self._row += 1
        if self._row < len(self._rows):
            return
        self._rows.append("")
        self._wrapped.append(wrapped)
        if len(self._rows) > LIVE_ROWS:
            self._finish(1)

    def _finish(self, count: int) -> None:
        """Make the first `count` rows final; the rest, at least one row, stays live."""
        for row, goes_on in zip(self._rows[:count], self._wrapped[1 : count + 1], strict=True):
            self._final.append(row if goes_on else row.rstrip() + "\n")
        del self._rows[:count]
        del self._wrapped[:count]
        self._row = max(0, self._row - count)

    def _mode(self, sequence: Csi) -> None:
        if not ALTERNATE_SCREENS & set(sequence.params):
            return
        entering = sequence.final == "h"
        if entering and not self._alternate:
            self._fresh_line()
            self._write(FULL_SCREEN_NOTICE)
            self._next_row(wrapped=False)
        self._alternate = entering

    def _fresh_line(self) -> None:
        self._row = len(self._rows) - 1
        self._column = 0
        if self._rows[-1]:
            self._next_row(wrapped=False)

    def _sequence(self, sequence: Csi) -> None:
        amount = sequence.param(0, 1)
        match sequence.final:
            case "A" | "F":
                self._vertical(-amount, start=sequence.final == "F")
            case "B" | "E":
                self._vertical(amount, start=sequence.final == "E")
            case "C" | "a":
                self._column = min(self._column + amount, MAX_COLUMNS)
            case "D":
                self._column = max(0, self._column - amount)
            case "G" | "`":
                self._column = min(amount - 1, MAX_COLUMNS)
            case "H" | "f":
                self._row = min(amount, len(self._rows)) - 1
                self._column = min(sequence.param(1, 1) - 1, MAX_COLUMNS)
            case "J":
                self._erase_display(sequence.param(0, 0))
            case "K":
                self._erase_line(sequence.param(0, 0))
            case "P":
                row = self._rows[self._row]
                self._rows[self._row] = row[: self._column] + row[self._column + amount :]
            case _:
                pass

    def _vertical(self, rows: int, *, start: bool) -> None:
        self._row = min(max(self._row + rows, 0), len(self._rows) - 1)
        if start:
            self._column = 0

    def _erase_display(self, mode: int) -> None:
        if mode == 0:
            self._erase_line(0)
            del self._rows[self._row + 1 :]
            del self._wrapped[self._row + 1 :]
        elif mode in (2, 3):
            # What was on the screen stays in the text: a reader wants it, a screen would not.
            self._fresh_line()
            self._finish(len(self._rows) - 1)

    def _erase_line(self, mode: int) -> None:
        row = self._rows[self._row]
        if mode == 0:
            self._rows[self._row] = row[: self._column]
        elif mode == 1:
            self._rows[self._row] = " " * min(self._column + 1, len(row)) + row[self._column + 1 :]
        else:
            self._rows[self._row] = ""


def plain_text(data: bytes) -> str:
    """All of these bytes as text."""
    terminal = PlainTerminal()
    terminal.feed(data, final=True)
    return terminal.take_final() + terminal.live()
