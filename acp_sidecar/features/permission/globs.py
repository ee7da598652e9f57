"""Globs of permission rules: on the words of a command and on real paths.

Every match is done in one of two ways. *Narrow*, for rules that allow: exact case, the whole path,
nothing taken for granted. *Broad*, for rules that deny or ask: any case, what lies below a matched
folder too, and a name without a slash anywhere. In doubt, the user is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase, translate
from functools import lru_cache
from glob import escape
from itertools import accumulate
from operator import or_

from acp_sidecar.config import command_words

Resolve = Callable[[str], str]

_WILD = re.compile(r"[*?\[]")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def words_match(pattern: str, words: Sequence[str], *, broad: bool = False) -> bool:
    """Whether the words of a command match a command glob.

    Each word of the pattern is a glob on one word; `**`, and a `*` that stands last, match any
    number of words. A narrow match of a glob with more than a `*` never covers a word that climbs
    up by `..` unless the pattern does.
    """
    globs = command_words(pattern)
    if globs and globs[-1] == "*":
        globs = [*globs[:-1], "**"]
    if broad:
        globs, words = [_folded(glob) for glob in globs], [_folded(word) for word in words]
    return _sequence(globs, words, lambda glob, word: _word(glob, word, broad=broad))


def path_matches(
    pattern: str, real: str, roots: Sequence[str], resolve: Resolve, *, broad: bool
) -> bool:
    """Whether a real path matches a path glob.

    Args:
        pattern: Absolute, or relative to a root. `*` and `?` stay inside one segment; `**` matches
            any number of segments.
        real: The path with symlinks followed.
        roots: Folders that relative patterns start from, as real paths.
        resolve: Follows symlinks; the fixed beginning of an absolute pattern may contain some.
        broad: See the module.
    """
    if is_absolute(pattern):
        patterns = {pattern, _resolved_prefix(pattern, resolve)}
        return any(_segments_match(one, _segments(real), broad=broad) for one in patterns)
    anywhere = broad and "/" not in pattern.rstrip("/")
    relative = f"**/{pattern}" if anywhere else pattern
    candidates = [inside for root in roots if (inside := _below(root, real)) is not None]
    if broad and relative.startswith("**"):
        candidates.append(_segments(real))
    return any(_segments_match(relative, segments, broad=broad) for segments in candidates)


def is_absolute(path: str) -> bool:
    """Absolute in POSIX's or Windows' way."""
    return path.startswith("/") or is_windows(path)


def is_windows(path: str) -> bool:
    """Absolute in Windows' way: with a drive, or on another machine."""
    return path.startswith("\\\\") or _DRIVE.match(path) is not None


def is_inside(real: str, root: str) -> bool:
    """Whether a real path is a root or lies below it."""
    return _below(root, real) is not None


def literal(text: str) -> str:
    """A glob that matches exactly this text."""
    return escape(text)


def _below(root: str, real: str) -> list[str] | None:
    base, path = _segments(root), _segments(real)
    return path[len(base) :] if path[: len(base)] == base else None


def _segments(path: str) -> list[str]:
    if is_windows(path):
        path = path.replace("\\", "/")
    return [segment for segment in path.split("/") if segment]


def _resolved_prefix(pattern: str, resolve: Resolve) -> str:
    segments = pattern.split("/")
    fixed = next((i for i, each in enumerate(segments) if _WILD.search(each)), len(segments))
    prefix = "/".join(segments[:fixed])
    if not prefix:
        return pattern
    return "/".join([escape(resolve(prefix)), *segments[fixed:]])


def _segments_match(pattern: str, segments: list[str], *, broad: bool) -> bool:
    globs = _segments(pattern)
    if pattern.endswith("/"):
        globs.append("**")
    if not broad:
        return _sequence(globs, segments, _segment)
    globs, segments = [_folded(glob) for glob in globs], [_folded(each) for each in segments]
    # What lies below a matched folder is meant too.
    below = globs if globs[-1:] == ["**"] else [*globs, "**"]
    return _sequence(below, segments, _segment)


def _folded(text: str) -> str:
    """Some file systems know neither case nor the form of accents."""
    return unicodedata.normalize("NFC", text.casefold())


def _segment(glob: str, segment: str) -> bool:
    return _compiled(glob).match(segment) is not None


def _word(glob: str, word: str, *, broad: bool) -> bool:
    if glob != "*" and not broad and _climbs(word) and not _climbs(glob):
        return False
    return _compiled(glob).match(word) is not None


def _climbs(word: str) -> bool:
    return ".." in re.split(r"[/\\=:]", word)


@lru_cache(maxsize=1024)
def _compiled(glob: str) -> re.Pattern[str]:
    return re.compile(translate(glob))


def _sequence(
    globs: Sequence[str], items: Sequence[str], matches: Callable[[str, str], bool]
) -> bool:
    """Match items one by one; a glob `**` takes any number of them. Time is their product."""
    reachable = [True] + [False] * len(items)
    for glob in globs:
        if glob == "**":
            reachable = list(accumulate(reachable, or_))
        else:
            after = [
                before and matches(glob, item)
                for before, item in zip(reachable[:-1], items, strict=True)
            ]
            reachable = [False, *after]
    return reachable[-1]


def name_matches(pattern: str, name: str, *, broad: bool) -> bool:
    """Whether a plain name (an agent's) matches a glob."""
    if broad:
        return fnmatchcase(_folded(name), _folded(pattern))
    return fnmatchcase(name, pattern)
