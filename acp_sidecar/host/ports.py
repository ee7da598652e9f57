"""What a host needs (a connection) and whom it tells (a listener)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from acp_sidecar.errors import AuthRequired, Problem, SidecarError
from acp_sidecar.session.client_requests import ClientRequest
from acp_sidecar.session.permissions import ElicitationRequest, PermissionRequest
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session
from acp_sidecar.session.updates import Update
from acp_sidecar.wire.json_rpc import ErrorResponse, Incoming, RequestId, Response

if TYPE_CHECKING:
    from acp_sidecar.host.agent_host import AgentHost

Json = Any

NO_ANSWER: Final = -32901
"""Error code of our own, never sent: no answer came in time."""

AGENT_GONE: Final = -32902
"""Error code of our own, never sent: the agent ended before it answered."""

Done = Callable[[SidecarError | None], None]
"""Called once when something asked for is done, or with what prevented it."""


@dataclass(frozen=True, slots=True)
class Offer:
    """MCP servers for a session that is being opened, as ACP v2 describes them.

    Attributes:
        opened: Told the session once it is open.
    """

    servers: Sequence[Json]
    opened: Callable[[Session], None]


NO_OFFER: Final = Offer((), lambda _session: None)


class Connection(Protocol):
    """A running agent; see `agent.connection.AgentConnection` for the promises on order."""

    @property
    def last_words(self) -> str:
        """The end of its stderr so far."""
        ...

    def request(
        self,
        method: str,
        params: Json,
        on_answer: Callable[[Response | ErrorResponse], None],
        timeout: float | None = None,
    ) -> int: ...

    def notify(self, method: str, params: Json = None) -> None: ...
    def respond(self, request_id: RequestId, result: Json) -> None: ...
    def respond_error(
        self, request_id: RequestId, code: int, message: str, data: Json = None
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Gone:
    """How a connection ended: one sentence, what to do, and the agent's last words."""

    reason: str
    advice: str
    last_words: str
    expected: bool


class Connector(Protocol):
    """Starts and stops agent programs."""

    def connect(
        self,
        agent: str,
        *,
        on_ready: Callable[[Connection], None],
        on_failed: Callable[[SidecarError], None],
        on_message: Callable[[Incoming], None],
        on_gone: Callable[[Gone], None],
    ) -> None:
        """Start the program; `on_ready` or `on_failed` follows, then messages, then `on_gone`."""
        ...

    def disconnect(self, connection: Connection) -> None:
        """Stop the program; `on_gone` follows when it has ended."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """A request of the agent's that waits for the user: respond or refuse, exactly once.

    Attributes:
        key: Names it for `$/cancel_request`: the agent and its request id.
    """

    key: tuple[str, RequestId]
    respond: Callable[[Json], None]
    refuse: Callable[[int, str], None]


class Listener(Protocol):
    """Hears everything that happens, after it is in the state, in order."""

    def agent_changed(self, host: AgentHost) -> None: ...
    def agent_gone(self, host: AgentHost, gone: Gone) -> None: ...
    def session_opened(self, session: Session) -> None: ...

    def session_forgotten(self, session: Session) -> None:
        """It was deleted, or is about to be told anew: nothing of it counts any more."""
        ...

    def updated(self, session: Session, update: Update, effect: Effect) -> None: ...
    def turn_started(self, session: Session) -> None: ...

    def turn_ended(self, session: Session, *, told: bool) -> None:
        """The turn is over; `told` if an update of the agent said so."""
        ...

    def sign_in_wanted(self, host: AgentHost, error: AuthRequired, done: Done) -> None:
        """The agent refused a request for want of a sign-in; `done` when it may be tried again."""
        ...

    def notes_for_prompt(self, session: Session) -> list[Json]:
        """What goes with a prompt that is sent now, as content blocks; told once."""
        ...

    def queue_changed(self, session: Session) -> None:
        """Prompts were queued, taken out, held or released."""
        ...

    def prompts_held(self, session: Session, count: int) -> None:
        """So many prompts wait for the user's word from now on."""
        ...

    def permission_requested(
        self, session: Session, request: PermissionRequest, question: Question
    ) -> None: ...

    def client_requested(
        self, session: Session, request: ClientRequest, question: Question
    ) -> None:
        """The agent wants us to read or write a file, or to run a command."""
        ...

    def elicitation_requested(
        self, host: AgentHost, request: ElicitationRequest, question: Question
    ) -> None: ...

    def elicitation_completed(self, host: AgentHost, elicitation_id: str) -> None: ...
    def question_withdrawn(self, key: tuple[str, RequestId]) -> None:
        """The agent no longer wants an answer; the question has been refused already."""
        ...

    def problem(self, agent: str, problem: Problem) -> None: ...
