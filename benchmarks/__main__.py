"""Run the benchmarks: `python -m benchmarks [NAME ...] [--full]`; all if none is named."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from typing import Final

from benchmarks import diffs, initialize, latency, memory, neovim, transport, updates

BENCHMARKS: Final[dict[str, Callable[[], object]]] = {
    "initialize": initialize.main,
    "updates": updates.main,
    "latency": latency.main,
    "memory": memory.main,
    "transport": transport.main,
    "diffs": diffs.main,
    "neovim": neovim.main,
}


def machine() -> str:
    """What the figures depend on, and whether the machine had anything else to do."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{python}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores{load}"


def main() -> int:
    """Run what is named; returns the exit status."""
    names = [name for name in sys.argv[1:] if name != "--full"]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
        return 2
    for name in names or BENCHMARKS:
        print(f"[{machine()}]", flush=True)
        BENCHMARKS[name]()
        print(flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
