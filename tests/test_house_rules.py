"""Limits that keep the house readable. Exceptions are listed with their reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULE_LINES = 400
FUNCTION_LINES = 40

LONG_MODULES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {
    "acp_sidecar/lsp/server.py:_register": "one line for every message an editor may send",
}


def sources() -> list[Path]:
    """All modules but the demo's sample project, which is somebody else's code in the story."""
    story = {"sample", "solution"}
    found = sorted((ROOT / "acp_sidecar").rglob("*.py"))
    return [path for path in found if not story & set(path.parts)]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_stay_small(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MODULE_LINES or name in LONG_MODULES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            short = lines <= FUNCTION_LINES or f"{name}:{node.name}" in LONG_FUNCTIONS
            assert short, f"{name}:{node.lineno} {node.name} has {lines} lines"


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_listed_exceptions_exist() -> None:
    for name in LONG_MODULES:
        assert (ROOT / name).exists()
    for entry in LONG_FUNCTIONS:
        file, _, function = entry.partition(":")
        assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8")
