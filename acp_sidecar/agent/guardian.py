"""A tiny process that outlives us just long enough to stop an agent we could not stop ourselves.

The kernel closes our end of the guardian's pipe whenever and however we die. The guardian sees
the end of its input and stops the agent's whole process group. It is a shell script because that
is there on every POSIX system, starts in a millisecond and holds no memory worth speaking of.
(Linux's PR_SET_PDEATHSIG was considered: it follows a thread and not a process, does not reach
grandchildren, and macOS has nothing like it.)
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from typing import Final

_GRACE_TENTHS: Final = 20
"""How long, in tenths of a second, the group may take to end after SIGTERM."""

_SCRIPT: Final = f"""
read -r group || exit 0
[ "$group" = released ] && exit 0
read -r word
[ "$word" = released ] && exit 0
kill -s TERM -- "-$group"
tenths=0
while [ $tenths -lt {_GRACE_TENTHS} ] && kill -s 0 -- "-$group"; do
  sleep 0.1
  tenths=$((tenths + 1))
done
kill -s KILL -- "-$group"
"""


class Guardian:
    """Watches one process group of ours. Start it before the group exists, so no moment is open."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; without a shell on this machine it stays away, and nothing else changes."""
        if sys.platform == "win32":
            return
        with contextlib.suppress(OSError):
            # In its own session: whoever kills our process group must not kill the guardian.
            self._process = subprocess.Popen(  # noqa: S603 - a constant script, no input in it
                ["/bin/sh", "-c", _SCRIPT, "acp-sidecar-guardian"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )

    def watch(self, group: int) -> None:
        """From now on, if we die, stop the process group `group`."""
        self._tell(f"{group}\n")

    async def release(self) -> None:
        """The group is gone, or none of our business any more. Can be called twice."""
        process, self._process = self._process, None
        if process is None or process.stdin is None:
            return
        with contextlib.suppress(OSError):
            process.stdin.write(b"released\n")
            process.stdin.flush()
        with contextlib.suppress(OSError):
            process.stdin.close()
        await asyncio.to_thread(process.wait)

    def _tell(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.write(line.encode("ascii"))
                self._process.stdin.flush()
