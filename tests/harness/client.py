"""The editor: answers what the server asks, and does what a user does through commands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.harness.connection import Connection, LspError, Received
from tests.harness.documents import Document, Documents, Refused, path_of
from tests.harness.prompts import Answers

Json = dict[str, Any]
Handler = Callable[[Any], Awaitable[Any]]
_METHOD_NOT_FOUND = -32601
_POLL_SECONDS = 0.02

EditorError = LspError


class Editor:
    """One running sidecar and the editor it serves.

    `received` has all messages of the server in order. `answers` scripts the prompts.
    `handlers` may replace how a request of the server is answered, by method.
    `configuration` is what `workspace/configuration` answers, by section. `process` is the
    sidecar's.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, root: Path
    ) -> None:
        self.root = root
        self.documents = Documents()
        self.answers = Answers()
        self.configuration: dict[str, Any] = {}
        self.stderr: list[str] = []
        self.process: asyncio.subprocess.Process | None = None
        self.server: Json = {}  # the answer to initialize
        self.handlers: dict[str, Handler] = {
            "window/showMessageRequest": self._ask_user,
            "window/showDocument": self._show_document,
            "window/workDoneProgress/create": _nothing,
            "client/registerCapability": _nothing,
            "client/unregisterCapability": _nothing,
            "workspace/applyEdit": self._apply_edit,
            "workspace/configuration": self._configuration,
            "workspace/codeLens/refresh": _nothing,
        }
        self.connection = Connection(reader, writer, self._serve)

    # What the server asks

    async def _serve(self, method: str, params: Any) -> Any:
        handler = self.handlers.get(method)
        if handler is None:
            raise LspError(_METHOD_NOT_FOUND, method)
        return await handler(params)

    async def _ask_user(self, params: Json) -> Json | None:
        return await self.answers.answer(params)

    async def _show_document(self, _params: Json) -> Json:
        return {"success": True}

    async def _apply_edit(self, params: Json) -> Json:
        try:
            changed = self.documents.apply(params["edit"])
        except Refused as refused:
            return {"applied": False, "failureReason": str(refused)}
        for document in changed:
            await self._did_change(document)
        return {"applied": True}

    async def _configuration(self, params: Json) -> list[Any]:
        return [self.configuration.get(item.get("section")) for item in params["items"]]

    # What the user does

    async def open(self, path: Path, text: str | None = None, language: str = "text") -> Document:
        """Open a file, with its text on disk or, as a dirty buffer, with another."""
        uri = path.as_uri()
        on_disk = self.documents.text(uri)
        document = Document(uri, 1, on_disk if text is None else text, text not in {None, on_disk})
        self.documents.open[uri] = document
        item = {"uri": uri, "languageId": language, "version": 1, "text": document.text}
        await self.connection.notify("textDocument/didOpen", {"textDocument": item})
        return document

    async def change(self, document: Document, text: str) -> None:
        """Replace a document's text, as the user's own typing."""
        document.text, document.version, document.dirty = text, document.version + 1, True
        await self._did_change(document)

    async def reload(self, document: Document) -> None:
        """Read a clean document again, as editors do when its file has changed."""
        assert not document.dirty
        document.text = path_of(document.uri).read_bytes().decode()
        document.version += 1
        await self._did_change(document)

    async def _did_change(self, document: Document) -> None:
        identifier = {"uri": document.uri, "version": document.version}
        params = {"textDocument": identifier, "contentChanges": [{"text": document.text}]}
        await self.connection.notify("textDocument/didChange", params)

    async def close(self, document: Document) -> None:
        """Close a document without saving it."""
        del self.documents.open[document.uri]
        params = {"textDocument": {"uri": document.uri}}
        await self.connection.notify("textDocument/didClose", params)

    async def command(self, command: str, argument: Json | None = None, seconds: float = 60) -> Any:
        """Run one of the sidecar's commands and return its result.

        Raises:
            EditorError: the server answered with an error.
            AssertionError: it did not answer in time; with what it sent instead.
        """
        params = {"command": command, "arguments": [argument or {}]}
        try:
            return await self.connection.request("workspace/executeCommand", params, seconds)
        except TimeoutError:
            raise AssertionError(f"no answer to {command}; {self._account()}") from None

    async def prompt(self, text: str, **more: Any) -> str:
        """Send a prompt; return the id of its session."""
        answer = await self.command("acp.prompt", {"text": text, **more}, seconds=120)
        session: str = answer["sessionId"]
        return session

    # What can be seen

    async def state(self) -> Json:
        """Return `acp.state`."""
        state: Json = await self.command("acp.state")
        return state

    async def session(self, session: str) -> Json:
        """Return the state of one session."""
        return find_session(await self.state(), session)

    async def until(self, wanted: Callable[[Json], bool], seconds: float = 60) -> Json:
        """Ask for the state until it satisfies the predicate; return that state.

        Raises:
            AssertionError: it did not in time; with the last state.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not wanted(state := await self.state()):
            if loop.time() > deadline:
                raise AssertionError(f"not reached; {self._account(state)}")
            await asyncio.sleep(_POLL_SECONDS)
        return state

    async def idle(self, session: str, seconds: float = 60) -> Json:
        """Wait for the end of the session's turn; return the state of the session."""
        state = await self.until(lambda state: not find_session(state, session)["busy"], seconds)
        return find_session(state, session)

    async def turn(self, text: str, **more: Any) -> Json:
        """Send a prompt, wait for the end of its turn, and return the state of its session."""
        return await self.idle(await self.prompt(text, **more))

    @property
    def received(self) -> list[Received]:
        """Everything the server sent, except answers, in order of arrival."""
        return self.connection.received

    def sent(self, method: str) -> list[Any]:
        """Return the parameters of all messages of one method that the server sent."""
        return [received.params for received in self.received if received.method == method]

    async def until_sent(self, method: str, number: int = 1, seconds: float = 60) -> Any:
        """Wait for the server's Nth message of a method; return its parameters.

        Raises:
            AssertionError: it did not come in time; with what came instead.
        """
        try:
            await self.connection.until(lambda: len(self.sent(method)) >= number, seconds)
        except TimeoutError:
            account = self._account(await self.state())
            raise AssertionError(f"no {method}; {account}") from None
        return self.sent(method)[number - 1]

    def _account(self, state: Json | None = None) -> str:
        methods = [received.method for received in self.received][-60:]
        shown = json.dumps(state, indent=1)[:20_000]
        return f"received {methods}\nstderr {self.stderr[-20:]}\nstate {shown}"


def find_session(state: Json, session: str) -> Json:
    """Return one session of a state."""
    found: Json = next(s for s in state["sessions"] if s["sessionId"] == session)
    return found


async def _nothing(_params: Any) -> None:
    return None
