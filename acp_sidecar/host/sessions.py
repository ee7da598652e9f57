"""Sessions and turns: the requests of ours that concern them, in the order the protocol asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from acp_sidecar.errors import AgentError, AuthRequired, SidecarError
from acp_sidecar.host.agent_host import AUTH_REQUIRED, AgentHost
from acp_sidecar.host.options import Options
from acp_sidecar.host.ports import NO_OFFER, Done, Listener, Offer
from acp_sidecar.host.signing_in import with_sign_in
from acp_sidecar.session.handshake import SessionList, SessionOpened
from acp_sidecar.session.reducer import (
    cancel_sent,
    prompt_accepted,
    prompt_sent,
    turn_ended,
    unfinished,
)
from acp_sidecar.session.state import Session
from acp_sidecar.session.store import SessionStore
from acp_sidecar.session.tool_calls import ToolCallUpdate
from acp_sidecar.session.updates import (
    AvailableCommandsUpdate,
    ConfigOptionUpdate,
    RpcErrorInfo,
    StateUpdate,
)
from acp_sidecar.wire.json_rpc import ErrorResponse, Response
from acp_sidecar.wire.protocol import REQUEST_CANCELLED, Outgoing, PromptAnswer

Json = Any
Opened = Callable[[Session], None]
Failed = Callable[[SidecarError], None]


class Sessions:
    """All sessions of all agents, for the hallway.

    Attributes:
        directories: The other folders of a session that works in this one.
    """

    def __init__(self, store: SessionStore, listener: Listener) -> None:
        self.store = store
        self.directories: Callable[[str], Sequence[str]] = lambda _cwd: ()
        self._listener = listener
        self._signing_in: set[str] = set()
        self._options = Options(listener)
        self.offer: Callable[[AgentHost], Offer] = lambda _host: NO_OFFER

    # --- opening and closing ---------------------------------------------------------------------

    def new(
        self, host: AgentHost, cwd: str, directories: Sequence[str], done: Opened, failed: Failed
    ) -> None:
        """`session/new`; starts the agent if it is not running."""

        def attempt(failed: Failed) -> None:
            def ask() -> None:
                opened = partial(self._opened, host, None, cwd, done, failed)
                self._open(host, host.adapter.new_session(cwd, directories), opened, failed)

            host.use(ask, failed)

        with_sign_in(self._listener, host, attempt, failed)

    def _open(
        self,
        host: AgentHost,
        outgoing: Outgoing[SessionOpened],
        opened: Callable[[SessionOpened | None], None],
        failed: Failed,
    ) -> None:
        offer = self.offer(host)
        if offer.servers:
            outgoing = host.adapter.offering(outgoing, offer.servers)

        def succeeded(answer: SessionOpened | None) -> None:
            opened(answer)
            self._offered(host, offer, outgoing.params.get("sessionId"), answer)
            host.incoming.opening_done()

        def refused(error: SidecarError) -> None:
            failed(error)
            host.incoming.opening_done()

        host.incoming.opening()
        host.request(outgoing, succeeded, refused)

    def _offered(
        self, host: AgentHost, offer: Offer, session_id: Json, answer: SessionOpened | None
    ) -> None:
        opened_id = session_id or (None if answer is None else answer.session_id)
        session = None if opened_id is None else self.store.find(host.name, opened_id)
        if session is not None:
            offer.opened(session)

    def resume(
        self,
        host: AgentHost,
        session_id: str,
        cwd: str,
        directories: Sequence[str],
        *,
        replay: bool,
        done: Opened,
        failed: Failed,
    ) -> None:
        """`session/resume` (v1: `session/load` or `session/resume`), told anew if `replay`."""

        def attempt(failed: Failed) -> None:
            def resume() -> None:
                outgoing = host.adapter.resume_session(session_id, cwd, directories, replay=replay)
                session = self._open_again(host, session_id, cwd, anew=outgoing.replays)
                opened = partial(self._opened, host, session, cwd, done, failed)
                self._open(host, outgoing, opened, partial(self._resume_failed, session, failed))

            host.use(resume, failed)

        with_sign_in(self._listener, host, attempt, failed)

    def _open_again(self, host: AgentHost, session_id: str, cwd: str, *, anew: bool) -> Session:
        known = self.store.find(host.name, session_id)
        if known is not None and anew:
            self._forget(known)  # the agent tells everything again
        session = self.store.open(host.name, session_id, cwd, host.adapter.version)
        session.replaying = anew
        host.incoming.session_known(session)
        return session

    def _forget(self, session: Session) -> None:
        self.store.remove(session)
        self._listener.session_forgotten(session)

    def _resume_failed(self, session: Session, failed: Failed, error: SidecarError) -> None:
        session.replaying = False
        if not session.timeline:
            self._forget(session)
        failed(error)

    def _opened(  # noqa: PLR0917 - bound by partial, never called by hand
        self,
        host: AgentHost,
        session: Session | None,
        cwd: str,
        done: Opened,
        failed: Failed,
        answer: SessionOpened | None,
    ) -> None:
        if session is None:
            if answer is None or answer.session_id is None:
                failed(AgentError(f"{host.name} opened a session without an id."))
                return
            version = host.adapter.version
            session = self.store.open(host.name, answer.session_id, cwd, version, anew=True)
        session.replaying = session.detached = False
        self._listener.session_opened(session)
        host.incoming.session_known(session)
        if answer is not None:
            self._take_options(host, session, answer)
        self._options.configure(host, session, partial(done, session))

    def _take_options(self, host: AgentHost, session: Session, answer: SessionOpened) -> None:
        if answer.config_options is not None:
            update = ConfigOptionUpdate(config_options=answer.config_options)
            host.incoming.update(session, update)
        if answer.available_commands is not None:
            commands = AvailableCommandsUpdate(available_commands=answer.available_commands)
            host.incoming.update(session, commands)

    def list_page(
        self,
        host: AgentHost,
        cwd: str | None,
        cursor: str | None,
        done: Callable[[SessionList], None],
        failed: Failed,
    ) -> None:
        """`session/list`: one page."""

        def attempt(failed: Failed) -> None:
            def ask() -> None:
                outgoing = host.adapter.list_sessions(cwd, cursor)
                host.request(outgoing, lambda page: done(page or SessionList()), failed)

            host.use(ask, failed)

        with_sign_in(self._listener, host, attempt, failed)

    def close(self, host: AgentHost, session: Session, done: Done) -> None:
        """`session/close`: cancel what runs and forget it in the agent's memory."""

        def closed(_answer: None) -> None:
            self.abandon(session, "cancelled")
            session.closed = True
            done(None)

        try:
            host.request(host.adapter.close_session(session.session_id), closed, done)
        except SidecarError as error:
            done(error)

    def delete(self, host: AgentHost, session_id: str, done: Done) -> None:
        """`session/delete`: the agent forgets it for good, and so do we."""

        def deleted(_answer: None) -> None:
            self._options.forget(host.name, session_id)
            session = self.store.find(host.name, session_id)
            if session is not None:
                self.abandon(session, "cancelled")
                self._forget(session)
            done(None)

        def attempt(failed: Failed) -> None:
            def ask() -> None:
                host.request(host.adapter.delete_session(session_id), deleted, failed)

            host.use(ask, failed)

        with_sign_in(self._listener, host, attempt, done)

    def set_option(
        self, host: AgentHost, session: Session, config_id: str, value: str | bool, done: Done
    ) -> None:
        """The user sets a config option."""
        self._options.choose(host, session, config_id, value, done)

    # --- turns -----------------------------------------------------------------------------------

    def prompt(self, host: AgentHost, session: Session, blocks: list[Json]) -> None:
        """`session/prompt`. The session is busy from now until its turn has ended.

        Raises:
            AgentError: A turn is running and this agent takes one prompt at a time (v1).
            AgentExited: The agent is not running.
        """
        if session.busy and not host.adapter.takes_prompts_while_busy:
            raise AgentError(
                f"{host.name} is still busy with your last prompt.",
                advice="Wait for it to finish or cancel it.",
            )
        host.connection  # noqa: B018 - raises if there is nobody to ask
        prompt_sent(session)
        self._listener.turn_started(session)
        for update in host.adapter.prompt_updates(session.session_id, blocks):
            host.incoming.update(session, update)
        self._send_prompt(host, session, blocks)

    def _send_prompt(
        self, host: AgentHost, session: Session, blocks: list[Json], *, again: bool = False
    ) -> None:
        outgoing = host.adapter.prompt(session.session_id, blocks)

        def answered(answer: Response | ErrorResponse) -> None:
            if not isinstance(answer, ErrorResponse):
                decoded = outgoing.decode(answer.result)
                host.report(decoded.problems)
                self._prompt_answered(host, session, decoded.value or PromptAnswer())
                return
            error = host.error("the prompt", answer.error)
            if isinstance(error, AuthRequired) and not again and session.turn is not None:
                self._sign_in_for(host, session, blocks, error)
            else:
                self._prompt_failed(session, answer.error.code, error)

        host.connection.request(outgoing.method, outgoing.params, answered)

    def _sign_in_for(
        self, host: AgentHost, session: Session, blocks: list[Json], error: AuthRequired
    ) -> None:
        """The turn goes on while the user signs in; then the prompt is sent again."""
        turn = session.turn
        self._signing_in.add(session.key)

        def signed_in(gave_up: SidecarError | None) -> None:
            self._signing_in.discard(session.key)
            if session.turn is not turn:
                return  # cancelled meanwhile
            if gave_up is not None:
                self._prompt_failed(session, AUTH_REQUIRED, gave_up)
            elif session.detached:
                self._send_to_restarted(host, session, blocks)
            else:
                self._send_prompt(host, session, blocks, again=True)

        self._listener.sign_in_wanted(host, error, signed_in)

    def _send_to_restarted(self, host: AgentHost, session: Session, blocks: list[Json]) -> None:
        """Signing in has restarted the agent: it has to be told which session this is."""

        def resumed(resumed: Session) -> None:
            if resumed is session:
                self._send_prompt(host, session, blocks, again=True)
            else:
                self.prompt(host, resumed, blocks)  # told anew, as a session of its own

        def lost(error: SidecarError) -> None:
            self._prompt_failed(session, AUTH_REQUIRED, error)

        directories = self.directories(session.cwd)
        self.resume(
            host,
            session.session_id,
            session.cwd,
            directories,
            replay=False,
            done=resumed,
            failed=lost,
        )

    def _prompt_answered(self, host: AgentHost, session: Session, answer: PromptAnswer) -> None:
        if answer.ended:
            update = StateUpdate(state="idle", stop_reason=answer.stop_reason or "end_turn")
            host.incoming.update(session, update)
        else:
            prompt_accepted(session)

    def _prompt_failed(self, session: Session, code: int, error: SidecarError) -> None:
        if session.turn is None:
            return
        if code == REQUEST_CANCELLED:
            turn_ended(session, "cancelled")
        else:
            turn_ended(session, "error")
            session.error = RpcErrorInfo(code=code, message=str(error))
        self._listener.turn_ended(session, told=False)

    def cancel(self, host: AgentHost, session: Session) -> None:
        """`session/cancel`: the turn will end as cancelled; unfinished calls are marked so now."""
        if session.key in self._signing_in:
            self.abandon(session, "cancelled")  # the agent has no turn to cancel
            return
        outgoing = host.adapter.cancel(session.session_id)
        host.connection.notify(outgoing.method, outgoing.params)
        cancel_sent(session)
        self._mark_cancelled(host, session)

    def _mark_cancelled(self, host: AgentHost, session: Session) -> None:
        for call in unfinished(session):
            update = ToolCallUpdate(tool_call_id=call.tool_call_id, status="cancelled")
            host.incoming.update(session, update)

    def agent_gone(self, host: AgentHost, reason: str) -> None:
        """The agent is gone: its turns are over, its unfinished calls cancelled."""
        for session in self.store.of_agent(host.name):
            session.replaying = False
            session.detached = True
            self._mark_cancelled(host, session)
            if session.busy and session.key not in self._signing_in:
                session.error = RpcErrorInfo(code=0, message=reason)
                self.abandon(session, "error")

    def abandon(self, session: Session, stop_reason: str) -> None:
        """End a turn about which the agent will say no more."""
        if session.busy:
            error = session.error
            turn_ended(session, stop_reason)
            session.error = error
            self._listener.turn_ended(session, told=False)
