"""Where a file's change stands as a whole: by its text, or by which files exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from acp_sidecar.changes.anchor import Place
from acp_sidecar.changes.hunks import FileChange, SetState, Side, combined_state
from acp_sidecar.changes.texts import split_lines
from acp_sidecar.changes.views import Likeness, keys


@dataclass(frozen=True, slots=True)
class Present:
    """What there is now: whether the path and the old path of a change exist."""

    exists: bool
    old_exists: bool = False


def of_file(change: FileChange, present: Present, places: Sequence[Place] = ()) -> SetState:
    """The state of a change: of its hunks, if it has any, and of the files that it touches."""
    files = _of_files(change, present)
    if not places:
        return files
    hunks = combined_state([place.state for place in places])
    if files is SetState.UNKNOWN or hunks is SetState.CONFLICTING:
        return hunks
    if change.operation in ("add", "delete") and hunks is SetState.UNKNOWN:
        return SetState.CONFLICTING if present.exists else files
    return hunks if hunks in (files, SetState.UNKNOWN) else SetState.MIXED


def _of_files(change: FileChange, present: Present) -> SetState:
    if change.operation == "add":
        return SetState.APPLIED if present.exists else SetState.PROPOSED
    if change.operation == "delete":
        return SetState.PROPOSED if present.exists else SetState.APPLIED
    if change.operation == "copy":
        return SetState.APPLIED if present.exists else SetState.PROPOSED
    if change.operation == "move":
        if present.exists == present.old_exists:
            return SetState.CONFLICTING
        return SetState.APPLIED if present.exists else SetState.PROPOSED
    return SetState.UNKNOWN


def created_as(change: FileChange, text: str) -> bool:
    """Whether a created file has exactly the text that the agent gave it, endings aside.

    Only then may undoing the creation delete it: nothing of the user's is in it.
    """
    wanted = [line for hunk in change.hunks for line in hunk.side(Side.NEW)]
    plain = keys(split_lines("".join(wanted)), Likeness.FINAL_NEWLINE)
    return change.whole and keys(split_lines(text), Likeness.FINAL_NEWLINE) == plain
