"""How long an update is on its way at 100 updates a second, beside a bare asyncio line relay.

Each update says when it was sent (the monotonic clock is one for all processes), and the client
notes when it has it. Both ways run in turns; all turns of a way are taken together.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from typing import Final

from benchmarks import programs
from benchmarks.editor import RICH, Editor, is_end_of_turn

RATE: Final = 100
UPDATES: Final = 500
TURNS: Final = 3
TARGET_RATIO: Final = 1.5
TARGET_EXTRA_MS: Final = 0.4
PLAN: Final = {"kind": "stamps", "count": UPDATES, "rate": RATE}

_STAMP: Final = re.compile(rb"t(\d{10,})")


class Stopwatch:
    """Notes when each stamp is seen first."""

    def __init__(self) -> None:
        self._seen: dict[bytes, float] = {}

    def see(self, data: bytes) -> None:
        now = time.monotonic_ns()
        for stamp in _STAMP.findall(data):
            self._seen.setdefault(stamp, (now - int(stamp)) / 1e6)

    @property
    def milliseconds(self) -> list[float]:
        return list(self._seen.values())


def through_relay(root: Path) -> list[float]:
    """Lines of the agent through a process that does nothing else."""
    watch = Stopwatch()
    command = programs.relay(json.dumps(PLAN))
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdout is not None
        while data := process.stdout.read(65536):
            watch.see(data)
    return watch.milliseconds


def through_sidecar(root: Path) -> list[float]:
    """The transcript of a rich client."""
    watch = Stopwatch()
    with Editor(programs.SIDECAR, root) as editor:
        editor.initialize(root, RICH, programs.options(2))
        editor.command("acp.prompt", {"text": json.dumps(PLAN)})
        while True:
            body = editor.next_body()
            watch.see(body)
            message = json.loads(body)
            editor.answer_request(message)
            if is_end_of_turn(message):
                return watch.milliseconds


WAYS: Final[dict[str, Callable[[Path], list[float]]]] = {
    "bare asyncio relay": through_relay,
    "acp-sidecar": through_sidecar,
}


def main() -> None:
    """Measure in turns; print percentiles and the ratio."""
    found: dict[str, list[float]] = {name: [] for name in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(TURNS):
            for name, way in WAYS.items():
                found[name] += way(Path(folder))
    print(f"latency: {RATE} updates/s, {UPDATES * TURNS} updates, ms from the agent to the client")
    middles = []
    for name, times in found.items():
        cuts = quantiles(times, n=100)
        middles.append(cuts[49])
        print(f"{name:20} p50 {cuts[49]:6.2f}  p90 {cuts[89]:6.2f}  p99 {cuts[98]:6.2f}")
    relay, ours = middles
    allowed = TARGET_RATIO * relay + TARGET_EXTRA_MS
    print(
        f"p50: {ours / relay:.2f}x of the relay's; {ours:.2f} ms where {allowed:.2f} are the target"
    )


if __name__ == "__main__":
    main()
