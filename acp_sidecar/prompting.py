"""Which session a prompt goes to, and what goes with it.

A prompt goes to the session that is named, else to the one last used with that agent, else to a new
one. A session whose agent has ended since is resumed first; if it was not named and cannot be
resumed, a new one takes its place.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from acp_sidecar.errors import AgentError, EditorError, SidecarError
from acp_sidecar.features.accepted import accepted
from acp_sidecar.features.context import CodeContext, prompt_blocks
from acp_sidecar.features.media import Media
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.lsp.arguments import ContextItem, MediaItem, PromptArguments
from acp_sidecar.lsp.media import read_media
from acp_sidecar.session.queue import QueuedPrompt
from acp_sidecar.session.state import Session

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar

Json = Any
Found = Callable[[Session], None]
Sent = Callable[[Session, QueuedPrompt, bool], None]
Failed = Callable[[SidecarError], None]


class Prompting:
    """The prompts of one sidecar.

    Attributes:
        current: Key of the session last used.
    """

    def __init__(self, sidecar: Sidecar) -> None:
        self.current: str | None = None
        self._sidecar = sidecar
        self._numbers = itertools.count(1)
        self._opening: dict[str, list[tuple[Found, Failed]]] = {}

    def prompt(
        self, arguments: PromptArguments, named: Session | None, done: Sent, failed: Failed
    ) -> None:
        """Send a prompt; `done` as soon as it is on its way or queued.

        Raises:
            EditorError: There is nothing to send, or the session is closed.
        """
        if not arguments.text.strip() and not arguments.context:
            raise EditorError("The prompt is empty.", advice="Say what the agent is to do.")
        if named is not None and named.closed:
            raise EditorError("This session is closed.", advice="Resume it first.")

        def send(session: Session) -> None:
            self.current = session.key
            host = self._sidecar.host(session.agent)
            try:
                prompt = self._prompt(session, arguments)
                turns = self._sidecar.sessions.turns
                sent = turns.prompt(host, session, prompt, wait=arguments.queue)
            except SidecarError as error:
                failed(error)
                return
            done(session, prompt, sent)

        if named is not None:
            self._attached(named, send, failed)
            return
        host = self._sidecar.host(arguments.agent)
        current = self._sidecar.store.by_key.get(self.current or "")
        cwd = self._cwd(arguments)
        if current is None or current.agent != host.name or current.closed:
            self._with_new(host, cwd, send, failed)
            return
        self._attached(current, send, lambda _error: self._with_new(host, cwd, send, failed))

    def release(self, session: Session, done: Callable[[int], None], failed: Failed) -> None:
        """Send what is held."""

        def send(attached: Session) -> None:
            host = self._sidecar.host(attached.agent)
            done(self._sidecar.sessions.turns.release(host, attached))

        self._attached(session, send, failed)

    def _cwd(self, arguments: PromptArguments) -> str:
        """The folder of what the prompt is about."""
        uris = [item.uri for item in arguments.context if isinstance(item, ContextItem)]
        return self._sidecar.folders.default(next(iter(uris), None))

    def _attached(self, session: Session, then: Found, failed: Failed) -> None:
        """Go on when the agent that runs now knows the session."""
        host = self._sidecar.host(session.agent)
        if not session.detached:
            directories = self._sidecar.folders.others(session.cwd)
            rooted = partial(self._sidecar.sessions.with_roots, host, session, directories)
            host.use(lambda: rooted(lambda: then(session)), failed)
            return

        def lost(error: SidecarError) -> None:
            text = f"{host.name} was restarted and cannot go on with this session: {error.message}"
            advice = "Start a new session (`acp.session.new`) and send it there."
            failed(AgentError(text, advice=advice))

        self._sidecar.sessions.resume(
            host,
            session.session_id,
            session.cwd,
            self._sidecar.folders.others(session.cwd),
            replay=False,
            done=then,
            failed=lost,
        )

    def _with_new(self, host: AgentHost, cwd: str, then: Found, failed: Failed) -> None:
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

        self._sidecar.sessions.new(host, cwd, self._sidecar.folders.others(cwd), opened, refused)

    def _prompt(self, session: Session, arguments: PromptArguments) -> QueuedPrompt:
        """What the user says and what it is about, as the agent takes it."""
        info = self._sidecar.host(session.agent).info
        taken = accepted(info.capabilities if info is not None else None)
        text = arguments.text
        context = [
            found for item in arguments.context if (found := self._context(item)) is not None
        ]
        if arguments.mentions:
            context += self._sidecar.contexts.mentioned(text, session.cwd, context, taken)
        blocks = prompt_blocks(text, context, taken)
        return QueuedPrompt(f"prompt-{next(self._numbers)}", text, blocks)

    def _context(self, item: ContextItem | MediaItem) -> CodeContext | Media | None:
        if isinstance(item, MediaItem):
            return read_media(item)
        return self._sidecar.contexts.of_item(item)


def held_message(session: Session, count: int) -> str:
    """What the user is told when prompts are held."""
    what = "1 prompt is kept and was" if count == 1 else f"{count} prompts are kept and were"
    return (
        f"{what} not sent to {session.title or session.agent}: `acp.prompt.release` sends, "
        "`acp.prompt.unqueue` takes out."
    )
