"""Sessions over restarts: what the state file is told, and what of it is this workspace's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import ValidationError

from acp_sidecar.errors import Problem
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.memory.entries import (
    LONGEST_TITLE,
    MOST_DIRECTORIES,
    Changes,
    Entry,
    Key,
    merged,
    newest_first,
)
from acp_sidecar.memory.state_file import Loaded, StateFile
from acp_sidecar.session.state import Session

Json = Any

WRITE_AFTER: Final = 0.5
"""Seconds after a change; more changes in that time are written with it."""


class Remembering:
    """What this sidecar remembers. Files are written by a thread of their own."""

    def __init__(
        self,
        file: StateFile,
        workspace: Callable[[], str],
        *,
        enabled: bool,
        on_problem: Callable[[Problem], None],
    ) -> None:
        """Remember in a file; `workspace` names the workspace that is open."""
        self._workspace = workspace
        self._enabled = enabled
        self._on_problem = on_problem
        self._file = file
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="acp-state")
        self._entries: dict[Key, Entry] = {}
        self._changes = Changes()
        self._writable = True
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._told: set[str] = set()
        if enabled:
            self._take(self._file.load(datetime.now(UTC)))

    def configure(self, *, enabled: bool) -> None:
        """The setting has changed."""
        if enabled and not self._enabled:
            self._take(self._file.load(datetime.now(UTC)))
        self._enabled = enabled

    # --- what is remembered -----------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """The sessions of this workspace, the last used first."""
        if not self._enabled:
            return []
        workspace = self._workspace()
        now = merged(self._entries, self._changes)
        return newest_first(each for each in now.values() if each.workspace == workspace)

    def find(self, session_id: str, agent: str | None) -> Entry | None:
        """The remembered session of that id (and agent, if one is named)."""
        fitting = (
            each
            for each in self.entries()
            if each.session_id == session_id and agent in {None, each.agent}
        )
        return next(fitting, None)

    # --- what happens -----------------------------------------------------------------------------

    def used(self, host: AgentHost, session: Session) -> None:
        """A session was prompted or resumed."""
        if not self._enabled or not host.agreed or host.adapter.resumes == "none":
            return
        try:
            entry = Entry(
                workspace=self._workspace(),
                agent=session.agent,
                session_id=session.session_id,
                cwd=session.cwd,
                additional_directories=session.additional_directories[:MOST_DIRECTORIES],
                title=session.title and session.title[:LONGEST_TITLE],
                updated_at=session.updated_at,
                last_used=datetime.now(UTC),
                resume=host.adapter.resumes,
            )
        except ValidationError:
            return  # an id of a size that is no id
        self._changes.use(entry)
        self._write_soon()

    def named(self, host: AgentHost, session: Session) -> None:
        """The agent has told its title."""
        key = (session.agent, session.session_id)
        if key in self._changes.used or key in self._entries:
            self.used(host, session)

    def forget(self, key: Key) -> None:
        """Remember a session no more."""
        self._changes.forget(key)
        self._write_soon()

    # --- the file ---------------------------------------------------------------------------------

    def _write_soon(self) -> None:
        if self._enabled and self._writable and self._timer is None:
            self._timer = self._loop.call_later(WRITE_AFTER, self._write)

    def _write(self) -> None:
        self._timer = None
        if self._writing is None or self._writing.done():
            self._writing = self._loop.create_task(self._write_all())

    async def _write_all(self) -> None:
        while self._changes and self._enabled and self._writable:
            changes, self._changes = self._changes, Changes()
            now = datetime.now(UTC)
            loaded = await self._loop.run_in_executor(self._thread, self._file.write, changes, now)
            if not loaded.written:
                self._keep(changes)
                self._tell(loaded)
                return
            self._take(loaded)

    def _keep(self, changes: Changes) -> None:
        """What could not be written stays to be written with the next change."""
        newer, self._changes = self._changes, changes
        for entry in newer.used.values():
            self._changes.use(entry)
        for key in newer.forgotten:
            self._changes.forget(key)

    def _take(self, loaded: Loaded) -> None:
        self._entries = loaded.entries
        self._tell(loaded)

    def _tell(self, loaded: Loaded) -> None:
        self._writable = loaded.writable
        for problem in loaded.problems:
            if problem.code not in self._told:
                self._told.add(problem.code)
                self._on_problem(problem)

    async def finish(self) -> None:
        """Write what is left."""
        if self._timer is not None:
            self._timer.cancel()
        if self._writing is not None:
            await self._writing
        await self._write_all()
        self._thread.shutdown(wait=False)
