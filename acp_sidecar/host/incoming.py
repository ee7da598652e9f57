"""What an agent says on its own: updates into the state, questions to the listener."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.host.ports import Listener, Question
from acp_sidecar.session.client_requests import ClientRequest
from acp_sidecar.session.permissions import (
    FormElicitation,
    PermissionRequest,
    ToolCallSubject,
    UnknownElicitation,
    UrlElicitation,
)
from acp_sidecar.session.reducer import apply
from acp_sidecar.session.state import Session
from acp_sidecar.session.store import SessionStore
from acp_sidecar.session.updates import StateUpdate, Update
from acp_sidecar.wire.json_rpc import (
    INVALID_REQUEST,
    Incoming,
    Notification,
    Request,
    RequestId,
)
from acp_sidecar.wire.protocol import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    RESOURCE_NOT_FOUND,
    AgentMessage,
    ElicitationCompleted,
    RequestCancelled,
    SessionUpdates,
    elicitation_answer,
    permission_answer,
)
from acp_sidecar.wire.quirks import answer_instead

if TYPE_CHECKING:
    from acp_sidecar.host.agent_host import AgentHost

_Elicitation = FormElicitation | UrlElicitation | UnknownElicitation

EARLY_QUESTIONS: Final = 100
"""Permission requests kept for sessions that are not known yet."""


class IncomingMessages:
    """Takes every message of one agent, in order. Never raises on what an agent sends."""

    def __init__(self, host: AgentHost, store: SessionStore, listener: Listener) -> None:
        self._host = host
        self._store = store
        self._listener = listener
        self._open: dict[RequestId, str] = {}
        self._early: list[tuple[Request, PermissionRequest]] = []
        self._strangers: set[str] = set()
        self._openings = 0

    def take(self, message: Incoming) -> None:
        """One request, notification or problem."""
        if isinstance(message, Problem):
            self._host.report([message])
        elif isinstance(message, Notification | Request) and not self._host.agreed:
            self._too_early(message)
        elif isinstance(message, Notification):
            self._notification(message)
        elif isinstance(message, Request):
            self._request(message)
        else:
            self._host.report([_stray_answer()])

    def agent_gone(self) -> None:
        """Nothing that was asked needs an answer any more; unfinished turns are over."""
        self._open.clear()
        self._early.clear()
        self._strangers.clear()
        self._openings = 0
        self._store.forget_early(self._host.name)

    def _too_early(self, message: Notification | Request) -> None:
        """Before the answer to `initialize` nobody knows in which version it is said."""
        text = f"{self._host.name} sent {message.method} before it answered `initialize`; ignored."
        self._host.report([Problem(Fault.AGENT, "before-initialize", text, message.method)])
        if isinstance(message, Request):
            self._refuse(message.id, INVALID_REQUEST, "Answer `initialize` first.")

    # --- notifications ---------------------------------------------------------------------------

    def _notification(self, message: Notification) -> None:
        value = self._understand(message.method, message.params)
        if isinstance(value, SessionUpdates):
            self._updates(value)
        elif isinstance(value, RequestCancelled):
            self._withdrawn(value.request_id)
        elif isinstance(value, ElicitationCompleted):
            self._listener.elicitation_completed(self._host, value.elicitation_id)
        elif value is not None:
            self._unknown(message.method)

    def _understand(self, method: str, params: object) -> AgentMessage | None:
        decoded = self._host.adapter.incoming(method, params)
        if decoded.problems:
            self._host.report(decoded.problems)
        return decoded.value

    def _updates(self, message: SessionUpdates) -> None:
        session = self._store.find(self._host.name, message.session_id)
        for update in message.updates:
            if session is None:
                self._stranger(message.session_id, update)
            else:
                self.update(session, update)

    def update(self, session: Session, update: Update) -> None:
        """Apply one update and tell what it changed."""
        was_busy = session.busy
        effect = apply(session, update)
        self._listener.updated(session, update, effect)
        if was_busy and not session.busy and isinstance(update, StateUpdate):
            self._listener.turn_ended(session, told=True)

    def _stranger(self, session_id: str, update: Update) -> None:
        """An update of a session that is not known: kept, for its session may be on its way."""
        if session_id not in self._strangers:
            self._strangers.add(session_id)
            text = f"{self._host.name} sent updates of a session that is not open (yet); kept."
            self._host.report([Problem(Fault.AGENT, "early-update", text, "session/update")])
        if not self._store.keep_early(self._host.name, session_id, update):
            text = "Too many updates of sessions that are not open; some were dropped."
            self._host.report([Problem(Fault.AGENT, "early-update-dropped", text)])

    def session_known(self, session: Session) -> None:
        """A session was opened: apply and tell what came for it before."""
        self._strangers.discard(session.session_id)
        for update, effect in self._store.release_early(session):
            self._listener.updated(session, update, effect)
        early, self._early = self._early, []
        for request, permission in early:
            if permission.session_id == session.session_id:
                self._permission(request, permission)
            else:
                self._early.append((request, permission))

    def opening(self) -> None:
        """A session is being opened: questions about unknown sessions wait for its answer."""
        self._openings += 1

    def opening_done(self) -> None:
        """The answer is here; questions that fit no session are cancelled when none is left."""
        self._openings -= 1
        if self._openings == 0:
            early, self._early = self._early, []
            for request, _permission in early:
                self._respond(request.id, permission_answer(None))

    def _unknown(self, method: str) -> None:
        text = f"{self._host.name} sent {method}, which this client does not know; ignored."
        # ACP reserves the underscore for extensions: there is nothing wrong with these.
        code = "extension-notification" if method.startswith("_") else "unknown-notification"
        self._host.report([Problem(Fault.AGENT, code, text, method)])

    def _withdrawn(self, request_id: RequestId) -> None:
        if self._open.pop(request_id, None) is None:
            return  # answered already: the two crossed
        self._refuse(request_id, REQUEST_CANCELLED, "Cancelled, as asked.")
        self._listener.question_withdrawn((self._host.name, request_id))

    # --- requests --------------------------------------------------------------------------------

    def _request(self, message: Request) -> None:
        value = self._understand(message.method, message.params)
        if isinstance(value, PermissionRequest):
            self._permission(message, value)
        elif isinstance(value, _Elicitation):
            self._elicitation(message, value)
        elif isinstance(value, ClientRequest) and self._host.offered.serves(value):
            self._client_request(message, value)
        elif value is None:
            self._refuse(message.id, INVALID_PARAMS, f"{message.method}: invalid params")
        else:
            text = f"{self._host.name} asked {message.method}, which this client does not offer."
            self._host.report([Problem(Fault.AGENT, "unknown-request", text, message.method)])
            self._refuse(message.id, METHOD_NOT_FOUND, f"{message.method} is not supported")

    def _permission(self, message: Request, request: PermissionRequest) -> None:
        session = self._store.find(self._host.name, request.session_id)
        if session is None:
            self._early_permission(message, request)
            return
        if isinstance(request.subject, ToolCallSubject):
            # The subject is an upsert like any other; often it announces the call.
            self.update(session, request.subject.tool_call)
        if session.cancelling:
            self._respond(message.id, permission_answer(None))
            return
        self._listener.permission_requested(session, request, self._question(message))

    def _early_permission(self, message: Request, request: PermissionRequest) -> None:
        if self._openings and len(self._early) < EARLY_QUESTIONS:
            self._early.append((message, request))
            return
        text = f"{self._host.name} asked permission for a session that is not open; cancelled."
        self._host.report([Problem(Fault.AGENT, "unknown-session", text, message.method)])
        self._respond(message.id, permission_answer(None))

    def _elicitation(self, message: Request, request: _Elicitation) -> None:
        if isinstance(request, UnknownElicitation):
            self._respond(message.id, elicitation_answer("decline"))
            return
        self._listener.elicitation_requested(self._host, request, self._question(message))

    def _client_request(self, message: Request, request: ClientRequest) -> None:
        """Never kept for later: an agent may wait for it before it says which session it opens."""
        session = self._store.find(self._host.name, request.session_id)
        if session is None or session.closed:
            text = f"{self._host.name} asked {message.method} of a session that is not open."
            self._host.report([Problem(Fault.AGENT, "unknown-session", text, message.method)])
            self._refuse(
                message.id, RESOURCE_NOT_FOUND, f"There is no such session: {message.method}"
            )
            return
        self._listener.client_requested(session, request, self._question(message))

    def _question(self, message: Request) -> Question:
        self._open[message.id] = message.method

        def respond(result: object) -> None:
            if self._open.pop(message.id, None) is not None:
                self._respond(message.id, result)

        def refuse(code: int, text: str) -> None:
            if self._open.pop(message.id, None) is None:
                return
            instead = answer_instead(self._host.info, message.method, code)
            if instead is None:
                self._refuse(message.id, code, text)
            else:
                self._respond(message.id, instead)

        return Question((self._host.name, message.id), respond, refuse)

    def _respond(self, request_id: RequestId, result: object) -> None:
        self._host.connection.respond(request_id, result)

    def _refuse(self, request_id: RequestId, code: int, text: str) -> None:
        self._host.connection.respond_error(request_id, code, text)


def _stray_answer() -> Problem:
    text = "The agent answered a request that cannot be told; ignored."
    return Problem(Fault.AGENT, "stray-answer", text)
