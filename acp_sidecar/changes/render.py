"""Write hunks as patch text: for documents, for prompts, for tools that read patches."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from acp_sidecar.changes.hunks import FileChange, Hunk, LineKind
from acp_sidecar.changes.texts import ending_of

_PLAIN = frozenset(map(chr, range(0x20, 0x7F))) - {'"', "\\"}
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r"}


def hunk_text(hunk: Hunk, growth: int = 0) -> str:
    r"""The hunk with its `@@` line, as git writes it.

    `growth` is by how many lines the hunks before it make the file longer: the new side's number
    follows from it, so that any subset of hunks is a valid patch. A lone `\r` stays a character.
    """
    old, new = len(hunk.old_lines), len(hunk.new_lines)
    old_at = hunk.old_start - (old == 0)
    new_at = hunk.old_start + growth - (new == 0)
    section = f" {hunk.section}" if hunk.section else ""
    parts = [f"@@ -{_range(old_at, old)} +{_range(new_at, new)} @@{section}\n"]
    for line in hunk.lines:
        parts.append(line.kind.value + line.text)
        if not line.text.endswith("\n"):
            ended = hunk.line_break != "\n" and ending_of(line.text)
            parts.append("\n" if ended else "\n\\ No newline at end of file\n")
    return "".join(parts)


def _range(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"


def patch_text(change: FileChange, chosen: Iterable[int] | None = None) -> str:
    """A `git_patch` section of the change, as ACP wants it: absolute paths without prefixes.

    `chosen` are the indexes of the hunks to include; all by default.
    """
    hunks = change.hunks if chosen is None else [change.hunks[index] for index in sorted(chosen)]
    old, new = quoted(change.source), quoted(change.path)
    parts = [f"diff --git {old} {new}\n", *_extended(change)]
    if hunks:
        parts.append(f"--- {'/dev/null' if change.operation == 'add' else _named(old)}\n")
        parts.append(f"+++ {'/dev/null' if change.operation == 'delete' else _named(new)}\n")
    elif change.file_type == "binary":
        parts.append(f"Binary files {old} and {new} differ\n")
    growth = 0
    for hunk in hunks:
        parts.append(hunk_text(hunk, growth))
        growth += hunk.added - hunk.removed
    return "".join(parts)


def _extended(change: FileChange) -> list[str]:
    default = "120000" if change.file_type == "symlink" else "100644"
    if change.operation == "add":
        return [f"new file mode {change.new_mode or default}\n"]
    if change.operation == "delete":
        return [f"deleted file mode {change.old_mode or default}\n"]
    lines: list[str] = []
    if change.old_mode and change.new_mode and change.old_mode != change.new_mode:
        lines += [f"old mode {change.old_mode}\n", f"new mode {change.new_mode}\n"]
    if change.operation in ("move", "copy") and change.old_path is not None:
        verb = "rename" if change.operation == "move" else "copy"
        old, new = quoted(change.old_path), quoted(change.path)
        lines += [f"{verb} from {old}\n", f"{verb} to {new}\n"]
    return lines


def _named(path: str) -> str:
    """A path for `---` and `+++`; git ends one with blanks by a tab."""
    return f"{path}\t" if " " in path and not path.startswith('"') else path


def quoted(path: str) -> str:
    """A path as git writes it in headers: quoted in C style where it has odd characters.

    Characters beyond ASCII are left as they are (as with `core.quotePath=false`).
    """
    if all(char in _PLAIN or char >= "\xa0" for char in path) and not _undecodable(path):
        return path
    return '"' + "".join(map(_escaped, path)) + '"'


def _undecodable(path: str) -> bool:
    return any("\udc80" <= char <= "\udcff" for char in path)


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return "\\" + _ESCAPES[char]
    if char in '"\\':
        return "\\" + char
    if char in _PLAIN or (char >= "\xa0" and not _undecodable(char)):
        return char
    data = char.encode("utf-8", "surrogateescape")
    return "".join(f"\\{byte:03o}" for byte in data)


def hunk_names(hunks: Sequence[Hunk]) -> tuple[str, ...]:
    """A short stable name for each hunk of a file, made of what it changes, not of where.

    The same hunk keeps its name when a diff is sent again, settled, or gets other neighbours;
    equal hunks are counted from the top. Decisions can be remembered by these names.
    """
    seen: Counter[str] = Counter()
    names: list[str] = []
    for hunk in hunks:
        body = [line.kind.value + line.text for line in hunk.lines if line.kind is not _CONTEXT]
        digest = hashlib.sha256("\0".join(body).encode("utf-8", "surrogatepass")).hexdigest()[:12]
        names.append(f"{digest}.{seen[digest]}" if seen[digest] else digest)
        seen[digest] += 1
    return tuple(names)


_CONTEXT = LineKind.CONTEXT
