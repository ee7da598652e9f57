"""A test editor that records what it is told, and the models a rich client would keep of it."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from acp_sidecar.features.messages import TerminalParams, TranscriptBlock, TranscriptParams
from acp_sidecar.features.ports import Abilities
from acp_sidecar.session.reducer import Effect, apply
from acp_sidecar.session.state import Session
from acp_sidecar.session.updates import Update
from tests.features.unasked_editor import UnaskedEditor

ALL = frozenset({"transcript", "terminal", "session"})


@dataclass
class RecordingEditor(UnaskedEditor):
    """Everything that was shown, in order, as (what, arguments...)."""

    abilities: Abilities = field(
        default_factory=lambda: Abilities(work_done_progress=True, rich=ALL)
    )
    notified: list[tuple[str, Any]] = field(default_factory=list)
    progress: list[tuple[str, ...]] = field(default_factory=list)

    def notify(self, method: str, params: Any) -> None:
        self.notified.append((method, params))

    def of(self, method: str) -> list[Any]:
        return [params for each, params in self.notified if each == method]

    def progress_begin(self, token: str, title: str, *, cancellable: bool) -> None:
        self.progress.append(("begin", token, title, str(cancellable)))

    def progress_report(self, token: str, message: str) -> None:
        self.progress.append(("report", token, message))

    def progress_end(self, token: str, message: str) -> None:
        self.progress.append(("end", token, message))


class TranscriptModel:
    """What a client keeps of a transcript, by the words of the contract."""

    def __init__(self) -> None:
        self.blocks: dict[str, TranscriptBlock] = {}

    def take(self, params: TranscriptParams) -> None:
        if params.get("reset"):
            self.blocks.clear()
        for delta in params["blocks"]:
            known = self.blocks.get(delta["id"])
            if known is None:
                assert "append" not in delta
                assert delta.keys() == {"id", "kind", "status", "head", "text", "tail"}
                self.blocks[delta["id"]] = delta.copy()
                continue
            changed = delta.copy()
            changed["text"] = changed.get("text", known["text"]) + changed.pop("append", "")
            known.update(changed)

    def markdown(self) -> str:
        parts = []
        for block in self.blocks.values():
            body = block["text"] + block["tail"]
            gap = "\n\n" if block["head"] and body else ""
            parts.append(f"{block['head']}{gap}{body}".strip("\n"))
        return "\n\n".join(parts) + "\n"


class TerminalModel:
    """What a client keeps of a terminal's bytes."""

    def __init__(self) -> None:
        self.data = b""
        self.offset = 0
        self.skipped = 0

    def take(self, params: TerminalParams) -> None:
        if params.get("reset"):
            self.data, self.offset = b"", 0
        if "data" not in params:
            return
        assert params["offset"] == self.offset + params.get("skipped", 0)
        self.skipped += params.get("skipped", 0)
        self.data += base64.b64decode(params["data"])
        self.offset = params["next"]


def new_session(limit: int = 1024 * 1024) -> Session:
    return Session("s", "s", "helper", "/project", 2, limit)


def applied(session: Session, *updates: Update) -> list[tuple[Update, Effect]]:
    return [(update, apply(session, update)) for update in updates]
