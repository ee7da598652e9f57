"""Updates through to the editor's side: processor time for each, beside the Python ACP SDK.

An agent process sends mixed updates as fast as its pipe takes them, through the real executable,
to a client that reads all. The SDK's client in a pygls server does the same and nothing more: it
decodes each update and sends it on. All in turns, in one run; the best turn of each counts.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import programs
from benchmarks.agent import CALLS, LINES, file_name
from benchmarks.editor import RICH, Editor, prompt

UPDATES: Final = 20_000
WARM_UP: Final = 2_000
TURNS: Final = 3
TARGET_RATE: Final = 25_000
TARGET_RATIO: Final = 0.5


class Cost(NamedTuple):
    """Processor and wall seconds for one update."""

    cpu: float
    wall: float


def sidecar(protocol: int, rich: tuple[str, ...], root: Path) -> Cost:
    """The executable, with the features that the client switches on."""
    with Editor(programs.SIDECAR, root) as editor:
        editor.initialize(root, rich, programs.options(protocol))
        prompt(editor, {"kind": "mixed", "count": WARM_UP})
        wall, cpu = prompt(editor, {"kind": "mixed", "count": UPDATES})
    return Cost(cpu / UPDATES, wall / UPDATES)


def sdk(root: Path) -> Cost:
    """The Python ACP SDK with pygls."""
    with Editor(programs.sdk_relay(), root) as editor:
        editor.initialize(root)
        _sdk_turn(editor, WARM_UP)
        cpu, started = editor.cpu_seconds(), time.monotonic()
        _sdk_turn(editor, UPDATES)
        wall, cpu = time.monotonic() - started, editor.cpu_seconds() - cpu
    return Cost(cpu / UPDATES, wall / UPDATES)


def _sdk_turn(editor: Editor, count: int) -> None:
    editor.notify("bench/prompt", {"kind": "mixed", "count": count})
    for _ in range(count):
        editor.until(lambda body: bool(body.get("method") == "bench/update"))


WAYS: Final[dict[str, Callable[[Path], Cost]]] = {
    "Python ACP SDK + pygls, v1": sdk,
    "acp-sidecar, v1, plain client": lambda root: sidecar(1, (), root),
    "acp-sidecar, v1, rich client": lambda root: sidecar(1, RICH, root),
    "acp-sidecar, v2, plain client": lambda root: sidecar(2, (), root),
    "acp-sidecar, v2, rich client": lambda root: sidecar(2, RICH, root),
}


def main() -> None:
    """Measure in turns; print costs and ratios."""
    best: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for turn in range(CALLS):
            (root / file_name(turn)).write_text("a line of a program\n" * LINES, encoding="utf-8")
        for _ in range(TURNS):
            for name, way in WAYS.items():
                cost = way(root)
                best[name] = min(best.get(name, cost), cost)
    base = best["Python ACP SDK + pygls, v1"].cpu
    print(f"updates: {UPDATES:,} mixed updates to the editor's side")
    print(f"{'':32} {'CPU us':>8} {'a core takes':>14} {'seen':>12} {'CPU ratio':>10}")
    for name, cost in best.items():
        rate, seen = 1 / cost.cpu, 1 / cost.wall
        ratio = cost.cpu / base
        print(f"{name:32} {cost.cpu * 1e6:8.1f} {rate:12,.0f}/s {seen:10,.0f}/s {ratio:10.2f}")
    print(f"target: {TARGET_RATE:,}/s on one core, or a ratio of at most {TARGET_RATIO}")


if __name__ == "__main__":
    main()
