"""From the start of the process to the answer to `initialize`, beside a bare pygls server."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks import programs
from benchmarks.editor import RICH, Editor

STARTS: Final = 9
TARGET: Final = 1.3

SERVERS: Final = {"bare pygls": programs.BARE_PYGLS, "acp-sidecar": programs.SIDECAR}


def seconds(command: tuple[str, ...], root: Path) -> float:
    """The wall time of one start."""
    started = time.monotonic()
    with Editor(command, root) as editor:
        editor.abandoned = True
        editor.initialize(root, RICH)
        return time.monotonic() - started


def seconds_to_state(root: Path) -> float:
    """The wall time until the first command is answered, which needs all rooms."""
    started = time.monotonic()
    with Editor(programs.SIDECAR, root) as editor:
        editor.initialize(root, RICH, programs.options(2))
        editor.command("acp.state", {})
        return time.monotonic() - started


def main() -> None:
    """Start both servers in turns; print the medians and their ratio."""
    times: dict[str, list[float]] = {name: [] for name in SERVERS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(STARTS):
            for name, command in SERVERS.items():
                times[name].append(seconds(command, Path(folder)))
        ready = min(seconds_to_state(Path(folder)) for _ in range(3))
    bare = median(times["bare pygls"])
    print(f"initialize: the median of {STARTS} starts, in turns")
    for name, found in times.items():
        middle = median(found)
        print(f"{name:14} {middle * 1000:7.0f} ms  {middle / bare:5.2f}x")
    print(f"{'first command':14} {ready * 1000:7.0f} ms  {ready / bare:5.2f}x")
    print(f"target: initialize in at most {TARGET}x")


if __name__ == "__main__":
    main()
