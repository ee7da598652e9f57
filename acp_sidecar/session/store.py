"""All sessions of all agents, and updates that came before their session was known."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from acp_sidecar.session.reducer import Effect, apply
from acp_sidecar.session.state import DEFAULT_OUTPUT_LIMIT, Session
from acp_sidecar.session.updates import Update

EARLY_UPDATES = 10_000
"""Updates kept for sessions that are not known yet, in all."""

AgentSession = tuple[str, str]
"""(agent, the agent's own session id)."""


@dataclass(slots=True)
class SessionStore:
    """Finds sessions by the key that editors use or by what an agent calls them."""

    output_limit: int = DEFAULT_OUTPUT_LIMIT
    by_key: dict[str, Session] = field(default_factory=dict)
    _by_agent: dict[AgentSession, Session] = field(default_factory=dict)
    _early: dict[AgentSession, list[Update]] = field(default_factory=dict)
    _early_count: int = 0
    early_dropped: int = 0

    def find(self, agent: str, session_id: str) -> Session | None:
        return self._by_agent.get((agent, session_id))

    def open(
        self, agent: str, session_id: str, cwd: str, protocol_version: int, *, anew: bool = False
    ) -> Session:
        """The session of that agent with that id, made if it is new.

        `anew`: It begins now; some agents give ids again that a life before them gave.
        """
        known = self.find(agent, session_id)
        if known is not None and not (anew and known.detached):
            known.closed = False
            known.cwd = cwd
            known.protocol_version = protocol_version
            return known
        key = self._free_key(agent, session_id)
        session = Session(key, session_id, agent, cwd, protocol_version, self.output_limit)
        self.by_key[key] = session
        self._by_agent[agent, session_id] = session
        return session

    def _free_key(self, agent: str, session_id: str) -> str:
        marks = itertools.chain(("", f"@{agent}"), (f"@{agent}-{n}" for n in itertools.count(2)))
        return next(key for mark in marks if (key := session_id + mark) not in self.by_key)

    def release_early(self, session: Session) -> list[tuple[Update, Effect]]:
        """Apply what came for this session before it was known, in order of arrival."""
        early = self._early.pop((session.agent, session.session_id), [])
        self._early_count -= len(early)
        return [(update, apply(session, update)) for update in early]

    def keep_early(self, agent: str, session_id: str, update: Update) -> bool:
        """Keep an update of a session that is not known yet; False if there are too many."""
        if self._early_count >= EARLY_UPDATES:
            self.early_dropped += 1
            return False
        self._early.setdefault((agent, session_id), []).append(update)
        self._early_count += 1
        return True

    def forget_early(self, agent: str) -> int:
        """The agent is gone: drop what it said of sessions that never came; returns how many."""
        gone = [key for key in self._early if key[0] == agent]
        count = sum(len(self._early.pop(key)) for key in gone)
        self._early_count -= count
        return count

    def remove(self, session: Session) -> None:
        """The session was deleted."""
        self.by_key.pop(session.key, None)
        if self.find(session.agent, session.session_id) is session:
            del self._by_agent[session.agent, session.session_id]

    def of_agent(self, agent: str) -> list[Session]:
        return [session for session in self.by_key.values() if session.agent == agent]
