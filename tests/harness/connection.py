"""The LSP base protocol over two pipes, by hand: so that also faults and timing can be tested."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from itertools import count
from typing import Any

Json = dict[str, Any]
Serve = Callable[[str, Any], Awaitable[Any]]


class LspError(Exception):
    """An error answer, in either direction."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


@dataclass
class Received:
    """One message from the server, in the order of arrival (`order`, and `at` in seconds)."""

    order: int
    at: float
    method: str
    params: Any
    is_request: bool
    cancelled: bool = False


class Connection:
    """Sends and receives messages; requests of the server are answered by `serve`."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, serve: Serve
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._serve = serve
        self.received: list[Received] = []
        self._changed = asyncio.Condition()
        self._ids = count(1)
        self._replies: dict[int, asyncio.Future[Any]] = {}
        self._serving: dict[Any, tuple[asyncio.Task[None], Received]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.closed = self._background(self._read())

    def _background(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _read(self) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):  # the server closed its output
            while True:
                await self._receive(await self._next_message())
        for reply in self._replies.values():
            if not reply.done():
                reply.set_exception(LspError(0, "the server closed its output"))

    async def _next_message(self) -> Json:
        head = await self._reader.readuntil(b"\r\n\r\n")
        fields = dict(line.split(b": ", 1) for line in head.rstrip().split(b"\r\n"))
        body = await self._reader.readexactly(int(fields[b"Content-Length"]))
        message: Json = json.loads(body)
        return message

    async def _receive(self, message: Json) -> None:
        if "method" not in message:
            self._settle(message)
        elif message["method"] == "$/cancelRequest":
            self._cancel(message["params"]["id"])
        else:
            await self._note(message)

    async def _note(self, message: Json) -> None:
        order, now = len(self.received), time.monotonic()
        method, params = message["method"], message.get("params")
        received = Received(order, now, method, params, is_request="id" in message)
        self.received.append(received)
        if received.is_request:
            task = self._background(self._answer(message["id"], received))
            self._serving[message["id"]] = (task, received)
        async with self._changed:
            self._changed.notify_all()

    def _settle(self, message: Json) -> None:
        reply = self._replies.pop(message["id"], None)
        if reply is None or reply.done():
            return
        if "error" in message:
            error = message["error"]
            reply.set_exception(LspError(error["code"], error["message"]))
        else:
            reply.set_result(message.get("result"))

    def _cancel(self, number: Any) -> None:
        if number in self._serving:
            task, received = self._serving[number]
            received.cancelled = True
            task.cancel()

    async def _answer(self, number: Any, received: Received) -> None:
        answer: Json
        try:
            answer = {"result": await self._serve(received.method, received.params)}
        except LspError as error:
            answer = {"error": {"code": error.code, "message": error.message}}
        except asyncio.CancelledError:
            if not received.cancelled:
                raise
            answer = {"error": {"code": -32800, "message": "cancelled"}}
        finally:
            del self._serving[number]
        await self.send({"id": number, **answer})

    async def send(self, message: Json) -> None:
        """Write one message; `jsonrpc` is added."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        await self._writer.drain()

    async def request(self, method: str, params: Any, seconds: float = 60) -> Any:
        """Send a request and return its result.

        Raises:
            LspError: the server answered with an error.
            TimeoutError: the server did not answer in time.
        """
        _, reply = await self.begin(method, params)
        return await asyncio.wait_for(reply, seconds)

    async def begin(self, method: str, params: Any) -> tuple[int, asyncio.Future[Any]]:
        """Send a request; returns its id, to cancel it by, and the answer to come."""
        number = next(self._ids)
        self._replies[number] = reply = asyncio.get_running_loop().create_future()
        await self.send({"id": number, "method": method, "params": params})
        return number, reply

    async def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        await self.send({"method": method, "params": params})

    async def until(self, wanted: Callable[[], bool], seconds: float) -> None:
        """Wait until what has been received satisfies the predicate.

        Raises:
            TimeoutError: it did not in time.
        """
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(wanted), seconds)

    async def stop(self) -> None:
        """End whatever is still being served or read."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
