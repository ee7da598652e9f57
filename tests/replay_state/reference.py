"""What a recording adds up to, read straight off its messages: plain dicts, no shared code.

Written from the protocol's text, without the package's types, so that agreeing with it means
something. Only what recordings have is told; whoever looks for speed or hostile input looks in
vain.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

Json = Any

_WHOLE = {"user_message": "user", "agent_message": "agent", "agent_thought": "thought"}
_CHUNKS = {f"{name}_chunk": role for name, role in _WHOLE.items()}
_FINISHED = {"completed", "failed", "cancelled"}
_CALL: dict[str, Json] = {
    "title": None,
    "name": None,
    "kind": "other",
    "status": "pending",
    "content": [],
    "locations": [],
    "rawInput": None,
    "rawOutput": None,
}


@dataclass
class Told:
    """What one session was told so far."""

    state: str = "idle"
    busy: bool = False
    closed: bool = False
    stop_reason: str | None = None
    options: dict[str, Json] = field(default_factory=dict)
    modes: dict[str, Json] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    messages: dict[tuple[str, str], str] = field(default_factory=dict)
    calls: dict[str, Json] = field(default_factory=dict)
    terminals: dict[str, Json] = field(default_factory=dict)
    plans: dict[str, Json] = field(default_factory=dict)
    usage: Json = None
    notices: list[str] = field(default_factory=list)
    open_role: str | None = None

    def shown(self) -> Json:
        """In the shape of `projection.of_session`."""
        return {
            "state": self.state,
            "busy": self.busy,
            "closed": self.closed,
            "stopReason": self.stop_reason,
            "options": {**self.modes, **self.options},
            "commands": self.commands,
            "messages": [[role, text] for (role, _), text in self.messages.items()],
            "toolCalls": self.calls,
            "terminals": {
                name: {**terminal, "output": terminal["output"].decode("utf-8", "replace")}
                for name, terminal in self.terminals.items()
            },
            "plans": self.plans,
            "usage": self.usage,
            "notices": self.notices,
        }


class Reference:
    """Takes the messages of a recording in order.

    Attributes:
        asked: Open permission requests: their ids and parameters.
        answers: What the agent answered to the client's requests so far, by id.
    """

    def __init__(self) -> None:
        self.version = 0
        self.sessions: dict[str, Told] = {}
        self.asked: dict[Json, Json] = {}
        self.answers: dict[Json, Json] = {}
        self._requests: dict[Json, Json] = {}
        self._early: dict[str, list[Json]] = {}

    # --- what the client says ---------------------------------------------------------------------

    def client(self, message: Json) -> None:
        method, params = message.get("method"), message.get("params") or {}
        if method is None:
            self.asked.pop(message["id"], None)
            return
        if "id" in message:
            self._requests[message["id"]] = message
        session = self.sessions.get(params.get("sessionId", ""))
        if method == "session/prompt" and session is not None:
            self._prompted(session, params["prompt"])
        elif method == "session/cancel" and session is not None:
            for call in session.calls.values():
                if call["status"] not in _FINISHED:
                    call["status"] = "cancelled"
        elif method == "session/resume":
            known = self.sessions.setdefault(params["sessionId"], Told())
            if params.get("replayFrom"):
                self.sessions[params["sessionId"]] = Told()
            else:
                known.closed = False

    def _prompted(self, session: Told, prompt: list[Json]) -> None:
        session.busy, session.stop_reason, session.open_role = True, None, None
        if self.version == 1:
            session.state = "running"
            said = "".join(block["text"] for block in prompt)
            session.messages["user", f"of-{len(session.messages)}"] = said

    # --- what the agent says ----------------------------------------------------------------------

    def agent(self, message: Json) -> None:
        method, params = message.get("method"), message.get("params")
        if method is None:
            self._answered(self._requests.pop(message["id"]), message)
        elif method == "session/update":
            session = self.sessions.get(params["sessionId"])
            if session is None:
                self._early.setdefault(params["sessionId"], []).append(params["update"])
            else:
                self._update(session, params["update"])
        elif method == "session/request_permission":
            self.asked[message["id"]] = params
            self._subject(self.sessions[params["sessionId"]], params)

    def _answered(self, request: Json, answer: Json) -> None:
        self.answers[request["id"]] = answer
        method, params = request["method"], request["params"]
        session_id = params.get("sessionId")
        if "error" in answer:
            self._refused(method, session_id)
            return
        result = answer["result"] or {}
        if method == "initialize":
            self.version = result["protocolVersion"]
        elif method == "session/new":
            session_id = result["sessionId"]
            session = self.sessions[session_id] = Told()
            for update in self._early.pop(session_id, []):
                self._update(session, update)
        elif method == "session/prompt" and "stopReason" in result:
            _ended(self.sessions[session_id], result["stopReason"])
        elif method == "session/close":
            self.sessions[session_id].closed = True
        elif method == "session/delete":
            del self.sessions[session_id]
        if session_id in self.sessions:
            _take_options(self.sessions[session_id], result)

    def _refused(self, method: str, session_id: str | None) -> None:
        session = self.sessions.get(session_id or "")
        if method == "session/prompt" and session is not None:
            _ended(session, "error")
        elif method == "session/resume" and session is not None and not session.messages:
            del self.sessions[session_id or ""]

    def _subject(self, session: Told, params: Json) -> None:
        if self.version == 1:
            self._call(session, params["toolCall"])
        elif params["subject"] and params["subject"]["type"] == "tool_call":
            self._call(session, params["subject"]["toolCall"])

    # --- updates ----------------------------------------------------------------------------------

    def _update(self, session: Told, update: Json) -> None:
        kind = update["sessionUpdate"]
        if kind in _CHUNKS:
            self._chunk(session, _CHUNKS[kind], update)
        elif kind in _WHOLE and "content" in update:
            key = (_WHOLE[kind], update["messageId"])
            session.messages[key] = "".join(map(_text, update["content"] or []))
        elif kind in {"tool_call", "tool_call_update"}:
            session.open_role = None
            self._meta_terminals(session, update.get("_meta") or {})
            self._call(session, update)
        elif kind == "tool_call_content_chunk":
            self._call(session, {"toolCallId": update["toolCallId"]})
            call = session.calls[update["toolCallId"]]
            call["content"] = [*call["content"], _item(update["content"])]
        elif kind == "state_update":
            session.state, session.stop_reason = update["state"], update.get("stopReason")
            session.busy = session.busy and update["state"] != "idle"
        elif kind in {"terminal_update", "terminal_output_chunk"}:
            _terminal(session, update)
        else:
            self._told(session, kind, update)

    def _told(self, session: Told, kind: str, update: Json) -> None:
        match kind:
            case "plan":
                session.plans["plan"] = _entries(update)
            case "plan_update" if "entries" in update["plan"]:
                session.plans[update["plan"]["planId"]] = _entries(update["plan"])
            case "usage_update":
                session.usage = [update["used"], update["size"]]
            case "notice":
                session.notices.append(update["title"])
            case "current_mode_update":
                session.modes = {**session.modes, "mode": update["currentModeId"]}
            case _:
                _take_options(session, update)

    def _chunk(self, session: Told, role: str, update: Json) -> None:
        text, message_id = _text(update["content"]), update.get("messageId")
        if message_id is None:  # v1: a message goes on until somebody else speaks or works
            if session.open_role != role:
                session.messages[role, f"of-{len(session.messages)}"] = ""
            session.open_role = role
            message_id = [name for said_by, name in session.messages if said_by == role][-1]
        else:
            session.open_role = None
        key = (role, message_id)
        session.messages[key] = session.messages.get(key, "") + text

    def _call(self, session: Told, update: Json) -> None:
        call = session.calls.setdefault(update["toolCallId"], dict(_CALL))
        for name in _CALL.keys() & update.keys():
            value = update[name]
            if value is None and self.version == 1:
                continue
            if value is None:
                call[name] = _CALL[name]
            elif name == "content":
                call[name] = [_item(item) for item in value]
            elif name == "locations":
                call[name] = [[place["path"], place.get("line")] for place in value]
            else:
                call[name] = value

    def _meta_terminals(self, session: Told, meta: Json) -> None:
        """Terminals that v1 agents show without the protocol having them."""
        if self.version != 1:
            return
        for key, value in meta.items():
            if not key.startswith("terminal_"):
                continue
            terminal = _terminal(session, {"terminalId": value["terminal_id"]})
            if key in {"terminal_output", "terminal_output_delta"}:
                terminal["output"] += value["data"].encode()
            elif key == "terminal_exit":
                terminal["exit"] = [value["exit_code"], value.get("signal")]


def _ended(session: Told, stop_reason: str) -> None:
    session.state, session.busy, session.stop_reason = "idle", False, stop_reason


def _take_options(session: Told, told: Json) -> None:
    if told.get("configOptions") is not None:
        session.options = {
            option.get("configId", option.get("id")): option["currentValue"]
            for option in told["configOptions"]
        }
    if told.get("modes"):
        session.modes = {**session.modes, "mode": told["modes"]["currentModeId"]}
    if told.get("models"):
        session.modes = {**session.modes, "model": told["models"]["currentModelId"]}
    if told.get("availableCommands") is not None:
        session.commands = [command["name"] for command in told["availableCommands"]]


def _terminal(session: Told, update: Json) -> Json:
    new = {"output": b"", "exit": None, "command": None}
    terminal = session.terminals.setdefault(update["terminalId"], new)
    if "data" in update:
        terminal["output"] += base64.b64decode(update["data"])
    if "output" in update:
        terminal["output"] = base64.b64decode((update["output"] or {"data": ""})["data"])
    if "command" in update:
        terminal["command"] = update["command"]
    if "exitStatus" in update:
        status = update["exitStatus"]
        ended = status is not None  # an empty one says so too
        terminal["exit"] = [status.get("exitCode"), status.get("signal")] if ended else None
    return terminal


def _text(block: Json) -> str:
    return block["text"] if block["type"] == "text" else f"<{block['type']}>"


def _item(item: Json) -> Json:
    """One content item of a tool call, as far as it is compared."""
    if item["type"] == "content":
        return ["content", _text(item["content"])]
    if item["type"] == "terminal":
        return ["terminal", item["terminalId"]]
    if item["type"] == "diff":
        return [
            "diff",
            [c["path"] for c in item["changes"]] if "changes" in item else [item["path"]],
        ]
    return [item["type"]]


def _entries(plan: Json) -> Json:
    return [[entry["content"], entry["status"]] for entry in plan["entries"]]
