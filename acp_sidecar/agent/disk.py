"""Files as bytes: read as a whole, and replaced as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 16 * 1024 * 1024
"""Larger files are not read."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The bytes of a file, or `None` and why, as a clause; `missing` if nothing is there."""

    data: bytes | None
    reason: str = ""
    missing: bool = False


class LocalDisk:
    """The disk of this machine. Takes paths whose links have been followed; never raises."""

    def load(self, path: str) -> Loaded:
        """The bytes of a regular file of at most `MOST_BYTES`."""
        try:
            status = os.stat(path)  # noqa: PTH116 - one call, also for what is no file
            if stat.S_ISDIR(status.st_mode):
                return Loaded(None, "is a directory")
            if not stat.S_ISREG(status.st_mode):
                return Loaded(None, "is no ordinary file")  # a pipe would block us
            if status.st_size > MOST_BYTES:
                return Loaded(None, f"is larger than {MOST_BYTES} bytes")
            return Loaded(Path(path).read_bytes())
        except FileNotFoundError:
            return Loaded(None, "does not exist", missing=True)
        except OSError as error:
            return Loaded(None, f"cannot be read: {_words(error)}")
        except ValueError:
            return Loaded(None, "is no path of a file")

    def replace(self, path: str, data: bytes, expected: bytes | None) -> str | None:
        """Put `data` where `expected` is (`None`: where nothing is); returns why not, or nothing.

        `None` is that the file holds something else by now.

        The new bytes are written beside the file and moved over it, so that nobody sees half of
        them and a full disk costs nothing. A file with several names, or in a folder that cannot
        be written, is written in place instead, for it would be another file otherwise.
        """
        target = Path(path)
        try:
            if expected is None:
                target.parent.mkdir(parents=True, exist_ok=True)
            if self.load(path).data != expected or (expected is None and target.exists()):
                return None
            status = target.stat() if expected is not None else None
            if status is not None and not _may_write(target, status):
                return "is read-only"
            _put(target, data, status)
        except OSError as error:
            return f"cannot be written: {_words(error)}"
        return ""


def _may_write(target: Path, status: os.stat_result) -> bool:
    # Moving over a file asks nobody whether the file may be written; administrators may always.
    return bool(status.st_mode & 0o222) and os.access(target, os.W_OK)


def _put(target: Path, data: bytes, status: os.stat_result | None) -> None:
    in_place = status is not None and (status.st_nlink > 1 or not os.access(target.parent, os.W_OK))
    if in_place:
        target.write_bytes(data)
        return
    fd, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            _take_mode(file.fileno(), status)
        Path(temporary).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def _take_mode(fd: int, status: os.stat_result | None) -> None:
    """The mode, and the owner if we may, of what is replaced; else what new files get."""
    if not hasattr(os, "fchmod"):
        return
    if status is None:
        os.fchmod(fd, 0o666 & ~_umask())
        return
    with contextlib.suppress(OSError):
        os.fchown(fd, status.st_uid, status.st_gid)
    os.fchmod(fd, stat.S_IMODE(status.st_mode))


def _umask() -> int:
    # It can only be read by setting it; everything here runs on one thread.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _words(error: OSError) -> str:
    return error.strerror or type(error).__name__
