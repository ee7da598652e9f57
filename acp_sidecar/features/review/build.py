"""From the content of a tool call to a change set under review, again and again.

Agents send the same diffs more than once, replace them and clear them. What the user has chosen
stays with the hunks that stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from acp_sidecar.changes.compare import hunks_between
from acp_sidecar.changes.from_diff import change_set
from acp_sidecar.changes.hunks import FileChange, Side
from acp_sidecar.errors import Fault, Problem
from acp_sidecar.features.review.items import Item, ReviewFile, ReviewSet
from acp_sidecar.features.review.reading import Reading
from acp_sidecar.features.review.tracking import carried, refresh
from acp_sidecar.session.tool_calls import Diff, ToolCallContent

MAX_FILES: Final = 2_000
"""Files of one set that are shown; more are counted in a problem."""


def diffs_of(content: Sequence[ToolCallContent]) -> tuple[Diff, ...]:
    """The diffs among the items of a tool call's content."""
    return tuple(item for item in content if type(item) is Diff)


def same(one: Sequence[Diff], other: Sequence[Diff]) -> bool:
    """Whether two lists of diffs are the same, cheap when they are the same objects."""
    return len(one) == len(other) and all(a is b or a == b for a, b in zip(one, other, strict=True))


def rebuild(
    review: ReviewSet, diffs: tuple[Diff, ...], reading: Reading, prefer: Side | None
) -> None:
    """Make the files of a set from these diffs, keeping what is known of equal files and hunks."""
    made = change_set(diffs)
    problems = list(made.problems)
    if len(made.files) > MAX_FILES:
        message = f"{len(made.files) - MAX_FILES} more files are not shown."
        problems.append(Problem(Fault.AGENT, "too-many-files", message))
    known = {(file.sent.operation, file.sent.path): file for file in review.files}
    before = {file.path: file for file in review.files}
    files: list[ReviewFile] = []
    for change in made.files[:MAX_FILES]:
        file = known.get((change.operation, change.path))
        if file is None or file.sent != change:
            file = _file(change, review.cwd, reading)
            refresh(file, reading, prefer)
            file.first = None if file.change.hunks or review.finished else file.text
            _inherit(file, before.get(file.path))
        files.append(file)
    review.files, review.diffs, review.problems = files, diffs, tuple(problems)


def _inherit(file: ReviewFile, before: ReviewFile | None) -> None:
    """Take over what was known of the same path before the agent told it anew."""
    if before is None:
        return
    file.hunks = carried(before.change.hunks, before.hunks, file.change.hunks)
    file.whole = before.whole
    file.first = before.first if file.first is None else file.first


def _file(change: FileChange, cwd: str, reading: Reading) -> ReviewFile:
    path, blocked = reading.real_path(change.path, cwd)
    old_path = None
    if change.old_path is not None:
        old_path, old_blocked = reading.real_path(change.old_path, cwd)
        blocked = blocked or old_blocked
    problems = change.problems
    if blocked:
        problems += (Problem(Fault.AGENT, "path-not-usable", blocked, change.path),)
    shown = replace(change, problems=problems)
    items = [Item() for _ in change.hunks]
    return ReviewFile(shown, change, path, old_path, blocked, items)


def read_hunks(file: ReviewFile, reading: Reading) -> None:
    """Find out the hunks of a change that came without any, now that its call is over.

    They are what has become of the text since the change was told of.
    """
    if file.change.hunks or file.first is None or file.text in (None, file.first):
        return
    hunks = hunks_between(file.first, file.text or "")
    file.change = replace(file.change, hunks=hunks)
    file.hunks = [Item(file.whole.choice) for _ in hunks]
    file.text, file.places, file.good = None, [], None
    refresh(file, reading, Side.NEW)
