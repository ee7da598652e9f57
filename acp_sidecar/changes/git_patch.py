r"""Read `git_patch` text: one or many `diff --git` sections (`git diff -p`).

Section borders and extended headers are read here; the bodies of hunks are read by `unidiff`,
which gets canonical headers, because it refuses some that git writes (quoted paths, blanks).
A bad section does not harm the others, and a bad hunk is named while the good ones are kept.
Time and memory are bounded by `Limits`; no input raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from acp_sidecar.changes import git_paths
from acp_sidecar.changes.hunks import Hunk, HunkLine, LineKind
from acp_sidecar.errors import Fault, Problem

SYMLINK_MODE: Final = "120000"
SUBMODULE_MODE: Final = "160000"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a patch may be at most; what is beyond is named and left out."""

    characters: int = 8_000_000
    sections: int = 5_000
    hunks: int = 20_000


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
        section = _Reader(text, start, end, left).read()
        if section is None:
            problems.append(_stray(text[start:end]))
            continue
        left -= len(section.hunks)
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
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")


def _line_end(text: str, start: int, end: int) -> int:
    """Where the line that begins at `start` ends, its newline included (git's lines)."""
    at = text.find("\n", start, end)
    return end if at < 0 else at + 1


def _section_spans(text: str) -> Iterator[tuple[int, int]]:
    starts = [match.start() for match in _SECTION.finditer(text)]
    first = starts[0] if starts else len(text)
    if text[:first].strip():
        yield from _plain_spans(text, first)
    yield from zip(starts, [*starts[1:], len(text)], strict=True)


def _plain_spans(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Sections without a `diff --git` line: each begins at `--- ` followed by `+++ `.

    Not git_patch, but some agents send it. A removed line `-- x` looks the same, so hunks are
    skipped by their counts.
    """
    start = at = 0
    while at < end:
        after = _line_end(text, at, end)
        if text.startswith("@@ ", at):
            at = _body_end(text, at, after, end)
            continue
        if text.startswith("--- ", at) and text.startswith("+++ ", after) and at > start:
            yield start, at
            start = at
        at = after
    yield start, end


def _body_end(text: str, header: int, body: int, end: int) -> int:
    """Where the hunk at `header` ends by its own counts, or by the first impossible line."""
    match = _HUNK.match(text, header)
    if match is None:
        return body
    old, new = (int(match[group] or "1") for group in (2, 4))
    if not match[2]:
        old = 1
    at = body
    while at < end:
        kind = text[at]
        if kind == "\\":
            pass
        elif old <= 0 and new <= 0:
            break
        elif kind in " \r\n":
            old, new = old - 1, new - 1
        elif kind == "-":
            old -= 1
        elif kind == "+":
            new -= 1
        else:
            break
        at = _line_end(text, at, end)
    return at


class _Reader:
    """Reads one section of `text`."""

    def __init__(self, text: str, start: int, end: int, hunks_left: int) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._left = hunks_left
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
            self._section.hunks = tuple(self._hunks(at))
        self._check()
        return self._section

    def _headers(self) -> int:
        at = self._start
        while at < self._end:
            if self._text.startswith("@@ ", at):
                return at
            after = _line_end(self._text, at, self._end)
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

    def _hunks(self, at: int) -> Iterator[Hunk]:
        """The hunks from `at` on; those that unidiff refuses are named and left out."""
        taken = 0
        while at < self._end:
            after = _line_end(self._text, at, self._end)
            if not self._text.startswith("@@ ", at):
                if self._text[at:after].strip():
                    self._problem("patch-stray-text", "Text outside hunks is ignored.", at=at)
                at = after
                continue
            stop = _body_end(self._text, at, after, self._end)
            if taken >= self._left:
                self._problem("patch-too-long", "The patch has too many hunks.")
                return
            hunk = self._hunk(at, after, stop)
            if hunk is not None:
                taken += 1
                yield hunk
            at = stop

    def _hunk(self, at: int, body: int, end: int) -> Hunk | None:
        from unidiff.errors import UnidiffParseError  # noqa: PLC0415
        from unidiff.patch import PatchSet  # noqa: PLC0415 - import time is only paid with a patch

        header = _HUNK.match(self._text, at, body)
        if header is None:
            self._problem("patch-bad-hunk", "A hunk has no readable line numbers.", at=at)
            return None
        canonical = _canonical(header, self._text[body:end])
        try:
            parsed = PatchSet(canonical)[0][0]
        except (UnidiffParseError, IndexError) as error:
            self._problem("patch-bad-hunk", f"A hunk cannot be read: {error}.", at=at)
            return None
        return _from_unidiff(parsed, header[5].strip())

    def _check(self) -> None:
        section = self._section
        if section.file_type in ("symlink", "submodule"):
            section.hunks = ()
        starts = [(hunk.old_start, hunk.new_start) for hunk in section.hunks]
        if starts != sorted(starts):
            self._problem("patch-disorder", "The hunks of a file are not in order.")

    def _problem(self, code: str, message: str, excerpt: str = "", at: int = -1) -> None:
        if len(self._section.problems) >= 20:
            return
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


def _canonical(header: re.Match[str], body: str) -> str:
    """The hunk as unidiff wants it: known names, and the newline marker in English."""
    numbers = header[0][: header.start(5) - header.start()].rstrip()
    if "\n\\" in body:
        body = re.sub(r"^\\.*$", r"\\ No newline at end of file", body, flags=re.MULTILINE)
    return f"--- a/x\n+++ b/x\n{numbers}\n{body}"


def _from_unidiff(parsed: Any, section: str) -> Hunk:
    lines: list[HunkLine] = []
    for line in parsed:
        if line.line_type == "\\":
            if lines:
                last = lines.pop()
                lines.append(HunkLine(last.kind, last.text.removesuffix("\n")))
        else:
            lines.append(HunkLine(LineKind(line.line_type), line.value))
    old_start = parsed.source_start + (parsed.source_length == 0)
    new_start = parsed.target_start + (parsed.target_length == 0)
    return Hunk(old_start, new_start, tuple(lines), section)
