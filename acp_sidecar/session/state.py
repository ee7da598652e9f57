"""The state of a conversation: what all updates so far add up to.

Law of this file and of `reducer`: everything that is so in a session is stored here, changed only
by `reducer`, and read by everybody else without changing it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from acp_sidecar.session.content import ContentBlock
from acp_sidecar.session.options import AvailableCommand, SessionConfigOption
from acp_sidecar.session.queue import QueuedPrompt
from acp_sidecar.session.terminals import (
    TerminalCapabilities,
    TerminalExitStatus,
    TerminalSize,
)
from acp_sidecar.session.text import OutputBuffer, TextRun
from acp_sidecar.session.tool_calls import (
    FINISHED,
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
    UnknownUpdate,
    UsageUpdate,
)

DEFAULT_OUTPUT_LIMIT = 1024 * 1024
"""Bytes of output kept for each terminal."""

KEPT_NOTICES = 200
KEPT_UNKNOWN_UPDATES = 200

MessageKey = tuple[Role, str]
"""A thought and a message may share a `messageId`, so the role is part of the key."""

TimelineEntry = tuple[str, str]
"""What appeared when: ("user" | "agent" | "thought" | "tool_call" | "plan" | ..., id)."""

Meta = dict[str, Any] | None


@dataclass(slots=True)
class Message:
    """Text chunks that follow each other without annotations are kept as one run of text."""

    role: Role
    message_id: str
    content: list[TextRun | ContentBlock] = field(default_factory=list)
    meta: Meta = None
    replayed: bool = False


@dataclass(slots=True)
class ToolCall:
    """Defaults are those the protocol gives a new id."""

    tool_call_id: str
    name: str | None = None
    title: str | None = None
    kind: str = "other"
    status: str = "pending"
    content: list[ToolCallContent] = field(default_factory=list)
    locations: list[ToolCallLocation] = field(default_factory=list)
    raw_input: Any = None
    raw_output: Any = None
    capabilities: ToolCallCapabilities | None = None
    meta: Meta = None
    replayed: bool = False

    @property
    def finished(self) -> bool:
        return self.status in FINISHED


@dataclass(slots=True)
class Terminal:
    terminal_id: str
    output: OutputBuffer
    command: str | None = None
    cwd: str | None = None
    exit_status: TerminalExitStatus | None = None
    size: TerminalSize | None = None
    capabilities: TerminalCapabilities | None = None
    meta: Meta = None


@dataclass(slots=True)
class Compaction:
    compaction_id: str
    status: str
    summary: list[TextRun | ContentBlock] = field(default_factory=list)
    error: str | None = None
    meta: Meta = None


@dataclass(slots=True)
class Turn:
    """One prompt's life: from the moment it is sent until the agent is idle again."""

    accepted: bool = False
    running_seen: bool = False

    @property
    def begun(self) -> bool:
        """The agent has taken a prompt for it, or works."""
        return self.accepted or self.running_seen


@dataclass(slots=True)
class Session:
    """Everything that is so in one session.

    Attributes:
        key: What editors call it: `session_id`, unless another agent uses the same.
        queued: Prompts that are not in the conversation yet, first in line first.
        additional_directories: Further roots, as they were told when it was opened.
        replaying: The agent is telling the past again (`session/resume` or `session/load`).
        detached: Its agent process has ended; another one must resume it before it can go on.
    """

    key: str
    session_id: str
    agent: str
    cwd: str
    protocol_version: int
    output_limit: int = DEFAULT_OUTPUT_LIMIT
    state: str = "idle"
    stop_reason: str | None = None
    error: RpcErrorInfo | None = None
    background: list[BackgroundWork] = field(default_factory=list)
    turn: Turn | None = None
    queued: list[QueuedPrompt] = field(default_factory=list)
    cancelling: bool = False
    replaying: bool = False
    closed: bool = False
    detached: bool = False
    additional_directories: list[str] = field(default_factory=list)
    title: str | None = None
    updated_at: str | None = None
    usage: UsageUpdate | None = None
    messages: dict[MessageKey, Message] = field(default_factory=dict)
    tool_calls: dict[str, ToolCall] = field(default_factory=dict)
    terminals: dict[str, Terminal] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)
    config_options: list[SessionConfigOption] = field(default_factory=list)
    available_commands: list[AvailableCommand] = field(default_factory=list)
    compactions: dict[str, Compaction] = field(default_factory=dict)
    notices: deque[tuple[str, Notice]] = field(default_factory=lambda: deque(maxlen=KEPT_NOTICES))
    unknown_updates: deque[UnknownUpdate] = field(
        default_factory=lambda: deque(maxlen=KEPT_UNKNOWN_UPDATES)
    )
    timeline: list[TimelineEntry] = field(default_factory=list)
    meta: Meta = None

    @property
    def busy(self) -> bool:
        """A prompt of ours is on its way or its turn has not ended."""
        return self.turn is not None
