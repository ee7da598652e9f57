from __future__ import annotations

from pathlib import Path

import pytest

from tests.peers.project import make_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sample project, in a directory with a blank in its name."""
    return make_project(tmp_path / "sample project")
