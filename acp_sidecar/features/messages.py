"""What rich clients are told: params of `acp/transcript`, `acp/terminal` and `acp/session`.

Names inside are ACP v2's own where ACP has the thing. `total=False` with `Required` marks what
may be left out; left out means unchanged.
"""

from __future__ import annotations

from typing import Final, Literal, Required, TypedDict

from acp_sidecar.session.options import AvailableCommand, SessionConfigOption
from acp_sidecar.session.updates import Plan, RpcErrorInfo, UsageUpdate
from acp_sidecar.session.view_types import QueuedPromptView

TRANSCRIPT: Final = "acp/transcript"
TERMINAL: Final = "acp/terminal"
SESSION: Final = "acp/session"

BlockKind = Literal[
    "session", "user", "agent", "thought", "tool_call", "terminal", "plan", "notice", "compaction",
    "note",
]  # fmt: skip


class TranscriptBlock(TypedDict, total=False):
    """A block of a transcript, whole or changed.

    Its Markdown is `head`, then a blank line if both sides of it have text, then `text` and
    `tail`. A block with an unknown `id` is new and comes after all others; it has everything but
    `append`. For a known block: `text` replaces its text, `append` adds to it, `head`, `tail` and
    `status` replace theirs.

    Attributes:
        id: Stable within the session.
        kind: What it is; `thought` blocks are meant to be folded.
        status: The status of a tool call or a compaction, else empty.
        head: Markdown: a heading, or a line about the block.
        text: Markdown that only grows while things are appended.
        append: Markdown to add at the end of `text`.
        tail: Markdown after `text` that the next change may replace.
    """

    id: Required[str]
    kind: Required[BlockKind]
    status: str
    head: str
    text: str
    append: str
    tail: str


class TranscriptParams(TypedDict, total=False):
    """Params of `acp/transcript`.

    Attributes:
        blocks: What is new or has changed, in the order of the document.
        reset: Forget all blocks of the session first.
    """

    sessionId: Required[str]
    blocks: Required[list[TranscriptBlock]]
    reset: bool


class TerminalExit(TypedDict):
    """How the program ended; both may be null."""

    exitCode: int | None
    signal: str | None


class TerminalCells(TypedDict):
    """Size in character cells."""

    cols: int
    rows: int


class TerminalParams(TypedDict, total=False):
    """Params of `acp/terminal`, and the answer when a client asks for the rest.

    Bytes are counted from the last snapshot on.

    Attributes:
        sessionId: The session.
        terminalId: The terminal, unique within the session.
        reset: Clear the screen first: this is a new snapshot, or the terminal is new.
        offset: Where `data` begins. If it is beyond what was read so far, the bytes between are
            gone; show `skipped`.
        data: Base64 of raw bytes; they may begin and end inside a character or a sequence.
        skipped: How many bytes before `offset` are gone and were never sent.
        next: The offset after `data`.
        more: Only in answers: there is more to ask for from `next` on.
        command, cwd, size, exitStatus: As ACP v2 says; null is cleared.
        cancellable: Whether `acp.terminal.stop` can stop it.
    """

    sessionId: Required[str]
    terminalId: Required[str]
    reset: bool
    offset: int
    data: str
    skipped: int
    next: int
    more: bool
    command: str | None
    cwd: str | None
    size: TerminalCells | None
    exitStatus: TerminalExit | None
    cancellable: bool


class ScreenView(TypedDict):
    """What a terminal would show now, drawn by an emulator: for clients that have none.

    Attributes:
        sessionId: The session.
        terminalId: The terminal, unique within the session.
        cols, rows: The size it was drawn for: the terminal's, or 80 by 24.
        lines: The rows of the screen from the top, without trailing blanks.
        cursor: Where the cursor is, 0-based.
    """

    sessionId: str
    terminalId: str
    cols: int
    rows: int
    lines: list[str]
    cursor: ScreenCursor


class ScreenCursor(TypedDict):
    """A cell of a screen, 0-based."""

    row: int
    column: int


class SessionParams(TypedDict, total=False):
    """Params of `acp/session`.

    Attributes:
        sessionId: The session.
        agent: Name of the agent in the settings.
        cwd: The session's folder.
        state: `running`, `idle`, `requires_action` or a future state.
        stopReason: Why the last turn ended; null while it runs and if nobody said.
        busy: From the moment a prompt is sent until its turn has ended.
        cancelling: The user has cancelled the turn and it has not ended yet.
        replaying: The agent is telling the past again.
        closed: The session is not open any more.
        queued: Prompts that are not in the conversation yet, first in line first.
        error: A JSON-RPC error that ended the turn, or null.
        title, updatedAt, usage, configOptions, availableCommands, plans: As in `acp.state`.
        cleared: Which members of this message are null and would otherwise be unchanged: not
            every client's JSON can tell null from what is left out.
    """

    sessionId: Required[str]
    agent: Required[str]
    cwd: Required[str]
    state: Required[str]
    stopReason: Required[str | None]
    busy: Required[bool]
    cancelling: Required[bool]
    replaying: Required[bool]
    closed: Required[bool]
    queued: Required[list[QueuedPromptView]]
    error: Required[RpcErrorInfo | None]
    title: str | None
    updatedAt: str | None
    usage: UsageUpdate | None
    configOptions: list[SessionConfigOption]
    availableCommands: list[AvailableCommand]
    plans: list[Plan]
    cleared: list[Literal["title", "updatedAt", "usage"]]
