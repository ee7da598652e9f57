"""Process groups: an agent and all it started, signalled and counted as one."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    CREATION_FLAGS: Final = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW

    def terminate(group: int) -> None:
        """End the tree: Windows has no group signal that a process without a console would get."""
        kill(group)

    def kill(group: int) -> None:
        """End the tree at once."""
        command = ["taskkill", "/T", "/F", "/PID", str(group)]
        subprocess.run(command, check=False, capture_output=True)  # noqa: S603

    def lives(group: int) -> bool:  # noqa: ARG001 - the same signature everywhere
        """Whether anybody of the tree is left; after `kill` nobody is."""
        return False
else:
    CREATION_FLAGS: Final = 0

    def terminate(group: int) -> None:
        """Ask everybody in the group to end."""
        _signal(group, signal.SIGTERM)

    def kill(group: int) -> None:
        """End everybody in the group at once."""
        _signal(group, signal.SIGKILL)

    def lives(group: int) -> bool:
        """Whether anybody in the group still runs."""
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            # macOS says EPERM for a group of zombies.
            return False
        return not sys.platform.startswith("linux") or _runs_on_linux(group)

    def _signal(group: int, number: int) -> None:
        if group <= 1:
            raise ValueError("0 would be our own group, and 1 is everybody's")
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)

    def _runs_on_linux(group: int) -> bool:
        """Whether the group has more than zombies, which containers without an init never lose."""
        for process in Path("/proc").iterdir():
            if process.name.isdecimal() and _state_in(process, group) not in (None, b"Z", b"X"):
                return True
        return False

    def _state_in(process: Path, group: int) -> bytes | None:
        try:
            stat = (process / "stat").read_bytes()
        except OSError:
            return None
        # The program's name, in parentheses, may hold anything; what follows may not.
        state, _parent, its_group = stat.rpartition(b")")[2].split(maxsplit=3)[:3]
        return state if int(its_group) == group else None
