"""Between an agent's questions (host) and the features that put them to the user.

Keeps which open question belongs to which request of which agent, so that a question withdrawn by
its agent disappears, and the review of a tool call finds its permission. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from acp_sidecar.features.elicitation import Elicitations
from acp_sidecar.features.permission import Permissions
from acp_sidecar.features.permission.choices import chosen_to_allow, chosen_to_deny, option_by_id
from acp_sidecar.host.ports import Question
from acp_sidecar.session.permissions import (
    ElicitationRequest,
    FormElicitation,
    PermissionRequest,
    ServedCall,
    ToolCallSubject,
    UrlElicitation,
)
from acp_sidecar.session.state import Session
from acp_sidecar.session.store import SessionStore
from acp_sidecar.wire.json_rpc import RequestId
from acp_sidecar.wire.protocol import elicitation_answer, permission_answer

Settled = Callable[[Session, PermissionRequest, str | None], None]
"""Told when a permission was answered: its session, the request, and the option or None."""

Asked = Callable[[Session, PermissionRequest], Callable[[], None]]
"""Told when an agent asks permission; what it returns is called if that is allowed."""


class Asking:
    """Open questions by the agent's request; also the review's `PermissionPort`."""

    def __init__(
        self,
        permissions: Permissions,
        elicitations: Elicitations,
        *,
        asked: Asked,
        settled: Settled,
    ) -> None:
        self._asked = asked
        self._permissions = permissions
        self._elicitations = elicitations
        self._settled = settled
        self._by_request: dict[tuple[str, RequestId], str] = {}
        self._requests: dict[str, tuple[Session, PermissionRequest]] = {}

    def permission(self, session: Session, request: PermissionRequest, question: Question) -> None:
        """An agent asks permission."""
        is_allowed = self._asked(session, request)

        def answered(option_id: str | None) -> None:
            if allowed(request, option_id):
                is_allowed()
            question.respond(permission_answer(option_id))

        self.consent(session, request, question.key, answered)

    def consent(
        self,
        session: Session,
        request: PermissionRequest,
        key: tuple[str, RequestId],
        answered: Callable[[str | None], None],
    ) -> None:
        """Ask the user in the name of an agent's request; `answered` gets the option or None."""
        settled = False

        def answer(option_id: str | None) -> None:
            nonlocal settled
            settled = True
            self._forget(key)
            answered(option_id)
            self._settled(session, request, option_id)

        permission_id = self._permissions.requested(session, request, answer)
        if not settled:
            self._by_request[key] = permission_id
            self._requests[permission_id] = (session, request)

    def elicitation(
        self, agent: str, store: SessionStore, request: ElicitationRequest, question: Question
    ) -> None:
        """An agent wants to know something."""
        settled = False

        def answer(action: str, content: object = None) -> None:
            nonlocal settled
            settled = True
            question.respond(elicitation_answer(action, content))
            self._by_request.pop(question.key, None)

        session = None
        if isinstance(request, FormElicitation | UrlElicitation) and request.session_id:
            session = store.find(agent, request.session_id)
        elicitation_id = self._elicitations.requested(agent, session, request, answer)
        if not settled:
            self._by_request[question.key] = elicitation_id

    def withdrawn(self, key: tuple[str, RequestId]) -> None:
        """The agent took its request back; it has been told so already."""
        question_id = self._by_request.get(key)
        if question_id is None:
            return
        self._forget(key)
        if not self._permissions.withdraw(question_id):
            self._elicitations.withdraw(question_id)

    def agent_gone(self, agent: str) -> None:
        """Nobody is left to answer."""
        self._permissions.agent_gone(agent)
        self._elicitations.agent_gone(agent)
        for key in [key for key in self._by_request if key[0] == agent]:
            self._forget(key)

    def _forget(self, key: tuple[str, RequestId]) -> None:
        self._requests.pop(self._by_request.pop(key, ""), None)

    # --- `features.review.shelf.PermissionPort` ---------------------------------------------------

    def open_for(self, session_key: str, tool_call_id: str) -> str | None:
        for permission_id, (session, request) in self._requests.items():
            if session.key == session_key and tool_call_of(request) == tool_call_id:
                return permission_id
        return None

    def settle(self, permission_id: str, allow: bool) -> None:
        found = self._requests.get(permission_id)
        if found is None:
            return
        options = found[1].options
        option = chosen_to_allow(options) if allow else chosen_to_deny(options)
        if option is not None:
            self._permissions.answer(permission_id, option.option_id)
        elif not allow:
            self._permissions.answer(permission_id, None)

    def change_of(self, permission_id: str) -> tuple[str, str] | None:
        """(session key, tool call id) of an open permission's subject."""
        found = self._requests.get(permission_id)
        tool_call_id = tool_call_of(found[1]) if found else None
        return (found[0].key, tool_call_id) if found and tool_call_id else None


def tool_call_of(request: PermissionRequest) -> str | None:
    """The tool call that a permission is about, if it is about one."""
    subject = request.subject
    if not isinstance(subject, ToolCallSubject) or isinstance(subject.tool_call, ServedCall):
        return None
    return subject.tool_call.tool_call_id


def allowed(request: PermissionRequest, option_id: str | None) -> bool:
    """Whether the answer lets the agent go on; unknown kinds of options do not count as yes."""
    option = None if option_id is None else option_by_id(request.options, option_id)
    return option is not None and option.kind in {"allow_once", "allow_always"}
