"""What each command does. One method a command; the decisions are elsewhere.

A command answers at once, or when the agent has; its errors are for a person.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from acp_sidecar.config import PermissionRule
from acp_sidecar.errors import EditorError, NotSupported, SidecarError
from acp_sidecar.features.places import file_uri
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.listing import Listing
from acp_sidecar.lsp import arguments as args
from acp_sidecar.lsp.extensions import arguments_of
from acp_sidecar.lsp.protocol import Reply
from acp_sidecar.session.state import Session
from acp_sidecar.session_commands import SessionCommands, finish
from acp_sidecar.view_commands import ViewCommands, agent_view

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar

Json = Any


class Commands:
    """The table of commands of one sidecar."""

    def __init__(self, sidecar: Sidecar) -> None:
        self._sidecar = sidecar
        self._prompting = sidecar.prompting
        listing = Listing(sidecar)
        self._table: dict[str, Callable[[Any, Reply], None]] = {
            "acp.permission.answer": self._answer,
            "acp.permission.addRule": self._add_rule,
            "acp.permission.forgetRule": self._forget_rule,
            "acp.elicitation.answer": self._answer_elicitation,
            "acp.follow": self._follow,
            "acp.trail": self._trail,
            "acp.review.preview": self._preview,
            "acp.review.accept": partial(self._review, "accept"),
            "acp.review.reject": partial(self._review, "reject"),
            "acp.review.undo": self._undo,
            "acp.terminal.stop": self._stop_terminal,
            "acp.toolCall.stop": self._stop_tool_call,
            "acp.transcript.open": self._transcript,
            "acp.agent.start": self._start_agent,
            "acp.agent.stop": self._stop_agent,
            "acp.agent.restart": self._restart_agent,
            "acp.agent.login": self._login,
            "acp.agent.logout": self._logout,
            **SessionCommands(sidecar, self._session, self._prompting, listing).table,
            **ViewCommands(sidecar, self._session, lambda: self._prompting.current, listing).table,
        }

    def run(self, name: str, raw: Json, reply: Reply) -> None:
        """Run a command.

        Raises:
            SidecarError: It cannot be done; the text says why.
        """
        arguments = arguments_of(name, raw)
        self._table[name](arguments, reply)

    # --- finding things ---------------------------------------------------------------------------

    def _session(self, session_id: str | None) -> Session:
        """The session of that id, or the one last used.

        Raises:
            EditorError: There is none.
        """
        sessions = self._sidecar.store.by_key
        key = session_id or self._prompting.current or next(reversed(sessions), None)
        session = sessions.get(key) if key is not None else None
        if session is None:
            what = f"There is no session {session_id}." if session_id else "There is no session."
            raise EditorError(what, advice="Send a prompt to start one.")
        return session

    def _now(self) -> float:
        return self._sidecar.now()

    def _host_of(self, session: Session) -> AgentHost:
        return self._sidecar.host(session.agent)

    def _done(self, reply: Reply, error: SidecarError | None, result: Json = None) -> None:
        finish(reply, error, result)

    def _failed(self, reply: Reply) -> Callable[[SidecarError], None]:
        return partial(self._done, reply)

    # --- permission, follow, review ---------------------------------------------------------------

    def _answer(self, arguments: args.AnswerArguments, reply: Reply) -> None:
        permissions = self._sidecar.rooms.permissions
        permissions.answer(arguments.permission_id, arguments.option_id, arguments.remember)
        reply.result(None)

    def _add_rule(self, arguments: args.AddRuleArguments, reply: Reply) -> None:
        match = arguments.match.model_dump(exclude_none=True)
        if arguments.do == "allow" and not match:
            raise EditorError("A rule to allow says what it is for.", advice="Name a command.")
        try:
            rule = PermissionRule.model_validate(
                {"match": match, "do": arguments.do, "scope": arguments.scope}
            )
        except ValidationError as error:
            told = "; ".join(each["msg"] for each in error.errors(include_url=False))
            raise EditorError(f"The rule cannot be used: {told}.") from error
        session = self._session(arguments.session_id) if arguments.scope == "session" else None
        self._sidecar.rooms.permissions.add_rule(rule, session)
        reply.result(None)

    def _forget_rule(self, arguments: args.ForgetRuleArguments, reply: Reply) -> None:
        self._sidecar.rooms.permissions.forget_rule(arguments.number)
        reply.result(None)

    def _answer_elicitation(self, arguments: args.ElicitationAnswerArguments, reply: Reply) -> None:
        elicitations = self._sidecar.rooms.elicitations
        elicitations.answer(arguments.elicitation_id, arguments.action, arguments.content)
        reply.result(None)

    def _follow(self, arguments: args.FollowArguments, reply: Reply) -> None:
        key = None if arguments.session_id is None else self._session(arguments.session_id).key
        reply.result(self._sidecar.rooms.set_follow(self._now(), arguments.mode, key))

    def _trail(self, arguments: args.TrailArguments, reply: Reply) -> None:
        moved = self._sidecar.rooms.follow.trail_move(self._now(), arguments.move)
        reply.result({"moved": moved, "follow": self._sidecar.rooms.follow.view()})

    def _preview(self, arguments: args.ReviewArguments, reply: Reply) -> None:
        preview = self._sidecar.rooms.review.preview(arguments)
        reply.result(
            {
                "changeSet": preview.change_set,
                "direction": preview.direction,
                "edit": self._sidecar.edit_json(preview.change),
                "failed": preview.failed,
            }
        )

    def _review(self, choice: str, arguments: args.ReviewArguments, reply: Reply) -> None:
        self._sidecar.rooms.review.choose(self._now(), choice, arguments, reply.result)

    def _undo(self, _arguments: args.NoArguments, reply: Reply) -> None:
        self._sidecar.rooms.review.undo(self._now(), reply.result)

    # --- terminals, calls, transcript -------------------------------------------------------------

    def _stop_terminal(self, arguments: args.TerminalArguments, reply: Reply) -> None:
        session = self._session(arguments.session_id)
        terminal = session.terminals.get(arguments.terminal_id)
        if terminal is None:
            raise EditorError(f"There is no terminal {arguments.terminal_id}.")
        if self._sidecar.serving.terminals.stop(session, terminal.terminal_id):
            reply.result(None)
            return
        if terminal.capabilities is None or terminal.capabilities.cancel is None:
            raise NotSupported(
                "This terminal cannot be stopped alone.", advice="Cancel the turn instead."
            )
        host = self._host_of(session)
        done = partial(self._done, reply)
        self._sidecar.sessions.stop_terminal(host, session, terminal.terminal_id, done)

    def _stop_tool_call(self, arguments: args.ToolCallArguments, reply: Reply) -> None:
        session = self._session(arguments.session_id)
        call = session.tool_calls.get(arguments.tool_call_id)
        if call is None:
            raise EditorError(f"There is no tool call {arguments.tool_call_id}.")
        if call.capabilities is None or call.capabilities.cancel is None:
            raise NotSupported(
                "This tool call cannot be stopped alone.", advice="Cancel the turn instead."
            )
        host = self._host_of(session)
        done = partial(self._done, reply)
        self._sidecar.sessions.stop_tool_call(host, session, call.tool_call_id, done)

    def _transcript(self, arguments: args.SessionArguments, reply: Reply) -> None:
        session = self._session(arguments.session_id)
        text = self._sidecar.rooms.transcripts.markdown(session)
        path = self._sidecar.generated.write(f"transcript-{session.key}.md", text)
        uri = file_uri(path)
        self._sidecar.editor.open_uri(uri, lambda shown: reply.result({"uri": uri, "shown": shown}))

    # --- agents -----------------------------------------------------------------------------------

    def _start_agent(self, arguments: args.StartAgentArguments, reply: Reply) -> None:
        host = self._sidecar.host(arguments.agent)
        if arguments.allow_fetch:
            self._sidecar.fetching.allow(host.name)
        host.when_ready(
            lambda error: self._done(reply, error, agent_view(self._sidecar, host.name))
        )

    def _stop_agent(self, arguments: args.AgentArguments, reply: Reply) -> None:
        host = self._sidecar.host(arguments.agent)
        host.stop(lambda: reply.result(agent_view(self._sidecar, host.name)))
        self._sidecar.fetching.give_up(host.name)

    def _restart_agent(self, arguments: args.AgentArguments, reply: Reply) -> None:
        host = self._sidecar.host(arguments.agent)
        host.restart(lambda error: self._done(reply, error, agent_view(self._sidecar, host.name)))

    def _login(self, arguments: args.LoginArguments, reply: Reply) -> None:
        host = self._sidecar.host(arguments.agent)

        def done(method_id: str) -> None:
            reply.result({"methodId": method_id})

        self._sidecar.sign_ins.login(host, arguments.method_id, done, self._failed(reply))

    def _logout(self, arguments: args.AgentArguments, reply: Reply) -> None:
        host = self._sidecar.host(arguments.agent)

        def ask() -> None:
            host.request(host.adapter.logout(), lambda _: reply.result(None), self._failed(reply))

        host.use(ask, self._failed(reply))
