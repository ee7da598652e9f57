"""Who may import whom: the architecture, read from the imports themselves."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "acp_sidecar"

IMPURE = {"asyncio", "pygls", "lsprotocol", "subprocess", "time", "datetime", "threading", "socket"}
"""What the pure rooms never import."""

PURE = ("wire", "session", "changes", "features", "host")

MAY_IMPORT: dict[str, set[str]] = {
    "session": {"session"},
    "wire": {"wire", "session", "errors"},
    "changes": {"changes", "session", "errors"},
    "features": {"features", "changes", "session", "errors", "config"},
    "host": {"host", "wire", "session", "errors", "config"},
    "agent": {"agent", "host", "wire", "errors", "config"},
    "mcp": {"mcp", "wire"},
    "memory": {"memory", "errors"},
    "lsp": {"lsp", "features", "changes", "errors", "sidecar"},
    "demo": {"demo", "memory", "wire", "errors"},
    "replay": {"replay", "wire", "errors"},
    "config": {"config", "errors", "pruning"},
    "pruning": set(),
    "presets": {"presets"},
    "errors": set(),
}
"""Rooms that each room may import from. `lsp.server` alone names the hallway, and late."""

THIRD_PARTY: dict[str, set[str]] = {
    "session": {"pydantic"},
    "wire": {"pydantic", "pydantic_core"},
    "changes": {"unidiff"},
    "features": {"pyte", "pydantic", "typing_extensions"},
    "host": set(),
    "agent": set(),
    "mcp": {"mcp"},
    "memory": {"pydantic"},
    "lsp": {"pygls", "lsprotocol", "pydantic", "pydantic_core"},
    "demo": {"pydantic", "rich", "typing_extensions"},
    "replay": set(),
    "config": {"pydantic"},
    "pruning": set(),
    "presets": {"pydantic"},
    "errors": set(),
}

STARTS_PROCESSES = {"agent", "demo"}


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def modules() -> list[Path]:
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if not {"sample", "solution"} & set(path.parts) and room_of(path) in MAY_IMPORT
    ]


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports, also inside functions and under TYPE_CHECKING."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide which room is meant"
            names.add(node.module or "")
    return names


def own(names: set[str]) -> set[str]:
    """The rooms among imported names."""
    parts = [name.split(".") for name in names if name.startswith("acp_sidecar.")]
    return {each[1] for each in parts}


def foreign(names: set[str]) -> set[str]:
    tops = {name.split(".")[0] for name in names}
    return tops - set(sys.stdlib_module_names) - {"acp_sidecar", "__future__", ""}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    room, names = room_of(path), imports_of(path)
    assert own(names) <= MAY_IMPORT[room]
    assert foreign(names) <= THIRD_PARTY[room]
    if room in PURE:
        assert not {name.split(".")[0] for name in names} & IMPURE
    if room not in STARTS_PROCESSES:
        assert "subprocess" not in names


def test_every_room_says_what_belongs_in_it() -> None:
    for room in sorted({path.parent for path in PACKAGE.glob("*/__init__.py")}):
        text = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
        assert text, f"{room.name}/__init__.py has no docstring"


def test_versions_are_told_apart_in_the_wire_only() -> None:
    for path in PACKAGE.rglob("*.py"):
        if room_of(path) in {"wire", "demo", "replay"}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                text = ast.unparse(node)
                compared = "protocol_version ==" in text or "protocol ==" in text
                assert not compared, f"{path}: {text}"
