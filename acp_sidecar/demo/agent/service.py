"""The methods of ACP that an agent answers, of both versions, over one set of sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from acp_sidecar.demo.agent import params
from acp_sidecar.demo.agent import session as sessions
from acp_sidecar.demo.agent.archive import Archive
from acp_sidecar.demo.agent.commands import read_prompt
from acp_sidecar.demo.agent.connection import Connection
from acp_sidecar.demo.agent.dialect import LOGIN_METHOD, Dialect
from acp_sidecar.demo.agent.dialect_v1 import DialectV1
from acp_sidecar.demo.agent.dialect_v2 import DialectV2
from acp_sidecar.demo.agent.events import (
    CommandsChanged,
    Event,
    Json,
    MessageChunk,
    OptionsChanged,
    condensed,
)
from acp_sidecar.demo.agent.params import Refusal
from acp_sidecar.demo.agent.script import SCRIPTS
from acp_sidecar.demo.agent.session import Outcome, Session
from acp_sidecar.demo.agent.turn import Turn, play
from acp_sidecar.wire.json_rpc import INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND

_PAGE_SIZE: Final = 10

Handler: TypeAlias = Callable[[Json], Awaitable[Json]]


@dataclass(slots=True, eq=False)
class Service:
    """One client's agent.

    Attributes:
        versions: The protocol versions to agree to.
        delay: Seconds between steps, so that a person can watch.
        login_required: Refuse sessions until the client has logged in.
        archive: Where sessions outlive the process; None if they do not.
    """

    connection: Connection
    versions: tuple[int, ...]
    delay: float
    login_required: bool = False
    archive: Archive | None = None
    _dialect: Dialect | None = None
    _sessions: dict[str, Session] = field(default_factory=dict)

    @property
    def dialect(self) -> Dialect:
        if self._dialect is None:
            raise Refusal(INVALID_REQUEST, "initialize must come first")
        return self._dialect

    async def on_request(self, method: str, raw_params: Any) -> Json:
        """Answer a request.

        Raises:
            Refusal: The answer is an error.
        """
        if method == "initialize":
            return self._initialize(params.mapping(raw_params))
        handler = self._handlers(self.dialect.version).get(method)
        if handler is None:
            raise Refusal(METHOD_NOT_FOUND, f"Method not found: {method}")
        return await handler(params.mapping(raw_params))

    async def on_notification(self, method: str, raw_params: Any) -> None:
        """Act on a notification; unknown ones are none of our business."""
        if method == "session/cancel" and self._dialect:
            await self._known(params.mapping(raw_params)).cancel()

    async def shut_down(self) -> None:
        """The client is gone: end everything that runs."""
        await asyncio.gather(*(session.cancel() for session in self._sessions.values()))

    # --- what a turn needs (turn.Client) -------------------------------------------------------

    def emit(self, session: Session, event: Event) -> None:
        session.history.append(event)
        self._tell(session, event)

    async def request(self, method: str, params_: Json) -> Any:
        return await self.connection.request(method, params_)

    async def drained(self) -> None:
        await self.connection.drained()

    # --- methods ------------------------------------------------------------------------------

    def _handlers(self, version: int) -> Mapping[str, Handler]:
        common: dict[str, Handler] = {
            "session/new": self._new,
            "session/list": self._list,
            "session/resume": self._resume,
            "session/close": self._close,
            "session/delete": self._delete,
            "session/prompt": self._prompt,
            "session/set_config_option": self._set_option,
        }
        if version == 1:
            return common | {
                "authenticate": self._login,
                "logout": self._logout,
                "session/load": self._load,
                "session/set_mode": self._set_mode,
            }
        return common | {
            "auth/login": self._login,
            "auth/logout": self._logout,
            "tool_call/cancel": self._cancel_call,
            "terminal/cancel": self._cancel_terminal,
        }

    def _initialize(self, given: Json) -> Json:
        if self._dialect is not None:
            raise Refusal(INVALID_REQUEST, "initialize came before")
        offered = given.get("protocolVersion")
        if type(offered) is not int or not 0 <= offered <= 65_535:
            raise params.invalid("protocolVersion must be an integer from 0 to 65535")
        version = max((known for known in self.versions if known <= offered), default=None)
        if version is None:
            data = {"requested": offered, "supported": list(self.versions)}
            raise Refusal(params.UNSUPPORTED_VERSION, "Unsupported protocol version", data)
        self._dialect = (DialectV2 if version == 2 else DialectV1).for_client(given)
        return self._dialect.initialized()

    async def _login(self, given: Json) -> Json:
        if params.text(given, "methodId") != LOGIN_METHOD:
            raise params.invalid(f"methodId must be {LOGIN_METHOD}")
        self.login_required = False
        return {}

    async def _logout(self, given: Json) -> Json:
        self.login_required = True
        await self.shut_down()
        return {}

    async def _new(self, given: Json) -> Json:
        self._check_login()
        params.objects(given, "mcpServers", required=self.dialect.version == 1)
        session = Session(params.directory(given, "cwd"))
        self._sessions[session.session_id] = session
        self._tell_soon(session, CommandsChanged())
        return {"sessionId": session.session_id, **self.dialect.opened(session)}

    async def _list(self, given: Json) -> Json:
        cwd = params.absolute_path(given, "cwd") if given.get("cwd") is not None else None
        start = _offset(params.optional_text(given, "cursor"))
        self._recall()
        found = sorted(self._sessions.values(), key=lambda session: session.updated_at)
        found = [session for session in reversed(found) if cwd in {None, session.cwd}]
        page = found[start : start + _PAGE_SIZE]
        shown: Json = {"sessions": [_info(session) for session in page]}
        if start + _PAGE_SIZE < len(found):
            shown["nextCursor"] = f"after-{start + _PAGE_SIZE}"
        return shown

    async def _resume(self, given: Json) -> Json:
        session = self._reopened(given)
        replay_from = given.get("replayFrom")
        if replay_from is not None:
            if not isinstance(replay_from, dict) or replay_from.get("type") != "start":
                raise params.invalid("replayFrom must be null or of type start")
            self._replay(session)
        self._tell_soon(session, CommandsChanged())
        return self.dialect.opened(session)

    async def _load(self, given: Json) -> Json:
        params.objects(given, "mcpServers", required=True)
        session = self._reopened(given)
        self._replay(session)
        self._tell_soon(session, CommandsChanged())
        return self.dialect.opened(session)

    async def _close(self, given: Json) -> Json:
        session = self._sessions.get(params.text(given, "sessionId"))
        if session is not None:
            await session.cancel()
            session.active = False
        return {}

    async def _delete(self, given: Json) -> Json:
        await self._close(given)
        self._sessions.pop(given["sessionId"], None)
        if self.archive is not None:
            self.archive.forget(given["sessionId"])
        return {}

    async def _prompt(self, given: Json) -> Json:
        self._check_login()
        session = self._known(given)
        blocks = params.prompt(given)
        if session.turn and not session.turn.done():
            raise Refusal(INVALID_REQUEST, "The session is busy with another prompt")
        message_id = session.new_id("msg")
        session.turn = asyncio.create_task(self._play(session, message_id, blocks))
        if not self.dialect.prompt_waits_for_the_turn:
            return {"messageId": message_id}
        return await _stop_reason(session)

    async def _play(self, session: Session, message_id: str, blocks: list[Json]) -> Outcome:
        prompt = read_prompt(blocks)
        session.touch()
        session.characters += len(prompt.text)
        self.emit(session, MessageChunk("user", message_id, tuple(blocks)))
        if named := session.name_after(prompt.text):
            self.emit(session, named)
        turn = Turn(session, self, prompt, [])
        outcome = await play(turn, SCRIPTS[prompt.command])
        if self.archive is not None and session.session_id in self._sessions:
            self.archive.keep(session)
        return outcome

    async def _set_option(self, given: Json) -> Json:
        session = self._known(given)
        name, value = params.text(given, "configId"), self.dialect.option_value(given)
        allowed: Mapping[str, tuple[object, ...]] = {
            "mode": tuple(mode.value for mode in sessions.MODES),
            "model": tuple(model.value for model in sessions.MODELS),
            "thoughts": (True, False),
        }
        if name not in allowed:
            raise params.invalid("configId must be mode, model or thoughts")
        if value not in allowed[name]:
            raise params.invalid(f"{name} has no such value")
        setattr(session.options, name, value)
        return {"configOptions": self.dialect.options(session)}

    async def _set_mode(self, given: Json) -> Json:
        session = self._known(given)
        mode = params.text(given, "modeId")
        if mode not in {known.value for known in sessions.MODES}:
            raise params.invalid("modeId must be a mode of the session")
        session.options.mode = mode
        self._tell(session, OptionsChanged())
        return {}

    async def _cancel_call(self, given: Json) -> Json:
        task = self._known(given).calls.get(params.text(given, "toolCallId"))
        if task is None:
            raise params.invalid("toolCallId must be a tool call that can be cancelled now")
        task.cancel()
        return {}

    async def _cancel_terminal(self, given: Json) -> Json:
        process = self._known(given).terminals.get(params.text(given, "terminalId"))
        if process is None:
            raise params.invalid("terminalId must be a terminal whose command still runs")
        process.terminate()
        return {}

    # --- the rest -----------------------------------------------------------------------------

    def _check_login(self) -> None:
        if self.login_required:
            raise Refusal(params.AUTH_REQUIRED, "Authentication required")

    def _known(self, given: Json) -> Session:
        session_id = params.text(given, "sessionId")
        session = self._sessions.get(session_id)
        if session is None or not session.active:
            raise _not_found(session_id)
        return session

    def _reopened(self, given: Json) -> Session:
        self._check_login()
        session_id, cwd = params.text(given, "sessionId"), params.directory(given, "cwd")
        params.objects(given, "mcpServers")
        if session_id not in self._sessions:
            self._recall()
        session = self._sessions.get(session_id)
        if session is None:
            raise _not_found(session_id)
        session.active, session.cwd = True, cwd
        return session

    def _recall(self) -> None:
        """Know the sessions that are kept, by whichever process."""
        if self.archive is not None:
            for session in self.archive.sessions(without=self._sessions):
                self._sessions[session.session_id] = session

    def _replay(self, session: Session) -> None:
        for event in condensed(session.history):
            self._tell(session, event, replay=True)

    def _tell(self, session: Session, event: Event, *, replay: bool = False) -> None:
        for update in self.dialect.updates(event, session, replay=replay):
            notification = {"sessionId": session.session_id, "update": update}
            self.connection.notify("session/update", notification)

    def _tell_soon(self, session: Session, event: Event) -> None:
        """Tell it after the answer that is about to be sent."""
        asyncio.get_running_loop().call_soon(self._tell, session, event)


async def _stop_reason(session: Session) -> Json:
    """Wait for the turn. Cancelling the request cancels the turn, which then ends as cancelled."""
    turn = session.turn
    assert turn is not None  # noqa: S101 - made by the caller
    try:
        outcome = await asyncio.shield(turn)
    except asyncio.CancelledError:
        await session.cancel()
        outcome = turn.result()
    if outcome.stop_reason == "error":
        raise Refusal(INTERNAL_ERROR, outcome.error or "The turn failed")
    return {"stopReason": outcome.stop_reason}


def _not_found(session_id: str) -> Refusal:
    return Refusal(params.NOT_FOUND, "Session not found", {"sessionId": session_id})


def _info(session: Session) -> Json:
    shown: Json = {"sessionId": session.session_id, "cwd": str(session.cwd)}
    return shown | {"title": session.title, "updatedAt": session.updated_at}


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    digits = cursor.removeprefix("after-")
    if digits == cursor or not digits.isascii() or not digits.isdigit():
        raise params.invalid("cursor must be one that an earlier answer gave")
    return int(digits)
