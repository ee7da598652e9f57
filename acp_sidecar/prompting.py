"""Which session a prompt goes to, and what goes with it.

A prompt goes to the session that is named, else to the one last used with that agent, else to a new
one. A session whose agent has ended since is resumed first; if it was not named and cannot be
resumed, a new one takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from acp_sidecar.errors import AgentError, SidecarError
from acp_sidecar.features.context import prompt_blocks, takes_embedded
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.lsp.arguments import PromptArguments
from acp_sidecar.session.content import text_block
from acp_sidecar.session.state import Session

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar

Json = Any
Found = Callable[[Session], None]
Failed = Callable[[SidecarError], None]


class Prompting:
    """The prompts of one sidecar.

    Attributes:
        current: Key of the session last used.
    """

    def __init__(self, sidecar: Sidecar) -> None:
        self.current: str | None = None
        self._sidecar = sidecar
        self._opening: dict[str, list[tuple[Found, Failed]]] = {}

    def prompt(
        self, arguments: PromptArguments, named: Session | None, done: Found, failed: Failed
    ) -> None:
        """Send a prompt; `done` as soon as it is on its way."""

        def send(session: Session) -> None:
            self.current = session.key
            host = self._sidecar.host(session.agent)
            try:
                self._sidecar.sessions.prompt(host, session, self._blocks(session, arguments))
            except SidecarError as error:
                failed(error)
                return
            done(session)

        if named is not None:
            self._attached(named, send, failed)
            return
        host = self._sidecar.host(arguments.agent)
        current = self._sidecar.store.by_key.get(self.current or "")
        if current is None or current.agent != host.name or current.closed:
            self._with_new(host, send, failed)
            return
        self._attached(current, send, lambda _error: self._with_new(host, send, failed))

    def _attached(self, session: Session, then: Found, failed: Failed) -> None:
        """Go on when the agent that runs now knows the session."""
        host = self._sidecar.host(session.agent)
        if not session.detached:
            host.use(lambda: then(session), failed)
            return

        def lost(error: SidecarError) -> None:
            text = f"{host.name} was restarted and cannot go on with this session: {error.message}"
            failed(AgentError(text, advice="Start a new one with `acp.session.new`."))

        self._sidecar.sessions.resume(
            host,
            session.session_id,
            session.cwd,
            self._sidecar.directories(session.cwd),
            replay=False,
            done=then,
            failed=lost,
        )

    def _with_new(self, host: AgentHost, then: Found, failed: Failed) -> None:
        """Open a session; prompts that come meanwhile wait for the same one."""
        waiting = self._opening.setdefault(host.name, [])
        waiting.append((then, failed))
        if len(waiting) > 1:
            return

        def opened(session: Session) -> None:
            for go_on, _ in self._opening.pop(host.name, []):
                go_on(session)

        def refused(error: SidecarError) -> None:
            for _, give_up in self._opening.pop(host.name, []):
                give_up(error)

        cwd = self._sidecar.default_cwd()
        self._sidecar.sessions.new(host, cwd, self._sidecar.directories(cwd), opened, refused)

    def _blocks(self, session: Session, arguments: PromptArguments) -> list[Json]:
        """The prompt, what it is about, and what the agent is to know of earlier choices."""
        info = self._sidecar.host(session.agent).info
        embedded = info is not None and takes_embedded(info.capabilities)
        items = [self._sidecar.contexts.of_item(item) for item in arguments.context]
        contexts = [context for context in items if context is not None]
        blocks = prompt_blocks(arguments.text, contexts, embedded=embedded)
        note = self._sidecar.rooms.review.notes_for_prompt(session)
        return [*blocks, text_block(note)] if note else blocks
