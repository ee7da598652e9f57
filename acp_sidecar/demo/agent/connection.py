"""The line to the client: bytes on stdio, requests both ways, everything in order.

Reading and writing have a thread each, which is the one way that works on pipes, files and consoles
of every system. A client that does not read makes the script wait, and never the reading.
"""

from __future__ import annotations

import asyncio
import os
import queue
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias, cast

from acp_sidecar.demo.agent import params
from acp_sidecar.demo.agent.params import Refusal
from acp_sidecar.errors import Problem
from acp_sidecar.wire import json_rpc
from acp_sidecar.wire.json_rpc import ErrorResponse, Notification, Peer, Request, Response

_CHUNK_BYTES: Final = 65_536
_HIGH_WATER_BYTES: Final = 262_144

OnRequest: TypeAlias = Callable[[str, Any], Awaitable[Any]]
OnNotification: TypeAlias = Callable[[str, Any], Awaitable[None]]


class Connection:
    """One client on one pair of byte streams."""

    def __init__(self, source: int, sink: int) -> None:
        """Make it; `source` and `sink` are descriptors.

        Not file objects: the lock of a buffered one, held by a thread that waits for input, makes
        Python abort when the process ends.
        """
        self._source = source
        self._sink = sink
        self._peer = Peer()
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._unwritten = 0
        self._writable = asyncio.Event()
        self._writable.set()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._serving: dict[json_rpc.RequestId, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, on_request: OnRequest, on_notification: OnNotification) -> None:
        """Serve until the client closes its side."""
        writer = threading.Thread(target=self._write_lines, daemon=True)
        threading.Thread(target=self._read_chunks, daemon=True).start()
        writer.start()
        try:
            while chunk := await self._chunks.get():
                for message in self._peer.receive(chunk):
                    self._take(message, on_request, on_notification)
                self._send(self._peer.data_to_send())
        finally:
            for task in self._tasks:
                task.cancel()
            self._lines.put(None)
            await asyncio.to_thread(writer.join, 1.0)

    def notify(self, method: str, params_: Any) -> None:
        self._send(self._peer.notify(method, params_))

    async def request(self, method: str, params_: Any) -> Any:
        """Ask the client. If we are cancelled meanwhile, the client is told so.

        Raises:
            Refusal: The client answered with an error.
        """
        request_id, line = self._peer.request(method, params_)
        answer = self._waiting[request_id] = self._loop.create_future()
        self._send(line)
        try:
            return await answer
        except asyncio.CancelledError:
            self._peer.forget(request_id)
            self.notify("$/cancel_request", {"requestId": request_id})
            raise
        finally:
            del self._waiting[request_id]

    async def drained(self) -> None:
        """Wait while the client is behind with reading."""
        await self._writable.wait()

    def _take(
        self, message: json_rpc.Incoming, on_request: OnRequest, on_notification: OnNotification
    ) -> None:
        match message:
            case Request():
                task = self._spawn(self._serve(message, on_request))
                self._serving[message.id] = task
            case Notification("$/cancel_request", params_):
                self._spawn(self._cancel(params_))
            case Notification():
                self._spawn(on_notification(message.method, message.params))
            case Response() | ErrorResponse(id=int()):
                self._settle(message)
            case Problem(code="late-answer"):
                return  # we took the question back, and the client crossed that with its answer
            case _:
                # Bad input: the peer has answered it where an answer is due.
                sys.stderr.write(f"demo agent: bad input: {message}\n")

    def _settle(self, message: Response | ErrorResponse) -> None:
        answer = self._waiting[cast("int", message.id)]
        if answer.done():
            return  # cancelled just now, and whoever asked has not yet come to take it back
        if isinstance(message, Response):
            answer.set_result(message.result)
        else:
            error = message.error
            answer.set_exception(Refusal(error.code, error.message, error.data))

    def _spawn(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Tasks start in the order of arrival, so that a cancel finds the prompt before it."""
        task = asyncio.ensure_future(_reported(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _serve(self, request: Request, on_request: OnRequest) -> None:
        try:
            result = await on_request(request.method, request.params)
            line = self._peer.respond(request.id, result)
        except Refusal as refusal:
            line = self._peer.respond_error(request.id, refusal.code, refusal.message, refusal.data)
        except asyncio.CancelledError:
            line = self._peer.respond_error(request.id, params.REQUEST_CANCELLED, "Cancelled")
        except Exception:  # noqa: BLE001 - a bug must not take the connection down
            traceback.print_exc(file=sys.stderr)
            line = self._peer.respond_error(
                request.id, json_rpc.INTERNAL_ERROR, "The demo agent has a bug; see its stderr."
            )
        self._serving.pop(request.id, None)
        self._send(line)

    async def _cancel(self, params_: Any) -> None:
        request_id = params_.get("requestId") if isinstance(params_, dict) else None
        if isinstance(request_id, (int, str)) and (task := self._serving.get(request_id)):
            task.cancel()

    def _send(self, data: bytes) -> None:
        if data:
            self._unwritten += len(data)
            if self._unwritten > _HIGH_WATER_BYTES:
                self._writable.clear()
            self._lines.put(data)

    def _written(self, size: int) -> None:
        self._unwritten -= size
        if self._unwritten <= _HIGH_WATER_BYTES:
            self._writable.set()

    def _read_chunks(self) -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = os.read(self._source, _CHUNK_BYTES)
            except OSError:
                chunk = b""
            self._in_loop(self._chunks.put_nowait, chunk)

    def _write_lines(self) -> None:
        while (data := self._lines.get()) is not None:
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(self._sink, view) :]
            except OSError:
                return  # the client is gone; the end of its input will tell
            self._in_loop(self._written, len(data))

    def _in_loop(self, call: Callable[..., None], argument: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(call, argument)
        except RuntimeError:
            return  # the loop has ended before this thread


async def _reported(work: Awaitable[None]) -> None:
    try:
        await work
    except Refusal as refusal:
        sys.stderr.write(f"demo agent: a notification was refused: {refusal}\n")
