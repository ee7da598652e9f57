"""The project the agent works in: which files it has, and that nothing outside it is touched."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MAX_FILE_BYTES: Final = 200_000
_MAX_FILES: Final = 2_000
_SKIPPED_DIRECTORIES: Final = {"node_modules", "__pycache__", "target", "build", "dist", "venv"}


class Unusable(Exception):
    """A path that cannot be worked with; the text says why, for a person."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A directory and everything under it, and nothing else."""

    root: Path

    def resolve(self, name: str | Path) -> Path:
        """The absolute path of a name in the project, through symbolic links.

        Raises:
            Unusable: It lies outside.
        """
        root = self.root.resolve()
        try:
            path = (root / name).resolve()
        except (OSError, ValueError, RuntimeError) as error:
            raise Unusable(f"{name} is no usable path.") from error
        if not path.is_relative_to(root):
            raise Unusable(f"{name} lies outside the project; I stay inside.")
        return path

    def read(self, name: str | Path) -> str:
        """The text of a file, byte for byte what is on disk when encoded as UTF-8 again.

        Raises:
            Unusable: It is outside, missing, too large or not UTF-8.
        """
        path = self.resolve(name)
        shown = self.shown(path)
        try:
            if path.stat().st_size > _MAX_FILE_BYTES:
                raise Unusable(f"{shown} is too large for me.")
            return path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise Unusable(f"{shown} is not UTF-8 text.") from error
        except OSError as error:
            raise Unusable(f"{shown} cannot be read: {error.strerror}.") from error

    def shown(self, path: Path) -> str:
        """The path as a person would name it: relative to the project, with slashes."""
        root = self.root.resolve()
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)

    def text_files(self) -> Iterator[Path]:
        """The project's small text files, in a stable order, hidden and generated ones left out."""
        for count, path in enumerate(_walk(self.root.resolve())):
            if count >= _MAX_FILES:
                return
            try:
                text = self.read(path)
            except Unusable:
                continue
            if "\0" not in text:
                yield path


def _walk(root: Path) -> Iterator[Path]:
    for directory, directories, files in os.walk(root):
        directories[:] = sorted(
            name
            for name in directories
            if not name.startswith(".") and name not in _SKIPPED_DIRECTORIES
        )
        for name in sorted(files):
            path = Path(directory, name)
            if not name.startswith(".") and not path.is_symlink() and path.is_file():
                yield path
