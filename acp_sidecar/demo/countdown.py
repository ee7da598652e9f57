"""A command that takes its time: `python -m acp_sidecar.demo.countdown SECONDS` counts to the end.

The demo agent runs it for /slow, so that there is something to cancel.
"""

from __future__ import annotations

import sys
import time

_STEP_SECONDS = 0.2


def main(argv: list[str]) -> int:
    """Print a coloured line each step until the seconds are over."""
    steps = int(float(argv[0]) / _STEP_SECONDS)
    for left in range(steps, 0, -1):
        sys.stdout.write(f"\x1b[36m{left * _STEP_SECONDS:6.1f} s\x1b[0m still at it\n")
        sys.stdout.flush()
        time.sleep(_STEP_SECONDS)
    sys.stdout.write("\x1b[32mdone\x1b[0m\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
