"""Read-only documents for editors that know only files: diffs to look at, transcripts.

They live in a private directory that is made when first needed and removed at the end.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from pathlib import Path

from acp_sidecar.errors import EnvironmentProblem

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 100


class GeneratedFiles:
    """Writes documents that are ours to show; the same name is written over."""

    def __init__(self) -> None:
        self._directory: Path | None = None

    def write(self, name: str, text: str) -> str:
        """Write a document; returns its path.

        Raises:
            EnvironmentProblem: There is no place to write it.
        """
        try:
            if self._directory is None:
                self._directory = Path(tempfile.mkdtemp(prefix="acp-sidecar-"))
            path = self._directory / _file_name(name)
            path.unlink(missing_ok=True)
            path.write_bytes(text.encode("utf-8", "replace"))
            path.chmod(0o400)
        except OSError as error:
            raise EnvironmentProblem(
                f"The document could not be written: {error.strerror}.",
                advice="Make room in the temporary directory.",
            ) from error
        return str(path)

    def holds(self, path: str) -> bool:
        """Whether a path is one of these documents."""
        return self._directory is not None and Path(path).parent == self._directory

    def remove(self) -> None:
        """Remove them all."""
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None


def _file_name(name: str) -> str:
    """A name that any file system takes; agents choose parts of these names."""
    fit = _UNFIT.sub("-", name)
    if fit == name and len(name) <= _LONGEST:
        return name
    stem, dot, suffix = fit.rpartition(".")
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{stem[:_LONGEST]}-{digest}{dot}{suffix[:_LONGEST]}"
