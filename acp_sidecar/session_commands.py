"""Commands about prompts and sessions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from acp_sidecar.errors import AgentRefused, EditorError, SidecarError
from acp_sidecar.features.ports import Level
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.listing import Listing
from acp_sidecar.lsp import arguments as args
from acp_sidecar.lsp.protocol import REQUEST_FAILED, Reply
from acp_sidecar.prompting import Prompting
from acp_sidecar.session.queue import QueuedPrompt
from acp_sidecar.session.state import Session
from acp_sidecar.session.view import plain
from acp_sidecar.wire.protocol import RESOURCE_NOT_FOUND

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar

Json = Any


def finish(reply: Reply, error: SidecarError | None, result: Json = None) -> None:
    """Answer a command with its result, or with what prevented it."""
    if error is not None:
        reply.error(REQUEST_FAILED, str(error))
    else:
        reply.result(result)


class SessionCommands:
    """See `commands.Commands`; `find` finds a session, or the one last used."""

    def __init__(
        self,
        sidecar: Sidecar,
        find: Callable[[str | None], Session],
        prompting: Prompting,
        listing: Listing,
    ) -> None:
        self._sidecar = sidecar
        self._find = find
        self._prompting = prompting
        self._listing = listing
        self.table: dict[str, Callable[[Any, Reply], None]] = {
            "acp.prompt": self._prompt,
            "acp.prompt.unqueue": self._unqueue,
            "acp.prompt.release": self._release,
            "acp.cancel": self._cancel,
            "acp.session.new": self._new_session,
            "acp.session.list": self._list_sessions,
            "acp.session.resume": self._resume,
            "acp.session.close": self._close,
            "acp.session.delete": self._delete,
            "acp.session.forget": self._forget,
            "acp.session.setOption": self._set_option,
        }

    def _failed(self, reply: Reply) -> Callable[[SidecarError], None]:
        return partial(finish, reply)

    def _host_of(self, session: Session) -> AgentHost:
        return self._sidecar.host(session.agent)

    # --- prompts ----------------------------------------------------------------------------------

    def _prompt(self, arguments: args.PromptArguments, reply: Reply) -> None:
        def sent(session: Session, prompt: QueuedPrompt, on_its_way: bool) -> None:
            result = {"sessionId": session.key, "promptId": prompt.prompt_id}
            reply.result({**result, "queued": not on_its_way})
            if not on_its_way and "session" not in self._sidecar.editor.abilities.rich:
                name = session.title or session.agent
                self._sidecar.editor.message(Level.INFO, f"Queued: {name} is still at work.")

        named = None if arguments.session_id is None else self._find(arguments.session_id)
        self._prompting.prompt(arguments, named, sent, self._failed(reply))

    def _unqueue(self, arguments: args.UnqueueArguments, reply: Reply) -> None:
        for session in self._sidecar.store.by_key.values():
            prompt = self._sidecar.sessions.turns.unqueue(session, arguments.prompt_id)
            if prompt is None:
                continue
            if prompt.state == "sent":
                raise EditorError("The agent has this prompt already.", advice="Cancel the turn.")
            result = {"sessionId": session.key, "promptId": prompt.prompt_id, "text": prompt.text}
            reply.result(result)
            return
        raise EditorError(f"No prompt {arguments.prompt_id} is queued.")

    def _release(self, arguments: args.SessionArguments, reply: Reply) -> None:
        session = self._find(arguments.session_id)

        def released(count: int) -> None:
            reply.result({"sessionId": session.key, "released": count})

        self._prompting.release(session, released, self._failed(reply))

    def _cancel(self, arguments: args.SessionArguments, reply: Reply) -> None:
        session = self._find(arguments.session_id)
        if session.busy or session.state != "idle":
            self._sidecar.cancel(session)
        reply.result({"sessionId": session.key})

    # --- sessions ---------------------------------------------------------------------------------

    def _new_session(self, arguments: args.NewSessionArguments, reply: Reply) -> None:
        def opened(session: Session) -> None:
            self._prompting.current = session.key
            reply.result({"sessionId": session.key})

        cwd = arguments.cwd or self._sidecar.folders.default(arguments.document)
        host = self._sidecar.host(arguments.agent)
        directories = self._sidecar.folders.others(cwd)
        self._sidecar.sessions.new(host, cwd, directories, opened, self._failed(reply))

    def _list_sessions(self, arguments: args.ListSessionsArguments, reply: Reply) -> None:
        host = self._sidecar.host(arguments.agent)
        failed = self._failed(reply)
        self._listing.page(host, arguments.cwd, arguments.cursor, reply.result, failed)

    def _resume(self, arguments: args.ResumeArguments, reply: Reply) -> None:
        wanted = arguments.session_id or self._last(arguments.agent)
        agent, session_id, known_cwd = self._where(wanted, arguments.agent)
        host = self._sidecar.host(agent)
        known = self._sidecar.store.find(host.name, session_id)
        if known is not None and known.busy:
            raise EditorError("The session is running.", advice="Wait for its end or cancel it.")

        def resumed(session: Session) -> None:
            self._prompting.current = session.key
            self._sidecar.memory.used(host, session)
            reply.result({"sessionId": session.key})

        def failed(error: SidecarError) -> None:
            if isinstance(error, AgentRefused) and error.code == RESOURCE_NOT_FOUND:
                self._sidecar.memory.forget((host.name, session_id))
            finish(reply, error)

        cwd = arguments.cwd or known_cwd or self._sidecar.folders.default()
        directories = self._sidecar.folders.others(cwd)
        self._sidecar.sessions.resume(
            host,
            session_id,
            cwd,
            directories,
            replay=arguments.replay,
            done=resumed,
            failed=failed,
        )

    def _last(self, agent: str | None) -> str:
        """The session that was used last here, of those that are not open."""
        for entry in self._listing.remembered():
            if agent in {None, entry["agent"]} and entry["resume"] != "none" and not entry["open"]:
                return entry["sessionId"]
        advice = "Look for one with `acp.session.list`."
        raise EditorError("No session from before is remembered here.", advice=advice)

    def _where(self, session_id: str, agent: str | None) -> tuple[str | None, str, str | None]:
        """The agent, its own id and the folder of a session that is open or remembered."""
        open_now = self._sidecar.store.by_key.get(session_id)
        if open_now is not None and agent in {None, open_now.agent}:
            return open_now.agent, open_now.session_id, open_now.cwd
        entry = self._sidecar.memory.find(session_id, agent)
        if entry is not None:
            return entry.agent, session_id, entry.cwd
        return agent, session_id, None

    def _close(self, arguments: args.SessionArguments, reply: Reply) -> None:
        session = self._find(arguments.session_id)
        host = self._host_of(session)
        host.adapter.close_session(session.session_id)  # raises before anything is cancelled
        self._sidecar.serving.session_closed(session)
        self._sidecar.rooms.session_closed(self._sidecar.now(), session)

        def done(error: SidecarError | None) -> None:
            self._sidecar.hearing.session_closed(session)
            finish(reply, error, {"sessionId": session.key})

        self._sidecar.sessions.close(host, session, done)

    def _delete(self, arguments: args.DeleteSessionArguments, reply: Reply) -> None:
        agent, session_id, _ = self._where(arguments.session_id, arguments.agent)
        host = self._sidecar.host(agent)
        known = self._sidecar.store.find(host.name, session_id)
        if host.agreed:
            host.adapter.delete_session(session_id)  # raises before anything is cancelled
        if known is not None:
            self._sidecar.serving.session_closed(known)
            self._sidecar.rooms.session_closed(self._sidecar.now(), known)

        def done(error: SidecarError | None) -> None:
            if error is None:
                self._sidecar.memory.forget((host.name, session_id))
            finish(reply, error, {"sessionId": arguments.session_id})

        self._sidecar.sessions.delete(host, session_id, done)

    def _forget(self, arguments: args.ForgetSessionArguments, reply: Reply) -> None:
        agent, session_id, _ = self._where(arguments.session_id, arguments.agent)
        entry = self._sidecar.memory.find(session_id, agent)
        if entry is None:
            raise EditorError(f"The session {session_id} is not remembered.")
        self._sidecar.memory.forget(entry.key)
        reply.result(None)

    def _set_option(self, arguments: args.SetOptionArguments, reply: Reply) -> None:
        session = self._find(arguments.session_id)

        def done(error: SidecarError | None) -> None:
            options = [plain(option) for option in session.config_options]
            finish(reply, error, {"configOptions": options})

        self._sidecar.sessions.set_option(
            self._host_of(session), session, arguments.option, arguments.value, done
        )
