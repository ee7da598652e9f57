"""`docs/conformance.md` names tests that exist, at least one for every rule."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).resolve().parent
DOCUMENT: Final = TESTS.parent / "docs" / "conformance.md"
COLUMNS: Final = 5


def rows() -> list[list[str]]:
    """The cells of every row of a rule."""
    lines = DOCUMENT.read_text(encoding="utf-8").split("\n")
    cells = [[cell.strip() for cell in line.split(" | ")] for line in lines if line[:2] == "| "]
    return [row for row in cells if re.fullmatch(r"\| [A-Z]\d+", row[0])]


def named(row: list[str]) -> list[str]:
    """The tests that a row names."""
    return re.findall(r"`([^`]+)`", row[-1])


@cache
def names_in(file: str) -> frozenset[str]:
    """`test_name` and `TestClass::test_name` of a file of tests."""
    path = TESTS / file
    if not path.is_file():
        return frozenset()
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        for each in inner:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(prefix + each.name)
    return frozenset(name for name in found if name.split("::")[-1].startswith("test_"))


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0].removeprefix("| "))
def test_every_rule_is_proved_by_tests_that_exist(row: list[str]) -> None:
    assert len(row) == COLUMNS, row
    assert row[1] in {"A", "C"}
    assert row[2] in {"is", "may", "should", "should not", "must", "must not"}
    assert row[3].endswith(".")
    assert named(row)
    missing = [test for test in named(row) if not exists(test)]
    assert missing == []


def exists(test: str) -> bool:
    file, _, name = test.partition("::")
    return name in names_in(file)


def test_the_check_itself_finds_faults() -> None:
    assert exists("test_conformance.py::test_the_check_itself_finds_faults")
    assert not exists("test_conformance.py::test_nothing")
    assert not exists("test_conformance.py::exists")
    assert not exists("test_no_such_file.py::test_the_check_itself_finds_faults")
    assert named(["| X1", "C", "is", "A `rule`.", "nothing |"]) == []


def test_rules_are_numbered_once_and_none_is_lost() -> None:
    numbers = [row[0].removeprefix("| ") for row in rows()]
    assert len(set(numbers)) == len(numbers)
    for section in sorted({number[0] for number in numbers}):
        own = [int(number[1:]) for number in numbers if number[0] == section]
        assert own == list(range(1, len(own) + 1))
