"""Three-way merge of lines: what two people did to one text, or that they met in one line."""

from __future__ import annotations

from collections.abc import Sequence

from acp_sidecar.changes.line_diff import Block, changed_blocks


def merge(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """The lines with both sides' changes to `base`, or `None` if they conflict.

    Changes that overlap or touch (no unchanged line between them) conflict, unless both sides
    did the same, as in `git merge-file`.
    """
    ours = changed_blocks(base, mine)
    others = changed_blocks(base, theirs)
    merged: list[str] = []
    at = 0
    while ours or others:
        take_mine = not others or (bool(ours) and ours[0].old_lo <= others[0].old_lo)
        block = (ours if take_mine else others).pop(0)
        rival = (others if take_mine else ours)[:1]
        text = (mine if take_mine else theirs)[block.new_lo : block.new_hi]
        if rival and rival[0].old_lo <= block.old_hi:
            other_text = (theirs if take_mine else mine)[rival[0].new_lo : rival[0].new_hi]
            if not _same(block, rival[0]) or text != other_text:
                return None
            (others if take_mine else ours).pop(0)
        merged += [*base[at : block.old_lo], *text]
        at = block.old_hi
    return [*merged, *base[at:]]


def _same(one: Block, other: Block) -> bool:
    return (one.old_lo, one.old_hi) == (other.old_lo, other.old_hi)
