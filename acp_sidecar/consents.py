"""What the user has agreed to have fetched from a package registry, once and for all.

One small file in the platform's state directory: names of packages, nothing else. Damaged or from
the future, it counts as empty and is left alone until the user agrees to something again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from acp_sidecar.memory.place import write_whole

SCHEMA_VERSION: Final = 1


class Consents:
    """Packages that may be fetched; `path` None keeps them in memory only."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.packages: set[str] = _read(path)

    def agree(self, package: str) -> None:
        """Remember an agreement.

        Raises:
            OSError: It holds until the end, but could not be written down.
        """
        self.packages.add(package)
        if self._path is None:
            return
        self.packages |= _read(self._path)  # another sidecar may have asked meanwhile
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        data = {"version": SCHEMA_VERSION, "packages": sorted(self.packages)}
        write_whole(self._path, json.dumps(data, indent=1) + "\n")


def _read(path: Path | None) -> set[str]:
    if path is None:
        return set()
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return set()
    if not isinstance(data, dict) or data.get("version") != SCHEMA_VERSION:
        return set()
    packages = data.get("packages")
    if not isinstance(packages, list):
        return set()
    return {each for each in packages if isinstance(each, str)}
