"""A small LSP client on the pipes of a server process: base protocol, requests both ways.

Independent of the server's own libraries on purpose: what it understands, any editor understands.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]
OnRequest: TypeAlias = Callable[[Any], Awaitable[Any]]
OnNotification: TypeAlias = Callable[[Any], None]

_METHOD_NOT_FOUND: Final = -32601
_REQUEST_CANCELLED: Final = -32800
_EXIT_SECONDS: Final = 10.0
_ANSWER_SECONDS: Final = 60.0
_LAST_WORDS: Final = 20


class LspError(Exception):
    """The server answered with an error; the text is the server's."""


class ServerGone(Exception):
    """The server has ended, or is as good as gone, while something was wanted of it."""


class LspClient:
    """A server process and the client's end of the connection to it.

    Attributes:
        requests: How requests of the server are answered, by method.
        notifications: What is done about notifications of the server, by method.
        last_words: The last lines that the server wrote to stderr.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.requests: dict[str, OnRequest] = {}
        self.notifications: dict[str, OnNotification] = {}
        self._next_id = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._answering: dict[int | str, asyncio.Task[None]] = {}
        self._reading = asyncio.ensure_future(self._read())
        self.last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._listening = asyncio.ensure_future(self._listen())

    @classmethod
    async def start(cls, command: Sequence[str], cwd: Path) -> LspClient:
        """Start the server, out of reach of the Ctrl-C that is meant for us."""
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        return cls(process)

    async def request(self, method: str, params: Any) -> Any:
        """Ask the server and wait.

        Raises:
            LspError: The answer is an error.
            ServerGone: There is no server to answer any more.
        """
        if self._reading.done():
            raise ServerGone("the server has ended")
        self._next_id += 1
        request_id = self._next_id
        answer = self._waiting[request_id] = asyncio.get_running_loop().create_future()
        self._send({"id": request_id, "method": method, "params": params})
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await answer
        except TimeoutError as error:
            raise ServerGone(f"the server does not answer {method}") from error
        finally:
            self._waiting.pop(request_id, None)

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    async def stop(self) -> int | None:
        """End the session as the protocol says; the server's exit status, None if it was killed."""
        try:
            async with asyncio.timeout(_EXIT_SECONDS):
                if not self._reading.done():
                    await self.request("shutdown", None)
                    self.notify("exit", None)
                status = await self._process.wait()
                await asyncio.gather(self._reading, self._listening)
                return status
        except (TimeoutError, LspError, ServerGone):
            if self._process.returncode is None:
                self._process.kill()
            await self._process.wait()
            return None

    async def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None  # noqa: S101 - opened as a pipe above
        try:
            while True:
                length = await _content_length(stream)
                self._take(json.loads(await stream.readexactly(length)))
        except (EOFError, ValueError):
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(ServerGone("the server has ended"))

    async def _listen(self) -> None:
        stream = self._process.stderr
        assert stream is not None  # noqa: S101 - opened as a pipe above
        async for line in stream:
            self.last_words.append(line.decode("utf-8", "replace").rstrip())

    def _take(self, message: Json) -> None:
        method = message.get("method")
        if method is None:
            self._take_answer(message)
        elif "id" in message:
            answering = self._answer(message["id"], method, message.get("params"))
            self._answering[message["id"]] = asyncio.ensure_future(answering)
        elif method == "$/cancelRequest":
            if task := self._answering.get(message["params"]["id"]):
                task.cancel()
        elif method in self.notifications:
            self.notifications[method](message.get("params"))

    def _take_answer(self, message: Json) -> None:
        answer = self._waiting.get(message["id"])
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(LspError(message["error"]["message"]))
        else:
            answer.set_result(message.get("result"))

    async def _answer(self, request_id: int | str, method: str, params: Any) -> None:
        handler = self.requests.get(method)
        try:
            if handler is None:
                error = {"code": _METHOD_NOT_FOUND, "message": method}
                self._send({"id": request_id, "error": error})
            else:
                self._send({"id": request_id, "result": await handler(params)})
        except asyncio.CancelledError:
            error = {"code": _REQUEST_CANCELLED, "message": "cancelled"}
            self._send({"id": request_id, "error": error})
        finally:
            del self._answering[request_id]

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if self._process.stdin and not self._process.stdin.is_closing():
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)


async def _content_length(stream: asyncio.StreamReader) -> int:
    """Read the header part of a message.

    Raises:
        EOFError: The stream has ended.
        ValueError: The header has no length.
    """
    length = None
    while (line := await stream.readuntil(b"\r\n")) != b"\r\n":
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
    if length is None:
        raise ValueError("a message without Content-Length")
    return length
