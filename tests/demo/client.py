"""A bare ACP client for the demo agent: pipes, JSON, and the published schemas as the judge."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Callable
from itertools import count
from pathlib import Path
from typing import Any

from tests.environment import clean_environment
from tests.schemas import check_message

Json = dict[str, Any]
_LINE_LIMIT = 2**24
_SECONDS = 120


class Refused(Exception):
    """The agent answered with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.data = error.get("data")


class Gone(Exception):
    """The agent has ended and owed an answer."""


class Client:
    """One agent process. Everything it says is checked against the schema and kept.

    Attributes:
        said: Every message of the agent, in order.
        choose: Gives the option id for a permission request, or None to answer "cancelled".
        on_message: Called with every message, before it is acted on.
    """

    def __init__(self, process: asyncio.subprocess.Process, version: int) -> None:
        self.process = process
        self.version = version
        self.said: list[Json] = []
        self.choose: Callable[[Json], str | None] = lambda _params: "allow-once"
        self.on_message: Callable[[Json], None] = lambda _message: None
        self.handlers: dict[str, Callable[[Json], Any]] = {}
        self.hold_permissions = False
        self._ids = count(100)
        self._asked: dict[int, tuple[str, asyncio.Future[Any]]] = {}
        self.open_permissions: dict[int, Json] = {}
        self._news = asyncio.Condition()
        self._reader = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        assert self.process.stdout
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            if message.get("id", 0) is None:
                assert "error" in message, "only an error may not know whom it answers"
                continue
            asked = self._asked.get(message.get("id")) if "method" not in message else None
            check_message(self.version, message, from_agent=True, answers=asked and asked[0])
            self.said.append(message)
            self.on_message(message)
            self._act(message)
            async with self._news:
                self._news.notify_all()
        for _, future in self._asked.values():
            if not future.done():
                future.set_exception(Gone("the agent has ended"))

    def _act(self, message: Json) -> None:
        if "method" not in message:
            _, future = self._asked.pop(message["id"])
            if future.done():
                return  # whoever waited has given up
            if "error" in message:
                future.set_exception(Refused(message["error"]))
            else:
                future.set_result(message["result"])
        elif message["method"] == "session/request_permission":
            self.open_permissions[message["id"]] = message["params"]
            if not self.hold_permissions:
                self.answer_permission(message["id"], self.choose(message["params"]))
        elif "id" in message:
            result = self.handlers[message["method"]](message["params"])
            self.send({"id": message["id"], "result": result})

    def answer_permission(self, request_id: int, option_id: str | None) -> None:
        del self.open_permissions[request_id]
        outcome: Json = {"outcome": "cancelled"}
        if option_id is not None:
            outcome = {"outcome": "selected", "optionId": option_id}
        self.send({"id": request_id, "result": {"outcome": outcome}})

    def send(self, message: Json) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def ask_later(self, method: str, params: Any) -> tuple[int, asyncio.Future[Any]]:
        request_id = next(self._ids)
        future = asyncio.get_running_loop().create_future()
        self._asked[request_id] = (method, future)
        self.send({"id": request_id, "method": method, "params": params})
        return request_id, future

    async def ask(self, method: str, **params: Any) -> Any:
        return await asyncio.wait_for(self.ask_later(method, params)[1], _SECONDS)

    def tell(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    async def until(self, condition: Callable[[Json], bool], start: int = 0) -> Json:
        """Wait for a message from number `start` on that fulfils the condition."""
        async with asyncio.timeout(_SECONDS), self._news:
            while True:
                for message in self.said[start:]:
                    if condition(message):
                        return message
                if self._reader.done():
                    self._reader.result()
                    raise AssertionError("the agent has closed its output")
                await self._news.wait()

    async def new_session(self, cwd: Path) -> str:
        session_id: str = (await self.ask("session/new", cwd=str(cwd), mcpServers=[]))["sessionId"]
        return session_id

    def start_prompt(self, session_id: str, text: str) -> tuple[int, asyncio.Future[Any]]:
        prompt = [{"type": "text", "text": text}]
        return self.ask_later("session/prompt", {"sessionId": session_id, "prompt": prompt})

    async def turn(self, session_id: str, text: str) -> Json:
        """Prompt and wait for the end of the turn; its last state: stopReason and perhaps error."""
        start = len(self.said)
        _, future = self.start_prompt(session_id, text)
        return await self.end_of_turn(session_id, future, start)

    async def end_of_turn(self, session_id: str, future: asyncio.Future[Any], start: int) -> Json:
        if self.version == 1:
            result: Json = await asyncio.wait_for(future, _SECONDS)
            return result
        await asyncio.wait_for(future, _SECONDS)
        idle = await self.until(
            lambda message: update_of(message, session_id).get("state") == "idle", start
        )
        return update_of(idle, session_id)

    def cancel(self, session_id: str) -> None:
        """As the protocol asks: say it, and answer what is open."""
        self.tell("session/cancel", sessionId=session_id)
        for request_id, params in list(self.open_permissions.items()):
            if params["sessionId"] == session_id:
                self.answer_permission(request_id, None)

    def updates(self, session_id: str, start: int = 0) -> list[Json]:
        return [
            update for message in self.said[start:] if (update := update_of(message, session_id))
        ]

    async def close(self) -> int:
        """End its input; the exit status. What it last said is still checked."""
        assert self.process.stdin
        self.process.stdin.close()
        status = await asyncio.wait_for(self.process.wait(), _SECONDS)
        await self._reader
        return status


def update_of(message: Json, session_id: str) -> Json:
    """The update in a `session/update` of that session, else an empty object."""
    params = message.get("params") or {}
    if message.get("method") != "session/update" or params["sessionId"] != session_id:
        return {}
    update: Json = params["update"]
    return update


@contextlib.asynccontextmanager
async def started(
    version: int,
    *options: str,
    delay: float = 0,
    state: Path | None = None,
    **capabilities: Any,
) -> AsyncIterator[Client]:
    """An agent that is running and initialized; its process has ended well afterwards."""
    client = await start(version, *options, delay=delay, state=state)
    try:
        await client.ask("initialize", **initialize_params(version, **capabilities))
        yield client
        assert await client.close() == 0
    finally:
        if client.process.returncode is None:
            client.process.kill()
            await client.process.wait()


async def start(version: int, *options: str, delay: float = 0, state: Path | None = None) -> Client:
    """Start an agent; `state` is the folder where it may keep something."""
    kept = {} if state is None else {"XDG_STATE_HOME": str(state)}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "acp_sidecar", "agent", "--delay", str(delay), *options),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=None,
        limit=_LINE_LIMIT,
        env=clean_environment(**kept),
    )
    return Client(process, version)


def initialize_params(version: int, **capabilities: Any) -> Json:
    info = {"name": "test", "version": "1"}
    if version == 1:
        return {"protocolVersion": 1, "clientInfo": info, "clientCapabilities": capabilities}
    return {"protocolVersion": 2, "info": info, "capabilities": capabilities}


def story(updates: list[Json]) -> dict[str, object]:
    """What is left when all updates are applied, however they were cut."""
    told: Json = {"agent": "", "thought": "", "user": "", "calls": {}, "plan": None}
    for update in updates:
        kind = update["sessionUpdate"]
        role = kind.partition("_")[0]
        if kind.endswith(("_message_chunk", "_thought_chunk")):
            role = "thought" if "thought" in kind else role
            told[role] += update["content"]["text"]
        elif kind in {"user_message", "agent_message", "agent_thought"}:
            role = "thought" if "thought" in kind else role
            told[role] += "".join(block["text"] for block in update["content"])
        elif kind.startswith("tool_call"):
            fields = {key: value for key, value in update.items() if key != "sessionUpdate"}
            told["calls"].setdefault(update["toolCallId"], {}).update(fields)
        elif kind in {"plan", "plan_update"}:
            told["plan"] = update.get("plan", update)
    return told
