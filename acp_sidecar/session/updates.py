"""Session updates: everything an agent reports about a session (ACP v2 `SessionUpdate`).

`Update` is what `session.reducer.apply` takes, whichever version the agent speaks.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from acp_sidecar.session.base import (
    FORGIVE,
    SKIP_ITEMS,
    AcpModel,
    Meta,
    Tag,
    UnknownByType,
    UnknownVariant,
    tagged,
    type_of_unknown,
)
from acp_sidecar.session.content import ContentBlock
from acp_sidecar.session.options import AvailableCommand, SessionConfigOption
from acp_sidecar.session.terminals import TerminalOutputChunk, TerminalUpdate
from acp_sidecar.session.tool_calls import ToolCallContentChunk, ToolCallUpdate

Role = Literal["user", "agent", "thought"]


class MessageUpdate(AcpModel):
    """Create or patch a whole message (`user_message`, `agent_message`, `agent_thought`)."""

    role: Role
    message_id: str
    content: Annotated[list[ContentBlock] | None, FORGIVE, SKIP_ITEMS] = None
    meta: Meta = None


class MessageChunk(AcpModel):
    """Append one block to a message; its `meta` is the chunk's own, never stored."""

    role: Role
    message_id: str
    content: ContentBlock
    meta: Meta = None


class RpcErrorInfo(AcpModel):
    """A JSON-RPC error as data (ACP `Error`)."""

    code: int
    message: str
    data: Annotated[Any, FORGIVE] = None


class BackgroundTerminal(AcpModel):
    type: Literal["terminal"] = "terminal"
    terminal_id: str
    meta: Meta = None


class BackgroundToolCall(AcpModel):
    type: Literal["tool_call"] = "tool_call"
    tool_call_id: str
    meta: Meta = None


BackgroundWork = Annotated[
    Annotated[BackgroundTerminal, Tag("terminal")]
    | Annotated[BackgroundToolCall, Tag("tool_call")]
    | Annotated[UnknownByType, Tag(type_of_unknown)],
    tagged("type", frozenset({"terminal", "tool_call"})),
]


class StateUpdate(AcpModel):
    """Whether the agent works: `running`, `idle`, `requires_action` or a future state.

    `stop_reason` and `error` belong to `idle`. A later update says everything anew.
    """

    state: str
    stop_reason: Annotated[str | None, FORGIVE] = None
    error: Annotated[RpcErrorInfo | None, FORGIVE] = None
    background: Annotated[list[BackgroundWork] | None, FORGIVE] = None
    meta: Meta = None


class PlanEntry(AcpModel):
    content: str
    priority: str
    status: str
    meta: Meta = None


class PlanItems(AcpModel):
    type: Literal["items"] = "items"
    plan_id: str
    entries: Annotated[list[PlanEntry], SKIP_ITEMS]
    meta: Meta = None


class UnknownPlan(UnknownVariant):
    """A plan of a kind that this version of the protocol does not name."""

    type: str
    plan_id: Annotated[str, Field(alias="planId")]


Plan = Annotated[
    Annotated[PlanItems, Tag("items")] | Annotated[UnknownPlan, Tag(type_of_unknown)],
    tagged("type", frozenset({"items"})),
]


class PlanUpdate(AcpModel):
    """Replace the plan with this `plan_id`."""

    plan: Plan
    meta: Meta = None


class AvailableCommandsUpdate(AcpModel):
    available_commands: Annotated[list[AvailableCommand], SKIP_ITEMS]
    meta: Meta = None


class ConfigOptionUpdate(AcpModel):
    config_options: Annotated[list[SessionConfigOption], SKIP_ITEMS]
    meta: Meta = None


class SessionInfoUpdate(AcpModel):
    """Patch of what a session is called; `updated_at` is ISO 8601."""

    title: Annotated[str | None, FORGIVE] = None
    updated_at: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class Cost(AcpModel):
    """`currency` is an ISO 4217 code."""

    amount: float
    currency: str
    meta: Meta = None


class UsageUpdate(AcpModel):
    """Context in use and its size, both in tokens; `cost` is of the whole session so far."""

    used: Annotated[int, Field(ge=0)]
    size: Annotated[int, Field(ge=0)]
    cost: Annotated[Cost | None, FORGIVE] = None
    meta: Meta = None


class Notice(AcpModel):
    """Something the agent wants the user to know; `severity` is info, warning, error or other."""

    severity: str
    title: str
    description: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class CompactionUpdate(AcpModel):
    """The agent shortens its context; the same id patches."""

    compaction_id: str
    status: str
    summary: Annotated[list[ContentBlock] | None, FORGIVE, SKIP_ITEMS] = None
    error: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class CompactionSummaryChunk(AcpModel):
    compaction_id: str
    content: ContentBlock
    meta: Meta = None


class UnknownUpdate(UnknownVariant):
    """An update of a kind that this version of the protocol does not name, kept whole."""

    session_update: Annotated[str, Field(alias="sessionUpdate")]


Update = (
    MessageUpdate
    | MessageChunk
    | StateUpdate
    | ToolCallUpdate
    | ToolCallContentChunk
    | TerminalUpdate
    | TerminalOutputChunk
    | PlanUpdate
    | AvailableCommandsUpdate
    | ConfigOptionUpdate
    | SessionInfoUpdate
    | UsageUpdate
    | Notice
    | CompactionUpdate
    | CompactionSummaryChunk
    | UnknownUpdate
)
