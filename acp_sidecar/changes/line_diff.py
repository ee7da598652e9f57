"""Which lines changed between two texts: fast in every shape, and readable.

Four steps, each of which only makes the next one's input smaller:

1. the common beginning and end are cut off;
2. lines that only one side has are changes for certain and are left out of the comparison;
3. lines that each side has exactly once are matched by a longest increasing subsequence
   (patience), which keeps the result readable;
4. between those, the longest common subsequence is found with one big integer per line
   (Hyyro, "Bit-parallel LCS-length computation revisited", 2004): 64 comparisons an instruction.

The last step is quadratic, so it has a budget. What is larger is matched window by window, and
what is larger still by the rank of equal lines (the third `}` of one side with the third of the
other): never wrong, only coarser.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

CELLS: Final = 50_000_000
"""How many line pairs the quadratic step may compare in one diff: about 20 ms, 10 MB."""

MOST_LINES: Final = 400_000
"""Beyond so many lines (both sides, without the equal ends) all of them count as changed."""

_WINDOW: Final = 1000
"""Lines of each side that are compared at once where comparing all would be too much."""


class Block(NamedTuple):
    """A changed run of lines, as half-open 0-based ranges; one of them may be empty."""

    old_lo: int
    old_hi: int
    new_lo: int
    new_hi: int


def changed_blocks(old: Sequence[str], new: Sequence[str], *, cells: int = CELLS) -> list[Block]:
    """The changed runs of lines between two lists of lines, in order, never adjacent.

    `cells` bounds the work; beyond it the result is right but coarser.
    """
    head = common_prefix(old, new)
    tail = common_suffix(old, new, head)
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    worth_it = a and b and len(a) + len(b) <= MOST_LINES
    pairs = [(i + head, j + head) for i, j in _matches(a, b, cells)] if worth_it else []
    pairs.append((len(old) - tail, len(new) - tail))
    blocks: list[Block] = []
    i = j = head
    for next_i, next_j in pairs:
        if next_i > i or next_j > j:
            blocks.append(Block(i, next_i, j, next_j))
        i, j = next_i + 1, next_j + 1
    return blocks


def common_prefix(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines (or characters) two sequences have in common at the beginning."""
    low, high = 0, min(len(old), len(new))
    if old[:high] == new[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle
    return low


def common_suffix(old: Sequence[str], new: Sequence[str], keep: int = 0) -> int:
    """How many they have in common at the end, leaving the first `keep` alone."""
    low, high = 0, min(len(old), len(new)) - keep
    a, b = len(old), len(new)
    if high <= 0 or old[a - high :] == new[b - high :]:
        return max(0, high)
    while high - low > 1:
        middle = (low + high) // 2
        if old[a - middle : a - low] == new[b - middle : b - low]:
            low = middle
        else:
            high = middle
    return low


Pairs = list[tuple[int, int]]


def _matches(a: Sequence[str], b: Sequence[str], cells: int) -> Pairs:
    """Index pairs of lines that stay, strictly increasing on both sides."""
    in_a, in_b = Counter(a), Counter(b)
    common = in_a.keys() & in_b.keys()
    if not common:
        return []
    keep_a = [i for i, line in enumerate(a) if line in common]
    keep_b = [j for j, line in enumerate(b) if line in common]
    lines_a, lines_b = [a[i] for i in keep_a], [b[j] for j in keep_b]
    once = {line for line in common if in_a[line] == in_b[line] == 1}
    anchors = _patience(lines_a, lines_b, once)
    pairs = _between_anchors(lines_a, lines_b, anchors, cells)
    return [(keep_a[i], keep_b[j]) for i, j in pairs]


def _patience(a: list[str], b: list[str], once: set[str]) -> Pairs:
    where = {line: j for j, line in enumerate(b) if line in once}
    return _increasing([(i, where[line]) for i, line in enumerate(a) if line in once])


def _increasing(pairs: Pairs) -> Pairs:
    """The longest run of `pairs` (sorted by the first) whose second members increase too."""
    seconds = [j for _, j in pairs]
    if seconds == sorted(seconds):
        return pairs
    tops: list[int] = []
    top_index: list[int] = []
    previous: list[int] = []
    for index, (_, j) in enumerate(pairs):
        if not tops or j > tops[-1]:
            previous.append(top_index[-1] if tops else -1)
            tops.append(j)
            top_index.append(index)
        else:
            at = bisect_left(tops, j)
            previous.append(top_index[at - 1] if at else -1)
            tops[at] = j
            top_index[at] = index
    run: Pairs = []
    index = top_index[-1] if top_index else -1
    while index >= 0:
        run.append(pairs[index])
        index = previous[index]
    run.reverse()
    return run


def _between_anchors(a: list[str], b: list[str], anchors: Pairs, cells: int) -> Pairs:
    """The anchors, and what can be matched in the gaps between them."""
    pairs: Pairs = []
    low_i = low_j = 0
    for anchor in anchors:
        i, j = anchor
        if i > low_i and j > low_j:
            cells -= _gap(a, b, (low_i, i, low_j, j), cells, pairs)
        pairs.append(anchor)
        low_i, low_j = i + 1, j + 1
    if low_i < len(a) and low_j < len(b):
        _gap(a, b, (low_i, len(a), low_j, len(b)), cells, pairs)
    return pairs


def _gap(
    a: list[str], b: list[str], gap: tuple[int, int, int, int], cells: int, pairs: Pairs
) -> int:
    """Add the pairs of a gap, its equal ends first, then its middle; the cells it took."""
    low_i, high_i, low_j, high_j = gap
    while low_i < high_i and low_j < high_j and a[low_i] == b[low_j]:
        pairs.append((low_i, low_j))
        low_i, low_j = low_i + 1, low_j + 1
    end_i, end_j = high_i, high_j
    while low_i < end_i and low_j < end_j and a[end_i - 1] == b[end_j - 1]:
        end_i, end_j = end_i - 1, end_j - 1
    used = 0
    common = set(a[low_i:end_i]).intersection(b[low_j:end_j])
    if common:
        at_a = [i for i in range(low_i, end_i) if a[i] in common]
        at_b = [j for j in range(low_j, end_j) if b[j] in common]
        middle_a, middle_b = [a[i] for i in at_a], [b[j] for j in at_b]
        used, found = _middle(middle_a, middle_b, cells)
        pairs.extend((at_a[i], at_b[j]) for i, j in found)
    pairs.extend(zip(range(end_i, high_i), range(end_j, high_j), strict=True))
    return used


def _middle(a: list[str], b: list[str], cells: int) -> tuple[int, Pairs]:
    """The pairs of two lists that have the same lines, as good as `cells` allow; the cost."""
    cost = len(a) * len(b)
    if cost <= cells:
        return cost, _longest_common(a, b)
    cost = 2 * max(len(a), len(b)) * _WINDOW
    if cost <= cells:
        return cost, _by_windows(a, b)
    return 0, _by_rank(a, b)


def _by_windows(a: list[str], b: list[str]) -> Pairs:
    """Compare a window of each side, trust all but the last pairs of it, and go on from there."""
    pairs: Pairs = []
    i = j = 0
    while i < len(a) and j < len(b):
        found = _longest_common(a[i : i + _WINDOW], b[j : j + _WINDOW])
        if i + _WINDOW < len(a) or j + _WINDOW < len(b):
            found = found[: max(1, len(found) * 3 // 4)]
        pairs.extend((i + p, j + q) for p, q in found)
        step_i, step_j = (found[-1][0] + 1, found[-1][1] + 1) if found else (_WINDOW, _WINDOW)
        i, j = i + step_i, j + step_j
    return pairs


_TIDY: Final = 64
"""After so many rows the carries above the highest bit are cut off."""


def _longest_common(a: list[str], b: list[str]) -> Pairs:
    """Pairs of a longest common subsequence; bit i of `rows[j]` is 0 where it grows at a[i]."""
    masks = {line: _mask(places, len(a)) for line, places in _places(a).items()}
    masks = {line: masks.get(line, 0) for line in dict.fromkeys(b)}
    full = (1 << len(a)) - 1
    state = full
    rows: list[int] = []
    for number, line in enumerate(b):
        mask = masks[line]
        state = (state + (state & mask)) | (state & ~mask)
        if not number % _TIDY:
            state &= full
        rows.append(state)
    return _walk_back(rows, len(a))


def _mask(places: list[int], width: int) -> int:
    bits = bytearray(width // 8 + 1)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


def _walk_back(rows: list[int], width: int) -> Pairs:
    pairs: Pairs = []
    i, j = width, len(rows)
    row = rows[-1] if rows else 0
    while i and j:
        if row >> (i - 1) & 1:
            i -= 1
            continue
        j -= 1
        row = rows[j - 1] if j else -1
        if row >> (i - 1) & 1:
            i -= 1
            pairs.append((i, j))
    pairs.reverse()
    return pairs


def _by_rank(a: list[str], b: list[str]) -> Pairs:
    """Pair the n-th of equal lines with the n-th, for lines that both sides have equally often."""
    places_b = _places(b)
    pairs: Pairs = []
    for line, places in _places(a).items():
        others = places_b.get(line, [])
        if len(others) == len(places):
            pairs.extend(zip(places, others, strict=True))
    pairs.sort()
    return _increasing(pairs)


def _places(lines: list[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        places.setdefault(line, []).append(index)
    return places
