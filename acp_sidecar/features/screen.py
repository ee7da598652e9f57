"""What a terminal of a given size would show after these bytes: for snapshots and the demo.

Drawn by pyte (LGPL-3.0, an optional extra, imported when first used). It raises on sequences of
valid form that it does not expect, and answers queries; so it is fed only what
`features.escapes` has understood, and of that only what draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from acp_sidecar.errors import EnvironmentProblem
from acp_sidecar.features.escapes import Control, Csi, Tokenizer
from acp_sidecar.features.messages import ScreenView
from acp_sidecar.session.state import Session, Terminal

DEFAULT_COLS: Final = 80
DEFAULT_ROWS: Final = 24
MOST_CELLS: Final = 250_000
"""Cells of a screen; an agent that says it is larger gets fewer rows drawn."""

_ONE: Final = frozenset("ABCDEFGLMPX@`ade")
_COLOUR_LENGTHS: Final = {5: 3, 2: 5}
"""Parameters of `38;5;n` and of `38;2;r;g;b`."""

_MODES: Final = frozenset({7, 25})
"""Private modes that matter to the picture: wrapping and the visible cursor."""


@dataclass(frozen=True, slots=True)
class Screen:
    """Rows of text without trailing blanks, and where the cursor is (0-based)."""

    rows: tuple[str, ...]
    row: int
    column: int

    def __str__(self) -> str:
        return "\n".join(self.rows).rstrip("\n")


def render(data: bytes, cols: int = DEFAULT_COLS, rows: int = DEFAULT_ROWS) -> Screen:
    """The screen after `data`. Sizes of 0 mean the default.

    Raises:
        EnvironmentProblem: pyte is not installed.
    """
    pyte = _emulator()
    cols = min(cols or DEFAULT_COLS, MOST_CELLS)
    rows = max(1, min(rows or DEFAULT_ROWS, MOST_CELLS // cols))
    screen = pyte.Screen(cols, rows)
    stream = pyte.Stream(screen)
    for piece in drawable(data):
        stream.feed(piece)
    # Not `screen.display`: it raises where half of a wide character was overwritten.
    shown = tuple(
        "".join(screen.buffer[y][x].data for x in range(cols)).rstrip() for y in range(rows)
    )
    return Screen(shown, screen.cursor.y, screen.cursor.x)


def screen_view(session: Session, terminal: Terminal) -> ScreenView:
    """What a terminal of a session shows now, for clients without an emulator.

    Raises:
        EnvironmentProblem: pyte is not installed.
    """
    size = terminal.size
    cols = (size.cols if size else 0) or DEFAULT_COLS
    screen = render(terminal.output.kept(), cols, size.rows if size else 0)
    return {
        "sessionId": session.key,
        "terminalId": terminal.terminal_id,
        "cols": cols,
        "rows": len(screen.rows),
        "lines": list(screen.rows),
        "cursor": {"row": screen.row, "column": screen.column},
    }


def drawable(data: bytes) -> Iterator[str]:
    """The output again, reduced to text and to sequences that draw, in one canonical form."""
    for token in Tokenizer().feed(data, final=True):
        match token:
            case str():
                yield token
            case Control(char):
                yield char
            case Csi():
                yield from _sequence(token)


def _sequence(csi: Csi) -> Iterator[str]:
    params = csi.params
    if csi.private == "?":
        if csi.final in "hl":
            yield from (f"\x1b[?{mode}{csi.final}" for mode in params if mode in _MODES)
            if any(mode in (47, 1047, 1049) for mode in params):
                yield "\x1b[2J\x1b[H"
    elif csi.private:
        return
    elif csi.final in _ONE:
        yield f"\x1b[{min(csi.param(0, 1), MOST_CELLS)}{csi.final}"
    elif csi.final in "JK":
        mode = csi.param(0, 0)
        if mode <= (3 if csi.final == "J" else 2):
            yield f"\x1b[{mode}{csi.final}"
    elif csi.final in "Hf":
        yield f"\x1b[{csi.param(0, 1)};{csi.param(1, 1)}H"
    elif csi.final == "r":
        yield f"\x1b[{csi.param(0, 1)};{csi.param(1, 0)}r" if len(params) > 1 else "\x1b[r"
    elif csi.final == "m" and not csi.private:
        yield f"\x1b[{_attributes(params)}m"


def _attributes(params: tuple[int, ...]) -> str:
    """Colours and attributes; from an extended colour that is not complete on, nothing."""
    kept: list[str] = []
    index = 0
    while index < len(params):
        length = 1
        if params[index] in (38, 48):
            length = _COLOUR_LENGTHS.get(params[index + 1] if index + 1 < len(params) else -1, 0)
        group = params[index : index + length]
        if not group or len(group) < length:
            break
        if all(part <= 255 for part in group):
            kept += map(str, group)
        index += length
    return ";".join(kept) if kept or params else "0"


def _emulator() -> Any:
    try:
        import pyte  # noqa: PLC0415 - an optional extra, 40 ms, not needed by the server
    except ImportError as error:
        raise EnvironmentProblem(
            "Drawing a terminal's screen needs the package pyte.",
            advice="Install acp-sidecar[screen].",
        ) from error
    return pyte
