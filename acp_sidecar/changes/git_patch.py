r"""Read `git_patch` text: one or many `diff --git` sections (`git diff -p`).

Section borders and extended headers are read here; hunks by `git_hunks`, which gives `unidiff`
canonical headers, because it refuses some that git writes (quoted paths, blanks).
A bad section does not harm the others, and a bad hunk is named while the good ones are kept.
Time and memory are bounded by `Limits`; no input raises.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.changes import git_paths
from acp_sidecar.changes.git_hunks import hunk_end, line_end, read_hunks
from acp_sidecar.changes.hunks import Hunk
from acp_sidecar.errors import Fault, Problem

SYMLINK_MODE: Final = "120000"
SUBMODULE_MODE: Final = "160000"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a patch may be at most; what is beyond is named and left out.

    `bad_hunks` is for one section: with more, the rest of it is not even tried.
    """

    characters: int = 8_000_000
    sections: int = 5_000
    hunks: int = 10_000
    bad_hunks: int = 20


@dataclass(slots=True)
class Section:
    """One `diff --git` section: its headers as read, and its hunks.

    `old` and `new` are paths without prefix and `None` for `/dev/null`; `raw` has the paths as
    they stood, for comparing with `changes[]`.
    """

    old: str | None = None
    new: str | None = None
    raw: tuple[str, ...] = ()
    operation: str = "modify"
    old_mode: str | None = None
    new_mode: str | None = None
    binary: bool = False
    hunks: tuple[Hunk, ...] = ()
    problems: list[Problem] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The path that the section is about: the new one unless the file is deleted."""
        return self.new or self.old or ""

    @property
    def file_type(self) -> str:
        modes = {self.old_mode, self.new_mode}
        if SUBMODULE_MODE in modes:
            return "submodule"
        if SYMLINK_MODE in modes:
            return "symlink"
        return "binary" if self.binary else "text"


def parse(text: str, limits: Limits | None = None) -> tuple[list[Section], list[Problem]]:
    """The sections of a patch, and what was wrong with it as a whole.

    What is wrong with one section is in its `problems`.
    """
    limits = limits or Limits()
    if len(text) > limits.characters:
        size = f"{len(text):,} characters, more than {limits.characters:,}"
        return [], [problem("patch-too-large", f"The patch is not read: it has {size}.")]
    if text and not text.endswith("\n"):
        text += "\n"
    sections: list[Section] = []
    problems: list[Problem] = []
    left = limits.hunks
    for start, end in _section_spans(text):
        if len(sections) >= limits.sections or left <= 0:
            what = "sections" if left > 0 else "hunks"
            problems.append(problem("patch-too-long", f"The patch has too many {what}."))
            break
        reader = _Reader(text, start, end, left, limits)
        section = reader.read()
        left -= reader.tried
        if section is None:
            problems.append(_stray(text[start : min(end, start + 200)]))
        else:
            sections.append(section)
    if not sections and not problems:
        problems.append(problem("patch-empty", "The patch has no section."))
    return sections, problems


def problem(code: str, message: str, where: str = "", excerpt: str = "") -> Problem:
    """A problem that is the agent's fault, with a short printable excerpt."""
    shown = excerpt[:80].encode("unicode_escape").decode("ascii")
    return Problem(Fault.AGENT, code, message, where, shown)


def _stray(text: str) -> Problem:
    return problem("patch-stray-text", "Text outside any section is ignored.", "", text.strip())


_SECTION = re.compile(r"^diff --git ", re.MULTILINE)


def _section_spans(text: str) -> Iterator[tuple[int, int]]:
    starts = [match.start() for match in _SECTION.finditer(text)]
    first = starts[0] if starts else len(text)
    if text[:first].strip():
        yield from _plain_spans(text, first)
    yield from itertools.pairwise([*starts, len(text)])


