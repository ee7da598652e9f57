"""Between what agents have the client do (host) and the features that do it.

Turns requests of ACP v1 into calls of the features, and their answers and refusals into the
protocol's. Decides nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from acp_sidecar.agent.commands import CommandRunner
from acp_sidecar.agent.disk import LocalDisk
from acp_sidecar.config import ClientSettings
from acp_sidecar.features.client_files import ClientFiles
from acp_sidecar.features.client_terminals import ClientTerminals, Output
from acp_sidecar.features.served import Caller, Refusal
from acp_sidecar.host.ports import Question
from acp_sidecar.session.client_requests import (
    ClientRequest,
    CreateTerminal,
    ReadTextFile,
    TerminalRequest,
    WriteTextFile,
)
from acp_sidecar.session.permissions import PermissionRequest
from acp_sidecar.session.state import Session
from acp_sidecar.wire.protocol import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    REQUEST_CANCELLED,
    RESOURCE_NOT_FOUND,
    ClientOffer,
)
from acp_sidecar.wire.v1.client_methods import (
    DONE,
    exit_status,
    file_content,
    terminal_created,
    terminal_output,
)

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar

T = TypeVar("T")
Json = Any

_CODES: Final = {
    Refusal.INVALID: INVALID_PARAMS,
    Refusal.NOT_FOUND: RESOURCE_NOT_FOUND,
    Refusal.DENIED: INTERNAL_ERROR,
    Refusal.CANCELLED: REQUEST_CANCELLED,
    Refusal.FAILED: INTERNAL_ERROR,
}


def offer_of(settings: ClientSettings) -> ClientOffer:
    """What agents are told that they may have us do."""
    return ClientOffer(settings.read_files, settings.write_files, settings.terminals)


class Serving:
    """Serves the requests of all agents."""

    def __init__(self, sidecar: Sidecar) -> None:
        rooms, workspace = sidecar.rooms, sidecar.workspace
        self._rooms = rooms
        self._now = sidecar.now
        self.runner = CommandRunner()
        self.files = ClientFiles(
            sidecar.editor,
            workspace,
            disk=LocalDisk(),
            access=rooms.access,
            review=rooms.review,
            accessed=self._accessed,
        )
        self.terminals = ClientTerminals(
            workspace,
            rooms.access,
            self.runner,
            tell=sidecar.tell,
            # Never the id of an earlier life, which a replayed tool call may still name.
            new_id=lambda: f"client-terminal-{secrets.token_hex(4)}",
            kept=sidecar.settings.config.terminal.output_limit,
        )

    def requested(self, session: Session, request: ClientRequest, question: Question) -> None:
        """An agent wants something done."""
        match request:
            case ReadTextFile():
                self.files.read(session, request, self._caller(question, file_content))
            case WriteTextFile():
                self.files.write(self._now(), session, request, self._caller(question, _done))
            case CreateTerminal():
                self.terminals.create(session, request, self._caller(question, terminal_created))
            case TerminalRequest():
                self._terminal(session, request, question)

    def _terminal(self, session: Session, request: TerminalRequest, question: Question) -> None:
        terminal_id = request.terminal_id
        match request.verb:
            case "output":
                self.terminals.output(session, terminal_id, self._caller(question, _output))
            case "wait_for_exit":
                self.terminals.wait(session, terminal_id, self._caller(question, exit_status))
            case "kill":
                self.terminals.kill(session, terminal_id, self._caller(question, _done))
            case "release":
                self.terminals.release(session, terminal_id, self._caller(question, _done))

    def _caller(self, question: Question, result: Callable[[T], Json]) -> Caller[T]:
        def done(value: T) -> None:
            question.respond(result(value))

        def refuse(refusal: Refusal, text: str) -> None:
            question.refuse(_CODES[refusal], text)

        return Caller(done, refuse, partial(self._ask, question))

    def _ask(
        self,
        question: Question,
        session: Session,
        request: PermissionRequest,
        answered: Callable[[str | None], None],
    ) -> None:
        self._rooms.consent(session, request, question.key, answered)

    def _accessed(
        self, session: Session, path: str, line: int | None, limit: int | None, kind: str
    ) -> None:
        is_read = kind == "read"
        self._rooms.follow.file_access(
            self._now(), session, path, line, limit, kind="read" if is_read else "edit"
        )

    # --- what happens elsewhere -------------------------------------------------------------------

    def session_closed(self, session: Session) -> None:
        """A session is closed or forgotten: nothing of it runs any more."""
        self.terminals.session_closed(session)
        self.files.forget(session)

    def agent_gone(self, agent: str) -> None:
        """The agent's process has ended."""
        self.terminals.agent_gone(agent)


def _done(_nothing: None) -> Json:
    return DONE


def _output(output: Output) -> Json:
    return terminal_output(output.text, truncated=output.truncated, status=output.status)
