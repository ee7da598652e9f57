"""What happens in a session, said in no protocol's words; a dialect turns it into ACP updates.

Each has its `type`, so that what is kept in a file can be told apart when it is read again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict  # pydantic reads these, and needs it before Python 3.12

from acp_sidecar.demo.agent.file_changes import FileChange

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MessageChunk:
    """A piece of a message; pieces with one id make up one message. Content is ACP's own blocks."""

    role: Literal["user", "agent", "thought"]
    message_id: str
    content: tuple[Json, ...]
    type: Literal["message_chunk"] = "message_chunk"


@dataclass(frozen=True, slots=True)
class PlanEntry:
    content: str
    priority: Literal["high", "medium", "low"]
    status: Literal["pending", "in_progress", "completed", "cancelled"] = "pending"


@dataclass(frozen=True, slots=True)
class PlanChanged:
    entries: tuple[PlanEntry, ...]
    type: Literal["plan_changed"] = "plan_changed"


@dataclass(frozen=True, slots=True)
class Location:
    path: Path
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """Text that a tool call produced."""

    text: str
    type: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class OwnTerminal:
    """The display of a command that the agent runs itself."""

    terminal_id: str
    type: Literal["own_terminal"] = "own_terminal"


@dataclass(frozen=True, slots=True)
class ClientTerminal:
    """The display of a command that the client runs for the agent (v1 only)."""

    terminal_id: str
    type: Literal["client_terminal"] = "client_terminal"


Content: TypeAlias = Annotated[
    Text | FileChange | OwnTerminal | ClientTerminal, Field(discriminator="type")
]


class ToolCallFields(TypedDict, total=False):
    """What of a tool call is being said; what is absent stays as it was."""

    name: str
    title: str
    kind: str
    status: str
    content: tuple[Content, ...]
    locations: tuple[Location, ...]
    raw_input: Json
    raw_output: Json
    cancellable: bool


@dataclass(frozen=True, slots=True)
class ToolCallChanged:
    tool_call_id: str
    first: bool
    fields: ToolCallFields
    type: Literal["tool_call_changed"] = "tool_call_changed"


@dataclass(frozen=True, slots=True)
class TerminalStarted:
    terminal_id: str
    tool_call_id: str
    command: str
    cwd: Path
    type: Literal["terminal_started"] = "terminal_started"


@dataclass(frozen=True, slots=True)
class TerminalOutput:
    terminal_id: str
    data: bytes
    type: Literal["terminal_output"] = "terminal_output"


@dataclass(frozen=True, slots=True)
class TerminalExited:
    terminal_id: str
    exit_code: int | None
    signal: str | None
    type: Literal["terminal_exited"] = "terminal_exited"


@dataclass(frozen=True, slots=True)
class UsageChanged:
    used: int
    size: int
    cost: float
    type: Literal["usage_changed"] = "usage_changed"


@dataclass(frozen=True, slots=True)
class TitleChanged:
    title: str
    updated_at: str
    type: Literal["title_changed"] = "title_changed"


@dataclass(frozen=True, slots=True)
class OptionsChanged:
    """The agent itself changed an option, or the client did in a way whose answer says nothing."""

    type: Literal["options_changed"] = "options_changed"


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The commands are known; sent once, after the session is."""

    type: Literal["commands_changed"] = "commands_changed"


@dataclass(frozen=True, slots=True)
class StateChanged:
    """What the foreground does. `error` is for people, with the stop reason "error"."""

    state: Literal["running", "requires_action", "idle"]
    stop_reason: str | None = None
    error: str | None = None
    type: Literal["state_changed"] = "state_changed"


@dataclass(frozen=True, slots=True)
class NoticeShown:
    severity: Literal["info", "warning", "error"]
    title: str
    description: str
    type: Literal["notice_shown"] = "notice_shown"


Event: TypeAlias = (
    MessageChunk
    | PlanChanged
    | ToolCallChanged
    | TerminalStarted
    | TerminalOutput
    | TerminalExited
    | UsageChanged
    | TitleChanged
    | OptionsChanged
    | CommandsChanged
    | StateChanged
    | NoticeShown
)


def condensed(history: list[Event]) -> list[Event]:
    """The same story in as few events as tell it: what a replay sends.

    Chunks of a message or a terminal become one, the states of a tool call its last one, each in
    the place of the first. The states of the session are left out; they are over.
    """
    told: dict[object, Event] = {}
    for number, event in enumerate(history):
        key = _key(event, number)
        if key is not None:
            earlier = told.get(key)
            told[key] = _joined(earlier, event) if earlier else event
    return list(told.values())


def _key(event: Event, number: int) -> object:
    match event:
        case MessageChunk():
            return ("message", event.role, event.message_id)
        case ToolCallChanged():
            return ("tool call", event.tool_call_id)
        case TerminalOutput():
            return ("output", event.terminal_id)
        case PlanChanged() | UsageChanged() | TitleChanged():
            return type(event)
        case StateChanged() | OptionsChanged() | CommandsChanged() | NoticeShown():
            return None
        case _:
            return number


def _joined(earlier: Event, later: Event) -> Event:
    match earlier, later:
        case MessageChunk(), MessageChunk():
            return replace(earlier, content=_text_joined(earlier.content + later.content))
        case ToolCallChanged(), ToolCallChanged():
            fields: ToolCallFields = {**earlier.fields, **later.fields}
            return replace(earlier, fields=fields)
        case TerminalOutput(), TerminalOutput():
            return replace(earlier, data=earlier.data + later.data)
        case _:
            return later


def _text_joined(blocks: tuple[Json, ...]) -> tuple[Json, ...]:
    joined: list[Json] = []
    for block in blocks:
        if joined and block.keys() == joined[-1].keys() == {"type", "text"}:
            joined[-1] = {"type": "text", "text": joined[-1]["text"] + block["text"]}
        else:
            joined.append(block)
    return tuple(joined)