def _plain_spans(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Sections without a `diff --git` line: each begins at `--- ` followed by `+++ `.

    Not git_patch, but some agents send it. A removed line `-- x` looks the same, so hunks are
    skipped by their counts.
    """
    start = at = 0
    while at < end:
        after = line_end(text, at, end)
        if text.startswith("@@ ", at):
            at = hunk_end(text, at, end)
            continue
        if text.startswith("--- ", at) and text.startswith("+++ ", after) and at > start:
            yield start, at
            start = at
        at = after
    yield start, end


class _Reader:
    """Reads one section of `text`."""

    def __init__(self, text: str, start: int, end: int, hunks_left: int, limits: Limits) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._left = hunks_left
        self._limits = limits
        self.tried = 0
        self._section = Section()
        self._names: dict[str, str] = {}
        self._git: tuple[str, str] | None = None

    def read(self) -> Section | None:
        """The section, or `None` if it names no file at all."""
        at = self._headers()
        self._paths()
        if not self._section.path:
            return None
        if not self._section.binary:
            self._section.hunks = self._hunks(at)
        self._check()
        return self._section

    def _headers(self) -> int:
        at = self._start
        while at < self._end:
            if self._text.startswith("@@ ", at):
                return at
            after = line_end(self._text, at, self._end)
            line = self._text[at : min(after, at + 10_000)].rstrip("\r\n")
            if not self._header(line):
                return after
            at = after
        return at

    def _header(self, line: str) -> bool:
        """Take in one header line; false if the section's text ends with it (binary)."""
        for keyword in _KEYWORDS:
            if line.startswith(keyword):
                value = line[len(keyword) :]
                break
        else:
            return True
        if keyword == "diff --git ":
            self._git = git_paths.header_pair(value)
        elif keyword in _NAMES:
            self._name(keyword, value)
        elif keyword in ("Binary files ", "GIT binary patch"):
            self._section.binary = True
            return False
        else:
            self._mode(keyword, value)
        return True

    def _name(self, keyword: str, value: str) -> None:
        path = git_paths.header_path(value)
        if path is None or "\0" in path:
            self._problem("patch-bad-path", "A path of the patch cannot be read.", value)
        else:
            self._names[keyword] = path
        if keyword.startswith(("rename", "copy")):
            self._section.operation = "move" if keyword.startswith("rename") else "copy"

    def _mode(self, keyword: str, value: str) -> None:
        section = self._section
        if keyword == "index ":
            mode = value.partition(" ")[2].strip()
            if mode:
                section.old_mode, section.new_mode = mode, mode
            return
        value = value.strip()
        if keyword in ("old mode ", "deleted file mode "):
            section.old_mode = value
        else:
            section.new_mode = value
        if keyword == "new file mode ":
            section.operation = "add"
        elif keyword == "deleted file mode ":
            section.operation = "delete"

    def _paths(self) -> None:
        """Choose the best of the names: rename lines, then `---`/`+++`, then `diff --git`."""
        section, names = self._section, self._names
        moved_from = names.get("rename from ") or names.get("copy from ")
        moved_to = names.get("rename to ") or names.get("copy to ")
        old, new = names.get("--- "), names.get("+++ ")
        raw = [name for name in (old, new, *(self._git or ())) if name]
        section.raw = tuple(dict.fromkeys(raw))
        if old == git_paths.DEV_NULL:
            section.operation = "add"
        if new == git_paths.DEV_NULL:
            section.operation = "delete"
        if moved_from and moved_to:
            section.old, section.new = moved_from, moved_to
            return
        first, second = self._pair(old, new)
        section.old = None if section.operation == "add" else first
        section.new = None if section.operation == "delete" else second

    def _pair(self, old: str | None, new: str | None) -> tuple[str | None, str | None]:
        null = git_paths.DEV_NULL
        if old and new and null not in (old, new):
            return git_paths.without_prefixes(old, new) or (old, new)
        if self._git is not None:
            return git_paths.without_prefixes(*self._git) or self._git
        one = new if old in (None, null) else old
        if one is None or one == null:
            return None, None
        bare = one[2:] if re.match(r"[abciow12]/", one) else one
        return bare, bare

    def _hunks(self, at: int) -> tuple[Hunk, ...]:
        limits = self._limits
        most = min(self._left, limits.hunks)
        reading = read_hunks(self._text, at, self._end, most=most, most_bad=limits.bad_hunks)
        self.tried = reading.tried
        for fault in reading.faults[: limits.bad_hunks + 2]:
            self._problem(fault.code, fault.message, at=fault.at)
        return reading.hunks

    def _check(self) -> None:
        section = self._section
        if section.file_type in ("symlink", "submodule"):
            section.hunks = ()
        starts = [(hunk.old_start, hunk.new_start) for hunk in section.hunks]
        if starts != sorted(starts):
            self._problem("patch-disorder", "The hunks of a file are not in order.")

    def _problem(self, code: str, message: str, excerpt: str = "", at: int = -1) -> None:
        excerpt = self._text[at : at + 80] if at >= 0 else excerpt
        self._section.problems.append(problem(code, message, self._section.path, excerpt))


_NAMES: Final = ("--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to ")
_KEYWORDS: Final = (
    "diff --git ",
    *_NAMES,
    "index ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "Binary files ",
    "GIT binary patch",
)
