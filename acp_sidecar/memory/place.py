"""Where state is kept, and how a file of it is written: as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path


def state_directory(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where this platform keeps the state of a user's programs; ours is a folder in it.

    `XDG_STATE_HOME` counts everywhere; as its specification says, not if it is relative.
    """
    home = Path.home()
    named = Path(environ.get("XDG_STATE_HOME", ""))
    if named.is_absolute():
        base = named
    elif platform == "win32":
        local = environ.get("LOCALAPPDATA")
        base = Path(local) if local else home / "AppData" / "Local"
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = home / ".local" / "state"
    return base / "acp-sidecar"


def write_whole(path: Path, text: str) -> None:
    """Write a file in one step: whoever reads it has the old one or the new one.

    Raises:
        OSError: It could not be written; what was there is still there.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
