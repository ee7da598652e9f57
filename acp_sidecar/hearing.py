"""What agents do (`host.ports.Listener`), handed to the rooms in the order in which it happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from acp_sidecar.errors import AuthRequired, Fault, Problem
from acp_sidecar.features.ports import Level
from acp_sidecar.host.agent_host import AgentHost, HostState
from acp_sidecar.host.ports import Done, Gone, Question
from acp_sidecar.prompting import held_message
from acp_sidecar.session.client_requests import ClientRequest
from acp_sidecar.session.content import text_block
from acp_sidecar.session.permissions import ElicitationRequest, PermissionRequest
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session
from acp_sidecar.session.updates import Update

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar

Json = Any


class Hearing:
    """Hears all agents of one sidecar; `happened` lets the rooms act afterwards."""

    def __init__(self, sidecar: Sidecar, happened: Callable[[], None]) -> None:
        self._sidecar = sidecar
        self._happened = happened

    def _host(self, session: Session) -> AgentHost:
        return self._sidecar.hosts[session.agent]

    def agent_changed(self, host: AgentHost) -> None:
        self._sidecar.fetching.agent_changed(host)
        if host.state is HostState.READY:
            for note in host.notes:
                self._sidecar.editor.log(Level.INFO, f"{host.name}: {note}")
        if host.state is HostState.FAILED and host.failure is not None:
            self._sidecar.editor.message(Level.ERROR, host.failure_text)
        self._happened()

    def agent_gone(self, host: AgentHost, gone: Gone) -> None:
        if not gone.expected:
            self._sidecar.problem(host.name, Problem(Fault.AGENT, "agent-gone", gone.reason))
        self._sidecar.serving.agent_gone(host.name)
        self._sidecar.rooms.agent_gone(self._sidecar.now(), host.name)
        self._sidecar.sessions.turns.agent_gone(host, gone.reason)
        self._happened()

    def session_opened(self, session: Session) -> None:
        self._sidecar.rooms.session_opened(self._sidecar.now(), session)
        self._happened()

    def session_forgotten(self, session: Session) -> None:
        self._sidecar.serving.session_closed(session)
        self._sidecar.rooms.session_removed(session)

    def session_closed(self, session: Session) -> None:
        """The agent has said that it is, or that it cannot be."""
        self._sidecar.rooms.status.touched(self._sidecar.now(), session)
        self._happened()

    def updated(self, session: Session, update: Update, effect: Effect) -> None:
        if effect.kind == "info":
            self._sidecar.memory.named(self._host(session), session)
        self._sidecar.rooms.updated(self._sidecar.now(), session, update, effect)
        self._happened()

    def notes_for_prompt(self, session: Session) -> list[Json]:
        note = self._sidecar.rooms.review.notes_for_prompt(session)
        return [text_block(note)] if note else []

    def queue_changed(self, session: Session) -> None:
        self._sidecar.rooms.queue_changed(self._sidecar.now(), session)
        self._happened()

    def prompts_held(self, session: Session, count: int) -> None:
        self._sidecar.editor.message(Level.INFO, held_message(session, count))

    def turn_started(self, session: Session) -> None:
        self._sidecar.memory.used(self._host(session), session)
        self._sidecar.rooms.turn_started(self._sidecar.now(), session)
        self._happened()

    def turn_ended(self, session: Session, *, told: bool) -> None:
        self._sidecar.rooms.turn_ended(self._sidecar.now(), session, told=told)
        self._sidecar.sessions.turns.turn_over(self._host(session), session)
        self._happened()

    def sign_in_wanted(self, host: AgentHost, error: AuthRequired, done: Done) -> None:
        self._sidecar.sign_ins.wanted(host, error, done)

    def permission_requested(
        self, session: Session, request: PermissionRequest, question: Question
    ) -> None:
        self._sidecar.rooms.permission_requested(self._sidecar.now(), session, request, question)
        self._happened()

    def client_requested(
        self, session: Session, request: ClientRequest, question: Question
    ) -> None:
        self._sidecar.serving.requested(session, request, question)
        self._happened()

    def elicitation_requested(
        self, host: AgentHost, request: ElicitationRequest, question: Question
    ) -> None:
        self._sidecar.rooms.elicitation_requested(host.name, request, question)
        self._happened()

    def elicitation_completed(self, host: AgentHost, elicitation_id: str) -> None:
        self._sidecar.rooms.elicitation_completed(host.name, elicitation_id)
        self._happened()

    def question_withdrawn(self, key: tuple[str, int | str]) -> None:
        self._sidecar.rooms.question_withdrawn(key)
        self._happened()

    def problem(self, agent: str, problem: Problem) -> None:
        self._sidecar.problem(agent, problem)
