"""What `session.view` answers, as types: a session in `acp.state`, in ACP v2's names.

Parts that are the protocol's own (content blocks, plans, options) are the vocabulary's models; of
them, what the agent never said is left out. `_meta` is the agent's own in all of them.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from acp_sidecar.session.content import ContentBlock
from acp_sidecar.session.options import AvailableCommand, SessionConfigOption
from acp_sidecar.session.terminals import (
    TerminalCapabilities,
    TerminalExitStatus,
    TerminalSize,
)
from acp_sidecar.session.tool_calls import (
    ToolCallCapabilities,
    ToolCallContent,
    ToolCallLocation,
)
from acp_sidecar.session.updates import (
    BackgroundWork,
    Notice,
    Plan,
    Role,
    RpcErrorInfo,
    UsageUpdate,
)


class MessageView(TypedDict):
    """A message; text that came in pieces is one block.

    Attributes:
        messageId: A thought and a message may share one.
    """

    messageId: str
    role: Role
    content: list[ContentBlock]
    _meta: dict[str, Any] | None


class ToolCallView(TypedDict):
    """A tool call with everything it has now; lines of `locations` count from 1.

    Attributes:
        name: Name of the tool, if the agent says.
        kind: read, edit, delete, move, search, execute, think, fetch, switch_mode, other, or the
            agent's own.
        status: pending, in_progress, completed, failed, cancelled, or the agent's own.
    """

    toolCallId: str
    name: str | None
    title: str | None
    kind: str
    status: str
    content: list[ToolCallContent]
    locations: list[ToolCallLocation]
    rawInput: Any
    rawOutput: Any
    capabilities: ToolCallCapabilities | None
    _meta: dict[str, Any] | None


class TerminalView(TypedDict):
    """A terminal.

    Attributes:
        output: Text; bytes that are no UTF-8 become U+FFFD. Escape sequences are in it.
        truncated: Earlier output is no longer kept.
        exitStatus: null while the program runs.
    """

    terminalId: str
    command: str | None
    cwd: str | None
    output: str
    truncated: bool
    exitStatus: TerminalExitStatus | None
    size: TerminalSize | None
    capabilities: TerminalCapabilities | None
    _meta: dict[str, Any] | None


class CompactionView(TypedDict):
    """The agent shortened what it remembers of the conversation.

    Attributes:
        status: in_progress, completed, failed, or the agent's own.
    """

    compactionId: str
    status: str
    summary: list[ContentBlock]
    error: str | None
    _meta: dict[str, Any] | None


class TimelineEntryView(TypedDict):
    """What came when: the id of a message, tool call, plan, terminal, notice or compaction."""

    kind: str
    id: str


class QueuedPromptView(TypedDict):
    """A prompt that is not in the conversation yet.

    Attributes:
        promptId: For `acp.prompt.unqueue`.
        text: What the user said; the beginning of it, if it is long.
        state: `sent`: the agent has it and has not taken it yet. `waiting`: it is sent when the
            turn ends. `held`: the turn it waited for was cancelled or failed, or the agent is
            gone; `acp.prompt.release` sends it, `acp.prompt.unqueue` takes it out.
    """

    promptId: str
    text: str
    state: Literal["sent", "waiting", "held"]


class SessionView(TypedDict):
    """Everything that is so in a session.

    Attributes:
        sessionId: What the commands take; the agent's own unless two agents use the same.
        protocolVersion: The ACP version that the agent speaks; names here are v2's either way.
        state: running, idle, requires_action, or a future state.
        stopReason: Why the last turn ended: end_turn, cancelled, max_tokens, max_turn_requests,
            refusal, or the agent's own; null while it runs and if nobody said.
        error: The JSON-RPC error that ended the last turn.
        busy: From the moment a prompt is sent until its turn has ended, however it ends.
        cancelling: The user has cancelled the turn and it has not ended yet.
        replaying: The agent is telling the past again.
        closed: The session is not open any more.
        additionalDirectories: Further roots that the agent was told when the session was opened.
        queued: Prompts that are not in the conversation yet, first in line first.
        background: What goes on after the end of the turn.
        updatedAt: ISO 8601, the agent's own.
        unknownUpdates: Updates of a kind that is not known, whole.
        timeline: Ids of all there is, in order of first appearance.
    """

    sessionId: str
    agent: str
    cwd: str
    additionalDirectories: list[str]
    protocolVersion: int
    state: str
    stopReason: str | None
    error: RpcErrorInfo | None
    busy: bool
    cancelling: bool
    replaying: bool
    closed: bool
    queued: list[QueuedPromptView]
    background: list[BackgroundWork]
    title: str | None
    updatedAt: str | None
    messages: list[MessageView]
    toolCalls: list[ToolCallView]
    terminals: list[TerminalView]
    plans: list[Plan]
    configOptions: list[SessionConfigOption]
    availableCommands: list[AvailableCommand]
    usage: UsageUpdate | None
    notices: list[Notice]
    compactions: list[CompactionView]
    unknownUpdates: list[dict[str, Any]]
    timeline: list[TimelineEntryView]
    _meta: dict[str, Any] | None
