"""A host without processes: the test is the agent, and hears what the listener hears."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from acp_sidecar.config import AgentSettings, TimeoutSettings
from acp_sidecar.errors import AuthRequired, Problem, SidecarError
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.host.ports import AGENT_GONE, NO_ANSWER, Done, Gone, Question
from acp_sidecar.host.sessions import Sessions
from acp_sidecar.session.client_requests import ClientRequest
from acp_sidecar.session.permissions import ElicitationRequest, PermissionRequest
from acp_sidecar.session.queue import QueuedPrompt
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session
from acp_sidecar.session.store import SessionStore
from acp_sidecar.session.updates import Update
from acp_sidecar.wire.json_rpc import (
    ErrorResponse,
    Incoming,
    Notification,
    Request,
    RequestId,
    Response,
    RpcError,
)
from acp_sidecar.wire.protocol import ClientInfo, ClientOffer

Json = Any

V1: Final[Json] = {
    "protocolVersion": 1,
    "agentInfo": {"name": "one", "version": "1"},
    "agentCapabilities": {"loadSession": True, "sessionCapabilities": {"list": {}, "close": {}}},
}
V2: Final[Json] = {
    "protocolVersion": 2,
    "info": {"name": "two", "version": "1"},
    "capabilities": {"session": {"delete": {}}},
}
ECHOES_2: Final[Json] = {**V1, "protocolVersion": 2}
"""Speaks v1, whatever version it was offered."""

TIMEOUTS = TimeoutSettings(initialize=11.0, request=7.0)


@dataclass
class Asked:
    """A request of ours that the agent has not answered."""

    id: int
    method: str
    params: Json
    on_answer: Callable[[Response | ErrorResponse], None]
    timeout: float | None


class Agent:
    """One life of the agent: a connection to the host, a program to the test."""

    def __init__(
        self, on_message: Callable[[Incoming], None], on_gone: Callable[[Gone], None]
    ) -> None:
        self.last_words = "stderr said so"
        self.open: list[Asked] = []
        self.notified: list[tuple[str, Json]] = []
        self.responses: dict[RequestId, Json] = {}
        self.refusals: dict[RequestId, int] = {}
        self.stopping = False
        self._on_message = on_message
        self._on_gone = on_gone

    # --- what the host does with its connection (`host.ports.Connection`) ------------------------

    def request(
        self,
        method: str,
        params: Json,
        on_answer: Callable[[Response | ErrorResponse], None],
        timeout: float | None = None,
    ) -> int:
        self.open.append(Asked(len(self.open), method, params, on_answer, timeout))
        return self.open[-1].id

    def notify(self, method: str, params: Json = None) -> None:
        self.notified.append((method, params))

    def respond(self, request_id: RequestId, result: Json) -> None:
        assert request_id not in self.responses.keys() | self.refusals.keys(), "answered twice"
        self.responses[request_id] = result

    def respond_error(
        self, request_id: RequestId, code: int, message: str, data: Json = None
    ) -> None:
        assert request_id not in self.responses.keys() | self.refusals.keys(), "answered twice"
        self.refusals[request_id] = code

    # --- what the agent does ----------------------------------------------------------------------

    def asked(self, method: str) -> Asked:
        """The oldest open request of that method, which counts as answered from now on."""
        found = next(asked for asked in self.open if asked.method == method)
        self.open.remove(found)
        return found

    def answers(self, method: str, result: Json) -> None:
        asked = self.asked(method)
        asked.on_answer(Response(asked.id, result))

    def refuses(self, method: str, code: int, message: str) -> None:
        asked = self.asked(method)
        asked.on_answer(ErrorResponse(asked.id, RpcError(code, message)))

    def is_silent(self, method: str) -> None:
        """The time for an answer is over."""
        self.refuses(method, NO_ANSWER, f"no answer to {method}")

    def asks(self, request_id: RequestId, method: str, params: Json) -> None:
        self._on_message(Request(request_id, method, params))

    def says(self, method: str, params: Json) -> None:
        self._on_message(Notification(method, params))

    def tells(self, session: str, kind: str, /, **fields: Json) -> None:
        """`session/update`."""
        self.says(
            "session/update", {"sessionId": session, "update": {"sessionUpdate": kind, **fields}}
        )

    def sends(self, message: Incoming) -> None:
        self._on_message(message)

    def exits(self, *, expected: bool = False) -> None:
        """The program ends; open requests fail before that is told, as connections promise."""
        while self.open:
            self.refuses(self.open[0].method, AGENT_GONE, "gone")
        self._on_gone(Gone("It ended.", "Start it again.", self.last_words, expected))


@dataclass
class Start:
    """One attempt to start the program."""

    on_ready: Callable[[Any], None]
    on_failed: Callable[[SidecarError], None]
    agent: Agent


class Programs:
    """Starts agents when the test says so (`host.ports.Connector`)."""

    def __init__(self) -> None:
        self.starts: list[Start] = []
        self.stopped: list[Agent] = []

    def connect(
        self,
        agent: str,
        *,
        on_ready: Callable[[Any], None],
        on_failed: Callable[[SidecarError], None],
        on_message: Callable[[Incoming], None],
        on_gone: Callable[[Gone], None],
    ) -> None:
        self.starts.append(Start(on_ready, on_failed, Agent(on_message, on_gone)))

    def disconnect(self, connection: Any) -> None:
        self.stopped.append(connection)


@dataclass
class Ears:
    """Everything a listener hears (`host.ports.Listener`)."""

    states: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    permissions: list[tuple[PermissionRequest, Question]] = field(default_factory=list)
    elicitations: list[tuple[ElicitationRequest, Question]] = field(default_factory=list)
    client_requests: list[tuple[ClientRequest, Question]] = field(default_factory=list)
    withdrawn: list[tuple[str, RequestId]] = field(default_factory=list)
    gone: list[Gone] = field(default_factory=list)
    sign_ins: list[tuple[AuthRequired, Done]] = field(default_factory=list)
    sessions: Sessions | None = None
    host: AgentHost | None = None
    notes: list[Json] = field(default_factory=list)
    queues: list[list[tuple[str, str]]] = field(default_factory=list)
    held: list[int] = field(default_factory=list)

    def agent_changed(self, host: AgentHost) -> None:
        self.states.append(host.state.value)

    def agent_gone(self, host: AgentHost, gone: Gone) -> None:
        self.gone.append(gone)
        if self.sessions is not None:
            self.sessions.turns.agent_gone(host, gone.reason)

    def session_opened(self, session: Session) -> None:
        self.heard.append(f"opened {session.session_id}")

    def session_forgotten(self, session: Session) -> None:
        self.heard.append(f"forgotten {session.session_id}")

    def updated(self, session: Session, update: Update, effect: Effect) -> None:
        self.heard.append(f"{effect.kind} {effect.id}".strip())

    def turn_started(self, session: Session) -> None:
        self.heard.append("turn started")

    def turn_ended(self, session: Session, *, told: bool) -> None:
        self.heard.append(f"turn ended, {'told' if told else 'untold'}: {session.stop_reason}")
        if self.sessions is not None and self.host is not None:
            self.sessions.turns.turn_over(self.host, session)

    def notes_for_prompt(self, session: Session) -> list[Json]:
        notes, self.notes = self.notes, []
        return notes

    def queue_changed(self, session: Session) -> None:
        self.queues.append([(each.text, each.state) for each in session.queued])

    def prompts_held(self, session: Session, count: int) -> None:
        self.held.append(count)

    def sign_in_wanted(self, host: AgentHost, error: AuthRequired, done: Done) -> None:
        self.sign_ins.append((error, done))

    def permission_requested(
        self, session: Session, request: PermissionRequest, question: Question
    ) -> None:
        self.permissions.append((request, question))

    def client_requested(
        self, session: Session, request: ClientRequest, question: Question
    ) -> None:
        self.client_requests.append((request, question))

    def elicitation_requested(
        self, host: AgentHost, request: ElicitationRequest, question: Question
    ) -> None:
        self.elicitations.append((request, question))

    def elicitation_completed(self, host: AgentHost, elicitation_id: str) -> None:
        self.heard.append(f"completed {elicitation_id}")

    def question_withdrawn(self, key: tuple[str, RequestId]) -> None:
        self.withdrawn.append(key)

    def problem(self, agent: str, problem: Problem) -> None:
        self.problems.append(problem)

    @property
    def codes(self) -> list[str]:
        return [problem.code for problem in self.problems]


class World:
    """A host, its sessions, its listener, and the programs that it starts."""

    def __init__(self, *, offer: ClientOffer | None = None, **settings: Json) -> None:
        self.ears = Ears()
        self.programs = Programs()
        self.store = SessionStore()
        self.sessions = Sessions(self.store, self.ears)
        self.ears.sessions = self.sessions
        self.host = AgentHost(
            "agent",
            AgentSettings.model_validate({"command": ["agent"], **settings}),
            client=ClientInfo("test", "Test", "1"),
            timeouts=TIMEOUTS,
            connector=self.programs,
            store=self.store,
            listener=self.ears,
            offer=offer,
        )
        self.ears.host = self.host
        self.readiness: list[SidecarError | None] = []
        self.failures: list[SidecarError] = []
        self.opened: list[Session] = []

    @property
    def agent(self) -> Agent:
        """The program that was started last."""
        return self.programs.starts[-1].agent

    def start(self) -> None:
        """Ask for the agent, and let its program start."""
        self.host.when_ready(self.readiness.append)
        self.run()

    def run(self) -> None:
        """The program that was started last is there."""
        start = self.programs.starts[-1]
        start.on_ready(start.agent)

    def offered(self) -> int:
        """The version that was offered last."""
        version: int = self.agent.open[-1].params["protocolVersion"]
        return version

    def ready(self, introduction: Json = V2) -> None:
        """Start and agree."""
        self.start()
        self.agent.answers("initialize", introduction)
        assert self.readiness == [None]

    def with_session(self, introduction: Json = V2, session_id: str = "s") -> Session:
        """Start, agree, and open a session."""
        self.ready(introduction)
        self.new()
        self.agent.answers("session/new", {"sessionId": session_id})
        return self.opened[-1]

    def new(self) -> None:
        self.sessions.new(self.host, "/p", [], self.opened.append, self.failures.append)

    def prompt(self, session: Session, text: str = "hi") -> None:
        blocks = [{"type": "text", "text": text}]
        self.sessions.turns.prompt(self.host, session, QueuedPrompt(text, text, blocks))
