"""ACP v1, as in schema/v1 of npm @agentclientprotocol/sdk 2.4.0."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from acp_sidecar.demo.agent import params
from acp_sidecar.demo.agent import session as sessions
from acp_sidecar.demo.agent.commands import COMMANDS
from acp_sidecar.demo.agent.dialect import (
    AGENT_INFO,
    LOGIN_DESCRIPTION,
    LOGIN_METHOD,
    LOGIN_NAME,
    Question,
    choices,
    takes_forms,
    text_block,
)
from acp_sidecar.demo.agent.events import (
    ClientTerminal,
    CommandsChanged,
    Content,
    Event,
    Json,
    MessageChunk,
    NoticeShown,
    OptionsChanged,
    OwnTerminal,
    PlanChanged,
    StateChanged,
    TerminalExited,
    TerminalOutput,
    TerminalStarted,
    Text,
    TitleChanged,
    ToolCallChanged,
    ToolCallFields,
    UsageChanged,
)
from acp_sidecar.demo.agent.file_changes import FileChange
from acp_sidecar.demo.agent.session import Session

_MESSAGES: Final = {"user": "user_message", "agent": "agent_message", "thought": "agent_thought"}
# v1 has no word for these; "failed" is its only other way to end a call.
_STATUS: Final = {"cancelled": "failed", "paused": "in_progress"}
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


@dataclass(slots=True)
class DialectV1:
    """ACP v1. Commands run at the client if it offers that, else here with text as their output."""

    runs_commands_at_client: bool
    takes_boolean_options: bool
    takes_notices: bool
    asks_forms: bool
    version: int = 1
    prompt_waits_for_the_turn: bool = True
    _calls: dict[tuple[str, str], str] = field(default_factory=dict)
    _output: dict[tuple[str, str], bytearray] = field(default_factory=dict)

    @classmethod
    def for_client(cls, initialize: Json) -> DialectV1:
        """What the client says it can do decides what it is asked and told."""
        abilities = _dict(initialize, "clientCapabilities")
        session = _dict(abilities, "session")
        return cls(
            runs_commands_at_client=abilities.get("terminal") is True,
            takes_boolean_options="boolean" in _dict(session, "configOptions"),
            takes_notices=isinstance(session.get("notices"), dict),
            asks_forms=takes_forms(abilities),
        )

    def initialized(self) -> Json:
        method = {"id": LOGIN_METHOD, "name": LOGIN_NAME, "description": LOGIN_DESCRIPTION}
        return {
            "protocolVersion": 1,
            "agentInfo": AGENT_INFO,
            "agentCapabilities": {
                "loadSession": True,
                "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
                "sessionCapabilities": {"list": {}, "delete": {}, "resume": {}, "close": {}},
                "auth": {"logout": {}},
            },
            "authMethods": [method],
        }

    def opened(self, session: Session) -> Json:
        return {"modes": _modes(session), "configOptions": self.options(session)}

    def options(self, session: Session) -> list[Json]:
        shown: list[Json] = [
            {
                "type": "select",
                "id": "mode",
                "name": "Mode",
                "category": "mode",
                "currentValue": session.options.mode,
                "options": choices(sessions.MODES),
            },
            {
                "type": "select",
                "id": "model",
                "name": "Model",
                "category": "model",
                "currentValue": session.options.model,
                "options": choices(sessions.MODELS),
            },
        ]
        if self.takes_boolean_options:
            value = session.options.thoughts
            shown.append(
                {
                    "type": "boolean",
                    "id": "thoughts",
                    "name": "Show thoughts",
                    "currentValue": value,
                }
            )
        return shown

    def option_value(self, params_: Json) -> Any:
        value = params_.get("value")
        wanted = bool if params_.get("type") == "boolean" else str
        if not isinstance(value, wanted):
            raise params.invalid("value must be the id of a value, or a boolean with its type")
        return value

    def permission(self, question: Question, session: Session) -> Json:
        return {"toolCall": self._tool_call(question.tool_call_id, question.fields, session)}

    def updates(self, event: Event, session: Session, *, replay: bool = False) -> list[Json]:
        match event:
            case MessageChunk(role="user") if not replay:
                return []  # the client has shown what it sent
            case MessageChunk():
                return [_message(event, block) for block in event.content]
            case ToolCallChanged():
                kind = "tool_call" if event.first else "tool_call_update"
                shown = self._tool_call(event.tool_call_id, event.fields, session)
                return [_update(kind, **shown)]
            case TerminalStarted():
                self._calls[session.session_id, event.terminal_id] = event.tool_call_id
                self._output.pop((session.session_id, event.terminal_id), None)
                return []
            case TerminalOutput():
                return self._terminal_output(event, session)
            case OptionsChanged():
                return [
                    _update("current_mode_update", currentModeId=session.options.mode),
                    _update("config_option_update", configOptions=self.options(session)),
                ]
            case NoticeShown() if not self.takes_notices:
                return []
            case StateChanged() | TerminalExited():
                return []
            case _:
                return [_plain(event)]

    def _terminal_output(self, event: TerminalOutput, session: Session) -> list[Json]:
        """v1 has no terminals of the agent: the text so far is the content of the call."""
        key = (session.session_id, event.terminal_id)
        self._output.setdefault(key, bytearray()).extend(event.data)
        content = [self._content(OwnTerminal(event.terminal_id), session)]
        return [_update("tool_call_update", toolCallId=self._calls[key], content=content)]

    def _tool_call(self, tool_call_id: str, fields: ToolCallFields, session: Session) -> Json:
        shown: Json = {"toolCallId": tool_call_id}
        for name in ("name", "title", "kind"):
            if name in fields:
                shown[name] = fields[name]
        if "status" in fields:
            shown["status"] = _STATUS.get(fields["status"], fields["status"])
        if "content" in fields:
            shown["content"] = [
                shown_item
                for item in fields["content"]
                for shown_item in self._shown(item, session)
            ]
        if "locations" in fields:
            shown["locations"] = [
                {"path": str(place.path)} | ({"line": place.line} if place.line else {})
                for place in fields["locations"]
            ]
        if "raw_input" in fields:
            shown["rawInput"] = fields["raw_input"]
        if "raw_output" in fields:
            shown["rawOutput"] = fields["raw_output"]
        return shown

    def _shown(self, item: Content, session: Session) -> list[Json]:
        if isinstance(item, FileChange):
            return _diffs(item)
        return [self._content(item, session)]

    def _content(self, item: Text | OwnTerminal | ClientTerminal, session: Session) -> Json:
        match item:
            case Text():
                return {"type": "content", "content": text_block(item.text)}
            case ClientTerminal():
                return {"type": "terminal", "terminalId": item.terminal_id}
            case OwnTerminal():
                output = self._output.get((session.session_id, item.terminal_id), b"")
                text = _ESCAPES.sub("", output.decode("utf-8", "replace"))
                return {"type": "content", "content": text_block(text)}


def _dict(holder: Json, name: str) -> Json:
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def _update(kind: str, /, **fields: Any) -> Json:
    return {"sessionUpdate": kind, **fields}


def _modes(session: Session) -> Json:
    modes = [
        {"id": mode.value, "name": mode.name, "description": mode.description}
        for mode in sessions.MODES
    ]
    return {"currentModeId": session.options.mode, "availableModes": modes}


def _message(event: MessageChunk, block: Json) -> Json:
    kind = f"{_MESSAGES[event.role]}_chunk"
    return _update(kind, content=block, messageId=event.message_id)


def _diffs(change: FileChange) -> list[Json]:
    """v1 knows whole texts only: a move is one file that goes and one that comes."""
    before = None if change.operation == "add" else change.before
    new: Json = {"type": "diff", "path": str(change.path), "oldText": before}
    new["newText"] = change.after
    if change.old_path is None:
        return [new]
    old: Json = {"type": "diff", "path": str(change.old_path), "oldText": change.before}
    return [old | {"newText": ""}, new | {"oldText": None}]


def _plain(
    event: PlanChanged | UsageChanged | TitleChanged | NoticeShown | CommandsChanged,
) -> Json:
    match event:
        case PlanChanged():
            # v1 cannot say that an entry was cancelled; it was not completed.
            entries = [
                {
                    "content": entry.content,
                    "priority": entry.priority,
                    "status": "pending" if entry.status == "cancelled" else entry.status,
                }
                for entry in event.entries
            ]
            return _update("plan", entries=entries)
        case UsageChanged():
            cost = {"amount": event.cost, "currency": "USD"}
            return _update("usage_update", used=event.used, size=event.size, cost=cost)
        case TitleChanged():
            return _update("session_info_update", title=event.title, updatedAt=event.updated_at)
        case NoticeShown():
            shown = {"title": event.title, "description": event.description}
            return _update("notice", severity=event.severity, **shown)
        case CommandsChanged():
            commands = [
                {"name": command.name, "description": command.description}
                | ({"input": {"hint": command.hint}} if command.hint else {})
                for command in COMMANDS
            ]
            return _update("available_commands_update", availableCommands=commands)
