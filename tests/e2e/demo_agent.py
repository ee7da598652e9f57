"""The demo agent of the package in its sample project, as the agent of the real executable."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import acp_sidecar.demo
from acp_sidecar.demo.project import snapshot, solution

Json = dict[str, Any]

PACKAGE = Path(acp_sidecar.demo.__file__).parent
WORDS = "tally/words.py"
MAIN = "tally/__main__.py"


def sample_project(root: Path) -> Path:
    """A copy of the sample project, under Git."""
    shutil.copytree(PACKAGE / "sample", root, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def demo_agents(protocol: int = 2, delay: float = 0) -> dict[str, Json]:
    """Settings of the demo agent, quick as no person would want it."""
    command = [sys.executable, "-m", "acp_sidecar", "agent"]
    return {"demo": {"command": [*command, "--protocol", str(protocol), "--delay", str(delay)]}}


def is_solved(project: Path) -> bool:
    """Whether the tour did to the disk what it is to do, and nothing else."""
    return snapshot(project) == solution()


def solved(name: str) -> str:
    """The text of a file after the tour."""
    return solution()[name]


def unsolved(name: str) -> str:
    """The text of a file before the tour."""
    return (PACKAGE / "sample" / name).read_bytes().decode()
