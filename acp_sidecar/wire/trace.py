"""Trace lines: everything that passed between us and an agent, one JSON object a line.

    {"dir": "in"|"out"|"err"|"noise"|"eof"|"end", "t": seconds, "msg": {...} or "text": "..."}

`in` is what the agent said and `out` what the client said (with `msg`); `err` is a line of the
agent's stderr, `noise` a line on its stdout that held no message, `eof` the end of its stdout and
`end` the end of the trace (with `text`). `t` counts from the start of the agent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic_core import from_json

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.wire.frames import LineDecoder, excerpt
from acp_sidecar.wire.json_text import dump, parse
from acp_sidecar.wire.redaction import redacted


class Direction(StrEnum):
    """Who said it, or what it is."""

    IN = "in"
    OUT = "out"
    ERR = "err"
    NOISE = "noise"
    EOF = "eof"
    END = "end"


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One line of a trace.

    Attributes:
        dir: Who said it, or what it is.
        t: When, in seconds since the agent was started.
        msg: The JSON value that was sent, for `in` and `out`; else None.
        text: The text, for all others; else "".
        number: The line's number in its file, from 1; 0 if it is not from a file.
    """

    dir: Direction
    t: float
    msg: Any = None
    text: str = ""
    number: int = 0


def message_line(direction: Direction, t: float, frame: bytes) -> bytes:
    """The trace line for a frame that is JSON already: copied, but for what is secret in it."""
    kept = redacted(frame.strip())
    return b'{"dir": "%s", "t": %.6f, "msg": %s}\n' % (direction.encode(), t, kept)


def text_line(direction: Direction, t: float, text: str) -> bytes:
    """The trace line for anything that is not a message."""
    return b'{"dir": "%s", "t": %.6f, "text": %s}\n' % (direction.encode(), t, dump(text))


def read_trace(chunks: Iterable[bytes]) -> tuple[list[TraceLine], list[Problem]]:
    """Read a trace, in any chunks. Lines that are no trace lines are problems and are left out."""
    decoder = LineDecoder()
    lines: list[TraceLine] = []
    problems: list[Problem] = []
    for number, found in enumerate(_decoded(decoder, chunks), start=1):
        line = found if isinstance(found, Problem) else read_line(found, number)
        if isinstance(line, Problem):
            problems.append(line)
        elif line is not None:
            lines.append(line)
    return lines, problems


def read_line(line: bytes, number: int = 0) -> TraceLine | Problem | None:
    """Read one trace line; None for a blank one."""
    try:
        value = from_json(line, allow_inf_nan=False)
    except ValueError:
        parsed = parse(line)
        if not parsed.found and not parsed.problems:
            return None
        value = parsed.value
    if not isinstance(value, dict):
        return _bad("is no JSON object", number, line)
    try:
        direction = Direction(str(value.get("dir")))
    except ValueError:
        return _bad("has no known `dir`", number, line)
    return _checked(direction, value, number, line)


def _decoded(decoder: LineDecoder, chunks: Iterable[bytes]) -> Iterable[bytes | Problem]:
    for chunk in chunks:
        yield from decoder.feed(chunk)
    yield from decoder.eof()


def _checked(
    direction: Direction, value: dict[str, Any], number: int, line: bytes
) -> TraceLine | Problem:
    t = value.get("t")
    seconds = float(t) if isinstance(t, int | float) else 0.0
    if direction not in (Direction.IN, Direction.OUT):
        text = value.get("text")
        return TraceLine(direction, seconds, None, text if isinstance(text, str) else "", number)
    if not isinstance(value.get("msg"), dict | list):
        return _bad("has no `msg`", number, line)
    return TraceLine(direction, seconds, value["msg"], "", number)


def _bad(what: str, number: int, line: bytes) -> Problem:
    text = f"Line {number} of the trace {what}."
    return Problem(Fault.ENVIRONMENT, "bad-trace-line", text, f"line {number}", excerpt(line))
