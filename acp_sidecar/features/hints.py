"""What an agent's loose data says about lines: a call's `rawInput` and a location's `_meta`.

Neither is specified by ACP. The names read here are those that published agents and their tools
use; what is not understood says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from acp_sidecar.features.places import MAX_LINE, LineRange, from_wire_line

PATHS: Final = (
    "file_path",
    "filePath",
    "path",
    "abs_path",
    "absolute_path",
    "absolutePath",
    "target_file",
    "targetFile",
    "file",
    "filename",
    "notebook_path",
)
STARTS: Final = (
    "line",
    "start_line",
    "startLine",
    "line_start",
    "lineStart",
    "from_line",
    "fromLine",
    "line_number",
    "lineNumber",
    "insert_line",
    "insertLine",
    "offset",
)
ENDS: Final = (
    "end_line",
    "endLine",
    "line_end",
    "lineEnd",
    "to_line",
    "toLine",
    "end_line_inclusive",
)
RANGES: Final = ("view_range", "viewRange", "line_range", "lineRange", "lines", "range")
OLD_TEXTS: Final = (
    "old_string",
    "oldString",
    "old_str",
    "oldStr",
    "old_text",
    "oldText",
    "search",
)
NEW_TEXTS: Final = (
    "new_string",
    "newString",
    "new_str",
    "newStr",
    "new_text",
    "newText",
    "replace",
)
LISTS: Final = ("edits", "replacements")
NESTED: Final = ("arguments", "args", "input", "params", "parameters")

_PAIR = re.compile(r"\s*L?(\d{1,9})\s*(?:[-:,]|\.\.|to)\s*L?(\d{1,9})\s*", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(-?\d{1,9})(?:\.0)?\s*")


@dataclass(frozen=True, slots=True)
class Hints:
    """Where `rawInput` says the work is.

    Attributes:
        path: The file it names, as the agent said it.
        lines: The range it names.
        texts: Pieces of text that are replaced, as (old, new); either may be empty.
    """

    path: str | None = None
    lines: LineRange | None = None
    texts: tuple[tuple[str, str], ...] = ()


NO_HINTS: Final = Hints()


def from_raw_input(raw: Any) -> Hints:
    """Read a call's `rawInput`, or the arguments of a tool that are wrapped in it."""
    if not isinstance(raw, Mapping):
        return NO_HINTS
    hints = Hints(_string(raw, PATHS), range_in(raw), tuple(_texts(raw)))
    if hints != NO_HINTS:
        return hints
    for name in NESTED:
        inner = raw.get(name)
        if isinstance(inner, Mapping):
            return Hints(_string(inner, PATHS), range_in(inner), tuple(_texts(inner)))
    return NO_HINTS


def range_in(data: Any) -> LineRange | None:
    """The range of lines that an object names, or `None`.

    `offset` counts from 1 and goes with `limit`, a number of lines; an end of -1 is the end of
    the file.
    """
    if not isinstance(data, Mapping):
        return None
    for name in RANGES:
        found = _pair(data.get(name))
        if found is not None:
            return found
    for name in STARTS:
        start = from_wire_line(_integer(data.get(name)))
        if start is not None:
            return _ranged(start, end_in(data, start, counted=name == "offset"))
    return None


def end_in(data: Any, start: int, *, counted: bool = True) -> int | None:
    """The last line (0-based) that an object names for a range that begins at `start`.

    With `counted`, a `limit` is taken as the number of lines.
    """
    if not isinstance(data, Mapping):
        return None
    for name in ENDS:
        end = _end(_integer(data.get(name)))
        if end is not None:
            return end
    limit = _integer(data.get("limit"))
    if counted and limit is not None and limit > 0:
        return min(start + limit - 1, MAX_LINE)
    for name in RANGES:
        found = _pair(data.get(name))
        if found is not None:
            return found.end
    return None


def _ranged(start: int, end: int | None) -> LineRange:
    return LineRange(start, start if end is None else max(start, end))


def _end(line: int | None) -> int | None:
    return MAX_LINE if line == -1 else from_wire_line(line)


def _pair(value: Any) -> LineRange | None:
    """A range as `[first, last]`, `"first-last"` or `{"start": first, "end": last}`."""
    if isinstance(value, str):
        match = _PAIR.fullmatch(value)
        value = list(match.groups()) if match else None
    elif isinstance(value, Mapping):
        value = [value.get("start"), value.get("end")]
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    start = from_wire_line(_integer(value[0]))
    return None if start is None else _ranged(start, _end(_integer(value[1])))


def _integer(value: Any) -> int | None:
    """A whole number, also as text or as a float, because models write those."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= MAX_LINE else None
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value)
        return int(match[1]) if match else None
    return value if isinstance(value, int) else None


def _string(data: Mapping[str, Any], names: Iterable[str]) -> str | None:
    for name in names:
        value = data.get(name)
        if isinstance(value, str) and value:
            return value
    return None


def _texts(data: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    old, new = _string(data, OLD_TEXTS), _string(data, NEW_TEXTS)
    if old or new:
        yield old or "", new or ""
    for name in LISTS:
        items = data.get(name)
        for item in items if isinstance(items, list) else ():
            if isinstance(item, Mapping):
                old, new = _string(item, OLD_TEXTS), _string(item, NEW_TEXTS)
                if old or new:
                    yield old or "", new or ""
