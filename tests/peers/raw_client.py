"""A bare ACP client: JSON lines over pipes, with no ACP library and none of our own code.

It proves that the peers behave, independently of the sidecar they are there to test.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from itertools import count
from json import dumps, loads
from pathlib import Path
from typing import Any

from tests.environment import clean_environment

Json = dict[str, Any]
Answer = Callable[[Json], Awaitable[Json]]
_LINE_LIMIT = 64 * 2**20
_INITIALIZE_SECONDS = 90
_TURN_SECONDS = 60
_INFO = {"name": "raw-client", "title": "Raw client", "version": "1.0.0"}


class RpcError(Exception):
    """The agent answered a request with an error, or closed the connection instead."""

    def __init__(self, error: Json) -> None:
        super().__init__(f"{error.get('code')}: {error.get('message')}")
        self.code = error.get("code")


class RawClient:
    """One running agent, everything it said, and a script for answering its requests.

    `order` names all that came: methods, and "" for an answer.
    """

    def __init__(self, process: asyncio.subprocess.Process, protocol: int) -> None:
        self._process = process
        self.protocol = protocol
        self.updates: list[Json] = []
        self.requests: list[Json] = []
        self.notifications: list[Json] = []
        self.order: list[str] = []
        self.stderr: list[str] = []
        self.answers: dict[str, Answer] = {"session/request_permission": choose("allow_once")}
        self._changed = asyncio.Condition()
        self._ids = count()
        self._replies: dict[int, asyncio.Future[Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._background(self._read())
        self._background(self._read_stderr())

    def _background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self) -> None:
        assert self._process.stdout
        while line := await self._process.stdout.readline():
            with contextlib.suppress(ValueError):  # some agents print a banner first
                await self._receive(loads(line))
        for reply in self._replies.values():
            if not reply.done():  # whoever waited may have given up
                reply.set_exception(RpcError({"message": "the agent closed its output"}))
        self._replies.clear()

    async def _read_stderr(self) -> None:
        assert self._process.stderr
        while line := await self._process.stderr.readline():
            self.stderr.append(line.decode(errors="replace").rstrip())
            async with self._changed:
                self._changed.notify_all()

    async def _receive(self, message: Json) -> None:
        self.order.append(message.get("method", ""))
        if "method" not in message:
            self._settle(message)
            return
        if "id" in message:
            self.requests.append(message)
            self._background(self._answer(message))
        elif message["method"] == "session/update":
            self.updates.append(message["params"]["update"])
        else:
            self.notifications.append(message)
        async with self._changed:
            self._changed.notify_all()

    def _settle(self, message: Json) -> None:
        reply = self._replies.pop(message["id"], None)
        if reply is None or reply.done():
            return
        if "error" in message:
            reply.set_exception(RpcError(message["error"]))
        else:
            reply.set_result(message.get("result"))

    async def _answer(self, message: Json) -> None:
        answer = self.answers.get(message["method"])
        if answer is None:
            error = {"code": -32601, "message": "Method not found"}
            await self.send({"id": message["id"], "error": error})
        else:
            await self.send({"id": message["id"], "result": await answer(message["params"])})

    async def send(self, message: Json) -> None:
        """Write one message; `jsonrpc` is added."""
        assert self._process.stdin
        self._process.stdin.write(dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        await self._process.stdin.drain()

    async def request(self, method: str, params: Json, seconds: float = _TURN_SECONDS) -> Any:
        """Send a request and return its result.

        Raises:
            RpcError: the agent answered with an error.
            TimeoutError: the agent did not answer in time.
        """
        number = next(self._ids)
        self._replies[number] = reply = asyncio.get_running_loop().create_future()
        await self.send({"id": number, "method": method, "params": params})
        return await asyncio.wait_for(reply, seconds)

    async def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        await self.send({"method": method, "params": params})

    async def until(self, wanted: Callable[[], bool], seconds: float = _TURN_SECONDS) -> None:
        """Wait until what has been received satisfies the predicate.

        Raises:
            TimeoutError: it did not in time.
        """
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(wanted), seconds)

    async def initialize(self, **capabilities: Any) -> Json:
        """Do the handshake in this client's protocol version; return the agent's answer."""
        me = (
            {"info": _INFO, "capabilities": capabilities}
            if self.protocol == 2
            else {"clientInfo": _INFO, "clientCapabilities": capabilities}
        )
        params = {"protocolVersion": self.protocol, **me}
        answer: Json = await self.request("initialize", params, _INITIALIZE_SECONDS)
        assert answer["protocolVersion"] == self.protocol, answer
        return answer

    async def new_session(self, cwd: Path, **options: str) -> str:
        """Open a session, set its options (`mode` too), and return its id."""
        params = {"cwd": str(cwd), "mcpServers": []}
        answer = await self.request("session/new", params, _INITIALIZE_SECONDS)
        session: str = answer["sessionId"]
        for name, value in options.items():
            await self._set_option(session, name, value, answer)
        return session

    async def _set_option(self, session: str, name: str, value: str, answer: Json) -> None:
        chosen = {"sessionId": session, "configId": name, "value": value}
        if self.protocol == 2:
            await self.request("session/set_config_option", {**chosen, "type": "id"})
        elif name == "mode" and answer.get("modes"):
            await self.request("session/set_mode", {"sessionId": session, "modeId": value})
        else:
            await self.request("session/set_config_option", chosen)

    async def prompt(self, session: str, text: str) -> str | None:
        """Run one turn to its end; return the stop reason."""
        heard = len(self.updates)
        params = {"sessionId": session, "prompt": [{"type": "text", "text": text}]}
        answer = await self.request("session/prompt", params)
        if self.protocol == 1:
            return answer.get("stopReason") if answer else None
        await self.until(lambda: any(map(_is_idle, self.updates[heard:])))
        idle = next(filter(_is_idle, self.updates[heard:]))
        return idle.get("stopReason")

    async def cancel(self, session: str) -> None:
        """Cancel the running turn."""
        await self.notify("session/cancel", {"sessionId": session})

    async def close(self) -> None:
        """Close the agent's input, and end its process group if that does not end it."""
        assert self._process.stdin
        self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 3)
        _kill_group(self._process)
        await self._process.wait()
        if self._tasks:  # what is still in the pipes counts too
            await asyncio.wait(self._tasks, timeout=2)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def said(self) -> str:
        """Return all text of the agent's messages."""
        parts: list[str] = []
        for update in self.updates:
            if update["sessionUpdate"] == "agent_message_chunk":
                parts.append(update["content"].get("text", ""))
            elif update["sessionUpdate"] == "agent_message":
                parts += [block.get("text", "") for block in update.get("content") or []]
        return "".join(parts)

    def client_faults(self) -> list[str]:
        """Return what the SDK peers found wrong with what they were sent."""
        return [line for line in self.stderr if line.startswith("CLIENT-INVALID")]


def choose(*kinds: str) -> Answer:
    """Answer each permission request with an option of one of these kinds."""

    async def answer(params: Json) -> Json:
        options = params["options"]
        chosen = next(option for kind in kinds for option in options if option["kind"] == kind)
        return {"outcome": {"outcome": "selected", "optionId": chosen["optionId"]}}

    return answer


async def dismiss(_params: Json) -> Json:
    """Answer a permission request as one that the user did not want to answer."""
    return {"outcome": {"outcome": "cancelled"}}


def _is_idle(update: Json) -> bool:
    return (update["sessionUpdate"], update.get("state")) == ("state_update", "idle")


def _kill_group(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


@contextlib.asynccontextmanager
async def running(
    command: Sequence[str], cwd: Path, protocol: int, env: Mapping[str, str] | None = None
) -> AsyncIterator[RawClient]:
    """Start an agent in its own process group; end it, with all it started, afterwards."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cwd,
        env=clean_environment(**(env or {})),
        limit=_LINE_LIMIT,
        start_new_session=True,
    )
    client = RawClient(process, protocol)
    try:
        yield client
    finally:
        await client.close()
