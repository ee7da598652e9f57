"""Builds the extension as a user would, once for each state of its sources."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
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


# The parts of the Python extension's published API that say which interpreter is selected. The
# extension itself is in no registry but VS Code's own; its types are a package, which ours is
# checked against.
_PYTHON_EXTENSION = """
const vscode = require("vscode");
const python = %s;
exports.activate = () => ({
  environments: {
    getActiveEnvironmentPath: () => ({ id: python, path: python }),
    resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
  },
});
"""


def python_extension(folder: Path, interpreter: str) -> Path:
    """A stand-in for the Python extension, in which an interpreter is selected, packed."""
    manifest = {
        "name": "python",
        "publisher": "ms-python",
        "version": "1.0.0",
        "engines": {"vscode": "^1.93.0"},
        "main": "./extension.js",
        "activationEvents": ["onLanguage:python"],
    }
    packed = folder / "python.vsix"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("extension/package.json", json.dumps(manifest))
        archive.writestr("extension/extension.js", _PYTHON_EXTENSION % json.dumps(interpreter))
    return packed


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
