r"""Paths as git writes them in patches: C-style quotes, prefixes, `/dev/null`.

ACP asks for absolute paths without prefixes; agents also send git's own `a/` `b/` and relative
ones. A path of a patch is therefore a set of candidates, to be compared with `changes[]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

DEV_NULL: Final = "/dev/null"

_ESCAPES: Final = {
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    '"': '"',
    "\\": "\\",
}
_ESCAPED = re.compile(r"\\([0-3][0-7]{2}|.)", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_PREFIXES: Final = frozenset(
    {"ab", "ba", "ci", "ic", "cw", "wc", "iw", "wi", "co", "oc", "ow", "wo", "12", "21"}
)


def unquote(text: str) -> str | None:
    """The path in a C-style quoted string (with its quotes); `None` if it is not one.

    Octal escapes are bytes of UTF-8; undecodable ones become surrogates, as in `os.fsdecode`.
    """
    match = _QUOTED.fullmatch(text)
    if match is None:
        return None
    bad = False

    def plain(escape: re.Match[str]) -> str:
        nonlocal bad
        code = escape[1]
        if len(code) == 3:
            return bytes([int(code, 8)]).decode("latin-1")
        bad = bad or code not in _ESCAPES
        return _ESCAPES.get(code, "")

    # Work on bytes as latin-1 characters, so that octal and literal non-ASCII mix.
    raw = match[1].encode("utf-8", "surrogateescape").decode("latin-1")
    path = _ESCAPED.sub(plain, raw)
    return None if bad else path.encode("latin-1").decode("utf-8", "surrogateescape")


def header_path(text: str) -> str | None:
    """The path of a `--- `, `+++ `, `rename from ` line, without its keyword.

    Git ends names that contain blanks with a tab, other tools put a time stamp there.
    """
    if text.startswith('"'):
        match = _QUOTED.match(text)
        return None if match is None else unquote(match[0])
    path = text.partition("\t")[0].rstrip("\r\n")
    return path or None


def header_pair(text: str) -> tuple[str, str] | None:
    """The two paths of a `diff --git ` line, or `None` where they cannot be told apart.

    Unquoted names with blanks are ambiguous; git itself then relies on both names being equal
    apart from their prefixes, and so does this.
    """
    text = text.rstrip("\r\n")
    if text.startswith('"'):
        match = _QUOTED.match(text)
        if match is None or text[match.end() : match.end() + 1] != " ":
            return None
        return _both(unquote(match[0]), header_path(text[match.end() + 1 :]))
    if text.endswith('"'):
        start = text.rfind(' "', 0, len(text) - 1)
        return _both(text[:start], unquote(text[start + 1 :])) if start > 0 else None
    if text.count(" ") == 1:
        first, _, second = text.partition(" ")
        return _both(first, second)
    middle = len(text) // 2
    first, second = text[:middle], text[middle + 1 :]
    if text[middle : middle + 1] == " " and without_prefixes(first, second, equal=True):
        return first, second
    return None


def _both(first: str | None, second: str | None) -> tuple[str, str] | None:
    return (first, second) if first and second else None


def without_prefixes(old: str, new: str, *, equal: bool = False) -> tuple[str, str] | None:
    """Strip a pair of prefixes (a/ b/, c/ i/ o/ w/, 1/ 2/) if both paths have one.

    With `equal`, answer only if the paths are the same then (or were the same to begin with).
    """
    if old == new:
        return old, new
    if old[1:2] == new[1:2] == "/" and old[0] + new[0] in _PREFIXES:
        old, new = old[2:], new[2:]
        return (old, new) if not equal or old == new else None
    return None if equal else (old, new)


def is_absolute(path: str) -> bool:
    r"""Absolute for POSIX (`/x`) or Windows (`C:\x`, `C:/x`, `\\server\share`)."""
    return path.startswith(("/", "\\\\")) or _DRIVE.match(path) is not None


def is_windows(path: str) -> bool:
    """Whether a path has a drive or is a UNC path."""
    return path.startswith(("\\\\", "//")) or _DRIVE.match(path) is not None


def is_plain(path: str) -> bool:
    """Whether a path is absolute and names its file directly: no `..`, no NUL."""
    return is_absolute(path) and "\0" not in path and ".." not in re.split(r"[\\/]", path)


def _comparable(path: str) -> str:
    windows = is_windows(path)
    path = path.replace("\\", "/") if windows else path
    path = re.sub(r"/(?:\./)+|(?<=.)/{2,}", "/", path)
    return path.casefold() if windows else path


def last_name(path: str) -> str:
    """The last part of a path, with case ignored as Windows does: for finding likely ones."""
    return re.split(r"[\\/]", path)[-1].casefold()


def same_path(one: str, other: str) -> bool:
    """Whether two absolute paths are the same; Windows paths compare as Windows does."""
    return one == other or _comparable(one) == _comparable(other)


def find_path(path: str, known: Iterable[str]) -> str | None:
    """Which of the `known` absolute paths a patch's path means.

    The same path wins; else the one that ends with it, if there is only one. Git drops the
    first slash of an absolute path behind a prefix (`a/home/x`), which the latter covers.
    """
    known = list(known)
    for candidate in known:
        if same_path(candidate, path):
            return candidate
    tail = "/" + _comparable(path).lstrip("/")
    while tail.startswith("/./"):
        tail = tail[2:]
    if is_plain(path) and not is_windows(path):
        return None
    found = [candidate for candidate in known if _tail_matches(candidate, tail)]
    return found[0] if len(found) == 1 else None


def _tail_matches(candidate: str, tail: str) -> bool:
    comparable = _comparable(candidate)
    return comparable.endswith(tail.casefold() if is_windows(candidate) else tail)
