"""Map the paths of a recording's machine to this one's, and back, inside any JSON value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote


class Roots:
    """Replaces whole leading paths (`/workspace`, `/workspace/a`, not `/workspace2`) in strings.

    `file://` URIs are mapped too, with the new path percent-encoded as a URI needs it. Git's
    `a/` and `b/` before a path do not hide it.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._to: Mapping[str, str] = {
            _trimmed(source): _trimmed(target) for source, target in pairs
        }
        uris = {_uri(source): _uri(target) for source, target in self._to.items()}
        self._replacements = {**self._to, **uris}
        # The longest first, so that a root inside another root wins.
        names = sorted(self._replacements, key=len, reverse=True)
        alternatives = "|".join(map(re.escape, names))
        self._pattern = re.compile(rf"(?<![\w./-])([ab]?)({alternatives})(?![\w.~-])")

    def reversed(self) -> Roots:
        """The same roots, from this machine to the recording's."""
        return Roots((target, source) for source, target in self._to.items())

    def map(self, value: Any) -> Any:
        """`value` with the paths in all its strings mapped, keys included."""
        if not self._to:
            return value
        if isinstance(value, str):
            return self._pattern.sub(self._replaced, value)
        if isinstance(value, list):
            return [self.map(item) for item in value]
        if isinstance(value, dict):
            return {self.map(key): self.map(item) for key, item in value.items()}
        return value

    def _replaced(self, match: re.Match[str]) -> str:
        return match[1] + self._replacements[match[2]]


def parse_root(text: str) -> tuple[str, str]:
    """Read `FROM=TO`.

    Raises:
        ValueError: It is no such pair of absolute paths.
    """
    source, separator, target = text.partition("=")
    if not separator or not _is_absolute(source) or not _is_absolute(target):
        raise ValueError(f"{text!r} is not FROM=TO with two absolute paths")
    return source, target


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or PurePath(path).is_absolute()


def _trimmed(path: str) -> str:
    return path.rstrip("/\\") or path


def _uri(path: str) -> str:
    slashed = path.replace("\\", "/")
    return "file://" + quote(slashed if slashed.startswith("/") else f"/{slashed}", safe="/:")
