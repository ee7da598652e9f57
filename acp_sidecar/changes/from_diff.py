"""From the diffs of a tool call (`session.tool_calls.Diff`) to a change set.

`changes[]` says what is touched, the patch says how. Where they disagree both are shown and the
disagreement is named. The answer depends on nothing but the diffs, so it can be computed again
whenever a call's content is replaced, appended to or cleared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from acp_sidecar.changes import git_patch, git_paths
from acp_sidecar.changes.git_patch import Limits, Section, problem
from acp_sidecar.changes.hunks import ChangeSet, FileChange, Snippet
from acp_sidecar.changes.snippets import provisional
from acp_sidecar.errors import Problem
from acp_sidecar.session.tool_calls import Diff, DiffChange, PathChange, PathPairChange

MAX_PIECES: Final = 500
"""Pieces of one file that are read of one tool call; more are named and left out."""

_MOST_VERSIONS: Final = 50
"""Changes of one file among which a repeated one is recognised."""


def change_set(diffs: Iterable[Diff], limits: Limits | None = None) -> ChangeSet:
    """All that the diffs of one tool call do, in the agent's order.

    A diff that is sent again adds nothing; the v1 pieces of one file become one file change.
    """
    collected = _Collected()
    problems: list[Problem] = []
    for diff in diffs:
        found, wrong = file_changes(diff, limits)
        problems += wrong
        for change in found:
            collected.add(change)
    return ChangeSet(collected.files(), tuple(dict.fromkeys(problems)))


class _Collected:
    """The file changes of several diffs, each once, the pieces of one file together."""

    def __init__(self) -> None:
        self._files: list[FileChange] = []
        self._pieces: dict[str, tuple[int, dict[Snippet, None]]] = {}
        self._versions: dict[str, list[int]] = {}

    def add(self, change: FileChange) -> None:
        if change.snippets and change.path in self._pieces:
            self._pieces[change.path][1].update(dict.fromkeys(change.snippets))
            return
        versions = self._versions.setdefault(change.path, [])
        if any(self._files[index] == change for index in versions[-_MOST_VERSIONS:]):
            return
        if change.snippets:
            self._pieces[change.path] = len(self._files), dict.fromkeys(change.snippets)
        versions.append(len(self._files))
        self._files.append(change)

    def files(self) -> tuple[FileChange, ...]:
        for path, (index, pieces) in self._pieces.items():
            change, snippets = self._files[index], tuple(pieces)[:MAX_PIECES]
            if len(pieces) > MAX_PIECES:
                message = f"Only {MAX_PIECES} of {len(pieces)} pieces are read."
                named = problem("too-many-pieces", message, path)
                change = replace(change, problems=(*change.problems, named), whole=False)
            if snippets != change.snippets:
                change = replace(change, snippets=snippets, hunks=provisional(snippets))
            self._files[index] = change
        return tuple(self._files)


def file_changes(
    diff: Diff, limits: Limits | None = None
) -> tuple[list[FileChange], list[Problem]]:
    """The file changes of one diff, and what was wrong with the diff as a whole."""
    changes = [_from_change(change) for change in diff.changes]
    if diff.patch is None:
        return [_checked(change) for change in changes], []
    if diff.patch.format != "git_patch":
        message = "The patch has a format that is not known."
        wrong = [problem("patch-unknown-format", message, "", diff.patch.format)]
        return [_checked(change) for change in changes], wrong
    sections, problems = git_patch.parse(diff.patch.text, limits)
    return [_checked(change) for change in _matched(changes, sections)], problems


def _from_change(change: DiffChange) -> FileChange:
    if isinstance(change, PathChange):
        snippets: tuple[Snippet, ...] = ()
        if change.old_text is not None or change.new_text is not None:
            snippets = (Snippet(change.old_text, change.new_text or ""),)
        return FileChange(
            change.operation,
            change.path,
            file_type=change.file_type,
            mime_type=change.mime_type,
            hunks=provisional(snippets),
            snippets=snippets,
        )
    if isinstance(change, PathPairChange):
        return FileChange(
            change.operation,
            change.path,
            old_path=change.old_path,
            file_type=change.file_type,
            mime_type=change.mime_type,
        )
    raw = change.raw()
    path, old_path = raw.get("path"), raw.get("oldPath")
    return FileChange(
        change.operation,
        path if isinstance(path, str) else "",
        old_path=old_path if isinstance(old_path, str) else None,
    )


def _matched(changes: list[FileChange], sections: list[Section]) -> list[FileChange]:
    """Bring each section to the change it is about; the others become changes of their own."""
    finder = _Finder(changes)
    mine: dict[int, list[Section]] = {}
    strays: list[FileChange] = []
    for section in sections:
        index = finder.find(section)
        if index is None:
            strays.append(_stray(section))
        else:
            mine.setdefault(index, []).append(section)
    covered = [
        _with_sections(change, mine[index]) if index in mine else replace(change, whole=False)
        for index, change in enumerate(changes)
    ]
    return covered + strays


class _Finder:
    """Finds the change that a section's paths mean, among those with the same last name."""

    def __init__(self, changes: list[FileChange]) -> None:
        self._index: dict[str, int] = {}
        self._named: dict[str, list[str]] = {}
        for index, change in enumerate(changes):
            if change.path not in self._index:
                self._index[change.path] = index
                self._named.setdefault(git_paths.last_name(change.path), []).append(change.path)

    def find(self, section: Section) -> int | None:
        """The index of the change, or `None` if there is none or more than one fits."""
        names = [name for name in (section.path, *section.raw) if name != git_paths.DEV_NULL]
        for name in names:
            if name in self._index:
                return self._index[name]
        for name in names:
            likely = self._named.get(git_paths.last_name(name), [])
            found = git_paths.find_path(name, likely[:_MOST_NAMESAKES])
            if found is not None and len(likely) <= _MOST_NAMESAKES:
                return self._index[found]
        return None


