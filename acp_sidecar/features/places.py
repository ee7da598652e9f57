r"""Paths and lines as agents say them, and places as editors know them.

Agents send absolute and relative paths, `~`, `file://` URIs and Windows forms, and lines that are
1-based, zero or missing. Here they become absolute paths of this machine and 0-based lines, and
here it is found out whether a place can be opened at all.
"""

from __future__ import annotations

import ntpath
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote, unquote_to_bytes

from acp_sidecar.features.ports import Span, Workspace

OUTSIDE: Final = "outside"
"""Why a place is not opened, beside the reasons of `FileText`: it is in no root."""

NOT_A_FILE: Final = "not-a-file"
"""Why a place is not opened: the agent named something that is no path on this machine."""

MAX_LINE: Final = 2**31 - 1
"""LSP's largest line; also stands for "to the end"."""


MAX_PATH: Final = 8192
"""Characters; what is longer is no path of any file system."""


@dataclass(frozen=True, slots=True)
class LineRange:
    """Whole lines of a document: 0-based, `end` included."""

    start: int
    end: int

    def holds(self, line: int) -> bool:
        return self.start <= line <= self.end


TOP: Final = LineRange(0, 0)


def from_wire_line(line: Any) -> int | None:
    """A 1-based line of an agent as a 0-based line; `None` if it says no line.

    ACP's lines count from 1 (`ToolCallLocation.line`); 0, `null` and what is no number say none.
    """
    if isinstance(line, bool) or not isinstance(line, int) or line < 1:
        return None
    return min(line - 1, MAX_LINE)


def to_wire_line(line: int) -> int:
    """A 0-based line as ACP and `acp.state` count: from 1."""
    return line + 1


@dataclass(frozen=True, slots=True)
class Said:
    """A place as an agent said it: an absolute path, not looked up yet, and lines if it had any."""

    path: str
    lines: LineRange | None = None


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?://|(?<=[Ff][Ii][Ll][Ee]:)/)")
_DRIVE = re.compile(r"[A-Za-z]:")
_DRIVE_IN_URI = re.compile(r"/?([A-Za-z])[:|](?=[\\/]|$)")
_MSYS_DRIVE = re.compile(r"/([A-Za-z])(?=/|$)")
_FRAGMENT = re.compile(r"#L?(\d{1,9})(?:C\d+)?(?:[-:,]L?(\d{1,9})(?:C\d+)?)?$")


def said_place(text: str, cwd: str, home: str = "") -> Said | None:
    """What an agent means by a path, or `None` if that is no path of a file on this machine.

    Args:
        text: An absolute path, a path relative to `cwd`, `~/...`, a `file:` URI (RFC 8089; a
            fragment like `#L10-L20` gives lines), or a Windows form if `cwd` is one.
        cwd: The session's working directory; it also tells which rules of paths hold here.
        home: What `~` stands for; empty if nothing.
    """
    return _said_place(text, cwd, home) if 0 < len(text) <= MAX_PATH else None


@lru_cache(maxsize=1024)
def _said_place(text: str, cwd: str, home: str) -> Said | None:
    if "\0" in text:
        return None
    windows = is_windows(cwd)
    lines = None
    scheme = _SCHEME.match(text)
    if scheme is not None:
        if scheme[1].lower() != "file":
            return None
        text, lines = _without_fragment(text[len(scheme[1]) + 1 :])
        local = _uri_path(text, windows)
    else:
        local = _from_home(text, home)
    if not local or "\0" in local:
        return None
    path = _windows_path(local, cwd) if windows else _posix_path(local, cwd)
    return None if path is None or not _is_name(path) else Said(path, lines)


