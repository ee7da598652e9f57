"""Read the hunks of one file in a patch. Their bodies are read by `unidiff`.

Where hunks begin and end is found here, by their own counts, so that a bad one can be named and
the others kept, and so that a line `--- x` inside a hunk is no header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from acp_sidecar.changes.hunks import Hunk, HunkLine, LineKind, Side

if TYPE_CHECKING:
    from unidiff.patch import PatchedFile

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_MARKERS = re.compile(r"(?:^\\.*\n)+", re.MULTILINE)
_NO_NEWLINE: Final = "\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in the hunks of a file: a stable code, a sentence, and where it is."""

    code: str
    message: str
    at: int


@dataclass(slots=True)
class Reading:
    """What was read: the good hunks, how many were tried, and what was wrong."""

    hunks: tuple[Hunk, ...] = ()
    tried: int = 0
    faults: list[Fault] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Extent:
    """Where a hunk is: its header (`None` if it cannot be read), its body, its end."""

    at: int
    header: re.Match[str] | None
    body: int
    end: int


def line_end(text: str, start: int, end: int) -> int:
    """Where the line that begins at `start` ends, its newline included (git's lines)."""
    at = text.find("\n", start, end)
    return end if at < 0 else at + 1


def read_hunks(text: str, start: int, end: int, *, most: int, most_bad: int) -> Reading:
    """The hunks in `text[start:end]`, which begins at the first `@@`.

    At most `most` are tried, and after `most_bad` bad ones the rest is given up.
    """
    reading = Reading()
    extents = list(_extents(text, start, end, most, reading))
    reading.tried = len(extents)
    hunks = _all_at_once(text, extents)
    if hunks is None:
        hunks = list(_one_by_one(text, extents, most_bad, reading))
    reading.hunks = tuple(hunk for hunk in hunks if _is_sound(hunk, reading))
    return reading


def hunk_end(text: str, start: int, end: int) -> int:
    """Where the hunk whose header is at `start` ends by its own counts.

    An impossible line ends it before.
    """
    header = _HEADER.match(text, start, end)
    at = line_end(text, start, end)
    return at if header is None else _body_end(text, header, at, end)


def _extents(text: str, at: int, end: int, most: int, reading: Reading) -> Iterator[_Extent]:
    stray = False
    found = 0
    while at < end:
        body = line_end(text, at, end)
        if not text.startswith("@@ ", at):
            if not stray and text[at:body].strip():
                stray = True
                reading.faults.append(Fault("patch-stray-text", "Text outside hunks.", at))
            at = body
            continue
        if found >= most:
            reading.faults.append(Fault("patch-too-long", "The patch has too many hunks.", at))
            return
        found += 1
        header = _HEADER.match(text, at, min(body, at + 1000))
        stop = body if header is None else _body_end(text, header, body, end)
        yield _Extent(at, header, body, stop)
        at = stop


def _body_end(text: str, header: re.Match[str], at: int, end: int) -> int:
    old = int(header[2]) if header[2] else 1
    new = int(header[4]) if header[4] else 1
    while at < end:
        kind = text[at]
        if kind != "\\":
            if (old <= 0 and new <= 0) or kind not in "+- \r\n":
                break
            old -= kind != "+"
            new -= kind != "-"
        at = line_end(text, at, end)
    return at


def _all_at_once(text: str, extents: Sequence[_Extent]) -> list[Hunk] | None:
    """All hunks in one go, or `None` if one of them is bad."""
    if not extents:
        return []
    if any(extent.header is None for extent in extents):
        return None
    parsed = _unidiff("".join(_canonical(text, extent) for extent in extents))
    if not isinstance(parsed, list) or len(parsed) != len(extents):
        return None
    return [_from_unidiff(*pair) for pair in zip(parsed, extents, strict=True)]


def _one_by_one(
    text: str, extents: Sequence[_Extent], most_bad: int, reading: Reading
) -> Iterator[Hunk]:
    bad = 0
    for extent in extents:
        parsed: PatchedFile | str = "its line numbers are not readable"
        if extent.header is not None:
            parsed = _unidiff(_canonical(text, extent))
        if not isinstance(parsed, str) and len(parsed) == 1:
            yield _from_unidiff(parsed[0], extent)
            continue
        bad += 1
        message = f"A hunk cannot be read: {parsed if isinstance(parsed, str) else 'no hunk'}."
        reading.faults.append(Fault("patch-bad-hunk", message, extent.at))
        if bad >= most_bad:
            message = "The rest of the file's hunks is not read."
            reading.faults.append(Fault("patch-too-broken", message, extent.at))
            return


def _unidiff(hunks: str) -> PatchedFile | str:
    """What unidiff reads in hunks of one file, or why it cannot."""
    from unidiff.errors import UnidiffParseError  # noqa: PLC0415 - its time is paid by patches only
    from unidiff.patch import PatchSet  # noqa: PLC0415

    try:
        files = PatchSet("--- a/x\n+++ b/x\n" + hunks)
    except UnidiffParseError as error:
        return str(error).partition("\n")[0][:80]
    return files[0] if len(files) == 1 else "it is not a hunk"


def _canonical(text: str, extent: _Extent) -> str:
    """The hunk as unidiff wants it: no section, and the newline marker in English, once."""
    header = extent.header
    numbers = "" if header is None else header[0][: header.start(5) - header.start()].rstrip()
    body = text[extent.body : extent.end]
    if "\n\\" in body or body.startswith("\\"):
        body = _MARKERS.sub(lambda _: _NO_NEWLINE, body)
    return f"{numbers}\n{body}"


_KINDS: Final = {kind.value: kind for kind in LineKind} | {"": LineKind.CONTEXT}


def _from_unidiff(parsed: Any, extent: _Extent) -> Hunk:
    lines: list[HunkLine] = []
    for line in parsed:
        if line.line_type != "\\":
            lines.append(HunkLine(_KINDS[line.line_type], line.value))
        elif lines:
            last = lines.pop()
            lines.append(HunkLine(last.kind, last.text.removesuffix("\n")))
    old_start = parsed.source_start + (parsed.source_length == 0)
    new_start = parsed.target_start + (parsed.target_length == 0)
    section = "" if extent.header is None else extent.header[5].strip()
    return Hunk(max(1, old_start), max(1, new_start), tuple(lines), section)


def _is_sound(hunk: Hunk, reading: Reading) -> bool:
    wrong = ""
    if not hunk.added and not hunk.removed:
        wrong = "A hunk changes nothing."
    elif any(not line.endswith("\n") for side in Side for line in hunk.side(side)[:-1]):
        wrong = "A hunk says in the middle that the file ends there."
    if wrong:
        reading.faults.append(Fault("patch-bad-hunk", wrong, -1))
    return not wrong
