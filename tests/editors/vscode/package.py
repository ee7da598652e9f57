"""Builds the extension as a user would, once for each state of its sources."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from tests.cache import PROJECT, filled, locked
from tests.editors.vscode.install import VSCODE_CACHE, npm

EXTENSION = PROJECT / "editors" / "vscode"
_MADE = {"node_modules", "dist", "out"}
_TOOLS = ("package.json", "package-lock.json", ".npmrc")
NAME = "acp-sidecar.vsix"


def sources() -> list[Path]:
    """Every file of the extension that somebody wrote, and what it takes from the project."""
    found = (path for path in EXTENSION.rglob("*") if path.is_file())
    return sorted(path for path in found if not _MADE & set(path.relative_to(EXTENSION).parts))


def vsix() -> Path:
    """The packaged extension, built if its sources have changed.

    Raises:
        InstallError: npm, esbuild or vsce failed.
    """
    name = _digest()

    def fill(directory: Path) -> None:
        with locked(VSCODE_CACHE / "build.lock"):
            tools = _tools()
            _copy_sources(tools)
            npm(tools, "run", "package")
            shutil.copy(tools / "dist" / NAME, directory)

    return filled(VSCODE_CACHE / "vsix" / name, name, fill) / NAME


def with_host_tests() -> Path:
    """The extension unpacked, and in `out/host` the tests that run in VS Code's extension host.

    Raises:
        InstallError: npm or esbuild failed.
    """
    name = _digest()

    def fill(directory: Path) -> None:
        with locked(VSCODE_CACHE / "build.lock"):
            tools = _tools()
            _copy_sources(tools)
            npm(tools, "run", "host-tests")
            shutil.copy(tools / "package.json", directory)
            for made in ("dist", "out", "media"):
                shutil.copytree(tools / made, directory / made)

    return filled(VSCODE_CACHE / "host-tests" / name, name, fill)


def _digest() -> str:
    digest = hashlib.sha256()
    for path in sources():
        digest.update(f"{path.relative_to(EXTENSION)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def run_script(name: str) -> None:
    """Run one of the scripts of package.json in a copy of the sources.

    Raises:
        InstallError: it failed; the text says what it printed.
    """
    with locked(VSCODE_CACHE / "build.lock"):
        tools = _tools()
        _copy_sources(tools)
        npm(tools, "run", name)


def _tools() -> Path:
    """A directory with the packages that the extension is built by, as the lock file says."""
    wanted = "\0".join((EXTENSION / name).read_text(encoding="utf-8") for name in _TOOLS)

    def fill(directory: Path) -> None:
        for name in _TOOLS:
            shutil.copy(EXTENSION / name, directory)
        npm(directory, "ci")

    return filled(VSCODE_CACHE / "extension", wanted, fill)


def _copy_sources(target: Path) -> None:
    kept = {"node_modules", ".installed"}
    for path in target.iterdir():
        if path.name in kept:
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    for path in sources():
        copy = target / path.relative_to(EXTENSION)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
