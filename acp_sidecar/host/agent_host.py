"""One agent: started when needed, negotiated with, told to stop, restarted."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from acp_sidecar.config import AgentSettings, TimeoutSettings
from acp_sidecar.errors import (
    AgentError,
    AgentExited,
    AgentRefused,
    AuthRequired,
    Problem,
    SidecarError,
)
from acp_sidecar.host.incoming import IncomingMessages
from acp_sidecar.host.ports import (
    AGENT_GONE,
    NO_ANSWER,
    Connection,
    Connector,
    Done,
    Gone,
    Listener,
)
from acp_sidecar.session.handshake import InitializeResult
from acp_sidecar.session.store import SessionStore
from acp_sidecar.wire.json_rpc import ErrorResponse, Incoming, Response, RpcError
from acp_sidecar.wire.negotiate import (
    NEWEST,
    OLDEST,
    adapter_for,
    initialize_params,
    negotiated,
)
from acp_sidecar.wire.protocol import Adapter, ClientInfo, ClientOffer, Outgoing

T = TypeVar("T")

AUTH_REQUIRED = -32000

LAST_WORDS = 3
"""Lines of an agent's stderr shown when it fails."""


class HostState(StrEnum):
    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    FAILED = "failed"


class AgentHost:
    """One configured agent. Its process comes and goes; the host stays.

    Attributes:
        notes: What negotiation found, for the doctor and the log.
        failure: Why it is not running, if it failed.
        last_words: The end of its stderr when it ended or failed.
        timeouts: The patience with it, from its next request on.
        auth_required: It has refused something for want of a sign-in, and none was made since.
        offer: What it may have us do; a change counts from its next start on.
        offered: What it was told that it may.
        one_at_a_time: It has refused a prompt in a running turn.
    """

    def __init__(
        self,
        name: str,
        settings: AgentSettings,
        *,
        client: ClientInfo,
        timeouts: TimeoutSettings,
        connector: Connector,
        store: SessionStore,
        listener: Listener,
        elicitation: bool = False,
        offer: ClientOffer | None = None,
    ) -> None:
        self.name = name
        self.settings = settings
        self.state = HostState.STOPPED
        self.info: InitializeResult | None = None
        self.notes: list[str] = []
        self.failure: SidecarError | None = None
        self.last_words = ""
        self.problem_count = 0
        self.auth_required = False
        self.offered = ClientOffer()
        self.one_at_a_time = False
        self._client = client
        self.timeouts = timeouts
        self._connector = connector
        self._listener = listener
        self._elicitation = elicitation
        self.offer = offer or ClientOffer()
        self._incoming = IncomingMessages(self, store, listener)
        self._connection: Connection | None = None
        self._adapter: Adapter | None = None
        self._offer = settings.protocol or NEWEST
        self._generation = 0
        self._waiting: list[Done] = []
        self._stopped: list[Callable[[], None]] = []

    # --- what others ask --------------------------------------------------------------------------

    @property
    def adapter(self) -> Adapter:
        """The agreed protocol version's adapter.

        Raises:
            AgentExited: The agent is not ready.
        """
        if self._adapter is None:
            raise AgentExited(f"{self.name} is not running.", advice="Start it and try again.")
        return self._adapter

    @property
    def agreed(self) -> bool:
        """Whether the agent has said which version of the protocol it speaks."""
        return self._adapter is not None

    @property
    def failure_text(self) -> str:
        """Why it is not running, with the last lines that it wrote to stderr."""
        tail = [line for line in self.last_words.split("\n") if line.strip()][-LAST_WORDS:]
        return "\n".join([str(self.failure or ""), *tail])

    @property
    def takes_prompts_while_busy(self) -> bool:
        """Whether a prompt may be sent into a running turn; not all that may be asked take it."""
        return self.adapter.takes_prompts_while_busy and not self.one_at_a_time

    @property
    def connection(self) -> Connection:
        """The running agent.

        Raises:
            AgentExited: The agent is not running.
        """
        if self._connection is None:
            raise AgentExited(f"{self.name} is not running.", advice="Start it and try again.")
        return self._connection

    @property
    def incoming(self) -> IncomingMessages:
        """What the agent says on its own."""
        return self._incoming

    def when_ready(self, done: Done) -> None:
        """Call `done` when the agent is ready; start it if it is not running."""
        if self.state is HostState.READY:
            done(None)
            return
        if self.state is HostState.STOPPING:  # it can be started once it has ended
            self._stopped.append(lambda: self.when_ready(done))
            return
        self._waiting.append(done)
        if self.state in (HostState.STOPPED, HostState.FAILED):
            self._offer = self.settings.protocol or NEWEST
            self.notes = []
            self._connect()

    def use(self, then: Callable[[], None], failed: Callable[[SidecarError], None]) -> None:
        """Do something with the agent when it is ready; what prevents that goes to `failed`.

        `then` may raise a SidecarError, such as NotSupported: that prevents it too.
        """

        def ready(error: SidecarError | None) -> None:
            if error is not None:
                failed(error)
                return
            try:
                then()
            except SidecarError as unable:
                failed(unable)

        self.when_ready(ready)

    def stop(self, done: Callable[[], None] | None = None) -> None:
        """Stop the agent; `done` when it has ended."""
        if self._connection is None and self.state is not HostState.STARTING:
            self._set_state(HostState.STOPPED)
            if done:
                done()
            return
        if done:
            self._stopped.append(done)
        self._set_state(HostState.STOPPING)
        if self._connection is not None:
            self._connector.disconnect(self._connection)

    def restart(self, done: Done) -> None:
        """Stop it if it runs, then start it anew."""
        self.stop(lambda: self.when_ready(done))

    def request(
        self,
        outgoing: Outgoing[T],
        on_value: Callable[[T | None], None],
        on_error: Callable[[SidecarError], None],
        *,
        patient: bool = False,
    ) -> None:
        """Send a request; its decoded answer, or what prevented it, comes by callback.

        Args:
            patient: Wait for ever, as for a prompt or a sign-in.
        """

        def answered(answer: Response | ErrorResponse) -> None:
            if isinstance(answer, ErrorResponse):
                on_error(self.error(outgoing.method, answer.error))
                return
            decoded = outgoing.decode(answer.result)
            self.report(decoded.problems)
            on_value(decoded.value)

        timeout = None if patient else self.timeouts.request
        self.connection.request(outgoing.method, outgoing.params, answered, timeout)

    def error(self, method: str, error: RpcError) -> AgentError:
        """An error in answer to a request of ours, for a person; takes note of what it means."""
        told = agent_error(self.name, method, error)
        self.auth_required = self.auth_required or isinstance(told, AuthRequired)
        return told

    def report(self, problems: list[Problem]) -> None:
        """Record what was wrong with something that the agent sent."""
        for problem in problems:
            self.problem_count += 1
            self._listener.problem(self.name, problem)

    # --- the start --------------------------------------------------------------------------------

    def _connect(self) -> None:
        self._generation += 1
        generation = self._generation
        self.failure = None
        self.last_words = ""
        self.one_at_a_time = False
        self._set_state(HostState.STARTING)

        def current(callback: Callable[[Any], None]) -> Callable[[Any], None]:
            """Ignore what an earlier, given-up connection still says."""
            return lambda value: callback(value) if generation == self._generation else None

        self._connector.connect(
            self.name,
            on_ready=current(self._connected),
            on_failed=current(self._failed),
            on_message=current(self._on_message),
            on_gone=current(self._gone),
        )

    def _connected(self, connection: Connection) -> None:
        self._connection = connection
        if self.state is HostState.STOPPING:
            self._connector.disconnect(connection)
            return
        self._initialize()

    def _initialize(self) -> None:
        self.offered = self.offer
        params = initialize_params(
            self._offer, self._client, self.offered, elicitation=self._elicitation
        )
        self.connection.request("initialize", params, self._initialized, self.timeouts.initialize)

    def _initialized(self, answer: Response | ErrorResponse) -> None:
        if self.state is not HostState.STARTING:
            return
        if isinstance(answer, ErrorResponse):
            self._initialize_refused(answer.error)
            return
        outcome = negotiated(self._offer, answer.result)
        self.report(outcome.problems)
        if outcome.reconnect:
            self.notes.append(
                "It answered version 2 but speaks version 1: restarted with an offer of 1."
            )
            self._reconnect_with_oldest()
        elif outcome.result is None:
            self._fail(AgentError(f"{self.name} answered `initialize` with something unreadable."))
        else:
            self._agree(outcome.result)

    def _initialize_refused(self, error: RpcError) -> None:
        if error.code == AGENT_GONE:
            return  # `_gone` follows and knows why
        if self._offer == OLDEST or self.settings.protocol is not None or error.code == NO_ANSWER:
            self._fail(agent_error(self.name, "initialize", error))
            return
        self.notes.append(f"It refused an offer of version 2 ({error.message}): offered 1.")
        self._offer = OLDEST
        self._initialize()

    def _reconnect_with_oldest(self) -> None:
        old, self._connection = self._connection, None
        self._offer = OLDEST
        self._connect()
        if old is not None:
            self._connector.disconnect(old)

    def _agree(self, result: InitializeResult) -> None:
        try:
            self._adapter = adapter_for(result)
        except AgentError as error:
            self._fail(error)
            return
        self.info = result
        self.notes.append(f"Speaks ACP version {result.protocol_version}.")
        self._set_state(HostState.READY)
        waiting, self._waiting = self._waiting, []
        for done in waiting:
            done(None)

    # --- while it runs and when it ends -----------------------------------------------------------

    def _on_message(self, message: Incoming) -> None:
        self._incoming.take(message)

    def _fail(self, error: SidecarError) -> None:
        """It runs but is of no use: stop it and say why."""
        connection, self._connection = self._connection, None
        self._generation += 1
        if connection is not None:
            self.last_words = connection.last_words
            self._connector.disconnect(connection)
        self._failed(error)

    def _failed(self, error: SidecarError) -> None:
        expected = self.state is HostState.STOPPING
        self._connection = None
        self._adapter = None
        self.failure = None if expected else error
        self._set_state(HostState.STOPPED if expected else HostState.FAILED)
        self._finish_waiting(error)
        self._finish_stopped()

    def _gone(self, gone: Gone) -> None:
        expected = gone.expected or self.state is HostState.STOPPING
        error = AgentExited(gone.reason, advice=gone.advice)
        self.last_words = gone.last_words
        self._connection = None
        self._adapter = None
        self._incoming.agent_gone()
        self.failure = None if expected else error
        self._set_state(HostState.STOPPED if expected else HostState.FAILED)
        self._listener.agent_gone(self, gone)
        self._finish_waiting(error)
        self._finish_stopped()

    def _finish_stopped(self) -> None:
        stopped, self._stopped = self._stopped, []
        for done in stopped:
            done()

    def _finish_waiting(self, error: SidecarError) -> None:
        waiting, self._waiting = self._waiting, []
        for done in waiting:
            done(error)

    def _set_state(self, state: HostState) -> None:
        if state is not self.state:
            self.state = state
            self._listener.agent_changed(self)


def agent_error(agent: str, method: str, error: RpcError) -> AgentError:
    """An agent's JSON-RPC error as text for a person."""
    if error.code in (AGENT_GONE, NO_ANSWER):
        return AgentError(error.message)
    if error.code == AUTH_REQUIRED:
        return AuthRequired(
            f"{agent} wants you to sign in: {error.message}",
            advice="Sign in with `acp.agent.login` and try again.",
        )
    text = f"{agent} refused {method}: {error.message} ({error.code})."
    return AgentRefused(text, code=error.code)
