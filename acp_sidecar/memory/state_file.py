"""The state file: read, merged and written whole, under a lock.

A file that cannot be understood is kept aside, one of a later version is left alone; either is
told, and nothing else fails because of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.memory.entries import (
    Changes,
    Entry,
    FromTheFuture,
    Key,
    Unreadable,
    bounded,
    from_json,
    merged,
    to_json,
)
from acp_sidecar.memory.lock import locked
from acp_sidecar.memory.place import write_whole

NAME: Final = "sessions.json"
MOST_BYTES: Final = 8_000_000
READ_SECONDS: Final = 0.5
WRITE_SECONDS: Final = 5.0
"""Patience for the lock, when starting and in the background."""


@dataclass(slots=True)
class Loaded:
    """What a file has.

    Attributes:
        writable: It may be written over; not if a later version wrote it.
        written: What was to be written is in it.
        problems: What a person should know.
    """

    entries: dict[Key, Entry] = field(default_factory=dict)
    writable: bool = True
    written: bool = False
    problems: list[Problem] = field(default_factory=list)


class StateFile:
    """One file; any number of processes may use it at once."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / NAME
        self._lock = directory / f"{NAME}.lock"

    def load(self, now: datetime) -> Loaded:
        """What is remembered. Never raises."""
        try:
            return Loaded(bounded(self._read().values(), now))
        except FromTheFuture:
            return Loaded(writable=False, problems=[self._future()])
        except Unreadable:
            return self._change(Changes(), now, READ_SECONDS)
        except OSError as error:
            return Loaded(problems=[self._problem("state-unreadable", f"{error}")])

    def write(self, changes: Changes, now: datetime) -> Loaded:
        """Merge what has changed into what the file has by now. Never raises.

        Returns what is remembered then.
        """
        return self._change(changes, now, WRITE_SECONDS)

    def _change(self, changes: Changes, now: datetime, patience: float) -> Loaded:
        problems: list[Problem] = []
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(self._lock, patience):
                entries = merged(self._read_or_set_aside(problems), changes, now)
                if changes:
                    write_whole(self.path, json.dumps(to_json(entries.values()), indent=1) + "\n")
        except FromTheFuture:
            return Loaded(writable=False, problems=[self._future()])
        except OSError as error:
            return Loaded(problems=[*problems, self._problem("state-unwritable", f"{error}")])
        return Loaded(entries, written=True, problems=problems)

    def _read(self) -> dict[Key, Entry]:
        try:
            with self.path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return {}
        if len(data) > MOST_BYTES:
            raise Unreadable("it is too large")
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise Unreadable("it is no JSON") from error
        return from_json(value)

    def _read_or_set_aside(self, problems: list[Problem]) -> dict[Key, Entry]:
        """Under the lock: what cannot be understood is kept under another name."""
        try:
            return self._read()
        except Unreadable as error:
            aside = self._free_name()
            self.path.replace(aside)
            text = f"was damaged ({error}); it is kept as {aside.name}"
            problems.append(self._problem("state-damaged", text))
            return {}

    def _free_name(self) -> Path:
        number = 1
        while (path := self.path.with_name(f"{NAME}.damaged-{number}")).exists():
            number += 1
        return path

    def _future(self) -> Problem:
        text = (
            "was written by a later acp-sidecar and is left alone: sessions of this run are not "
            "remembered. Update acp-sidecar to have them back"
        )
        return self._problem("state-from-the-future", text)

    def _problem(self, code: str, text: str) -> Problem:
        message = f"The list of remembered sessions ({self.path}): {text}."
        return Problem(Fault.ENVIRONMENT, code, message, str(self.path))
