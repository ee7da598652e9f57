"""Lists of sessions: those remembered first, then the agent's own, page by page and never twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from acp_sidecar.errors import (
    AgentRefused,
    EditorError,
    Fault,
    NotSupported,
    Problem,
    SidecarError,
)
from acp_sidecar.features.state_messages import ListedSession, RememberedSession
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.lsp.documents import real_path
from acp_sidecar.memory.entries import Entry
from acp_sidecar.session.handshake import SessionInfo, SessionList
from acp_sidecar.session.state import Session
from acp_sidecar.wire.protocol import METHOD_NOT_FOUND

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar

Json = Any
Place = tuple[str, str | None]
"""(agent, folder): what a list is of."""

PAGE: Final = 500
"""Sessions that an editor is told at once."""

MOST_PAGES: Final = 10_000
"""Pages of one walk; a list that is longer is taken for one without an end."""

AGENT, REST = "a:", "r:"
"""Cursors of ours: the agent's own, or a place in what is left of its last answer."""


class Walk:
    """One walk through the pages of a list.

    Attributes:
        rest: What the agent told with one page and was too much for one of ours.
        after: The agent's cursor after that.
    """

    def __init__(self) -> None:
        self._depths: dict[str, int] = {}
        self.rest: list[SessionInfo] = []
        self.after: str | None = None

    def comes_back(self, asked: str | None, given: str) -> bool:
        """Whether a page leads to one before it or to itself; asking a page again is no loop."""
        depth = self._depths.get(asked, 0) if asked is not None else 0
        known = self._depths.get(given)
        if given == asked or (known is not None and known <= depth):
            return True
        if len(self._depths) >= MOST_PAGES:
            return True
        self._depths[given] = depth + 1
        return False


class Listing:
    """Lists of all agents of one sidecar."""

    def __init__(self, sidecar: Sidecar) -> None:
        self._sidecar = sidecar
        self._walks: dict[Place, Walk] = {}

    def remembered(self) -> list[RememberedSession]:
        """What `acp.state` tells."""
        return [self._remembered(entry) for entry in self._entries()]

    def page(
        self,
        host: AgentHost,
        cwd: str | None,
        cursor: str | None,
        done: Callable[[Json], None],
        failed: Callable[[SidecarError], None],
    ) -> None:
        """One page.

        Raises:
            EditorError: The cursor is none of ours.
        """
        walk = self._walks.get((host.name, cwd))
        if cursor is None or walk is None:
            walk = self._walks[host.name, cwd] = Walk()
        if cursor is not None and cursor.startswith(REST):
            done(self._rest(host, walk, cwd, cursor))
            return
        if cursor is not None and not cursor.startswith(AGENT):
            raise EditorError("This cursor is not from a list of sessions.")
        asked = None if cursor is None else cursor.removeprefix(AGENT)

        def listed(page: SessionList) -> None:
            walk.rest, walk.after = page.sessions, self._next(host, walk, asked, page.next_cursor)
            done(self._cut(host, walk, cwd, 0, first=cursor is None))

        def refused(error: SidecarError) -> None:
            if isinstance(error, NotSupported) or _unknown(error):
                done(_page(self._first(self._of(host, cwd)), None, listed=False))
            else:
                failed(error)

        self._sidecar.sessions.list_page(host, cwd, asked, listed, refused)

    def _next(
        self, host: AgentHost, walk: Walk, asked: str | None, given: str | None
    ) -> str | None:
        if given is None or not walk.comes_back(asked, given):
            return given
        text = f"{host.name} lists its sessions in a circle; the list ends where it began again."
        host.report([Problem(Fault.AGENT, "list-loop", text, "session/list")])
        return None

    def _rest(self, host: AgentHost, walk: Walk, cwd: str | None, cursor: str) -> Json:
        start = cursor.removeprefix(REST)
        if not re.fullmatch("[0-9]{1,9}", start) or not 0 < int(start) < len(walk.rest):
            raise EditorError("This list is gone.", advice="Ask for its first page again.")
        return self._cut(host, walk, cwd, int(start), first=False)

    def _cut(
        self, host: AgentHost, walk: Walk, cwd: str | None, start: int, *, first: bool
    ) -> Json:
        """One of our pages from what the agent told."""
        entries = self._of(host, cwd)
        known = {entry.session_id for entry in entries}
        news = {info.session_id: info for info in walk.rest[start : start + PAGE]}
        sessions = self._first(entries, news) if first else []
        sessions += [
            self._listed(host, info) for info in news.values() if info.session_id not in known
        ]
        end = start + PAGE
        if end < len(walk.rest):
            return _page(sessions, f"{REST}{end}")
        return _page(sessions, None if walk.after is None else AGENT + walk.after)

    # --- what is remembered -----------------------------------------------------------------------

    def _entries(self) -> list[Entry]:
        return self._sidecar.memory.entries()

    def _of(self, host: AgentHost, cwd: str | None) -> list[Entry]:
        of_agent = [entry for entry in self._entries() if entry.agent == host.name]
        if cwd is None:
            return of_agent
        folder = real_path(cwd)
        return [entry for entry in of_agent if real_path(entry.cwd) == folder]

    def _first(
        self, entries: list[Entry], news: dict[str, SessionInfo] | None = None
    ) -> list[ListedSession]:
        """Those remembered, with what the agent says of them on its first page."""
        found: list[ListedSession] = []
        for entry in entries:
            told = (news or {}).get(entry.session_id)
            remembered = self._remembered(entry)
            found.append(
                {
                    "sessionId": remembered["sessionId"],
                    "agent": entry.agent,
                    "cwd": entry.cwd,
                    "additionalDirectories": entry.additional_directories,
                    "title": (told.title if told else None) or remembered["title"],
                    "updatedAt": (told.updated_at if told else None) or remembered["updatedAt"],
                    "lastUsed": remembered["lastUsed"],
                    "remembered": True,
                    "open": remembered["open"],
                }
            )
        return found

    def _remembered(self, entry: Entry) -> RememberedSession:
        session = self._sidecar.store.find(entry.agent, entry.session_id)
        host = self._sidecar.hosts.get(entry.agent)
        if entry.agent not in self._sidecar.agents:
            resume: Json = "none"
        else:
            resume = host.adapter.resumes if host and host.agreed else entry.resume
        return {
            "sessionId": session.key if session else entry.session_id,
            "agent": entry.agent,
            "cwd": entry.cwd,
            "additionalDirectories": entry.additional_directories,
            "title": session.title if session else entry.title,
            "updatedAt": session.updated_at if session else entry.updated_at,
            "lastUsed": entry.last_used.isoformat(),
            "open": _is_open(session),
            "resume": resume,
        }

    def _listed(self, host: AgentHost, info: SessionInfo) -> ListedSession:
        session = self._sidecar.store.find(host.name, info.session_id)
        return {
            "sessionId": session.key if session else info.session_id,
            "agent": host.name,
            "cwd": info.cwd,
            "additionalDirectories": info.additional_directories or [],
            "title": info.title,
            "updatedAt": info.updated_at,
            "lastUsed": None,
            "remembered": False,
            "open": _is_open(session),
        }


def _page(sessions: list[ListedSession], cursor: str | None, *, listed: bool = True) -> Json:
    return {"sessions": sessions, "nextCursor": cursor, "listed": listed}


def _is_open(session: Session | None) -> bool:
    return session is not None and not session.closed and not session.detached


def _unknown(error: SidecarError) -> bool:
    """The agent does not know the request, though its version of the protocol has it."""
    return isinstance(error, AgentRefused) and error.code == METHOD_NOT_FOUND
