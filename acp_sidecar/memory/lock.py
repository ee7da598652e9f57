"""A lock between processes that the system lets go when its holder ends, however it ends.

The lock file stays where it is: it means nothing by being there, so none can be stale.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

RETRY_SECONDS: Final = 0.02


class Busy(TimeoutError):
    """Another process holds the lock for too long."""


@contextlib.contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock; waits for it, so never on the event loop's thread for long.

    Args:
        path: The lock file, made if it is not there.
        seconds: Patience.

    Raises:
        Busy: It was not free in time.
        OSError: The file cannot be made.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        _acquire(descriptor, time.monotonic() + seconds)
        yield
    finally:
        os.close(descriptor)  # lets the lock go


def _acquire(descriptor: int, deadline: float) -> None:
    while not _try(descriptor):
        if time.monotonic() > deadline:
            raise Busy("another acp-sidecar holds the lock")
        time.sleep(RETRY_SECONDS)


if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
