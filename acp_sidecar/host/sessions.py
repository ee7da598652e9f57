"""Sessions: the requests of ours that open, list, change and close them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from acp_sidecar.errors import AgentError, Fault, NotSupported, Problem, SidecarError
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.host.options import Options
from acp_sidecar.host.ports import NO_OFFER, Done, Listener, Offer
from acp_sidecar.host.signing_in import with_sign_in
from acp_sidecar.host.turns import Turns
from acp_sidecar.session.handshake import SessionList, SessionOpened
from acp_sidecar.session.state import Session
from acp_sidecar.session.store import SessionStore
from acp_sidecar.session.updates import AvailableCommandsUpdate, ConfigOptionUpdate
from acp_sidecar.wire.protocol import Outgoing

Json = Any
Opened = Callable[[Session], None]
Failed = Callable[[SidecarError], None]


class Sessions:
    """All sessions of all agents, for the hallway; `turns` has what is said in them."""

    def __init__(self, store: SessionStore, listener: Listener) -> None:
        self.store = store
        self.turns = Turns(store, listener, self.resume)
        self._listener = listener
        self._options = Options(listener)
        self.offer: Callable[[AgentHost], Offer] = lambda _host: NO_OFFER

    def new(
        self, host: AgentHost, cwd: str, directories: Sequence[str], done: Opened, failed: Failed
    ) -> None:
        """`session/new`; starts the agent if it is not running."""

        def ask(failed: Failed) -> None:
            opened = partial(self._opened, host, None, (cwd, directories), done, failed)
            self._open(host, host.adapter.new_session(cwd, directories), opened, failed)

        self._use(host, ask, failed)

    def _use(self, host: AgentHost, ask: Callable[[Failed], None], failed: Failed) -> None:
        """Ask an agent, started for it if it is not running; again after a sign-in it wants."""

        def attempt(failed: Failed) -> None:
            host.use(partial(ask, failed), failed)

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

        def resume(failed: Failed) -> None:
            outgoing = host.adapter.resume_session(session_id, cwd, directories, replay=replay)
            known = self.store.find(host.name, session_id)
            session = self._open_again(host, session_id, cwd, anew=outgoing.replays)
            opened = partial(self._opened, host, session, (cwd, directories), done, failed)
            refused = partial(self._resume_failed, session, session is not known, failed)
            self._open(host, outgoing, opened, refused)

        self._use(host, resume, failed)

    def with_roots(
        self,
        host: AgentHost,
        session: Session,
        directories: Sequence[str],
        then: Callable[[], None],
    ) -> None:
        """Tell the agent the further roots if they have changed since, as far as it can be told.

        `session/resume` is the request that takes them; an agent that refuses it keeps the old.
        """
        takes_them = host.adapter.takes_directories and host.adapter.resumes_in_place
        same = session.additional_directories == list(directories)
        if session.busy or same or not takes_them:
            then()
            return
        outgoing = host.adapter.resume_session(
            session.session_id, session.cwd, directories, replay=False
        )

        def told(answer: SessionOpened | None) -> None:
            session.additional_directories = list(directories)
            if answer is not None:
                self._take_options(host, session, answer)
            then()

        def kept(error: SidecarError) -> None:
            text = f"It keeps the workspace folders that it was told before: {error.message}"
            host.report([Problem(Fault.AGENT, "roots-not-taken", text, outgoing.method)])
            then()

        self._open(host, outgoing, told, kept)

    def _open_again(self, host: AgentHost, session_id: str, cwd: str, *, anew: bool) -> Session:
        known = self.store.find(host.name, session_id)
        if known is not None and anew:
            self._forget(known)  # the agent tells everything again
        session = self.store.open(host.name, session_id, cwd, host.adapter.version)
        if known is not None:
            session.queued = known.queued
        session.replaying = anew
        host.incoming.session_known(session)
        return session

    def _forget(self, session: Session) -> None:
        self.store.remove(session)
        self._listener.session_forgotten(session)

    def _resume_failed(
        self, session: Session, new: bool, failed: Failed, error: SidecarError
    ) -> None:
        session.replaying = False
        if new and not session.timeline and not session.queued:
            self._forget(session)
        failed(error)

    def _opened(  # noqa: PLR0917 - bound by partial, never called by hand
        self,
        host: AgentHost,
        session: Session | None,
        place: tuple[str, Sequence[str]],
        done: Opened,
        failed: Failed,
        answer: SessionOpened | None,
    ) -> None:
        if session is None:
            if answer is None or answer.session_id is None:
                failed(AgentError(f"{host.name} opened a session without an id."))
                return
            version = host.adapter.version
            session = self.store.open(host.name, answer.session_id, place[0], version, anew=True)
        session.replaying = session.detached = False
        session.additional_directories = list(place[1]) if host.adapter.takes_directories else []
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

        def ask(failed: Failed) -> None:
            outgoing = host.adapter.list_sessions(cwd, cursor)
            host.request(outgoing, lambda page: done(page or SessionList()), failed)

        self._use(host, ask, failed)

    def close(self, host: AgentHost, session: Session, done: Done) -> None:
        """`session/close`: cancel what runs and forget it in the agent's memory."""

        def closed(_answer: None) -> None:
            session.closed = True
            self.turns.abandon(session, "cancelled")
            done(None)

        self._ask(host, lambda: host.adapter.close_session(session.session_id), closed, done)

    def stop_tool_call(
        self, host: AgentHost, session: Session, tool_call_id: str, done: Done
    ) -> None:
        """Cancel one tool call; the turn goes on."""
        self._ask(
            host,
            lambda: host.adapter.cancel_tool_call(session.session_id, tool_call_id),
            lambda _answer: done(None),
            done,
        )

    def stop_terminal(
        self, host: AgentHost, session: Session, terminal_id: str, done: Done
    ) -> None:
        """Stop what runs in one of the agent's terminals; the turn goes on."""
        self._ask(
            host,
            lambda: host.adapter.cancel_terminal(session.session_id, terminal_id),
            lambda _answer: done(None),
            done,
        )

    def _ask(
        self,
        host: AgentHost,
        request: Callable[[], Outgoing[None]],
        answered: Callable[[None], None],
        failed: Failed,
    ) -> None:
        """Ask what only makes sense of an agent that runs; again after a sign-in it wants."""

        def attempt(failed: Failed) -> None:
            try:
                host.request(request(), answered, failed)
            except SidecarError as error:
                failed(error)

        with_sign_in(self._listener, host, attempt, failed)

    def delete(self, host: AgentHost, session_id: str, done: Done) -> None:
        """`session/delete`: the agent forgets it for good, and so do we.

        What agents do when an open session is deleted is theirs to say, so it is closed before.
        """

        def deleted(_answer: None) -> None:
            self._options.forget(host.name, session_id)
            session = self.store.find(host.name, session_id)
            if session is not None:
                session.closed = True
                self.turns.abandon(session, "cancelled")
                self._forget(session)
            done(None)

        def ask(failed: Failed) -> None:
            outgoing = host.adapter.delete_session(session_id)
            session = self.store.find(host.name, session_id)
            delete = partial(host.request, outgoing, deleted, failed)
            if session is None or session.closed or session.detached:
                delete()
            else:
                self._close_first(host, session, delete, failed)

        self._use(host, ask, done)

    def _close_first(
        self, host: AgentHost, session: Session, then: Callable[[], None], failed: Failed
    ) -> None:
        """Cancel and close, as far as the agent offers that, and go on."""
        if session.busy:
            self.turns.cancel(host, session)
        try:
            closing = host.adapter.close_session(session.session_id)
        except NotSupported:
            then()
            return

        def go_on(_answer: object) -> None:
            # It may refuse to close what it is to delete; what counts is the deletion.
            host.use(then, failed)

        host.request(closing, go_on, go_on)

    def set_option(
        self, host: AgentHost, session: Session, config_id: str, value: str | bool, done: Done
    ) -> None:
        """The user sets a config option."""
        self._options.choose(host, session, config_id, value, done)
