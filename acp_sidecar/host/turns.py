"""Turns: prompts sent, queued, taken and refused; how turns end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from acp_sidecar.errors import AuthRequired, SidecarError
from acp_sidecar.host.agent_host import AUTH_REQUIRED, AgentHost
from acp_sidecar.host.ports import AGENT_GONE, Listener
from acp_sidecar.session import queue
from acp_sidecar.session.queue import QueuedPrompt
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
from acp_sidecar.session.updates import RpcErrorInfo, StateUpdate
from acp_sidecar.wire.json_rpc import ErrorResponse, Response, RpcError
from acp_sidecar.wire.protocol import REQUEST_CANCELLED, PromptAnswer

Json = Any

NO_USE_TO_SEND_AGAIN: Final = frozenset({REQUEST_CANCELLED, AUTH_REQUIRED, AGENT_GONE})
"""Refusals of a prompt in a running turn that do not mean "not now"."""


class Resume(Protocol):
    """`Sessions.resume`."""

    def __call__(
        self,
        host: AgentHost,
        session_id: str,
        cwd: str,
        directories: Sequence[str],
        *,
        replay: bool,
        done: Callable[[Session], None],
        failed: Callable[[SidecarError], None],
    ) -> None: ...


class Turns:
    """The turns of all sessions.

    Attributes:
        directories: The other folders of a session that works in this one.
    """

    def __init__(self, store: SessionStore, listener: Listener, resume: Resume) -> None:
        self.directories: Callable[[str], Sequence[str]] = lambda _cwd: ()
        self._store = store
        self._listener = listener
        self._resume = resume
        self._signing_in: set[str] = set()

    # --- prompts ---------------------------------------------------------------------------------

    def prompt(
        self, host: AgentHost, session: Session, prompt: QueuedPrompt, *, wait: bool = False
    ) -> bool:
        """`session/prompt` now, if the agent takes prompts now; else it is queued.

        The session is busy from now until its turn has ended.

        Args:
            host: The session's agent.
            session: The session.
            prompt: What to send.
            wait: Do not send it into a running turn, even if the agent takes it.

        Returns:
            Whether it is on its way.

        Raises:
            AgentExited: The agent is not running.
        """
        if session.busy and (wait or not self._takes_now(host, session)):
            prompt.after_cancel = session.cancelling
            session.queued.append(prompt)
            self._listener.queue_changed(session)
            return False
        self._send(host, session, prompt)
        return True

    def _takes_now(self, host: AgentHost, session: Session) -> bool:
        waiting = any(each.state == "waiting" for each in session.queued)
        if session.key in self._signing_in:
            return False
        return host.takes_prompts_while_busy and not session.cancelling and not waiting

    def _send(self, host: AgentHost, session: Session, prompt: QueuedPrompt) -> None:
        host.connection  # noqa: B018 - raises if there is nobody to ask
        blocks = [*prompt.blocks, *self._listener.notes_for_prompt(session)]
        if session.busy:
            prompt.state, prompt.turn = "sent", session.turn
            session.queued.append(prompt)
        prompt_sent(session)
        self._listener.turn_started(session)
        for update in host.adapter.prompt_updates(session.session_id, blocks):
            host.incoming.update(session, update)
        prompt.blocks = blocks
        self._ask(host, session, prompt)

    def _ask(
        self, host: AgentHost, session: Session, prompt: QueuedPrompt, *, again: bool = False
    ) -> None:
        outgoing = host.adapter.prompt(session.session_id, prompt.blocks)

        def answered(answer: Response | ErrorResponse) -> None:
            if isinstance(answer, ErrorResponse):
                self._refused(host, session, prompt, answer.error, again=again)
                return
            if prompt in session.queued:
                session.queued.remove(prompt)
                self._listener.queue_changed(session)
            decoded = outgoing.decode(answer.result)
            host.report(decoded.problems)
            self._prompt_answered(host, session, decoded.value or PromptAnswer())

        host.connection.request(outgoing.method, outgoing.params, answered)

    def _prompt_answered(self, host: AgentHost, session: Session, answer: PromptAnswer) -> None:
        if answer.ended:
            update = StateUpdate(state="idle", stop_reason=answer.stop_reason or "end_turn")
            host.incoming.update(session, update)
        else:
            prompt_accepted(session)

    def _refused(
        self,
        host: AgentHost,
        session: Session,
        prompt: QueuedPrompt,
        error: RpcError,
        *,
        again: bool,
    ) -> None:
        if prompt in session.queued:
            self._not_taken(host, session, prompt, error)
            return
        told = host.error("the prompt", error)
        if isinstance(told, AuthRequired) and not again and session.turn is not None:
            self._sign_in_for(host, session, prompt, told)
        else:
            self._prompt_failed(session, error.code, told)

    def _prompt_failed(self, session: Session, code: int, error: SidecarError) -> None:
        if session.turn is None:
            return
        if code == REQUEST_CANCELLED:
            turn_ended(session, "cancelled")
        else:
            turn_ended(session, "error")
            session.error = RpcErrorInfo(code=code, message=str(error))
        self._listener.turn_ended(session, told=False)

    # --- signing in ------------------------------------------------------------------------------

    def _sign_in_for(
        self, host: AgentHost, session: Session, prompt: QueuedPrompt, error: AuthRequired
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
                self._send_to_restarted(host, session, prompt)
            else:
                self._ask(host, session, prompt, again=True)

        self._listener.sign_in_wanted(host, error, signed_in)

    def _send_to_restarted(self, host: AgentHost, session: Session, prompt: QueuedPrompt) -> None:
        """Signing in has restarted the agent: it has to be told which session this is."""

        def resumed(resumed: Session) -> None:
            if resumed is session:
                self._ask(host, session, prompt, again=True)
            else:
                self.prompt(host, resumed, prompt)  # told anew, as a session of its own

        def lost(error: SidecarError) -> None:
            self._prompt_failed(session, AUTH_REQUIRED, error)

        self._resume(
            host,
            session.session_id,
            session.cwd,
            self.directories(session.cwd),
            replay=False,
            done=resumed,
            failed=lost,
        )

    # --- the queue -------------------------------------------------------------------------------

    def _not_taken(
        self, host: AgentHost, session: Session, prompt: QueuedPrompt, error: RpcError
    ) -> None:
        """The agent refused what was sent into a running turn: that turn goes on."""
        if error.code in NO_USE_TO_SEND_AGAIN or session.cancelling:
            prompt.state = "held"
            self._listener.prompts_held(session, 1)
        else:
            host.one_at_a_time = True
            prompt.state = "waiting"
        self._listener.queue_changed(session)
        turn = session.turn
        own = turn is not prompt.turn and turn is not None and not turn.begun
        if own and error.code != AGENT_GONE:
            # The turn before it is over, and what was waited for since was this prompt alone.
            turn_ended(session, "end_turn")
            self._listener.turn_ended(session, told=False)

    def turn_over(self, host: AgentHost, session: Session) -> None:
        """A turn has ended: send what waited for it, or hold it if it may be unwanted now."""
        if any(each.state == "sent" for each in session.queued):
            prompt_sent(session)  # the agent still has prompts that it has not taken
            self._listener.turn_started(session)
            return
        self._hold_unwanted(session)
        self._send_next(host, session)

    def _send_next(self, host: AgentHost, session: Session) -> None:
        prompt = queue.next_waiting(session)
        if prompt is None:
            return
        self._listener.queue_changed(session)
        try:
            self._send(host, session, prompt)
        except SidecarError:
            prompt.state = "held"
            session.queued.insert(0, prompt)
            self._told_held(session, 1 + queue.hold(session))

    def _hold_unwanted(self, session: Session) -> None:
        gone = session.closed or session.detached
        if gone or session.stop_reason in queue.UNWANTED_AFTER:
            self._told_held(session, queue.hold(session, also_new=gone))
        for each in session.queued:
            each.after_cancel = False

    def _told_held(self, session: Session, count: int) -> None:
        if count:
            self._listener.prompts_held(session, count)
            self._listener.queue_changed(session)

    def release(self, host: AgentHost, session: Session) -> int:
        """Send what is held, one turn after the other; returns how many prompts that are."""
        count = queue.release(session)
        self._listener.queue_changed(session)
        self._send_next(host, session)
        return count

    def unqueue(self, session: Session, prompt_id: str) -> QueuedPrompt | None:
        """Take a prompt out that was not sent yet; None if there is no such prompt."""
        found = queue.take_out(session, prompt_id)
        self._listener.queue_changed(session)
        return found

    # --- the end ---------------------------------------------------------------------------------

    def cancel(self, host: AgentHost, session: Session) -> None:
        """`session/cancel`: the turn will end as cancelled; unfinished calls are marked so now.

        What waits for the turn is held.
        """
        if session.key in self._signing_in:
            self.abandon(session, "cancelled")  # the agent has no turn to cancel
            return
        outgoing = host.adapter.cancel(session.session_id)
        host.connection.notify(outgoing.method, outgoing.params)
        cancel_sent(session)
        self._mark_cancelled(host, session)
        self._told_held(session, queue.hold(session))

    def _mark_cancelled(self, host: AgentHost, session: Session) -> None:
        for call in unfinished(session):
            update = ToolCallUpdate(tool_call_id=call.tool_call_id, status="cancelled")
            host.incoming.update(session, update)

    def agent_gone(self, host: AgentHost, reason: str) -> None:
        """The agent is gone: its turns are over, its unfinished calls cancelled."""
        for session in self._store.of_agent(host.name):
            session.replaying = False
            session.detached = True
            self._mark_cancelled(host, session)
            if session.key in self._signing_in:
                continue  # its prompt is sent again, and what waits after it
            self._told_held(session, queue.hold_all(session))
            if session.busy:
                session.error = RpcErrorInfo(code=0, message=reason)
                self.abandon(session, "error")

    def abandon(self, session: Session, stop_reason: str) -> None:
        """End a turn about which the agent will say no more."""
        if session.busy:
            error = session.error
            turn_ended(session, stop_reason)
            session.error = error
            self._listener.turn_ended(session, told=False)
