"""The compatibility table: complete, good, and written by a run."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from tests.peers import compatibility, test_published
from tests.peers.compatibility import PASSED, SCENARIOS, place_of, read_table, render
from tests.peers.published import AGENTS

FULL = {name: dict.fromkeys(SCENARIOS, PASSED) for name in AGENTS}


def test_every_scenario_is_one_of_the_tests_that_all_agents_run() -> None:
    tests = {
        name
        for name, test in inspect.getmembers(test_published, inspect.iscoroutinefunction)
        if name.startswith("test_") and not getattr(test, "pytestmark", [])
    }
    assert tests == set(SCENARIOS)


def test_the_document_says_that_every_agent_does_everything() -> None:
    text = compatibility.TABLE.read_text(encoding="utf-8")
    assert read_table(text) == FULL
    assert render(FULL) == text


def test_a_run_of_one_agent_keeps_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compatibility, "TABLE", tmp_path / "table.md")
    compatibility.update({"codex": {"test_new_file": "failed"}})
    compatibility.update({"gemini": {"test_new_file": PASSED}})
    compatibility.update({"codex": {"test_overwrite": PASSED}})
    known = read_table(compatibility.TABLE.read_text(encoding="utf-8"))
    assert known["codex"]["test_new_file"] == "failed"
    assert known["codex"]["test_overwrite"] == PASSED
    assert known["gemini"]["test_overwrite"] == "not run"


def test_other_tests_have_no_cell() -> None:
    place = "tests/peers/test_published.py::test_new_file[codex]"
    assert place_of(place) == ("codex", "test_new_file")
    assert place_of(place.replace("codex", "nobody")) is None
    assert place_of(place.replace("test_new_file", "test_nothing")) is None
    assert place_of("tests/peers/test_sdk_agents.py::test_new_file[codex]") is None
