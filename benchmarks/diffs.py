"""Diff, parse and anchoring figures beside difflib, git and unidiff alone.

Run with `python -m benchmarks.diffs`. Every row is measured in the same run, so the ratios mean
something on any machine; the milliseconds (processor time, the best of several runs; for git of
its whole process) only on yours. Needs a POSIX system.
"""

from __future__ import annotations

import difflib
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from unidiff.patch import PatchSet

from acp_sidecar.changes.anchor import anchor_hunks
from acp_sidecar.changes.compare import hunks_between
from acp_sidecar.changes.edits import apply_edits, edits_to
from acp_sidecar.changes.git_patch import parse
from acp_sidecar.changes.hunks import Side
from acp_sidecar.changes.line_diff import changed_blocks
from acp_sidecar.changes.texts import split_lines
from acp_sidecar.changes.views import TextView

LINES: Final = 10_000
SMALL: Final = 1_000
TARGET_MS: Final = 30

Pair = tuple[str, str]


def shapes(lines: int) -> dict[str, Pair]:
    """The shapes of change, as texts of so many lines; the same ones in every run."""
    chance = random.Random(lines)
    unique = [f"line {chance.randrange(10**9)} of this text\n" for _ in range(lines)]
    one = [*unique[: lines // 2], "changed\n", *unique[lines // 2 + 1 :]]
    scattered = list(unique)
    for at in chance.sample(range(lines), lines // 20):
        scattered[at] = f"changed {at}\n"
    blank = [_code(chance) for _ in range(lines)]
    letters = [[chance.choice("abc") + "\n" for _ in range(lines)] for _ in range(2)]
    other = [f"other {chance.randrange(10**9)} of that text\n" for _ in range(lines)]
    long = "word " * 200_000
    return {
        "one line": ("".join(unique), "".join(one)),
        "scattered": ("".join(unique), "".join(scattered)),
        "blank-heavy": ("".join(blank), "".join(_edited(blank, chance))),
        "rewritten": ("".join(unique), "".join(other)),
        "sorted": ("".join(unique), "".join(sorted(unique))),
        "repetitive": ("".join(letters[0]), "".join(letters[1])),
        "one 1 MB line": (long + "\n", long[:500_000] + "x" + long[500_000:] + "\n"),
    }


def _code(chance: random.Random) -> str:
    if chance.random() < 0.6:
        return "\n"
    return chance.choice(["}\n", "{\n", "    return\n", f"    call({chance.randrange(2000)})\n"])


def _edited(lines: list[str], chance: random.Random) -> list[str]:
    result = list(lines)
    for at in sorted(chance.sample(range(len(lines)), len(lines) // 20), reverse=True):
        result[at : at + chance.randrange(2)] = chance.choice([[], ["\n"], ["new\n"]])
    return result


def processor_ms(work: Callable[[], object], repeat: int = 5) -> float:
    """The best processor time of `work`, in milliseconds."""
    return min(_measured(work, time.process_time, repeat))


def process_ms(work: Callable[[], object], repeat: int = 5) -> float:
    """The best processor time of the processes that `work` starts, in milliseconds."""
    return min(_measured(work, _children, repeat))


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measured(
    work: Callable[[], object], clock: Callable[[], float], repeat: int
) -> Iterator[float]:
    for _ in range(repeat):
        start = clock()
        work()
        yield (clock() - start) * 1000


def git_diff(old: Path, new: Path) -> bytes:
    """What git says; status 1 means that the files differ."""
    command = ["git", "diff", "--no-index", "--no-color", "--text", old.name, new.name]
    return subprocess.run(command, cwd=old.parent, capture_output=True, check=False).stdout


def opcodes(old: list[str], new: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """Difflib's answer, without its junk heuristic, which changes results."""
    return difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def diff_table(folder: Path) -> None:
    """Time per shape for us and git at full size, and for us and difflib at a small one."""
    print(f"Line diff, {LINES:,} lines (difflib also quadratic: {SMALL:,} lines), ms")
    print(f"{'shape':15} {'ours':>8} {'+hunks':>8} {'git':>8} {'ours/git':>9}", end="")
    print(f" | {'ours':>8} {'difflib':>9} {'faster':>8}")
    small = shapes(SMALL)
    for name, (old, new) in shapes(LINES).items():
        a, b = split_lines(old), split_lines(new)
        ours = processor_ms(lambda a=a, b=b: changed_blocks(a, b))  # type: ignore[misc]
        hunks = processor_ms(lambda old=old, new=new: hunks_between(old, new))  # type: ignore[misc]
        paths = folder / "old", folder / "new"
        for path, text in zip(paths, (old, new), strict=True):
            path.write_text(text, encoding="utf-8", newline="")
        git = process_ms(lambda: git_diff(*paths))  # noqa: B023 - called at once
        print(f"{name:15} {ours:8.2f} {hunks:8.2f} {git:8.2f} {ours / git:9.2f}", end=" | ")
        c, d = (split_lines(text) for text in small[name])
        fewer = processor_ms(lambda c=c, d=d: changed_blocks(c, d))  # type: ignore[misc]
        slow = processor_ms(lambda c=c, d=d: opcodes(c, d), repeat=1)  # type: ignore[misc]
        print(f"{fewer:8.2f} {slow:9.2f} {slow / max(fewer, 0.001):7.0f}x")
        if ours > TARGET_MS:
            print(f"{'':15} above the target of {TARGET_MS} ms on this machine")


def patch_table(folder: Path) -> None:
    """Parsing a patch of 500 hunks, and finding and undoing them in the text."""
    old, new = shapes(LINES)["scattered"]
    for name, text in (("old", old), ("new", new)):
        (folder / name).write_text(text, encoding="utf-8", newline="")
    patch = git_diff(folder / "old", folder / "new").decode()
    hunks = parse(patch)[0][0].hunks
    print(f"\nA patch of {len(hunks)} hunks, {len(patch):,} characters, ms")
    ours = processor_ms(lambda: parse(patch))
    alone = processor_ms(lambda: PatchSet(patch))
    print(f"parse: ours {ours:.2f}, unidiff alone {alone:.2f}, ratio {ours / alone:.2f}")
    anchoring = processor_ms(lambda: anchor_hunks(hunks, TextView(new)))
    moved = "above\n" * 7 + new
    elsewhere = processor_ms(lambda: anchor_hunks(hunks, TextView(moved)))
    print(f"anchor: in place {anchoring:.2f}, moved {elsewhere:.2f}")
    view = TextView(new)
    places = anchor_hunks(hunks, view)
    undo = processor_ms(lambda: apply_edits(new, edits_to(Side.OLD, hunks, places, view).edits))
    command = ["git", "apply", "--check", "-R", "--unsafe-paths", "-p1", "-"]
    (folder / "f").write_text(new, encoding="utf-8", newline="")
    renamed = patch.replace("a/old", "a/f").replace("b/new", "b/f")
    checked = process_ms(
        lambda: subprocess.run(
            command, cwd=folder, input=renamed.encode(), capture_output=True, check=True
        )
    )
    print(f"undo all: {undo:.2f}; git apply --check -R, process included: {checked:.2f}")


def main() -> int:
    """Print all figures."""
    with tempfile.TemporaryDirectory() as name:
        diff_table(Path(name))
        patch_table(Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
