"""A change to one file: what it is, how it reads as a patch, and how it gets to disk.

The agent writes itself, as real agents do, and only over what it has read: a file that changed in
between is left alone.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

CONTEXT_LINES: Final = 3


class ChangedMeanwhile(Exception):
    """The file is not what the change was made for; nothing was written."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file before and after.

    Attributes:
        operation: What happens to the file; ACP's own word.
        path: Where the file is afterwards, absolute.
        before: Its text before; empty for "add".
        after: Its text after.
        old_path: Where it was before; for "move" only.
    """

    operation: Literal["add", "modify", "move"]
    path: Path
    before: str
    after: str
    old_path: Path | None = None
    type: Literal["file_change"] = "file_change"

    @property
    def source(self) -> Path:
        """Where the text before is to be found."""
        return self.old_path or self.path


def first_changed_line(change: FileChange) -> int:
    """The first line (1-based, in the text before) that the change touches."""
    before, after = lines_of(change.before), lines_of(change.after)
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if old != new:
            return number
    return max(1, min(len(before), len(after)))


def lines_of(text: str) -> list[str]:
    """The lines with their endings; only line feed ends one, as for git and editors."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def hunks_text(change: FileChange) -> str:
    """The hunks of the change in git's form, without any header."""
    found = difflib.unified_diff(
        lines_of(change.before), lines_of(change.after), n=CONTEXT_LINES, lineterm=""
    )
    written = []
    for number, line in enumerate(found):
        if number < 2:  # the --- and +++ lines
            continue
        if line.startswith("@@"):
            written.append(line + "\n")
        else:
            written.append(
                line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            )
    return "".join(written)


def git_patch(change: FileChange) -> str:
    """The change as one `diff --git` section with absolute paths, as ACP v2 wants it."""
    old, new = _quoted(change.source), _quoted(change.path)
    header = f"diff --git {old} {new}\n"
    if change.operation == "add":
        header += "new file mode 100644\n"
        old = "/dev/null"
    elif change.operation == "move":
        header += f"similarity index {_similarity(change)}%\nrename from {old}\nrename to {new}\n"
    hunks = hunks_text(change)
    return header + (f"--- {old}\n+++ {new}\n{hunks}" if hunks else "")


def write(change: FileChange) -> None:
    """Bring the change to disk.

    Raises:
        ChangedMeanwhile: The disk is not as it was when the change was made.
        OSError: The disk refused.
    """
    if change.operation != "modify" and os.path.lexists(change.path):
        raise ChangedMeanwhile(f"{change.path.name} exists by now")
    if change.operation == "add":
        change.path.parent.mkdir(parents=True, exist_ok=True)
        with change.path.open("xb") as file:
            file.write(change.after.encode("utf-8"))
        return
    if not change.source.is_file() or change.source.read_bytes() != change.before.encode("utf-8"):
        raise ChangedMeanwhile(f"{change.source.name} has changed on disk since I read it")
    if change.operation == "move":
        change.path.parent.mkdir(parents=True, exist_ok=True)
        change.source.rename(change.path)
    if change.after != change.before:
        change.path.write_bytes(change.after.encode("utf-8"))


def _similarity(change: FileChange) -> int:
    matcher = difflib.SequenceMatcher(None, lines_of(change.before), lines_of(change.after))
    return int(matcher.ratio() * 100)


def _quoted(path: Path) -> str:
    """The path in git's own quoting, which it uses for anything but plain ASCII."""
    name = path.as_posix()
    if name.isascii() and name.isprintable() and not set(name) & {'"', "\\"}:
        return name
    escaped = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
    encoded = name.encode("utf-8", "surrogateescape")
    return (
        '"'
        + "".join(
            escaped.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}")
            for byte in encoded
        )
        + '"'
    )
