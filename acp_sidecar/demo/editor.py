"""The demo's editor: a plain LSP client that shows on a `Screen` what any editor would do.

The editor moves when it is told to; what was said and done is fetched from `acp.state`, often, and
always before a question is put. While a question is open nothing else is drawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from acp_sidecar.demo import news
from acp_sidecar.demo.account import Seen
from acp_sidecar.demo.lsp_client import LspClient
from acp_sidecar.demo.screen import Screen
from acp_sidecar.demo.terminal_bytes import TerminalBytes

Json: TypeAlias = dict[str, Any]
Choose: TypeAlias = Callable[[Sequence[str], Json | None], Awaitable[int | None]]
"""Gives the index of the answer to a question, or None to dismiss it; the permission if known."""

_POLL_SECONDS: Final = 0.1
_CAPABILITIES: Final[Json] = {
    "window": {
        "workDoneProgress": True,
        "showDocument": {"support": True},
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": False}},
    },
    "workspace": {"workspaceFolders": True},
    "general": {"positionEncodings": ["utf-16"]},
}


class DemoEditor:
    """One editor on one server, working in one project.

    Attributes:
        state: The last answer of `acp.state`.
    """

    def __init__(self, client: LspClient, screen: Screen, project: Path, choose: Choose) -> None:
        self._client = client
        self._screen = screen
        self._project = project
        self._choose = choose
        self._watch = news.Watch()
        self._terminals = TerminalBytes()
        self._scenes: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._drawn: set[str] = set()
        self._session_id: str | None = None
        self._cancelled = self._looking = False
        self._open_question: asyncio.Future[Json | None] | None = None
        self._at_start = set(project.rglob("*"))
        self._moves = self._misses = 0
        self._answers: dict[str, bool] = {}
        self.state: Json = {}
        client.requests = {
            "window/showDocument": self._show_document,
            "window/showMessageRequest": self._question,
            "window/workDoneProgress/create": _nothing,
            "client/registerCapability": _nothing,
            "client/unregisterCapability": _nothing,
        }
        client.notifications = {
            "$/progress": lambda _params: self._look(),
            "window/showMessage": lambda params: self._later(lambda: self._message(params)),
        }

    @property
    def seen(self) -> Seen:
        """What happened that only an editor can count."""
        allowed = sum(self._answers.values())
        return Seen(self._moves, self._misses, len(self._answers), allowed)

    @property
    def session(self) -> Json | None:
        """The demo's session in the state."""
        for session in self.state.get("sessions", ()):
            if session["sessionId"] == self._session_id:
                found: Json = session
                return found
        return None

    async def connect(self, options: Json) -> None:
        """Shake hands with the server."""
        uri = self._project.as_uri()
        params = {
            "processId": None,
            "clientInfo": {"name": "acp-sidecar demo"},
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": self._project.name}],
            "capabilities": _CAPABILITIES,
            "initializationOptions": options,
        }
        await self._client.request("initialize", params)
        self._client.notify("initialized", {})

    async def command(self, name: str, argument: Json) -> Any:
        """Run one of the server's commands."""
        params = {"command": name, "arguments": [argument]}
        return await self._client.request("workspace/executeCommand", params)

    async def turn(self, prompt: str) -> None:
        """Send the prompt and show everything until the turn has ended."""
        player = asyncio.ensure_future(self._play())
        try:
            answer = await self.command("acp.prompt", {"text": prompt})
            self._session_id = answer["sessionId"]
            if self._cancelled:
                await self.cancel()
            while not player.done():
                self._look()
                await asyncio.wait([player], timeout=_POLL_SECONDS)
                if self.session and not self.session["busy"] and self._scenes.empty():
                    break
            if player.done():
                player.result()
        finally:
            player.cancel()
        await self._catch_up()
        self._screen.close_line()

    async def cancel(self) -> None:
        """Cancel the turn, as an editor's user would; a question that is open is dismissed."""
        if self._open_question and not self._open_question.done():
            self._open_question.set_result(None)
        self._cancelled = True
        if self._session_id is not None:
            await self.command("acp.cancel", {"sessionId": self._session_id})

    # --- what the server wants ------------------------------------------------------------------

    async def _show_document(self, params: Json) -> Json:
        path = _path_of(params["uri"])
        # Read now, as an editor does: when it is drawn the file may have another name.
        text = path.read_bytes().decode("utf-8", "replace") if path and path.is_file() else None
        if self._open_question is None:
            self._move(params, text)
        else:
            self._later(lambda: self._moved(params, text))
        return {"success": True}

    async def _question(self, params: Json) -> Json | None:
        answer: asyncio.Future[Json | None] = asyncio.get_running_loop().create_future()
        self._later(lambda: self._asked_for(params, answer))
        return await answer

    def _look(self) -> None:
        """Catch up soon; once is enough for all who want it."""
        if not self._looking:
            self._looking = True
            self._later(self._catch_up)

    def _later(self, scene: Callable[[], Awaitable[None]]) -> None:
        self._scenes.put_nowait(scene)

    async def _play(self) -> None:
        while True:
            scene = await self._scenes.get()
            await scene()

    # --- scenes ---------------------------------------------------------------------------------

    async def _message(self, params: Json) -> None:
        await self._catch_up()
        self._screen.notice(params["message"])

    async def _moved(self, params: Json, text: str | None) -> None:
        self._move(params, text)

    def _move(self, params: Json, text: str | None) -> None:
        path = _path_of(params["uri"])
        if path is None or text is None:
            self._screen.notice(f"opened {params['uri']}", "dim")
            # A file that the agent has just renamed is gone before the editor can open it.
            self._misses += path is not None and path not in self._at_start
            return
        if not path.is_relative_to(self._project):
            self._screen.document(path, text)
            return
        self._moves += 1
        first, last = _lines_of(params.get("selection"))
        self._misses += first > text.count("\n") + 1
        self._screen.follow(path, text, first, last)

    async def _asked_for(self, params: Json, answer: asyncio.Future[Json | None]) -> None:
        await self._catch_up()
        titles = [action["title"] for action in params.get("actions") or ()]
        permission = _matching(self.state.get("permissions", []), params["message"])
        self._screen.question(params["message"], titles)
        index = await self._chosen(titles, permission, answer)
        self._count(index, permission)
        self._screen.answered("dismissed" if index is None else titles[index])
        if not answer.done():
            answer.set_result(None if index is None else {"title": titles[index]})

    async def _chosen(
        self, titles: Sequence[str], permission: Json | None, answer: asyncio.Future[Json | None]
    ) -> int | None:
        """What is chosen; None if that is nothing, or if the question is over meanwhile."""
        self._open_question = answer
        choosing = asyncio.ensure_future(self._choose(titles, permission))
        try:
            either: set[asyncio.Future[Any]] = {choosing, answer}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return choosing.result() if choosing.done() else None
        finally:
            choosing.cancel()
            self._open_question = None

    def _count(self, index: int | None, permission: Json | None) -> None:
        if permission is None:
            return
        options = permission["options"]
        if index is not None and index >= len(options):
            return  # one of the editor's own answers, such as a preview; it will be asked again
        # An answer that came too early does not count; the question comes again.
        allowed = index is not None and options[index]["kind"].startswith("allow")
        self._answers[permission["permissionId"]] = allowed

    async def _catch_up(self) -> None:
        """Fetch the state and draw what is new in it."""
        self._looking = False
        self.state = await self.command("acp.state", {})
        if self._session_id is None or (session := self.session) is None:
            return
        await self._terminals.colour(self.command, session)
        for item in self._watch.news(session):
            self._draw(item, session)
        for change_set in self.state.get("changeSets", ()):
            self._draw_change_set(change_set)

    def _draw_change_set(self, change_set: Json) -> None:
        if change_set["toolCallId"] is None or change_set["changeSet"] in self._drawn:
            return
        self._drawn.add(change_set["changeSet"])
        for file in change_set["files"]:
            self._screen.diff(file)

    def _draw(self, item: news.News, session: Json) -> None:
        match item:
            case news.Said():
                self._screen.said(item.role, item.text, begins=item.begins)
            case news.Planned():
                self._screen.plan(item.entries)
            case news.Called(call, began=False):
                self._draw_output_text(call)
                self._screen.call(call)
            case news.Printed():
                self._screen.output(item.text, item.command)
            case news.Exited():
                self._screen.exited(item.status)
            case news.Used() if not session["busy"]:
                self._screen.usage(item.usage)
            case _:
                return

    def _draw_output_text(self, call: Json) -> None:
        """ACP v1 agents give the output of a command as text."""
        if call["kind"] == "execute" and not news.terminals_of(call):
            blocks = (item.get("content", {}) for item in call["content"])
            text = "".join(block.get("text", "") for block in blocks)
            if text:
                self._screen.output(text.removesuffix("\n") + "\n", call["title"])
                self._screen.exited(call["rawOutput"] or {})


async def _nothing(_params: Any) -> None:
    return None


def _path_of(uri: str) -> Path | None:
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    return Path(url2pathname(unquote(parts.path)))


def _lines_of(selection: Json | None) -> tuple[int, int]:
    """The lines of an LSP range as people count them: from 1, the last included."""
    if selection is None:
        return 1, 1
    start, end = selection["start"], selection["end"]
    whole_lines = end["character"] == 0 and end["line"] > start["line"]
    return start["line"] + 1, end["line"] + (0 if whole_lines else 1)


def _matching(permissions: Sequence[Json], message: str) -> Json | None:
    """The permission that a question is about: prompts come one at a time, oldest first."""
    named = (each for each in permissions if each["title"] in message)
    return next(named, permissions[0] if permissions else None)
