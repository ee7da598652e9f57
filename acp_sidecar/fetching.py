"""Agents that npx or uvx run: the user is asked before a package is fetched, once for each.

Stands between the hosts and the connector, so that however an agent comes to be started, nothing is
fetched that was not agreed to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from acp_sidecar.agents import KnownAgent
from acp_sidecar.configuration import Configuration
from acp_sidecar.errors import EnvironmentProblem, SidecarError
from acp_sidecar.features.ports import Editor, Level, Withdraw
from acp_sidecar.host.agent_host import AgentHost, HostState
from acp_sidecar.host.ports import Connection, Connector, Gone
from acp_sidecar.wire.json_rpc import Incoming

_WHENCE: Final = {"npx": "the npm registry", "uvx": "PyPI"}


class _Waiting:
    """A start that waits for the user's answer; settled once."""

    def __init__(self, start: Callable[[], None], fail: Callable[[SidecarError], None]) -> None:
        self._start = start
        self._fail = fail
        self.withdraw: Withdraw = lambda: None

    def agreed(self) -> None:
        self.withdraw()
        self._start()

    def refused(self, error: SidecarError) -> None:
        self.withdraw()
        self._fail(error)


class FetchingConnector:
    """A `host.ports.Connector` that asks before it starts what may have to be fetched."""

    def __init__(self, inner: Connector, settings: Configuration, editor: Editor) -> None:
        self._inner = inner
        self._settings = settings
        self._editor = editor
        self._waiting: dict[str, _Waiting] = {}
        self._shown: set[str] = set()

    def connect(
        self,
        agent: str,
        *,
        on_ready: Callable[[Connection], None],
        on_failed: Callable[[SidecarError], None],
        on_message: Callable[[Incoming], None],
        on_gone: Callable[[Gone], None],
    ) -> None:
        def start() -> None:
            self._waiting.pop(agent, None)
            self._show_start(agent)
            self._inner.connect(
                agent,
                on_ready=on_ready,
                on_failed=on_failed,
                on_message=on_message,
                on_gone=on_gone,
            )

        def fail(error: SidecarError) -> None:
            self._waiting.pop(agent, None)
            on_failed(error)

        known = self._settings.known.get(agent)
        if known is None or not known.needs_consent:
            start()
            return
        waiting = self._waiting[agent] = _Waiting(start, fail)
        self._ask(known, waiting)

    def disconnect(self, connection: Connection) -> None:
        self._inner.disconnect(connection)

    # --- the question -----------------------------------------------------------------------------

    def _ask(self, known: KnownAgent, waiting: _Waiting) -> None:
        if not self._editor.abilities.message_actions:
            waiting.refused(_not_installed(known))
            return
        runner = str(known.run)
        package = known.package.package if known.package else ""
        text = (
            f"{known.title} is not installed. Run its package {package} with {runner}? It is "
            f"fetched from {_WHENCE.get(runner, 'its registry')} if it is not there yet."
        )

        def answered(chosen: int | None) -> None:
            if chosen == 0:
                self.allow(known.name)
            else:
                waiting.refused(_not_installed(known))

        actions = [f"Run with {runner}", "Not now"]
        waiting.withdraw = self._editor.ask(Level.INFO, text, actions, answered)

    def allow(self, agent: str) -> None:
        """The user agrees that an agent's package is fetched; a start that waits goes on."""
        known = self._settings.known.get(agent)
        if known is not None and known.package is not None and known.needs_consent:
            try:
                self._settings.consents.agree(known.package.key)
            except OSError as error:
                reason = error.strerror or type(error).__name__
                text = f"Your answer holds until the end only: it could not be kept ({reason})."
                self._editor.log(Level.WARNING, text)
            self._settings.look_again()
        waiting = self._waiting.get(agent)
        if waiting is not None:
            waiting.agreed()

    def give_up(self, agent: str) -> None:
        """Nobody wants the agent any more: take the question back."""
        waiting = self._waiting.get(agent)
        if waiting is not None:
            waiting.refused(EnvironmentProblem(f"{agent} was stopped before it was started."))

    def editor_cannot_ask(self) -> None:
        """It has turned out that nobody will be shown the questions."""
        if not self._editor.abilities.message_actions:
            for name, waiting in list(self._waiting.items()):
                waiting.refused(_not_installed(self._settings.known[name]))

    # --- the progress -----------------------------------------------------------------------------

    def _show_start(self, agent: str) -> None:
        known = self._settings.known.get(agent)
        if known is None or known.package is None or agent in self._shown:
            return
        self._shown.add(agent)
        title = f"Starting {known.title}: {known.run} fetches {known.package.package} if need be"
        self._editor.progress_begin(_token(agent), title, cancellable=False)

    def agent_changed(self, host: AgentHost) -> None:
        """Its start is over when it is ready, or will not be."""
        if host.state is not HostState.STARTING and host.name in self._shown:
            self._shown.discard(host.name)
            ready = host.state is HostState.READY
            self._editor.progress_end(_token(host.name), "Ready" if ready else "Not started")


def _token(agent: str) -> str:
    return f"acp-start-{agent}"


def _not_installed(known: KnownAgent) -> EnvironmentProblem:
    hint = f"Install it: {known.install_hint} " if known.install_hint else ""
    return EnvironmentProblem(
        f"{known.title} is not installed.",
        advice=f'{hint}Or set agents.{known.name}.run to "{known.run}".',
    )
