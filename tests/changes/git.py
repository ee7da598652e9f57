"""Real git as the judge of what a diff means."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from acp_sidecar.changes.hunks import Hunk, Side

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", ""),
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "LC_ALL": "C",
}


class Git:
    """Git in a folder of its own, with no configuration."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run("init", "-q")

    def run(self, *arguments: str, stdin: bytes = b"", ok: tuple[int, ...] = (0,)) -> bytes:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=ENVIRONMENT,
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert done.returncode in ok, (arguments, done.stderr)
        return done.stdout

    def diff(self, old: bytes, new: bytes, *options: str) -> bytes:
        """The patch between two contents of the file `f`."""
        (self.folder / "f.old").write_bytes(old)
        (self.folder / "f.new").write_bytes(new)
        return self.run("diff", "--no-index", *options, "f.old", "f.new", ok=(0, 1))

    def apply(self, patch: bytes, text: bytes, *options: str) -> bytes | None:
        """The file `f` after `git apply`, or `None` if git refuses."""
        target = self.folder / "f"
        target.write_bytes(text)
        done = subprocess.run(
            ["git", "apply", "--whitespace=nowarn", *options, "-"],
            cwd=self.folder,
            env=ENVIRONMENT,
            input=patch,
            capture_output=True,
            check=False,
        )
        return target.read_bytes() if done.returncode == 0 else None

    def merge(self, base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
        """The outcome of `git merge-file`, or `None` if there is a conflict."""
        for name, content in (("base", base), ("mine", mine), ("theirs", theirs)):
            (self.folder / name).write_bytes(content)
        command = ["git", "merge-file", "-p", "mine", "base", "theirs"]
        done = subprocess.run(
            command, cwd=self.folder, env=ENVIRONMENT, capture_output=True, check=False
        )
        return done.stdout if done.returncode == 0 else None


def as_patch(hunks: Sequence[Hunk]) -> bytes:
    """A patch of the file `f` with these hunks, line numbers made consistent."""
    parts = ["--- a/f\n+++ b/f\n"]
    growth = 0
    for hunk in hunks:
        old, new = len(hunk.old_lines), len(hunk.new_lines)
        old_at = hunk.old_start - (old == 0)
        new_at = hunk.old_start + growth - (new == 0)
        parts.append(f"@@ -{old_at},{old} +{new_at},{new} @@\n")
        for line in hunk.lines:
            parts.append(line.kind.value + line.text)
            if not line.text.endswith("\n"):
                parts.append("\n\\ No newline at end of file\n")
        growth += new - old
    return "".join(parts).encode("utf-8", "surrogateescape")


def composed(text: str, hunks: Sequence[Hunk], chosen: set[int]) -> str:
    """The old text with the chosen hunks in it, by line numbers alone."""
    lines = text.split("\n")
    lines = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    result: list[str] = []
    at = 0
    for index, hunk in enumerate(hunks):
        base = hunk.old_start - 1
        assert tuple(lines[base : base + len(hunk.old_lines)]) == hunk.old_lines
        for group in hunk.groups:
            result += lines[at : base + group.old_lo]
            low, high = group.span(Side.NEW if index in chosen else Side.OLD)
            result += hunk.side(Side.NEW if index in chosen else Side.OLD)[low:high]
            at = base + group.old_hi
    return "".join(result + lines[at:])
