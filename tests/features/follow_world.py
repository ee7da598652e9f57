"""A world for tests of follow: an editor that remembers, files in memory, agents, a clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from acp_sidecar.config import FollowSettings
from acp_sidecar.features.follow import Follow
from acp_sidecar.features.follow_messages import ActivityKind, UserActivity
from acp_sidecar.features.ports import (
    Abilities,
    Document,
    Editor,
    FileText,
    Span,
    Workspace,
)
from acp_sidecar.session import reducer
from acp_sidecar.session.state import Session
from acp_sidecar.session.tool_calls import ToolCallContentChunk, ToolCallUpdate
from tests.features.unasked_editor import UnaskedEditor

RICH = Abilities(show_document=True, rich=frozenset({"follow"}))
PLAIN = Abilities(show_document=True)
BARE = Abilities(code_lens_refresh=True)


@dataclass
class RecordingEditor(UnaskedEditor):
    """Remembers what it is told; answers nothing."""

    abilities_now: Abilities = RICH
    notified: list[Any] = field(default_factory=list)
    shown: list[tuple[str, Span | None]] = field(default_factory=list)
    refreshed: int = 0

    @property
    def abilities(self) -> Abilities:
        return self.abilities_now

    def notify(self, method: str, params: Any) -> None:
        assert method == "acp/follow"
        self.notified.append(params)

    def show_document(
        self, path: str, span: Span | None, on_done: Callable[[bool], None] | None = None
    ) -> None:
        self.shown.append((path, span))

    def refresh(self) -> None:
        self.refreshed += 1


@dataclass
class FilesInMemory:
    """Files by real path: a text, or the reason why there is none. Counts every look."""

    files: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    folders: list[str] = field(default_factory=lambda: ["/w"])
    looks: list[str] = field(default_factory=list)

    def roots(self) -> Sequence[str]:
        return self.folders

    def resolve(self, path: str) -> str:
        return self.links.get(path, path)

    def open_documents(self) -> Sequence[Document]:
        return []

    def document(self, path: str) -> Document | None:
        return None

    def read(self, path: str) -> FileText:
        self.looks.append(path)
        if path in self.files:
            return FileText(path, self.files[path])
        return FileText(path, None, reason=self.reasons.get(path, "missing"))

    def disk(self, path: str) -> FileText:
        return self.read(path)


def numbered(count: int) -> str:
    """A text whose lines say their 1-based numbers."""
    return "".join(f"line {number}\n" for number in range(1, count + 1))


class World:
    """Agents, an editor and files around one `Follow`, and the time."""

    def __init__(
        self,
        abilities: Abilities = RICH,
        settings: FollowSettings | None = None,
        files: Mapping[str, str] | None = None,
    ) -> None:
        self.now = 100.0
        self.editor = RecordingEditor(abilities)
        self.files = FilesInMemory(
            {f"/w/{name}.py": numbered(100) for name in "abc"} if files is None else dict(files)
        )
        editor: Editor = self.editor
        workspace: Workspace = self.files
        self.follow = Follow(settings or FollowSettings(), editor, workspace, home="/home/me")
        self.session = self.open("s1")

    def open(self, key: str, agent: str = "claude") -> Session:
        """A session in the middle of a turn."""
        session = Session(key, key, agent, "/w", 2)
        reducer.prompt_sent(session)
        return session

    def call(self, call: str, *, session: Session | None = None, **fields: Any) -> None:
        """An update of a tool call, with fields as on the wire."""
        session = session or self.session
        update = ToolCallUpdate.model_validate({"toolCallId": call, **fields})
        effect = reducer.apply(session, update)
        self.follow.tool_call_changed(self.now, session, session.tool_calls[call], effect)

    def chunk(self, call: str, content: Any) -> None:
        update = ToolCallContentChunk.model_validate({"toolCallId": call, "content": content})
        effect = reducer.apply(self.session, update)
        self.follow.tool_call_changed(self.now, self.session, self.session.tool_calls[call], effect)

    def read(self, call: str, path: str, line: int | None = None, **fields: Any) -> None:
        fields = {"kind": "read", "status": "in_progress", **fields}
        self.call(call, locations=[{"path": path, "line": line}], **fields)

    def edit(self, call: str, path: str, line: int | None = None, **fields: Any) -> None:
        self.read(call, path, line, **{"kind": "edit", **fields})

    def wait(self, seconds: float) -> None:
        """Let time pass, ticking whenever it is wanted."""
        end = self.now + seconds
        for _ in range(1000):
            due = self.follow.deadline()
            if due is None or due > end:
                break
            self.now = max(self.now, due)
            self.follow.tick(self.now)
        else:
            raise AssertionError("the deadline never moves on")
        self.now = end

    def act(self, kind: ActivityKind, path: str | None, move: int | None = None) -> None:
        self.follow.user_activity(self.now, UserActivity(kind, path, move))

    def end_turn(self, session: Session | None = None) -> None:
        session = session or self.session
        reducer.turn_ended(session, "end_turn")
        self.follow.turn_ended(self.now, session)

    @property
    def moves(self) -> list[tuple[str, int]]:
        """Every move so far, as path and 1-based line."""
        if "follow" not in self.editor.abilities.rich:
            return [(path, span.start_line + 1) for path, span in self.editor.shown if span]
        found: dict[int, tuple[str, int]] = {}
        for payload in self.editor.notified:
            target = payload["target"]
            if target is not None:
                at = (target["path"], target["range"]["start"]["line"] + 1)
                assert found.setdefault(target["move"], at) is not None
        return list(found.values())

    @property
    def target(self) -> Any:
        return self.follow.view()["target"]

    @property
    def paused(self) -> str | None:
        reason: str | None = self.follow.view()["paused"]
        return reason

    @property
    def presence(self) -> list[Any]:
        return self.follow.presence_view(self.now)

    @property
    def trail(self) -> list[tuple[str, int | None, str]]:
        return [
            (entry["path"], entry["line"], entry["state"])
            for entry in self.follow.trail_view(self.now)
        ]
