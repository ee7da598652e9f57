"""Line diffs are right, small, readable, and bounded."""

from __future__ import annotations

import difflib
import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acp_sidecar.changes import line_diff
from acp_sidecar.changes.compare import hunks_between, net_change
from acp_sidecar.changes.hunks import LineKind, Side
from acp_sidecar.changes.line_diff import (
    Block,
    changed_blocks,
    common_prefix,
    common_suffix,
)
from acp_sidecar.changes.merge import merge
from acp_sidecar.changes.readable import slid
from acp_sidecar.changes.words import changed_spans, changed_words
from tests.changes.git import Git

few = st.lists(st.sampled_from("abcd"), max_size=40)
many = st.lists(st.integers(0, 60).map(str), max_size=40)


def rebuilt(old: list[str], new: list[str], blocks: list[Block]) -> list[str]:
    result: list[str] = []
    at = 0
    for block in blocks:
        result += old[at : block.old_lo] + new[block.new_lo : block.new_hi]
        at = block.old_hi
    return result + old[at:]


@given(old=few | many, new=few | many, cells=st.sampled_from([0, 30, 10_000]))
def test_blocks_turn_one_list_into_the_other(old: list[str], new: list[str], cells: int) -> None:
    blocks = changed_blocks(old, new, cells=cells)
    assert rebuilt(old, new, blocks) == new
    for one, other in itertools.pairwise(blocks):
        assert one.old_hi < other.old_lo
        assert one.new_hi - one.old_hi == other.new_lo - other.old_lo
    moved = slid(blocks, old, new)
    assert all(one.old_hi < other.old_lo for one, other in itertools.pairwise(moved))
    assert rebuilt(old, new, moved) == new


@given(old=few, new=few)
def test_without_unique_lines_nothing_common_is_missed(old: list[str], new: list[str]) -> None:
    """Every line doubled, so that nothing is unique: then it is a longest common subsequence."""
    old, new = old + old, new + new
    blocks = changed_blocks(old, new)
    assert kept(old, blocks) == lcs_length(old, new)


def lcs_length(old: list[str], new: list[str]) -> int:
    row = [0] * (len(new) + 1)
    for line in old:
        last = 0
        for j, other in enumerate(new):
            last, row[j + 1] = row[j + 1], max(row[j + 1], row[j], last + (line == other))
    return row[-1]


@given(old=st.text("ab", max_size=12), new=st.text("ab", max_size=12), keep=st.integers(0, 3))
def test_common_ends(old: str, new: str, keep: int) -> None:
    head = common_prefix(old, new)
    assert old[:head] == new[:head]
    assert head == min(len(old), len(new)) or old[head] != new[head]
    keep = min(keep, head)
    tail = common_suffix(old, new, keep)
    assert old[len(old) - tail :] == new[len(new) - tail :]
    room = min(len(old), len(new)) - keep
    assert tail == room or old[-1 - tail] != new[-1 - tail]


def test_an_added_function_begins_at_its_own_first_line() -> None:
    old = ["def a():\n", "    x()\n", "\n", "def c():\n", "    x()\n"]
    new = [*old[:3], "def b():\n", "    x()\n", "\n", *old[3:]]
    hunk = hunks_between("".join(old), "".join(new))[0]
    added = [line.text for line in hunk.lines if line.kind is LineKind.ADDED]
    assert added == ["def b():\n", "    x()\n", "\n"]


def test_a_rewritten_file_is_no_confetti() -> None:
    old = [f"old {n}\n" if n % 2 else "\n" for n in range(4000)]
    new = [f"new {n}\n" if n % 2 else "\n" for n in range(4000)]
    hunks = hunks_between("".join(old), "".join(new), budget=50)
    assert len(hunks) <= 50
    assert net_lines(hunks, Side.NEW) >= 2000


def net_lines(hunks: tuple[object, ...], side: Side) -> int:
    return sum(len(getattr(hunk, f"{side.value}_lines")) for hunk in hunks)


def test_net_changes() -> None:
    assert net_change("/f", "a\n", "a\n") is None
    assert net_change("/f", None, None) is None
    for old, new, operation in (
        (None, "a\n", "add"),
        ("a\n", None, "delete"),
        ("a", "b", "modify"),
    ):
        change = net_change("/f", old, new)
        assert change is not None
        assert change.operation == operation
        assert len(change.hunks) == 1