_MOST_NAMESAKES: Final = 200
"""More files of one name than this in one diff are only found by their exact paths."""


def _stray(section: Section) -> FileChange:
    message = "The patch changes a file that the list of changes does not have."
    moved = section.operation in ("move", "copy")
    return FileChange(
        section.operation,
        section.path,
        old_path=section.old if moved else None,
        file_type=section.file_type,
        hunks=section.hunks,
        old_mode=section.old_mode,
        new_mode=section.new_mode,
        problems=(
            problem("patch-not-in-changes", message, section.path),
            *section.problems,
        ),
    )


def _with_sections(change: FileChange, sections: list[Section]) -> FileChange:
    problems = list(change.problems)
    hunks = change.hunks
    for section in sections:
        problems += [*_contradictions(change, section), *section.problems]
        if not change.snippets:
            hunks += section.hunks
    return replace(
        change,
        file_type=change.file_type or sections[-1].file_type,
        hunks=hunks,
        old_mode=sections[0].old_mode,
        new_mode=sections[-1].new_mode,
        problems=tuple(problems),
    )


def _contradictions(change: FileChange, section: Section) -> list[Problem]:
    wrong: list[str] = []
    if section.operation not in (change.operation, "modify"):
        wrong.append(f"the change is called {change.operation!r}, the patch {section.operation!r}")
    if change.operation in ("add", "delete") and section.operation == "modify":
        wrong.append(f"the change is called {change.operation!r}, the patch modifies")
    if change.file_type not in (None, section.file_type):
        wrong.append(f"the file type is {change.file_type!r}, in the patch {section.file_type!r}")
    if change.old_path and section.old and not _means(section.old, change.old_path):
        wrong.append("the old path is another one in the patch")
    return [
        problem("patch-contradicts", f"Changes and patch disagree: {what}.", change.path)
        for what in wrong
    ]


def _means(path: str, known: str) -> bool:
    return git_paths.find_path(path, [known]) is not None


def _checked(change: FileChange) -> FileChange:
    """Name the paths that must not be followed: relative ones, and ones that climb."""
    paths = [change.path] if change.old_path is None else [change.path, change.old_path]
    bad = [path for path in paths if not git_paths.is_plain(path)]
    named = tuple(
        problem("path-not-plain", "The path is not absolute and plain.", path, path) for path in bad
    )
    return replace(change, problems=change.problems + named) if named else change
