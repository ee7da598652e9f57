"""Memory of the server while much passes through it, with a rich client that takes everything.

Calls whose content is replaced and output of terminals, of which the end is kept, must not make
it grow; messages are kept, and may cost twice their text. `--full` sends 1 GB of each kind that
replaces, else 100 MB; messages are 100 MB and 30 MB.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks import programs
from benchmarks.editor import RICH, Editor, prompt

MB: Final = 1_000_000
STEPS: Final = 10
WARM: Final = 2
"""Steps after which what is capped has reached its cap."""

TARGET_RATIO: Final = 2.0


def resident(kind: str, size: int, total: int, root: Path) -> list[int]:
    """Memory after each tenth of `total` bytes of `kind`, in updates of `size` bytes.

    The first number is before all of them, when a session is there already.
    """
    with Editor(programs.SIDECAR, root) as editor:
        editor.initialize(root, RICH, programs.options(2))
        prompt(editor, {"kind": kind, "count": 10, "size": size})
        found = [editor.resident_bytes()]
        for step in range(STEPS):
            count = total // STEPS // size
            prompt(editor, {"kind": kind, "count": count, "size": size, "first": step * count})
            found.append(editor.resident_bytes())
    return found


def main() -> None:
    """Print how memory grows with traffic."""
    full = "--full" in sys.argv
    bounded, kept = (1000 * MB, 100 * MB) if full else (100 * MB, 30 * MB)
    print("memory: resident size of the server, MB")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for kind, size in (("tool calls", 4000), ("terminal output", 8000)):
            found = resident(kind, size, bounded, root)
            _show(kind, bounded, found)
            grown = (found[-1] - found[WARM]) / MB
            print(f"{'':16} grown by {grown:.1f} after the first {WARM * 100 // STEPS}%")
        found = resident("messages", 200, kept, root)
    _show("messages", kept, found)
    ratio = (found[-1] - found[0]) / kept
    print(f"{'':16} {ratio:.2f} times the text itself (target: at most {TARGET_RATIO})")


def _show(kind: str, total: int, found: list[int]) -> None:
    shown = " ".join(f"{size / MB:.0f}" for size in found)
    print(f"{kind:16} {total / MB:.0f} MB: {shown}", flush=True)


if __name__ == "__main__":
    main()
