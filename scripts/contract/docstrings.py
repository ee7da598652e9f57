"""Docstrings as they are written here: prose, then `Attributes:` with one entry a name."""

from __future__ import annotations

import inspect
import re

_SECTION = re.compile(r"^Attributes:\s*$", re.MULTILINE)
_ENTRY = re.compile(r"^ {4}(\w+(?:, \w+)*): (.*)$")


def split(docstring: str | None) -> tuple[str, dict[str, str]]:
    """The prose of a docstring as paragraphs, and what it says of each attribute."""
    text = inspect.cleandoc(docstring or "")
    prose, *rest = _SECTION.split(text, maxsplit=1)
    attributes = rest[0] if rest else ""
    return _paragraphs(prose), _entries(attributes)


def _paragraphs(text: str) -> str:
    blocks = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(" ".join(block.split()) for block in blocks if block.strip())


def _entries(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    names: list[str] = []
    for line in text.split("\n"):
        entry = _ENTRY.match(line)
        if entry:
            names = entry[1].split(", ")
            found.update(dict.fromkeys(names, entry[2]))
        elif line.strip():
            found.update({name: f"{found[name]} {line.strip()}" for name in names})
    return found
