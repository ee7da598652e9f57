"""Puts npm packages into the project's own cache, once, and says where they are.

The peers are npm packages. They are installed under `.cache/peers/` of the project and reused
as long as what was asked for is the same, so that a test run downloads nothing twice and two
runs at the same time do not disturb each other.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests import environment
from tests.cache import CACHE, filled

PEERS = CACHE / "peers"
_INSTALL_SECONDS = 900


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

    return filled(PEERS / name, "\n".join(specs), fill)


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
    return filled(PEERS / name, wanted, fill)


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
