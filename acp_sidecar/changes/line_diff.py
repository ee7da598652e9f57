"""Which lines changed between two texts: fast in every shape, and readable.

Four steps, each of which only makes the next one's input smaller:

1. the common beginning and end are cut off;
2. lines that only one side has are changes for certain and are left out of the comparison;
3. lines that each side has exactly once are matched by a longest increasing subsequence
   (patience), which keeps the result readable;
4. between those, the longest common subsequence is found with one big integer per line
   (Hyyro, "Bit-parallel LCS-length computation revisited", 2004): 64 comparisons an instruction.

The last step is quadratic, so it has a budget; what is larger is matched by the rank of equal
lines instead (the third `}` of one side with the third of the other), which is never wrong, only
coarser.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

CELLS: Final = 150_000_000
"""How many line pairs the quadratic step may compare in one diff: about 25 ms, 20 MB."""


@dataclass(frozen=True, slots=True)
class Block:
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
    pairs = [(i + head, j + head) for i, j in _matches(a, b, cells)] if a and b else []
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


def _matches(a: Sequence[str], b: Sequence[str], cells: int) -> list[tuple[int, int]]:
    """Index pairs of lines that stay, strictly increasing on both sides."""
    in_a, in_b = Counter(a), Counter(b)
    keep_a = [i for i, line in enumerate(a) if line in in_b]
    keep_b = [j for j, line in enumerate(b) if line in in_a]
    if not keep_a:
        return []
    ids = {line: number for number, line in enumerate(in_a)}
    ids_a = [ids[a[i]] for i in keep_a]
    ids_b = [ids[b[j]] for j in keep_b]
    once = {ids[line] for line, count in in_a.items() if count == 1 and in_b.get(line) == 1}
    pairs = _between_anchors(ids_a, ids_b, _patience(ids_a, ids_b, once), cells)
    return [(keep_a[i], keep_b[j]) for i, j in pairs]


def _patience(a: list[int], b: list[int], once: set[int]) -> list[tuple[int, int]]:
    where = {line: j for j, line in enumerate(b) if line in once}
    return _increasing([(i, where[line]) for i, line in enumerate(a) if line in once])


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of `pairs` (sorted by the first) whose second members increase too."""
    tops: list[int] = []
    top_index: list[int] = []
    previous: list[int] = []
    for index, (_, j) in enumerate(pairs):
        at = bisect_left(tops, j)
        previous.append(top_index[at - 1] if at else -1)
        if at == len(tops):
            tops.append(j)
            top_index.append(index)
        else:
            tops[at] = j
            top_index[at] = index
    run: list[tuple[int, int]] = []
    index = top_index[-1] if top_index else -1
    while index >= 0:
        run.append(pairs[index])
        index = previous[index]
    run.reverse()
    return run


def _between_anchors(
    a: list[int], b: list[int], anchors: list[tuple[int, int]], cells: int
) -> Iterator[tuple[int, int]]:
    low_i = low_j = 0
    for i, j in [*anchors, (len(a), len(b))]:
        if i > low_i and j > low_j:
            used, pairs = _gap(a[low_i:i], b[low_j:j], cells)
            cells -= used
            for p, q in pairs:
                yield p + low_i, q + low_j
        if i < len(a) and j < len(b):
            yield i, j
        low_i, low_j = i + 1, j + 1


def _gap(a: list[int], b: list[int], cells: int) -> tuple[int, list[tuple[int, int]]]:
    """Match what lies between two anchors: the equal ends first, then the middle."""
    most = min(len(a), len(b))
    head = next((k for k in range(most) if a[k] != b[k]), most)
    tail = next((k for k in range(most - head) if a[-1 - k] != b[-1 - k]), most - head)
    end_a, end_b = len(a) - tail, len(b) - tail
    middle_a, middle_b = a[head:end_a], b[head:end_b]
    used, middle = 0, list[tuple[int, int]]()
    if middle_a and middle_b:
        used = len(middle_a) * len(middle_b)
        if used <= cells:
            middle = _longest_common(middle_a, middle_b)
        else:
            used, middle = 0, _by_rank(middle_a, middle_b)
    pairs = [(k, k) for k in range(head)]
    pairs += [(i + head, j + head) for i, j in middle]
    pairs += [(end_a + k, end_b + k) for k in range(tail)]
    return used, pairs


def _longest_common(a: list[int], b: list[int]) -> list[tuple[int, int]]:
    """Pairs of a longest common subsequence; bit i of `rows[j]` is 0 where it grows at a[i]."""
    masks: dict[int, int] = {}
    for line, places in _places(a).items():
        bits = bytearray(len(a) // 8 + 1)
        for place in places:
            bits[place >> 3] |= 1 << (place & 7)
        masks[line] = int.from_bytes(bits, "little")
    full = (1 << len(a)) - 1
    state = full
    rows: list[int] = []
    for line in b:
        common = state & masks.get(line, 0)
        if common:
            state = ((state + common) | (state - common)) & full
        rows.append(state)
    return _walk_back(rows, len(a))


def _walk_back(rows: list[int], width: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    size = width // 8 + 1
    i, j = width, len(rows)
    row = rows[j - 1].to_bytes(size, "little") if j else b""
    while i and j:
        at, bit = (i - 1) >> 3, 1 << ((i - 1) & 7)
        if row[at] & bit:
            i -= 1
            continue
        j -= 1
        row = rows[j - 1].to_bytes(size, "little") if j else b"\xff" * size
        if row[at] & bit:
            i -= 1
            pairs.append((i, j))
    pairs.reverse()
    return pairs


def _by_rank(a: list[int], b: list[int]) -> list[tuple[int, int]]:
    """Pair the n-th of equal lines with the n-th, for lines that both sides have equally often."""
    places_b = _places(b)
    pairs: list[tuple[int, int]] = []
    for line, places in _places(a).items():
        others = places_b.get(line, [])
        if len(others) == len(places):
            pairs.extend(zip(places, others, strict=True))
    pairs.sort()
    return _increasing(pairs)


def _places(lines: list[int]) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        places.setdefault(line, []).append(index)
    return places
