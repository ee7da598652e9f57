"""Where several diffs are equally right, choose the one that people read more easily.

A block that only adds (or only removes) lines can often be moved up or down without changing
its meaning: a new function may begin at its own first line or at the `}` of the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from acp_sidecar.changes.line_diff import Block

_REACH: Final = 60


def slid(blocks: Sequence[Block], old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """The same changes at their most readable places, in the same order, still apart."""
    result: list[Block] = []
    for index, block in enumerate(blocks):
        room_up = block.old_lo - (result[-1].old_hi + 1 if result else 0)
        is_last = index + 1 == len(blocks)
        room_down = (len(old) if is_last else blocks[index + 1].old_lo - 1) - block.old_hi
        result.append(_slid(block, old, new, room_up, room_down))
    return result


def _slid(
    block: Block, old: Sequence[str], new: Sequence[str], room_up: int, room_down: int
) -> Block:
    adds, removes = block.new_hi - block.new_lo, block.old_hi - block.old_lo
    if bool(adds) == bool(removes):
        return block
    lines, low, high = (
        (new, block.new_lo, block.new_hi) if adds else (old, block.old_lo, block.old_hi)
    )
    shifts = _shifts(lines, low, high, min(room_up, _REACH), min(room_down, _REACH))
    best = min(shifts, key=lambda by: _cost(lines, low + by, high + by, by))
    return Block(block.old_lo + best, block.old_hi + best, block.new_lo + best, block.new_hi + best)


def _shifts(lines: Sequence[str], low: int, high: int, up: int, down: int) -> list[int]:
    """By how many lines the block can move: it may as long as it swaps equal lines.

    `up` and `down` are the unchanged lines before and after it.
    """
    shifts = [0]
    by = 0
    while by < down and lines[low + by] == lines[high + by]:
        by += 1
        shifts.append(by)
    by = 0
    while -by < up and lines[low + by - 1] == lines[high + by - 1]:
        by -= 1
        shifts.append(by)
    return shifts


def _cost(lines: Sequence[str], low: int, high: int, by: int) -> tuple[int, int, int]:
    """Lower reads better: begin behind a blank line, at the least indented line, near the end."""
    before = lines[low - 1] if low else ""
    blank_before = not before.strip()
    first = lines[low]
    indent = len(first) - len(first.lstrip(" \t")) if first.strip() else 1000
    after = lines[high].strip() if high < len(lines) else ""
    ends_well = not lines[high - 1].strip() or not after
    return (indent, 0 if blank_before or ends_well else 1, -by)
