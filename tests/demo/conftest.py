from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import acp_sidecar.demo

SAMPLE = Path(acp_sidecar.demo.__file__).parent / "sample"
SOLUTION = SAMPLE.parent / "solution"


@pytest.fixture(params=[1, 2], ids=["v1", "v2"])
def version(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """The sample project, as the demo copies it."""
    return copy_sample(tmp_path / "sample")


def copy_sample(target: Path) -> Path:
    shutil.copytree(SAMPLE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def texts(root: Path) -> dict[str, str]:
    """Every file below a directory, by its relative name."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and ".git" not in path.parts
    }


def solved() -> dict[str, str]:
    """The sample as the tour is to leave it."""
    files = texts(SAMPLE) | texts(SOLUTION)
    del files["docs/usage.txt"]
    return files
