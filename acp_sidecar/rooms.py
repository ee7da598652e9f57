"""The features of one sidecar, and who hears of what. No decision is taken here."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.config import Config
from acp_sidecar.features.ports import Editor, Workspace
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.host.ports import Question
from acp_sidecar.session.permissions import ElicitationRequest, PermissionRequest
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session
from acp_sidecar.session.store import SessionStore
from acp_sidecar.session.updates import Update
from acp_sidecar.wire.protocol import permission_answer

Json = Any


class Rooms:
    serves_elicitation = False

    def __init__(
        self, config: Config, editor: Editor, workspace: Workspace, store: SessionStore
    ) -> None:
        self.editor = editor

    def configure(self, config: Config) -> None: ...
    def agent_changed(self, now: float, host: AgentHost) -> None: ...
    def agent_gone(self, now: float, agent: str, reason: str) -> None: ...
    def session_opened(self, now: float, session: Session) -> None: ...
    def session_closed(self, session: Session) -> None: ...
    def updated(self, now: float, session: Session, update: Update, effect: Effect) -> None: ...
    def turn_started(self, now: float, session: Session) -> None: ...
    def turn_ended(self, now: float, session: Session) -> None: ...
    def permission_requested(
        self, now: float, session: Session, request: PermissionRequest, question: Question
    ) -> None:
        question.respond(permission_answer(request.options[0].option_id))

    def elicitation_requested(
        self, now: float, agent: str, request: ElicitationRequest, question: Question
    ) -> None: ...
    def elicitation_completed(self, now: float, agent: str, elicitation_id: str) -> None: ...
    def question_withdrawn(self, now: float, key: tuple[str, int | str]) -> None: ...
    def document_opened(self, now: float, path: str) -> None: ...
    def document_changed(self, now: float, path: str, edits: list[TextEdit]) -> None: ...
    def document_closed(self, now: float, path: str) -> None: ...
    def file_changed(self, now: float, path: str) -> None: ...
    def user_activity(self, now: float, params: Json) -> None: ...
    def code_lenses(self, path: str) -> list[types.CodeLens]:
        return []

    def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        return []

    def deadline(self) -> float | None:
        return None

    def tick(self, now: float) -> None: ...
    def cancelled(self, now: float, session: Session) -> None: ...
    def shutdown(self, now: float) -> None: ...
    def view(self) -> Json:
        return {}

    def prompt_blocks(self, session: Session, host: AgentHost, arguments: Any) -> list[Json]:
        return [{"type": "text", "text": arguments.text}]
