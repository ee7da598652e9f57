"""A pytest plugin (`-p tests.peers.writing`): writes what a run has seen into the table.

A plugin and no conftest, because with several processes only the one that collects nothing sees all
reports.
"""

from __future__ import annotations

import pytest

from tests.peers import compatibility

_seen: compatibility.Outcomes = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember what published agents did."""
    place = compatibility.place_of(report.nodeid)
    if place is None or (report.when != "call" and report.passed):
        return
    agent, test = place
    _seen.setdefault(agent, {})[test] = compatibility.PASSED if report.passed else report.outcome


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the table, once."""
    if _seen and not hasattr(session.config, "workerinput"):
        compatibility.update(_seen)
