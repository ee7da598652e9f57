"""Puts npm packages into the project's own cache, once, and says where they are.

The peers are npm packages. They are installed under `.cache/peers/` of the project and reused
as long as what was asked for is the same, so that a test run downloads nothing twice and two
runs at the same time do not disturb each other.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests import environment

PROJECT = Path(__file__).resolve().parents[2]
CACHE = PROJECT / ".cache" / "peers"
_STAMP = ".installed"
_LOCK_WAIT_SECONDS = 900
_INSTALL_SECONDS = 900
_Fill = Callable[[Path], None]


class NpmError(Exception):
    """An npm command failed; the text says which one and what it printed."""


def program(name: str) -> str:
    """Return the path of `node` or `npm`; see `tests.environment.program`."""
    return environment.program(name, "the peers need Node.js 20 or newer")


def install(name: str, specs: Sequence[str]) -> Path:
    """Install npm packages into `.cache/peers/NAME` and return that directory.

    Args:
        name: directory below the cache.
        specs: npm package specifications with exact versions, such as `node@22.23.3`.

    Raises:
        NpmError: npm could not install them.
    """

    def fill(directory: Path) -> None:
        (directory / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        _npm(directory, "install", "--save-exact", *specs)

    return _cached(name, "\n".join(specs), fill)


def clean_install(name: str, source: Path) -> Path:
    """Copy the npm project at `source` to `.cache/peers/NAME`, install what it locks, return that.

    Raises:
        NpmError: npm could not install it.
    """
    files = sorted(path for path in source.iterdir() if path.is_file())

    def fill(directory: Path) -> None:
        for path in files:
            shutil.copy(path, directory)
        _npm(directory, "ci")

    wanted = "\0".join(f"{path.name}\0{path.read_text(encoding='utf-8')}" for path in files)
    return _cached(name, wanted, fill)


def _cached(name: str, wanted: str, fill: _Fill) -> Path:
    digest = hashlib.sha256(wanted.encode()).hexdigest()
    target = CACHE / name
    stamp = target / _STAMP
    if _reads(stamp, digest):
        return target
    CACHE.mkdir(parents=True, exist_ok=True)
    with _locked(CACHE / f"{name}.lock"):
        if _reads(stamp, digest):  # another run was faster
            return target
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        fill(target)
        stamp.write_text(digest, encoding="ascii")
    return target


def _reads(stamp: Path, digest: str) -> bool:
    return stamp.is_file() and stamp.read_text(encoding="ascii") == digest


def _npm(directory: Path, *arguments: str) -> None:
    command = [program("npm"), *arguments, "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(
        command,
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=_INSTALL_SECONDS,
        check=False,
    )
    if done.returncode:
        raise NpmError(f"{' '.join(command)} failed ({done.returncode}):\n{done.stderr[-4000:]}")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file; it is let go even if this process dies."""
    deadline = time.monotonic() + _LOCK_WAIT_SECONDS
    with path.open("a+b") as file:
        while not _try_lock(file.fileno()):
            if time.monotonic() > deadline:
                raise NpmError(f"another run has held {path} for {_LOCK_WAIT_SECONDS} s")
            time.sleep(0.2)
        yield


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
