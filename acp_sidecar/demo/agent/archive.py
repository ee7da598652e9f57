"""Sessions that outlive the agent's process: a file each, with what a replay tells."""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from acp_sidecar.demo.agent.events import Event, condensed
from acp_sidecar.demo.agent.session import Options, Session
from acp_sidecar.memory.place import write_whole

MOST_SESSIONS: Final = 20
MOST_BYTES: Final = 4_000_000
"""Of one session; one that has grown beyond it is kept no more."""


class Kept(BaseModel):
    """What a file has."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    version: Literal[1] = 1
    session_id: str
    cwd: Path
    options: Options
    title: str | None
    updated_at: str
    decisions: dict[str, bool]
    characters: int
    numbers: int
    history: list[Annotated[Event, Field(discriminator="type")]]


class Archive:
    """A folder of sessions. Files that cannot be read or written are passed over."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def sessions(self, *, without: Container[str] = ()) -> Iterator[Session]:
        """The sessions that are kept and not among those known."""
        for path in self._folder.glob("*.json"):
            if path.stem not in without:
                with contextlib.suppress(OSError, ValidationError):
                    session = _session(Kept.model_validate_json(path.read_bytes()))
                    if session.session_id == path.stem:
                        yield session

    def keep(self, session: Session) -> None:
        """Write a session as it is now, and drop those that have not been used for longest."""
        with contextlib.suppress(OSError, ValueError):  # ValueError: a name that is no UTF-8
            text = _kept(session).model_dump_json()
            if len(text) > MOST_BYTES:
                self.forget(session.session_id)
                return
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self._folder / f"{session.session_id}.json", text)
            self._prune()

    def forget(self, session_id: str) -> None:
        """Have no file of a session, if there is one."""
        for path in self._folder.glob("*.json"):
            if path.stem == session_id:  # never made into a path: an id comes from the client
                with contextlib.suppress(OSError):
                    path.unlink()

    def _prune(self) -> None:
        by_age = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for path in by_age[:-MOST_SESSIONS]:
            path.unlink()


def _kept(session: Session) -> Kept:
    return Kept(
        session_id=session.session_id,
        cwd=session.cwd,
        options=session.options,
        title=session.title,
        updated_at=session.updated_at,
        decisions=session.decisions,
        characters=session.characters,
        numbers=session.numbers,
        history=condensed(session.history),
    )


def _session(kept: Kept) -> Session:
    return Session(
        cwd=kept.cwd,
        session_id=kept.session_id,
        options=kept.options,
        title=kept.title,
        updated_at=kept.updated_at,
        active=False,
        history=list(kept.history),
        decisions=kept.decisions,
        characters=kept.characters,
        numbers=kept.numbers,
    )
