from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.peers import compatibility
from tests.peers.project import make_project

_SEEN: compatibility.Outcomes = {}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sample project, in a directory with a blank in its name."""
    return make_project(tmp_path / "sample project")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember what published agents did, also in the process that only collects reports."""
    place = compatibility.place_of(report.nodeid)
    if place is None or (report.when != "call" and report.passed):
        return
    agent, test = place
    _SEEN.setdefault(agent, {})[test] = compatibility.PASSED if report.passed else report.outcome


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the table, if that was asked for."""
    is_worker = hasattr(session.config, "workerinput")
    if _SEEN and not is_worker and os.environ.get(compatibility.WRITE):
        compatibility.update(_SEEN)
