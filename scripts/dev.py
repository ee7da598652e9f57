#!/usr/bin/env python3
"""Set up the project and run one of its jobs, from nothing, with the standard library only.

    python3 scripts/dev.py demo      the main job: the built-in agent in a throw-away project
    python3 scripts/dev.py test      every test, type check, lint and generated-file check
    python3 scripts/dev.py vscode    the VS Code extension's tests, in a real VS Code
    python3 scripts/dev.py peers     the same line end to end with published agents
    python3 scripts/dev.py bench     the benchmarks
    python3 scripts/dev.py setup     only make the virtual environment

Everything is installed into `.venv` beside this project; nothing outside it is touched.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
MIN_PIP_FOR_GROUPS = "pip>=25.1"
QUIET = ("--quiet", "--disable-pip-version-check")


def run(*command: str | Path, **env: str) -> None:
    """Run a command in the project's root and stop with its exit status if it fails."""
    printable = " ".join(str(part) for part in command)
    print(f"+ {printable}", flush=True)
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, env={**os.environ, **env}, check=False
    )
    if done.returncode:
        sys.exit(f"failed ({done.returncode}): {printable}")


def setup() -> None:
    """Make `.venv` with the project and its tools; do nothing if pyproject.toml is unchanged."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this script is what an old Python would run first
        sys.exit("acp-sidecar needs Python 3.11 or newer; this is " + sys.version.split()[0])
    if installed("pyproject"):
        return
    print("setting up .venv (once; about a minute)", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    venv.create(VENV, with_pip=True)
    run(PYTHON, "-m", "pip", "install", *QUIET, MIN_PIP_FOR_GROUPS)
    run(PYTHON, "-m", "pip", "install", *QUIET, "-e", ".", "--group", "dev")
    stamp("pyproject")


def setup_vscode() -> None:
    """Add what the tests in VS Code need: about 400 MB, once."""
    if not installed("vscode"):
        run(PYTHON, "-m", "pip", "install", *QUIET, "--group", "vscode")
        stamp("vscode")
    run(PYTHON, "-m", "tests.editors.vscode.install")


def installed(what: str) -> bool:
    """Whether it was installed from the pyproject.toml that is there now."""
    path = VENV / f"{what}.sha256"
    return path.exists() and path.read_text(encoding="ascii") == wanted()


def stamp(what: str) -> None:
    (VENV / f"{what}.sha256").write_text(wanted(), encoding="ascii")


def wanted() -> str:
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()


def checks() -> None:
    """Format, lint and type checks."""
    run(PYTHON, "-m", "ruff", "format", "--check", ".")
    run(PYTHON, "-m", "ruff", "check", ".")
    run(PYTHON, "-m", "mypy")


def vscode(rest: list[str]) -> None:
    """The tests in VS Code.

    A browser on a loaded machine can be late or lose a click. So CI runs a test that has failed
    up to twice more, as UI suites do, and lists it; by hand it fails at once.
    """
    setup_vscode()
    again = ["--reruns", "2", "-rR"] if os.environ.get("CI") else []
    run(PYTHON, "-m", "pytest", "-m", "vscode", "-n", "2", "tests/editors/vscode", *again, *rest)


def peers(rest: list[str]) -> None:
    """The tests with published agents; `--write-table` has them write docs/compatibility.md."""
    writing = ["-p", "tests.peers.writing"] if "--write-table" in rest else []
    kept = [argument for argument in rest if argument != "--write-table"]
    run(PYTHON, "-m", "pytest", "-m", "peers", "-n", "auto", *writing, *kept)


def main() -> None:
    job, *rest = sys.argv[1:] or ["--help"]
    jobs = {"setup", "demo", "test", "vscode", "peers", "bench"}
    if job not in jobs:
        print(__doc__)
        sys.exit(0 if job in {"-h", "--help"} else 2)
    setup()
    if job == "demo":
        run(PYTHON, "-m", "acp_sidecar", "demo", *rest)
    elif job == "test":
        checks()
        run(PYTHON, "-m", "pytest", "-m", "not peers and not vscode", "-n", "auto", *rest)
    elif job == "vscode":
        vscode(rest)
    elif job == "peers":
        peers(rest)
    elif job == "bench":
        run(PYTHON, "-m", "benchmarks", *rest)


if __name__ == "__main__":
    main()
