"""The throw-away project that the demo works in, and what has become of it on disk."""

from __future__ import annotations

import difflib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from acp_sidecar import demo

_CONTEXT_LINES: Final = 3
_NOT_OURS: Final = {".git", "__pycache__"}
_MIN_LIKENESS_OF_A_MOVE: Final = 0.5

Snapshot = Mapping[str, str]
"""The text of every file, by its name relative to the project, with slashes."""


@dataclass(frozen=True, slots=True)
class FileOnDisk:
    """What happened to one file, as the disk tells it; operations are ACP's words."""

    operation: str
    path: str
    old_path: str | None
    hunks: int
    added: int
    removed: int


def make_project() -> Path:
    """Copy the sample into a new temporary directory, as a git repository if git is there."""
    target = Path(tempfile.mkdtemp(prefix="acp-sidecar-demo-")).resolve() / "tally"
    with as_file(files(demo).joinpath("sample")) as sample:
        shutil.copytree(sample, target, ignore=shutil.ignore_patterns(*_NOT_OURS))
    git = shutil.which("git")
    if git:
        identity = ("-c", "user.name=demo", "-c", "user.email=demo@localhost")
        for arguments in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "Start")):
            subprocess.run([git, *arguments], cwd=target, check=False, capture_output=True)  # noqa: S603
    return target


def remove_project(project: Path) -> None:
    """Remove the copy and the directory made for it."""
    shutil.rmtree(project.parent, ignore_errors=True)


def snapshot(project: Path) -> Snapshot:
    """All files as they are now."""
    return {
        path.relative_to(project).as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in sorted(project.rglob("*"))
        if path.is_file() and not _NOT_OURS & set(path.relative_to(project).parts)
    }


def solution() -> Snapshot:
    """The project as it is when the tour is done and everything was allowed."""
    with (
        as_file(files(demo).joinpath("sample")) as before,
        as_file(files(demo).joinpath("solution")) as after,
    ):
        solved = {**snapshot(before), **snapshot(after)}
    del solved["docs/usage.txt"]
    return solved


def changes(before: Snapshot, after: Snapshot) -> list[FileOnDisk]:
    """What happened between two snapshots, by path; likely renames are found by likeness."""
    gone = [name for name in before if name not in after]
    found = []
    for name in sorted(after):
        if name in before:
            if before[name] != after[name]:
                found.append(_compared("modify", name, None, before[name], after[name]))
            continue
        old = _origin(after[name], {each: before[each] for each in gone})
        if old is None:
            found.append(_compared("add", name, None, "", after[name]))
        else:
            gone.remove(old)
            found.append(_compared("move", name, old, before[old], after[name]))
    found += [_compared("delete", name, None, before[name], "") for name in gone]
    return found


def _origin(text: str, gone: Mapping[str, str]) -> str | None:
    likeness = {
        name: difflib.SequenceMatcher(None, old.split("\n"), text.split("\n")).ratio()
        for name, old in gone.items()
    }
    best = max(likeness, key=likeness.__getitem__, default=None)
    return best if best and likeness[best] >= _MIN_LIKENESS_OF_A_MOVE else None


def _compared(operation: str, path: str, old_path: str | None, old: str, new: str) -> FileOnDisk:
    lines = list(_diff_lines(old, new))
    hunks = sum(line.startswith("@@") for line in lines)
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    return FileOnDisk(operation, path, old_path, hunks, added, removed)


def _diff_lines(old: str, new: str) -> Iterator[str]:
    """The body of the unified diff, without the two lines that name the files."""
    diff = difflib.unified_diff(_lines(old), _lines(new), n=_CONTEXT_LINES, lineterm="")
    return (line for number, line in enumerate(diff) if number > 1)


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return parts[:-1] if parts[-1] == "" else parts
