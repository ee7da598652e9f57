"""The editor's tools, from the hallway: offered to sessions, and served to their agents."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acp_sidecar.config import Config
from acp_sidecar.errors import Fault, Problem
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.host.ports import NO_OFFER, Offer
from acp_sidecar.mcp.channel import Channel, Reply
from acp_sidecar.session.state import Session

if TYPE_CHECKING:
    from acp_sidecar.features.editor_tools.catalogue import Tool
    from acp_sidecar.features.editor_tools.tools import Answer, EditorTools
    from acp_sidecar.sidecar import Sidecar

Json = Any

MISSING = Problem(
    Fault.ENVIRONMENT,
    "no-mcp",
    "The setting editorTools.enabled needs more than is installed: pip install 'acp-sidecar[mcp]', "
    "into the environment that the sidecar runs in.",
)


class Tooling:
    """Makes the channel and the tools when a session is first offered them."""

    def __init__(self, sidecar: Sidecar, config: Config, happened: Callable[[], None]) -> None:
        """Offer the tools to the sidecar's sessions; `happened` lets the rooms act."""
        self._sidecar = sidecar
        self._happened = happened
        self._shown = False
        self._tools: EditorTools | None = None
        self._channel: Channel | None = None
        self._sessions: dict[str, Session] = {}
        self._count = 0
        self.configure(config)
        sidecar.sessions.offer = self.offer

    def configure(self, config: Config) -> None:
        """The settings have changed; they hold for sessions that are opened from now on."""
        self._enabled = config.editor_tools.enabled

    def offer(self, host: AgentHost) -> Offer:
        """What a session that is being opened is offered, if the user and the agent want it."""
        if not self._enabled or not _takes_stdio(host):
            return NO_OFFER
        if importlib.util.find_spec("mcp") is None:
            self._sidecar.show_problems([] if self._shown else [MISSING])
            self._shown = True
            return NO_OFFER
        if self._channel is None:
            self._tools, self._channel = self._made(), Channel(self._serve)
        self._count += 1
        key = str(self._count)

        def opened(session: Session) -> None:
            self._sessions[key] = session

        return Offer([self._channel.server_for(key)], opened)

    def _made(self) -> EditorTools:
        from acp_sidecar.features.editor_tools.tools import EditorTools  # noqa: PLC0415 - few need it

        rooms = self._sidecar.rooms
        return EditorTools(
            self._sidecar.editor,
            self._sidecar.workspace,
            rooms.permissions,
            rooms.review,
            rooms.follow,
            clock=self._sidecar.now,
            home=str(Path.home()),
        )

    async def close(self) -> None:
        """The sidecar ends."""
        if self._channel is not None:
            await self._channel.close()

    def _serve(self, key: str, method: str, params: Json, reply: Reply) -> None:
        assert self._tools is not None  # noqa: S101 - made with the channel
        if method == "tools":
            reply({"tools": [_told(tool) for tool in self._tools.offered()]})
            return
        session = self._sessions.get(key)
        if session is None or session.closed:
            reply({"text": "The session is not open.", "failed": True})
            return

        def answered(answer: Answer) -> None:
            reply({"text": answer.text, "failed": answer.failed})
            self._happened()

        given = params if isinstance(params, dict) else {}
        self._tools.call(session, str(given.get("name")), given.get("arguments"), answered)
        self._happened()


def _takes_stdio(host: AgentHost) -> bool:
    session = None if host.info is None else host.info.capabilities.session
    return session is not None and session.mcp is not None and session.mcp.stdio is not None


def _told(tool: Tool) -> Json:
    """A tool as MCP lists it."""
    hints = {"readOnlyHint": tool.reads_only, "destructiveHint": False, "openWorldHint": False}
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.schema(),
        "annotations": hints,
    }
