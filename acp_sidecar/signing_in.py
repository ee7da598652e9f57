"""Signing in: between what an agent offers (host), what the user is asked, and the editor.

One sign-in at a time for each agent: requests that were refused for want of one wait for the same.
Nothing of it is stored; what a way to sign in needs passes through and is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from acp_sidecar.errors import AgentError, AuthRequired, NotSupported, SidecarError
from acp_sidecar.features.ports import Editor, Level, Withdraw
from acp_sidecar.features.sign_in.messages import RUN_IN_TERMINAL
from acp_sidecar.features.sign_in.question import (
    NOT_NOW,
    Program,
    by_hand,
    labels,
    legacy_program,
    program_of,
    question,
    shall_it_run,
)
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.host.ports import Done
from acp_sidecar.session.handshake import AuthMethod, TerminalAuthMethod

Json = Any
Note = Callable[[str], tuple[str, str | None]]
"""An agent's title, and how one signs in to it if that is known."""

Failed = Callable[[SidecarError], None]
Over = Callable[[SidecarError | None, str], None]
"""Told what prevented it, and by which way it was done."""

DONE: Final = "Done"
RUN: Final = "Run"


class _SignIn:
    """One sign-in to one agent, from the wish to the end.

    Attributes:
        method: What is being done; None while the user is asked.
        withdraw: Takes the question back, or what the editor was asked to run.
    """

    def __init__(self) -> None:
        self.waiting: list[Over] = []
        self.method: AuthMethod | None = None
        self.withdraw: Withdraw = lambda: None
        self.over = False


