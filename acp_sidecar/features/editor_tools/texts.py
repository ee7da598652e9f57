"""Texts as the editor shows them, for tools: read, listed, and changed by proposal."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from acp_sidecar.changes.texts import split_lines
from acp_sidecar.features.editor_tools.refused import Refused
from acp_sidecar.features.ports import FileText, Workspace
from acp_sidecar.session.tool_calls import Diff, PathChange

MOST_CHARACTERS: Final = 200_000
"""Of one answer; a model has no use for more at once, and can ask for the next lines."""

_REASONS: Final = {
    "missing": "There is no such file.",
    "directory": "That is a directory.",
    "binary": "That is no text file.",
    "too-large": "That file is too large to be read as text.",
    "unreadable": "That file cannot be read.",
}


def open_documents(workspace: Workspace) -> str:
    """The files open in the editor, one a line."""
    lines = [
        document.path
        + ("" if workspace.disk(document.path).text == document.text else " (unsaved)")
        for document in workspace.open_documents()
    ]
    return "\n".join(lines) or "No file is open."


def whole(workspace: Workspace, path: str) -> FileText:
    """A file's text.

    Raises:
        Refused: It has none.
    """
    found = workspace.read(path)
    if found.text is None:
        raise Refused(_REASONS.get(found.reason, "That file cannot be read."))
    return found


def read(workspace: Workspace, path: str, line: int, limit: int | None) -> str:
    """Lines of a file from `line` (from 1) on; of a long text as much as makes sense at once.

    Raises:
        Refused: The file has no text, or not so many lines.
    """
    text = whole(workspace, path).text or ""
    if line == 1 and limit is None and len(text) <= MOST_CHARACTERS:
        return text
    lines = split_lines(text)
    if line > max(len(lines), 1):
        raise Refused(f"The file has {len(lines)} lines.")
    wanted = lines[line - 1 :] if limit is None else lines[line - 1 : line - 1 + limit]
    kept = sum(1 for size in accumulate(map(len, wanted)) if size <= MOST_CHARACTERS)
    if kept == len(wanted):
        return "".join(wanted)
    if kept == 0:
        return f"{wanted[0][:MOST_CHARACTERS]}\n[The line goes on; it is too long to be told.]"
    told = "".join(wanted[:kept])
    return f"{told}\n[There is more. Go on from line {line + kept} of {len(lines)}.]"


def proposal(workspace: Workspace, path: str, old: str | None, new: str) -> Diff:
    """The change that an agent proposes, from the text as the editor shows it.

    Raises:
        Refused: The file has no text to change, `old` is not there or not unique, or nothing would
            change.
    """
    found = workspace.read(path)
    if found.text is None and (found.reason != "missing" or old is not None):
        raise Refused(_REASONS.get(found.reason, "That file cannot be read."))
    before = found.text
    after = new if old is None or before is None else _replaced(before, old, new)
    if before == after:
        raise Refused("That would change nothing.")
    change = PathChange(
        operation="add" if before is None else "modify", path=path, old_text=before, new_text=after
    )
    return Diff(changes=[change])


def _replaced(text: str, old: str, new: str) -> str:
    first = text.find(old)
    if first < 0:
        raise Refused("oldText is not in the file as the editor shows it. Read it again.")
    if text.find(old, first + 1) >= 0:
        raise Refused("oldText is in the file more than once. Give more of the text around it.")
    return text[:first] + new + text[first + len(old) :]
