"""Follow with what real agents said on the wire: each ends up where its work was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.changes.anchor import anchor_hunks
from acp_sidecar.changes.edits import apply_edits, edits_to
from acp_sidecar.changes.from_diff import change_set
from acp_sidecar.changes.hunks import Side
from acp_sidecar.changes.snippets import settle
from acp_sidecar.changes.views import TextView
from acp_sidecar.session import reducer
from acp_sidecar.session.state import Session, ToolCall
from acp_sidecar.session.tool_calls import Diff, ToolCallContentChunk, ToolCallUpdate
from acp_sidecar.session.updates import Update
from acp_sidecar.wire.protocol import Adapter, SessionUpdates
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v2.adapter import V2Adapter
from tests.features.follow_world import RICH, World, numbered

RECORDINGS = Path(__file__).parent.parent / "recordings"
HELLO = (
    "def greet(name):\n    return 'Hello, ' + name\n\n\n"
    "if __name__ == '__main__':\n    print(greet('ACP'))\n"
)


def messages(name: str) -> Iterator[tuple[float, dict[str, Any]]]:
    """What the agent said, and when."""
    with (RECORDINGS / f"{name}.jsonl").open(encoding="utf-8") as file:
        for line in file:
            frame = json.loads(line)
            if frame["dir"] == "in" and isinstance(frame.get("msg"), dict):
                yield frame["t"], frame["msg"]


def adapter_for(name: str) -> Adapter:
    return V2Adapter() if "-v2" in name or name.startswith("sdk-v2") else V1Adapter()


class Played(World):
    """A world in which a recording is played; files change when the call that edits them ends."""

    def __init__(self, name: str, *, replaying: bool = False) -> None:
        files = {
            "/workspace/hello.py": HELLO,
            "/workspace/long.txt": numbered(101),
            "/workspace/notes.md": "# Notes\n",
        }
        super().__init__(RICH, files=files)
        self.files.folders = ["/workspace"]
        self.files.reasons["/workspace"] = "directory"
        self.session = Session("s", "s", "agent", "/workspace", 2)
        self.session.replaying = replaying
        reducer.prompt_sent(self.session)
        adapter = adapter_for(name)
        start = self.now
        for when, message in messages(name):
            self.wait(max(0.0, start + when - self.now))
            self._hear(adapter, message)
        self.wait(1)

    def _hear(self, adapter: Adapter, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params") or {}
        if method == "fs/write_text_file":
            self.files.files[params["path"]] = params["content"]
        elif method == "fs/read_text_file":
            line, limit = params.get("line"), params.get("limit")
            self.follow.file_access(
                self.now, self.session, params["path"], line, limit, kind="read"
            )
        elif method is not None:
            heard = adapter.incoming(method, params).value
            if isinstance(heard, SessionUpdates):
                for update in heard.updates:
                    self._apply(update)

    def _apply(self, update: Update) -> None:
        effect = reducer.apply(self.session, update)
        if not isinstance(update, ToolCallUpdate | ToolCallContentChunk):
            return
        call = self.session.tool_calls[update.tool_call_id]
        if call.status == "completed" and "status" in effect.fields:
            self._write(call)
        self.follow.tool_call_changed(self.now, self.session, call, effect)

    def _write(self, call: ToolCall) -> None:
        """What the agent did to the disk, before it says that the call is completed."""
        for change in change_set([item for item in call.content if isinstance(item, Diff)]).files:
            old = self.files.files.get(change.path, "")
            hunks = settle(change, old, prefer=Side.OLD).hunks
            view = TextView(old)
            places = anchor_hunks(hunks, view, prefer=Side.OLD)
            edits = edits_to(Side.NEW, hunks, places, view).edits
            self.files.files[change.path] = apply_edits(old, edits)


EDITS = sorted(
    path.stem for path in RECORDINGS.glob("*-edit*.jsonl") if "sdk-v2agent" not in path.stem
)
UNANNOUNCED = {"gemini-cli-0.61.0-edit-permcancel", "gemini-cli-0.61.0-edit-reject"}
"""Refused before the agent had said anything of the edit but the question itself."""


@pytest.mark.parametrize("name", EDITS)
def test_each_agent_is_followed_to_its_read_and_then_to_the_line_that_it_changes(
    name: str,
) -> None:
    world = Played(name)
    hello = "/workspace/hello.py"
    assert world.moves in ([(hello, 1)], [(hello, 1), (hello, 2)])
    if name not in UNANNOUNCED:
        target = world.target
        assert (target["kind"], target["path"]) == ("edit", hello)
        assert target["line"] <= 2 <= target["endLine"]


MIXED = [
    "claude-agent-acp-0.101.0-mixed",
    "claude-agent-acp-0.101.0-v2-mixed",
    "claude-agent-acp-zed-0.23.1-mixed",
    "codex-acp-0.16.0-mixed",
    "codex-acp-2.6.0-v2-mixed",
    "gemini-cli-0.61.0-mixed",
    "opencode-1.18.33-mixed",
]


@pytest.mark.parametrize("name", MIXED)
def test_a_new_file_is_shown_and_folders_are_not(name: str) -> None:
    world = Played(name)
    shown = [path for path, _ in world.moves]
    assert "/workspace/notes/new.md" in shown
    assert "/workspace/hello.py" in shown
    assert "/workspace" not in shown
    states = {path: state for path, _, state in world.trail}
    assert states.get("/workspace", "directory") == "directory"


ALL = sorted(path.stem for path in RECORDINGS.glob("*.jsonl"))


@pytest.mark.parametrize("name", ALL)
def test_a_recording_that_is_told_again_moves_nothing(name: str) -> None:
    world = Played(name, replaying=True)
    assert (world.moves, world.trail, world.presence) == ([], [], [])