def _is_name(path: str) -> bool:
    """Whether a file system can have it: surrogates must be those that stand for bytes."""
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def plain_path(path: str) -> str:
    """A path as JSON can carry it: bytes that are no UTF-8 become U+FFFD."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def is_windows(path: str) -> bool:
    r"""Whether an absolute path is a Windows one: with a drive, or UNC (`\\server\share`)."""
    return path.startswith("\\\\") or _DRIVE.match(path) is not None


def _without_fragment(text: str) -> tuple[str, LineRange | None]:
    match = _FRAGMENT.search(text)
    if match is None:
        return text, None
    start = from_wire_line(int(match[1]))
    end = from_wire_line(int(match[2])) if match[2] else start
    lines = None if start is None else LineRange(start, max(start, start if end is None else end))
    return text[: match.start()], lines


def _uri_path(text: str, windows: bool) -> str | None:
    """The path in a `file:` URI; `text` is what follows the scheme."""
    host = ""
    if text.startswith("//"):
        host, slash, rest = text[2:].partition("/")
        text = slash + rest
    path = unquoted(text)
    if host.lower() in ("", "localhost"):
        drive = _DRIVE_IN_URI.match(path) if windows else None
        return f"{drive[1]}:{path[drive.end() :]}" if drive else path
    if not windows:
        return None
    drive = _DRIVE_IN_URI.fullmatch(host)
    return f"{drive[1]}:{path}" if drive else f"\\\\{host}{path}"


def _from_home(text: str, home: str) -> str | None:
    if text != "~" and not text.startswith(("~/", "~\\")):
        return text
    return home + text[1:] if home else None


def _posix_path(path: str, cwd: str) -> str | None:
    if path.startswith("\\\\") or re.match(r"[A-Za-z]:[\\/]", path):
        return None
    joined = "/" + posixpath.join(cwd, path).lstrip("/")
    # Only the file system knows what `link/..` is, so that is left to `Workspace.resolve`.
    return joined if ".." in joined.split("/") else posixpath.normpath(joined)


def _windows_path(path: str, cwd: str) -> str | None:
    path = _MSYS_DRIVE.sub(r"\1:", path, count=1) if _MSYS_DRIVE.match(path) else path
    path = path.replace("/", "\\")
    if path.upper().startswith("\\\\?\\UNC\\"):
        path = "\\\\" + path[8:]
    path = path.removeprefix("\\\\?\\")
    if path.startswith("\\\\.\\"):
        return None
    joined = ntpath.normpath(ntpath.join(cwd.replace("/", "\\"), path))
    drive, rest = ntpath.splitdrive(joined)
    if not drive or not rest.startswith("\\"):
        return joined if drive.startswith("\\\\") else None
    return drive.upper() + rest if len(drive) == 2 else joined


def inside(path: str, roots: Sequence[str]) -> bool:
    """Whether a real path is one of the real paths `roots` or below one."""
    parts = _parts(path)
    return any(parts[: len(top)] == top for top in map(_parts, roots) if top)


def _parts(path: str) -> list[str]:
    if is_windows(path):
        return path.replace("\\", "/").casefold().rstrip("/").split("/")
    return path.rstrip("/").split("/") if path else []


def unquoted(path: str) -> str:
    """The path in a URI; bytes that are no UTF-8 become surrogates, as in `os.fsdecode`."""
    return unquote_to_bytes(path).decode("utf-8", "surrogateescape")


def file_uri(path: str) -> str:
    """The `file:` URI of an absolute path, encoded as editors usually do."""
    if path.startswith(("\\\\", "//")):
        host, _, rest = path[2:].replace("\\", "/").partition("/")
        return f"file://{host}/{_quoted(rest)}"
    if is_windows(path):
        return "file:///" + _quoted(path[0].lower() + path[1:].replace("\\", "/"))
    return "file://" + _quoted(path)


def _quoted(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/~")


@dataclass(frozen=True, slots=True)
class Sight:
    """What is at a path: its real path, and its text or the reason why it is not opened.

    Attributes:
        text: The text as it is.
        lines: The text with all line endings as line feeds, so that its lines are the editor's.
    """

    path: str
    text: str | None = None
    lines: str = ""
    reason: str = ""


def look(workspace: Workspace, path: str, cwd: str) -> Sight:
    """Look a path up, once: follow symlinks, keep to the roots, read the text.

    With no folder open in the editor, the session's `cwd` is the only root.
    """
    real = workspace.resolve(path)
    roots = workspace.roots() or (workspace.resolve(cwd),)
    if not inside(real, roots):
        return Sight(real, reason=OUTSIDE)
    file = workspace.read(real)
    if file.text is None:
        return Sight(real, reason=file.reason or "unreadable")
    return Sight(real, file.text, with_line_feeds(file.text))


def with_line_feeds(text: str) -> str:
    r"""The text with `\r\n` and `\r` as `\n`: the line numbers stay what they are in LSP."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def last_line(text: str) -> int:
    """The last line of a text with line feeds; what follows a final line feed is none."""
    return max(0, text.count("\n") - text.endswith("\n"))


def clamped(lines: LineRange, text: str) -> LineRange:
    """The range within the text: a line past the end becomes the last line."""
    last = last_line(text)
    start = min(max(0, lines.start), last)
    return LineRange(start, min(max(start, lines.end), last))


def span_of(lines: LineRange, text: str) -> Span:
    """Lines as a span to select: the caret for one line, whole lines for several.

    The end is the last line's end and not the next line's start, because some editors put the
    caret there.
    """
    if lines.start == lines.end:
        return Span(lines.start, 0, lines.start, 0)
    at = 0
    for _ in range(lines.end):
        at = text.find("\n", at) + 1
    end = text.find("\n", at)
    return Span(lines.start, 0, lines.end, (len(text) if end < 0 else end) - at)
