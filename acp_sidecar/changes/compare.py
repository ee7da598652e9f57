"""Hunks between two texts: of an ACP v1 diff, of a session's net change, of any file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from acp_sidecar.changes.hunks import FileChange, Hunk, HunkLine, LineKind
from acp_sidecar.changes.line_diff import Block, changed_blocks
from acp_sidecar.changes.readable import slid
from acp_sidecar.changes.texts import natural_break, split_lines

CONTEXT: Final = 3
BUDGET: Final = 200
"""More hunks than this in one file help nobody; neighbours are joined until there are fewer."""


def hunks_between(
    old: str,
    new: str,
    *,
    context: int = CONTEXT,
    budget: int = BUDGET,
    numbered: bool = True,
) -> tuple[Hunk, ...]:
    """The hunks that turn `old` into `new`: each run of changed lines is one, with its context.

    Runs with a single unchanged line between them are one hunk. `numbered` is false for pieces
    of a file, whose line numbers mean nothing.
    """
    line_break = natural_break(old, new)
    a, b = split_lines(old, line_break), split_lines(new, line_break)
    blocks = slid(changed_blocks(a, b), a, b)
    runs = _joined(blocks, budget)
    ends = [run[-1].old_hi for run in runs]
    starts = [run[0].old_lo for run in runs]
    hunks: list[Hunk] = []
    for index, run in enumerate(runs):
        first = run[0]
        # What is between two hunks is shared out, so that together they are a valid patch.
        room = (starts[index] - ends[index - 1]) // 2 if index else starts[0]
        before = min(context, room)
        is_last = index + 1 == len(runs)
        room = len(a) - ends[-1] if is_last else (starts[index + 1] - ends[index] + 1) // 2
        after = min(context, room)
        lines = _body(run, a, b, before, after)
        old_start, new_start = first.old_lo - before + 1, first.new_lo - before + 1
        hunks.append(Hunk(old_start, new_start, lines, "", line_break, numbered))
    return tuple(hunks)


def net_change(path: str, baseline: str | None, current: str | None) -> FileChange | None:
    """What became of a file since `baseline`; `None` if it is the same.

    A text of `None` means that there was, or is, no such file.
    """
    if baseline == current:
        return None
    operation = "add" if baseline is None else "delete" if current is None else "modify"
    hunks = hunks_between(baseline or "", current or "")
    return FileChange(operation, path, file_type="text", hunks=hunks)


def _joined(blocks: Sequence[Block], budget: int) -> list[list[Block]]:
    """Runs of blocks that make one hunk each: near ones, and more of them beyond the budget."""
    gap = 1
    while True:
        runs: list[list[Block]] = []
        for block in blocks:
            if runs and block.old_lo - runs[-1][-1].old_hi <= gap:
                runs[-1].append(block)
            else:
                runs.append([block])
        if len(runs) <= budget:
            return runs
        gap *= 2


def _body(
    run: Sequence[Block], a: Sequence[str], b: Sequence[str], before: int, after: int
) -> tuple[HunkLine, ...]:
    context, removed, added = LineKind
    lines: list[HunkLine] = []
    at = run[0].old_lo - before
    for block in run:
        lines += [HunkLine(context, line) for line in a[at : block.old_lo]]
        lines += [HunkLine(removed, line) for line in a[block.old_lo : block.old_hi]]
        lines += [HunkLine(added, line) for line in b[block.new_lo : block.new_hi]]
        at = block.old_hi
    lines += [HunkLine(context, line) for line in a[at : at + after]]
    return tuple(lines)
