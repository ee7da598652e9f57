"""One conversation: its project, options, what was told, and what runs in it now."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from acp_sidecar.demo.agent.events import Event, TitleChanged
from acp_sidecar.demo.agent.processes import Process
from acp_sidecar.demo.agent.workspace import Workspace

CONTEXT_WINDOW: Final = 200_000


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    name: str
    description: str


MODES: Final = (
    Choice("ask", "Ask", "Every edit and command waits for your permission"),
    Choice("auto-accept", "Auto-accept", "Edits and commands go ahead without asking"),
)
MODELS: Final = (
    Choice("script", "The script", "Says what it does, word by word"),
    Choice("script-terse", "The script, terse", "Says as little as possible"),
)


@dataclass(slots=True)
class Options:
    """What the user can set in a session. `thoughts` says whether thoughts are shown."""

    mode: str = "ask"
    model: str = "script"
    thoughts: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn ended: ACP v2's stop reason, and a sentence for "error"."""

    stop_reason: str
    error: str | None = None


@dataclass(slots=True, eq=False)
class Session:
    """A session lives until it is deleted; closing only ends its work.

    Attributes:
        decisions: What the user said for always: tool kind to whether it may go ahead.
        calls: The tool calls that can be cancelled now, by id.
        terminals: The commands that run now, by terminal id.
        characters: Text that went in and out, which is what usage is computed from.
        numbers: How many ids were given.
    """

    cwd: Path
    session_id: str = field(default_factory=lambda: f"demo-{uuid.uuid4().hex[:12]}")
    options: Options = field(default_factory=Options)
    title: str | None = None
    updated_at: str = ""
    active: bool = True
    history: list[Event] = field(default_factory=list)
    decisions: dict[str, bool] = field(default_factory=dict)
    turn: asyncio.Task[Outcome] | None = None
    calls: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    terminals: dict[str, Process] = field(default_factory=dict)
    characters: int = 0
    numbers: int = 0

    def __post_init__(self) -> None:
        if not self.updated_at:
            self.touch()

    @property
    def workspace(self) -> Workspace:
        return Workspace(self.cwd)

    def new_id(self, what: str) -> str:
        """An id that is unique in the session, e.g. call-3."""
        self.numbers += 1
        return f"{what}-{self.numbers}"

    def touch(self) -> None:
        """Something was done: now."""
        self.updated_at = datetime.now(UTC).isoformat(timespec="milliseconds")

    def name_after(self, prompt: str) -> TitleChanged | None:
        """Take the first line of the first prompt as the title; None if there is one already."""
        if self.title is not None:
            return None
        line = prompt.strip().partition("\n")[0]
        self.title = line if len(line) <= 60 else line[:59] + "…"
        return TitleChanged(self.title, self.updated_at)

    async def cancel(self) -> None:
        """End the running turn, if there is one, and wait until it has said so."""
        if self.turn and not self.turn.done():
            self.turn.cancel()
            await asyncio.wait([self.turn])
