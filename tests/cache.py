"""Directories under `.cache/` that are filled once and shared by all test runs.

What a test run downloads or builds goes there, and is used again as long as what was asked for is
the same; runs at the same time do not disturb each other.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from acp_sidecar.memory import lock

PROJECT = Path(__file__).resolve().parent.parent
CACHE = PROJECT / ".cache"
_STAMP = ".installed"
_LOCK_WAIT_SECONDS = 900
Fill = Callable[[Path], None]


def filled(target: Path, wanted: str, fill: Fill) -> Path:
    """Return `target`, emptied and filled by `fill` unless that was done for the same `wanted`.

    Args:
        target: a directory that nothing else writes to.
        wanted: everything that decides what is in it.
        fill: puts it there; what it raises goes through, and the next call tries again.

    Raises:
        TimeoutError: another run has held the lock for a quarter of an hour.
    """
    digest = hashlib.sha256(wanted.encode()).hexdigest()
    stamp = target / _STAMP
    if _reads(stamp, digest):
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with locked(target.with_name(f"{target.name}.lock")):
        if _reads(stamp, digest):  # another run was faster
            return target
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        fill(target)
        stamp.write_text(digest, encoding="ascii")
    return target


def _reads(stamp: Path, digest: str) -> bool:
    return stamp.is_file() and stamp.read_text(encoding="ascii") == digest


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file; it is let go even if this process dies.

    Raises:
        TimeoutError: another run has held it for a quarter of an hour.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with lock.locked(path, _LOCK_WAIT_SECONDS):
        yield
