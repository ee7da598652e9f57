"""Copies of the project as it is now: what git has or would take, nothing that was made in it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cache import PROJECT


def copy(target: Path, *parts: str) -> Path:
    """Copy the project, or some files and folders of it, and return the target."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *parts]
    names = subprocess.run(listed, cwd=PROJECT, capture_output=True, check=True)
    for name in filter(None, names.stdout.decode().split("\0")):
        source = PROJECT / name
        if source.exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(source.read_bytes())
    return target


def repository(folder: Path) -> str:
    """Make a repository of such a copy, and return the URL to clone it from."""
    copy(folder)
    git = ["git", "-c", "user.name=Tests", "-c", "user.email=tests@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "As it is now"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    return folder.as_uri()
