"""Names of the files below a folder: as git has them, else as the disk does. Bounded, and kept.

What git ignores is left out. Without git, or outside of a repository, hidden folders are, and those
that hold what others have written. Names are relative, with slashes; folders end with one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

MOST: Final = 200_000
"""Names of one folder; what is more is left out."""

MOST_BYTES: Final = 32_000_000
SECONDS: Final = 10.0
"""The most that git or the disk may take; what is known by then is what counts."""

FRESH_SECONDS: Final = 3.0
"""Names that are older are still told, and looked up anew for the next time."""

NOT_LOOKED_INTO: Final = frozenset({"node_modules", "__pycache__", "target", "venv"})

_GIT: Final = (
    *("git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"),
    *("ls-files", "-z", "--cached", "--others", "--exclude-standard"),
)


@dataclass(slots=True)
class _Known:
    """Names of one folder, and since when; `task` looks them up anew."""

    names: list[str] | None = None
    at: float = 0.0
    task: asyncio.Task[None] | None = None


class FileNames:
    """Names of files by folder. The first question waits for the answer, later ones do not."""

    def __init__(self) -> None:
        self._folders: dict[str, _Known] = {}

    async def of(self, folder: str) -> list[str]:
        """The names below an absolute path; none of what cannot be read."""
        known = self._folders.setdefault(folder, _Known())
        fresh = known.names is not None and time.monotonic() - known.at < FRESH_SECONDS
        if not fresh and known.task is None:
            known.task = asyncio.create_task(self._look(folder, known))
        if known.names is None:
            await self.looked(folder)
        return known.names or []

    async def looked(self, folder: str) -> None:
        """Wait until nobody looks there any more."""
        known = self._folders.get(folder)
        if known is not None and known.task is not None:
            # Who waits may lose interest; the next who asks wants the same.
            await asyncio.shield(known.task)

    async def _look(self, folder: str, known: _Known) -> None:
        try:
            found = await _by_git(folder)
            if found is None:
                found = await asyncio.to_thread(_by_disk, folder)
            known.names = await asyncio.to_thread(with_folders, found[:MOST])
            known.at = time.monotonic()
        finally:
            known.task = None

    async def close(self) -> None:
        """Look no further."""
        tasks = [known.task for known in self._folders.values() if known.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def with_folders(files: list[str]) -> list[str]:
    """The names of files, and before them those of the folders that they are in."""
    folders: dict[str, None] = {}
    for name in files:
        end = name.rfind("/")
        while end > 0 and (folder := name[: end + 1]) not in folders:
            folders[folder] = None
            end = name.rfind("/", 0, end)
    return [*folders, *files]


async def _by_git(folder: str) -> list[str] | None:
    """What git has and does not ignore; None if this is no place of git's."""
    if shutil.which("git") is None:
        return None
    try:
        process = await asyncio.create_subprocess_exec(
            *_GIT,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, ValueError):
        return None
    data = bytearray()
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SECONDS):
                await _read(process, data)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        status = await process.wait()
    if status != 0 and not data:
        return None
    return await asyncio.to_thread(_names, bytes(data))


def _names(data: bytes) -> list[str]:
    names = data.split(b"\0")[:-1]  # the last one is empty, or was cut
    return list(dict.fromkeys(os.fsdecode(name) for name in names))


async def _read(process: asyncio.subprocess.Process, data: bytearray) -> None:
    output = cast("asyncio.StreamReader", process.stdout)
    while len(data) < MOST_BYTES and (chunk := await output.read(1 << 16)):
        data += chunk
    if len(data) < MOST_BYTES:
        await process.wait()


def _by_disk(folder: str) -> list[str]:
    """What is there, folder by folder, those further up first."""
    deadline = time.monotonic() + SECONDS
    found: list[str] = []
    folders = [""]
    for prefix in folders:  # grows while it is walked through
        if len(found) >= MOST or time.monotonic() > deadline:
            break
        for name, is_folder in _entries(Path(folder) / prefix):
            if not is_folder:
                found.append(prefix + name)
            elif not name.startswith(".") and name not in NOT_LOOKED_INTO:
                folders.append(f"{prefix}{name}/")
    return found


def _entries(path: Path) -> list[tuple[str, bool]]:
    """The names in a folder, and which are folders; links to folders are not followed."""
    try:
        with os.scandir(path) as entries:
            found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:
        return []
    return sorted(found)
