"""ACP v2, as in schema/v2 of npm @agentclientprotocol/sdk 2.4.0."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

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
    mime_type,
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
from acp_sidecar.demo.agent.file_changes import FileChange, git_patch
from acp_sidecar.demo.agent.session import Session
from acp_sidecar.wire.json_rpc import INTERNAL_ERROR

_MESSAGES = {"user": "user_message", "agent": "agent_message", "thought": "agent_thought"}


@dataclass(frozen=True, slots=True)
class DialectV2:
    """ACP v2. Commands run here; the client is shown their terminals."""

    asks_forms: bool
    version: int = 2
    prompt_waits_for_the_turn: bool = False
    runs_commands_at_client: bool = False

    @classmethod
    def for_client(cls, initialize: Json) -> DialectV2:
        """What the client says it can do decides what it is asked."""
        capabilities = initialize.get("capabilities")
        return cls(asks_forms=isinstance(capabilities, dict) and takes_forms(capabilities))

    def initialized(self) -> Json:
        return {
            "protocolVersion": 2,
            "info": AGENT_INFO,
            "capabilities": {
                "session": {"prompt": {"embeddedContext": {}, "image": {}}, "delete": {}},
                "auth": {},
            },
            "authMethods": [
                {
                    "type": "agent",
                    "methodId": LOGIN_METHOD,
                    "name": LOGIN_NAME,
                    "description": LOGIN_DESCRIPTION,
                }
            ],
        }

    def opened(self, session: Session) -> Json:
        return {"configOptions": self.options(session)}

    def options(self, session: Session) -> list[Json]:
        shown = session.options
        return [
            {
                "type": "select",
                "configId": "mode",
                "name": "Mode",
                "category": "mode",
                "currentValue": shown.mode,
                "options": choices(sessions.MODES),
            },
            {
                "type": "select",
                "configId": "model",
                "name": "Model",
                "category": "model",
                "currentValue": shown.model,
                "options": choices(sessions.MODELS),
            },
            {
                "type": "boolean",
                "configId": "thoughts",
                "name": "Show thoughts",
                "currentValue": shown.thoughts,
            },
        ]

    def option_value(self, params_: Json) -> Any:
        kind, value = params.text(params_, "type"), params_.get("value")
        wanted = {"id": str, "boolean": bool}.get(kind)
        if wanted is None or not isinstance(value, wanted):
            raise params.invalid("value must be of the type that `type` names: id or boolean")
        return value

    def permission(self, question: Question, session: Session) -> Json:
        subject: Json
        if question.command is not None:
            subject = {
                "type": "command",
                "command": question.command,
                "cwd": str(session.cwd),
                "toolCallId": question.tool_call_id,
                "terminalId": question.terminal_id,
            }
        else:
            tool_call = {"toolCallId": question.tool_call_id, **_tool_call(question.fields)}
            subject = {"type": "tool_call", "toolCall": tool_call}
        shown: Json = {"title": question.title, "subject": subject}
        return shown | ({"description": question.description} if question.description else {})

    def updates(self, event: Event, session: Session, *, replay: bool = False) -> list[Json]:
        match event:
            case MessageChunk():
                return _message(event, replay)
            case ToolCallChanged():
                shown = {"toolCallId": event.tool_call_id, **_tool_call(event.fields)}
                return [{"sessionUpdate": "tool_call_update", **shown}]
            case TerminalStarted() | TerminalOutput() | TerminalExited():
                return [_terminal(event)]
            case StateChanged():
                return [_state(event)]
            case OptionsChanged():
                return [_update("config_option_update", configOptions=self.options(session))]
            case CommandsChanged():
                return [_commands()]
            case _:
                return [_plain(event)]


def _update(kind: str, /, **fields: Any) -> Json:
    return {"sessionUpdate": kind, **fields}


def _message(event: MessageChunk, replay: bool) -> list[Json]:
    kind = _MESSAGES[event.role]
    if replay or event.role == "user":
        return [_update(kind, messageId=event.message_id, content=list(event.content))]
    return [
        _update(f"{kind}_chunk", messageId=event.message_id, content=block)
        for block in event.content
    ]


def _tool_call(fields: ToolCallFields) -> Json:
    shown: Json = {
        name: fields[name] for name in ("name", "title", "kind", "status") if name in fields
    }
    if "content" in fields:
        shown["content"] = [_content(item) for item in fields["content"]]
    if "locations" in fields:
        shown["locations"] = [
            {"path": str(location.path)} | ({"line": location.line} if location.line else {})
            for location in fields["locations"]
        ]
    if "raw_input" in fields:
        shown["rawInput"] = fields["raw_input"]
    if "raw_output" in fields:
        shown["rawOutput"] = fields["raw_output"]
    if "cancellable" in fields:
        shown["capabilities"] = {"cancel": {}} if fields["cancellable"] else None
    return shown


def _content(item: Content) -> Json:
    match item:
        case Text():
            return {"type": "content", "content": text_block(item.text)}
        case FileChange():
            return _diff(item)
        case OwnTerminal() | ClientTerminal():
            return {"type": "terminal", "terminalId": item.terminal_id}


def _diff(change: FileChange) -> Json:
    shown: Json = {"operation": change.operation, "path": str(change.path), "fileType": "text"}
    if change.old_path:
        shown["oldPath"] = str(change.old_path)
    shown["mimeType"] = mime_type(change.path)
    patch = {"format": "git_patch", "text": git_patch(change)}
    return {"type": "diff", "changes": [shown], "patch": patch}


def _terminal(event: TerminalStarted | TerminalOutput | TerminalExited) -> Json:
    match event:
        case TerminalStarted():
            return _update(
                "terminal_update",
                terminalId=event.terminal_id,
                command=event.command,
                cwd=str(event.cwd),
                capabilities={"cancel": {}},
            )
        case TerminalOutput():
            data = base64.b64encode(event.data).decode("ascii")
            return _update("terminal_output_chunk", terminalId=event.terminal_id, data=data)
        case TerminalExited():
            status = {"exitCode": event.exit_code, "signal": event.signal}
            return _update(
                "terminal_update",
                terminalId=event.terminal_id,
                exitStatus=status,
                capabilities=None,
            )


def _state(event: StateChanged) -> Json:
    shown = _update("state_update", state=event.state)
    if event.stop_reason:
        shown["stopReason"] = event.stop_reason
    if event.error:
        shown["error"] = {"code": INTERNAL_ERROR, "message": event.error}
    return shown


def _commands() -> Json:
    shown = [
        {"type": "command", "name": command.name, "description": command.description}
        | ({"input": {"type": "text", "hint": command.hint}} if command.hint else {})
        for command in COMMANDS
    ]
    return _update("available_commands_update", availableCommands=shown)


def _plain(event: PlanChanged | UsageChanged | TitleChanged | NoticeShown) -> Json:
    match event:
        case PlanChanged():
            entries = [
                {"content": entry.content, "priority": entry.priority, "status": entry.status}
                for entry in event.entries
            ]
            return _update(
                "plan_update", plan={"type": "items", "planId": "plan", "entries": entries}
            )
        case UsageChanged():
            cost = {"amount": event.cost, "currency": "USD"}
            return _update("usage_update", used=event.used, size=event.size, cost=cost)
        case TitleChanged():
            return _update("session_info_update", title=event.title, updatedAt=event.updated_at)
        case NoticeShown():
            shown = {"title": event.title, "description": event.description}
            return _update("notice", severity=event.severity, **shown)