class SignIns:
    """The sign-ins of one sidecar.

    Args:
        note: What is known of an agent besides what it says.
        cwd: Where an agent's program is run.
    """

    def __init__(self, editor: Editor, note: Note, cwd: Callable[[], str]) -> None:
        self._editor = editor
        self._note = note
        self._cwd = cwd
        self._open: dict[str, _SignIn] = {}

    def wanted(self, host: AgentHost, error: AuthRequired, done: Done) -> None:
        """The agent has refused something: offer the user to sign in; `done` when it is over."""

        def over(error: SidecarError | None, _method_id: str) -> None:
            done(error)

        running = self._open.get(host.name)
        if running is not None:
            running.waiting.append(over)
            return
        sign_in = self._begin(host, over)
        methods = host.info.auth_methods if host.info else []
        if methods:
            self._ask(host, sign_in, methods, str(error.message))
        else:
            self._settle(host, sign_in, self._no_way(host, error))

    def login(
        self, host: AgentHost, method_id: str | None, done: Callable[[str], None], failed: Failed
    ) -> None:
        """The user wants to sign in, by a way or by choosing one.

        Args:
            done: Told the method's id.
            failed: Told what prevented it.
        """
        host.use(lambda: self._login(host, method_id, done, failed), failed)

    def _login(
        self,
        host: AgentHost,
        method_id: str | None,
        done: Callable[[str], None],
        failed: Failed,
    ) -> None:
        methods = host.info.auth_methods if host.info else []
        if not methods:
            raise NotSupported(
                f"{host.name} offers no way to sign in.", advice=self._note(host.name)[1] or ""
            )
        chosen = methods[0] if len(methods) == 1 else None
        if method_id is not None:
            chosen = _method(host, methods, method_id)
        sign_in = self._instead(host)

        def over(error: SidecarError | None, method_id: str) -> None:
            done(method_id) if error is None else failed(error)

        sign_in.waiting.append(over)
        if chosen is not None:
            self._perform(host, sign_in, chosen)
        else:
            self._ask(host, sign_in, methods, "")

    # --- one sign-in ------------------------------------------------------------------------------

    def _begin(self, host: AgentHost, *waiting: Over) -> _SignIn:
        sign_in = self._open[host.name] = _SignIn()
        sign_in.waiting = list(waiting)
        return sign_in

    def _instead(self, host: AgentHost) -> _SignIn:
        """A new sign-in, for which those wait who waited for one that is still open."""
        before = self._open.get(host.name)
        if before is None:
            return self._begin(host)
        before.over = True
        before.withdraw()
        return self._begin(host, *before.waiting)

    def _settle(self, host: AgentHost, sign_in: _SignIn, error: SidecarError | None) -> None:
        """It is over: tell all who wait."""
        if sign_in.over:
            return
        sign_in.over = True
        self._open.pop(host.name, None)
        self._editor.progress_end(_token(host), "Signed in" if error is None else "Not signed in")
        if error is None:
            host.auth_required = False
        method_id = sign_in.method.method_id if sign_in.method else ""
        for over in sign_in.waiting:
            over(error, method_id)

    def _ask(
        self, host: AgentHost, sign_in: _SignIn, methods: Sequence[AuthMethod], reason: str
    ) -> None:
        if not self._editor.abilities.message_actions:
            self._settle(host, sign_in, self._cannot_ask(host, methods))
            return

        def answered(chosen: int | None) -> None:
            if chosen is None or chosen >= len(methods):
                self._settle(host, sign_in, self._gave_up(host))
            else:
                self._perform(host, sign_in, methods[chosen])

        title = self._note(host.name)[0]
        text = question(title, reason, methods)
        actions = [*labels(methods), NOT_NOW]
        sign_in.withdraw = self._editor.ask(Level.INFO, text, actions, answered)

    def _perform(self, host: AgentHost, sign_in: _SignIn, method: AuthMethod) -> None:
        sign_in.method = method
        sign_in.withdraw = lambda: None
        title = self._note(host.name)[0]
        self._editor.progress_begin(_token(host), f"Signing in to {title}", cancellable=False)
        settings = host.settings
        if isinstance(method, TerminalAuthMethod):
            command = settings.command or [host.name]
            self._in_terminal(host, sign_in, program_of(method, command, settings.env, self._cwd()))
            return
        named = legacy_program(method, settings.env, self._cwd())
        if named is not None:
            self._confirm(host, sign_in, named)
            return
        self._by_agent(host, sign_in, method)

    def _by_agent(self, host: AgentHost, sign_in: _SignIn, method: AuthMethod) -> None:

        def failed(error: SidecarError) -> None:
            self._settle(host, sign_in, error)

        def ask_agent() -> None:
            outgoing = host.adapter.authenticate(method)
            host.request(
                outgoing, lambda _: self._settle(host, sign_in, None), failed, patient=True
            )

        host.use(ask_agent, failed)

    # --- in a terminal ----------------------------------------------------------------------------

    def _confirm(self, host: AgentHost, sign_in: _SignIn, program: Program) -> None:
        """The agent has named the program itself: nothing runs that the user has not seen."""
        title = self._note(host.name)[0]
        if "runInTerminal" not in self._editor.abilities.rich:
            self._by_hand(host, sign_in, title, program)
            return

        def answered(chosen: int | None) -> None:
            if chosen == 0:
                self._in_terminal(host, sign_in, program)
            else:
                self._settle(host, sign_in, self._gave_up(host))

        text = shall_it_run(title, program)
        sign_in.withdraw = self._editor.ask(Level.INFO, text, [RUN, NOT_NOW], answered)

    def _in_terminal(self, host: AgentHost, sign_in: _SignIn, program: Program) -> None:
        title = self._note(host.name)[0]
        if "runInTerminal" not in self._editor.abilities.rich:
            self._by_hand(host, sign_in, title, program)
            return

        def answered(answer: Json) -> None:
            if not isinstance(answer, dict):
                self._by_hand(host, sign_in, title, program)
            elif answer.get("exitCode") == 0:
                self._start_anew(host, sign_in)
            else:
                self._settle(host, sign_in, _ended_badly(title, answer.get("exitCode")))

        def unable() -> None:
            self._by_hand(host, sign_in, title, program)

        params = program.params(title)
        sign_in.withdraw = self._editor.request(RUN_IN_TERMINAL, params, answered, unable)

    def _by_hand(self, host: AgentHost, sign_in: _SignIn, title: str, program: Program) -> None:
        text = by_hand(title, program)
        if not self._editor.abilities.message_actions:
            self._editor.message(Level.INFO, text)
            error = AgentError("Sign in by hand.", advice="Restart the agent when you have.")
            self._settle(host, sign_in, error)
            return

        def answered(chosen: int | None) -> None:
            if chosen == 0:
                self._start_anew(host, sign_in)
            else:
                self._settle(host, sign_in, self._gave_up(host))

        sign_in.withdraw = self._editor.ask(Level.INFO, text, [DONE, NOT_NOW], answered)

    def _start_anew(self, host: AgentHost, sign_in: _SignIn) -> None:
        """The agent that runs does not know of it: as the protocol asks, another one is started."""
        if not sign_in.over:
            sign_in.withdraw = lambda: None
            host.restart(lambda error: self._settle(host, sign_in, error))

    # --- what can go wrong ------------------------------------------------------------------------

    def editor_cannot_ask(self, hosts: dict[str, AgentHost]) -> None:
        """It has turned out that nobody will be shown the questions."""
        if self._editor.abilities.message_actions:
            return
        for name, sign_in in list(self._open.items()):
            host = hosts[name]
            if sign_in.method is None:
                methods = host.info.auth_methods if host.info else []
                self._settle(host, sign_in, self._cannot_ask(host, methods))

    def _gave_up(self, host: AgentHost) -> AuthRequired:
        return AuthRequired(
            f"You are not signed in to {host.name}.",
            advice="Sign in with `acp.agent.login` and try again.",
        )

    def _cannot_ask(self, host: AgentHost, methods: Sequence[AuthMethod]) -> AuthRequired:
        names = ", ".join(f"{method.method_id} ({method.name})" for method in methods)
        return AuthRequired(
            f"{host.name} wants you to sign in.",
            advice=f"Use `acp.agent.login` with one of these as `methodId`: {names}.",
        )

    def _no_way(self, host: AgentHost, error: AuthRequired) -> AuthRequired:
        note = self._note(host.name)[1] or "Sign in with its own program and restart it."
        return AuthRequired(error.message, advice=note)


def _method(host: AgentHost, methods: Sequence[AuthMethod], method_id: str) -> AuthMethod:
    found = next((each for each in methods if each.method_id == method_id), None)
    if found is None:
        names = ", ".join(method.method_id for method in methods)
        raise NotSupported(
            f"{host.name} has no way to sign in called {method_id}.", advice=f"It has: {names}."
        )
    return found


def _ended_badly(title: str, status: Any) -> AgentError:
    ended = f"ended with exit status {status}" if isinstance(status, int) else "was not finished"
    return AgentError(f"The sign-in to {title} {ended}.", advice="Try again, or another way.")


def _token(host: AgentHost) -> str:
    return f"acp-sign-in-{host.name}"