def test_a_classic_mac_file_has_lines() -> None:
    hunks = hunks_between("a\rb\rc\rd\re\r", "a\rb\rX\rd\re\r", context=1)
    assert [hunk.old_lines for hunk in hunks] == [("b\r", "c\r", "d\r")]
    assert hunks[0].old_start == 2


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None
)
@given(data=st.data())
def test_a_clean_merge_is_git_s_merge(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    base = [f"{n}\n" for n in range(data.draw(st.integers(0, 12)))]
    mine, theirs = (draw_edits(data, base) for _ in range(2))
    merged = merge(base, mine, theirs)
    git = judge(tmp_path_factory)
    judged = git.merge(*("".join(lines).encode() for lines in (base, mine, theirs)))
    if merged is not None:
        assert judged == "".join(merged).encode()
    assert merge(base, theirs, mine) == merged
    assert merge(base, mine, base) == mine
    assert merge(base, mine, mine) == mine


_JUDGE: list[Git] = []


def judge(factory: pytest.TempPathFactory) -> Git:
    if not _JUDGE:
        _JUDGE.append(Git(factory.mktemp("merge")))
    return _JUDGE[0]


def draw_edits(data: st.DataObject, base: list[str]) -> list[str]:
    lines = list(base)
    for _ in range(data.draw(st.integers(0, 3))):
        low = data.draw(st.integers(0, len(lines)))
        high = data.draw(st.integers(low, min(len(lines), low + 2)))
        lines[low:high] = data.draw(st.lists(st.sampled_from(["x\n", "y\n", "z\n"]), max_size=2))
    return lines


@pytest.mark.parametrize(
    ("old", "new", "old_spans", "new_spans"),
    [
        ("a = foo(1)\n", "a = bar(1)\n", ["foo"], ["bar"]),
        ("return x\n", "return x + 1\n", [], [" + 1"]),
        ("'Hello'\n", "'Hello, 😀'\n", [], [", 😀"]),
        ("completely other\n", "nothing in common here\n", [], []),
        ("x" * 50_000 + "a" + "y" * 50_000, "x" * 50_000 + "b" + "y" * 50_000, ["a"], ["b"]),
    ],
)
def test_changed_words(old: str, new: str, old_spans: list[str], new_spans: list[str]) -> None:
    found_old, found_new = changed_spans(old, new)
    assert [old[start:end] for start, end in found_old] == old_spans
    assert [new[start:end] for start, end in found_new] == new_spans


def test_changed_words_are_told_by_line() -> None:
    hunk = hunks_between("keep\nfirst = one\nlast = two\n", "keep\nfirst = 1\nlast = 2\n")[0]
    old = [(r.line, hunk.old_lines[r.line][r.start : r.end]) for r in changed_words(hunk, Side.OLD)]
    new = [(r.line, hunk.new_lines[r.line][r.start : r.end]) for r in changed_words(hunk, Side.NEW)]
    assert old == [(1, "one"), (2, "two")]
    assert new == [(1, "1"), (2, "2")]


@given(old=st.text("ab \n", max_size=60), new=st.text("ab \n", max_size=60))
def test_words_that_are_not_marked_are_the_same(old: str, new: str) -> None:
    old_spans, new_spans = changed_spans(old, new)
    if old_spans or new_spans:
        assert without(old, old_spans) == without(new, new_spans)


def without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def test_a_large_repetitive_text_costs_no_more_than_its_budget() -> None:
    """Beyond the budget the result is coarser, never wrong."""
    old = [["\n", "}\n", "x\n"][n * n % 7 % 3] for n in range(6000)]
    new = [["\n", "}\n", "x\n"][n * n % 11 % 3] for n in range(6000)]
    exact = changed_blocks(old, new)
    for cells in (20_000_000, 1000):
        coarse = changed_blocks(old, new, cells=cells)
        assert rebuilt(old, new, coarse) == new
        assert kept(old, exact) >= kept(old, coarse)
    assert rebuilt(old, new, exact) == new


def kept(old: list[str], blocks: list[Block]) -> int:
    return len(old) - sum(block.old_hi - block.old_lo for block in blocks)


def test_beyond_so_many_lines_everything_counts_as_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = ["head", "a", "b", "c"], ["head", "x", "b", "y", "c"]
    monkeypatch.setattr(line_diff, "MOST_LINES", 3)
    assert changed_blocks(old, new) == [Block(1, 3, 1, 4)]


def test_on_source_code_it_is_as_good_as_difflib() -> None:
    text = Path(difflib.__file__).read_text(encoding="utf-8")
    old = text.splitlines(keepends=True)
    new = [line.replace("self", "this") if n % 97 == 0 else line for n, line in enumerate(old)]
    del new[100:110]
    new[500:500] = old[700:720]
    ours = sum(b.old_hi - b.old_lo + b.new_hi - b.new_lo for b in changed_blocks(old, new))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    theirs = sum(o[2] - o[1] + o[4] - o[3] for o in matcher.get_opcodes() if o[0] != "equal")
    assert ours <= theirs
