"""JSON texts in and out: one parse for what is well-formed, a second look at what is not.

What agents really print beside JSON is banners, ANSI sequences and blank lines. What they really
break inside JSON is text cut in the middle of a character, which arrives as invalid UTF-8 or as
half of a surrogate pair, and numbers that JSON has no name for. All of that can be read; it is
repaired and recorded, because a lost answer or request would hang a whole session.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.wire.frames import excerpt

_BOM: Final = b"\xef\xbb\xbf"
_SEQUENCE: Final = rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]"
_LEADING: Final = re.compile(rb"(?:%s|[\x00-\x20\x7f])+" % _SEQUENCE)
_TRAILING: Final = re.compile(rb"(?:%s|[\x00-\x20\x7f])+\Z" % _SEQUENCE)
_TRAILING_REACH: Final = 256
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Parsed:
    """One line's JSON value and what was wrong with it.

    Attributes:
        found: Whether there is a value at all.
        value: The value; every string in it can be encoded as UTF-8, every number is finite.
        problems: What had to be repaired, or why there is no value. Empty for a blank line.
        damaged: Text was lost in the repair, so `value` is not quite what the agent meant.
    """

    found: bool
    value: Any = None
    problems: tuple[Problem, ...] = ()
    damaged: bool = False


def parse(line: bytes) -> Parsed:
    """Read one line, never raising. The caller tries `from_json` first: it is the fast path."""
    stripped = _undecorated(line)
    if not stripped:
        return Parsed(False, problems=() if not line.strip() or line == _BOM else (_noise(line),))
    problems = () if _only_bom_or_blank(line, stripped) else (_decorated(line),)
    try:
        return Parsed(True, from_json(stripped, allow_inf_nan=False), problems)
    except ValueError as error:
        if "recursion limit" in str(error):
            return Parsed(False, problems=(_nested(stripped),))
    return _repair(stripped, problems)


def dump(value: Any) -> bytes:
    """`value` as compact JSON in UTF-8 on one line; whatever a string holds, it does not raise.

    A lone surrogate is written as the escape sequence it came as; NaN and the infinities, which
    JSON cannot say, become null.
    """
    try:
        return to_json(value, inf_nan_mode="null")
    except PydanticSerializationError:
        plain = to_jsonable_python(value, inf_nan_mode="null")
        return json.dumps(plain, separators=(",", ":")).encode("ascii")


def _undecorated(line: bytes) -> bytes:
    """`line` without a byte order mark, blanks and ANSI sequences around its text."""
    line = line.removeprefix(_BOM)
    if match := _LEADING.match(line):
        line = line[match.end() :]
    # Only the end is searched: a backtracking search over a long line would be quadratic.
    head, tail = line[:-_TRAILING_REACH], line[-_TRAILING_REACH:]
    return head + _TRAILING.sub(b"", tail)


def _only_bom_or_blank(line: bytes, stripped: bytes) -> bool:
    return line.removeprefix(_BOM).strip() == stripped


def _repair(line: bytes, problems: tuple[Problem, ...]) -> Parsed:
    damaged = False
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text, damaged = line.decode("utf-8", "replace"), True
        problems += (_invalid_utf8(line),)
    if text[0] not in "{[":
        return Parsed(False, problems=problems if damaged else (_noise(line),))
    try:
        value = json.loads(text, strict=False)
    except RecursionError:
        return Parsed(False, problems=(_nested(line),))
    except ValueError:
        return Parsed(False, problems=problems if damaged else (_noise(line),))
    if not damaged:
        problems += (_repaired(line),)
    return Parsed(True, _mended(value), problems, damaged)


def _mended(value: Any) -> Any:
    """`value` with nothing in it that JSON or UTF-8 cannot say."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value


def _noise(line: bytes) -> Problem:
    return _problem("not-json", "The agent printed a line that is not JSON.", line)


def _nested(line: bytes) -> Problem:
    return _problem("nested-too-deep", "The agent sent JSON that is nested absurdly deep.", line)


def _invalid_utf8(line: bytes) -> Problem:
    return _problem("invalid-utf8", "The agent sent text that is not valid UTF-8.", line)


def _decorated(line: bytes) -> Problem:
    return _problem("decorated-json", "The agent wrapped a message in control characters.", line)


def _repaired(line: bytes) -> Problem:
    message = (
        "The agent sent half characters, control characters or NaN in JSON; they were replaced."
    )
    return _problem("repaired-json", message, line)


def _problem(code: str, message: str, line: bytes) -> Problem:
    return Problem(Fault.AGENT, code, message, excerpt=excerpt(line))
