"""What real agents said on the wire: each edit's review matches what happened to the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.features.ports import Document
from acp_sidecar.session.permissions import PermissionRequest, ToolCallSubject
from acp_sidecar.session.reducer import apply
from acp_sidecar.session.state import Session
from acp_sidecar.session.tool_calls import ToolCallContentChunk, ToolCallUpdate
from acp_sidecar.session.updates import Update
from acp_sidecar.wire.protocol import Adapter, SessionUpdates
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v2.adapter import V2Adapter
from tests.features.review.desk import Desk

RECORDINGS = Path(__file__).parents[2] / "recordings"
HELLO = "/workspace/hello.py"
OLD = (
    "def greet(name):\n    return 'Hello, ' + name\n\n\n"
    "if __name__ == '__main__':\n    print(greet('ACP'))\n"
)
NEW = OLD.replace(
    "    return 'Hello, ' + name\n",
    "    greeting = 'Howdy'\n    return f'{greeting}, {name}'\n",
)

EDITS = [
    path
    for path in sorted(RECORDINGS.glob("*edit*.jsonl"))
    if '"diff"' in path.read_text(encoding="utf-8")
]
REFUSED = [path for path in EDITS if path.stem.endswith(("-reject", "-permcancel"))]
WRITTEN = [path for path in EDITS if path not in REFUSED]


def frames(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What was said, and by whom: "in" is the agent."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            frame = json.loads(line)
            if isinstance(frame.get("msg"), dict):
                yield frame["dir"], frame["msg"]


class Played(Desk):
    """A recording with its files: the agent writes when the recorded one was allowed to."""

    def __init__(self, path: Path, *, is_open: bool = False, late: bool = False) -> None:
        super().__init__()
        self.files.folders = ["/workspace"]
        self.files.on_disk[HELLO] = OLD
        self.session = Session("s", "s", "agent", "/workspace", 2)
        self.late = late
        self.written = path in WRITTEN
        self.edits_hello = path in EDITS
        self.edit: str | None = None
        self.asked: dict[Any, str] = {}
        self.v2 = "-v2" in path.stem or path.stem.startswith("sdk-v2")
        if is_open:
            self.open_at(HELLO)
        adapter: Adapter = V2Adapter() if self.v2 else V1Adapter()
        for side, message in frames(path):
            self.now += 0.01
            if side == "in":
                self._heard(adapter, message)
            else:
                self._answered(message)
        self.passes(3)

    def open_at(self, where: str) -> None:
        self.files.open[where] = Document(where, 1, self.files.on_disk[where])
        self.review.document_opened(self.now, where)

    def _heard(self, adapter: Adapter, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params") or {}
        if method == "fs/write_text_file":
            if self.edits_hello:
                assert (params["path"], params["content"]) == (HELLO, NEW)
            self._write()
        elif method is not None:
            heard = adapter.incoming(method, params).value
            if isinstance(heard, SessionUpdates):
                for update in heard.updates:
                    self._update(update)
            elif isinstance(heard, PermissionRequest):
                self._ask(message["id"], heard)

    def _ask(self, request: Any, heard: PermissionRequest) -> None:
        if isinstance(heard.subject, ToolCallSubject):
            self._update(heard.subject.tool_call)
            call_id = heard.subject.tool_call.tool_call_id
            self.asked[request] = call_id
            self.asks(call_id)

    def _answered(self, message: dict[str, Any]) -> None:
        call_id = self.asked.pop(message.get("id"), None)
        if call_id is not None and "result" in message:
            allowed = self.written
            self.answers(call_id, allow=allowed)
            if allowed and call_id == self.edit and not self.late:
                self._write()

    def _update(self, update: Update) -> None:
        if not isinstance(update, ToolCallUpdate | ToolCallContentChunk):
            return
        effect = apply(self.session, update)
        call = self.session.tool_calls[update.tool_call_id]
        if any(item.type == "diff" for item in call.content):
            self.edit = call.tool_call_id
        ends = call.tool_call_id == self.edit and call.status == "completed"
        if ends and not self.late:
            self._write()
        self.review.tool_call_changed(self.now, self.session, call, effect)
        if ends and self.late:
            self._write()

    def _write(self) -> None:
        if self.written and self.files.on_disk[HELLO] != NEW:
            self.files.on_disk[HELLO] = NEW
            document = self.files.open.get(HELLO)
            if document is not None:
                self.editor.change(HELLO, [TextEdit(0, len(document.text), NEW)])
            self.review.file_changed(self.now, HELLO)

    @property
    def edit_set(self) -> Any:
        return self.view(f"s/{self.edit}")


def ids(path: Path) -> str:
    return path.stem


def test_the_recordings_are_there() -> None:
    assert len(WRITTEN) >= 14
    assert len(REFUSED) >= 12


@pytest.mark.parametrize("path", WRITTEN, ids=ids)
@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("late", [False, True])
def test_an_edit_that_was_made_is_applied_and_can_be_undone(
    path: Path, is_open: bool, late: bool
) -> None:
    desk = Played(path, is_open=is_open, late=late)
    view = desk.edit_set
    (file,) = view["files"]
    assert (view["state"], file["operation"], file["path"]) == ("applied", "modify", HELLO)
    assert [hunk["state"] for hunk in file["hunks"]] == ["applied"]
    assert (file["added"], file["removed"]) == (2, 1)
    assert desk.choose("reject", change_set=view["changeSet"])["failed"] == []
    assert desk.files.read(HELLO).text == OLD
    assert desk.undo()["failed"] == []
    assert desk.files.read(HELLO).text == NEW
    (net,) = desk.view("s/net")["files"]
    assert (net["path"], net["added"], net["removed"]) == (HELLO, 2, 1)


@pytest.mark.parametrize("path", REFUSED, ids=ids)
def test_an_edit_that_was_refused_is_a_proposal_or_gone(path: Path) -> None:
    desk = Played(path)
    assert desk.files.on_disk[HELLO] == OLD
    assert desk.view("s/net") is None
    view = desk.edit_set
    if view is None:
        return
    assert view["state"] in ("proposed", "unknown")
    answer = desk.choose("accept", change_set=view["changeSet"])
    if view["files"][0]["hunks"]:
        assert answer["failed"] == []
        assert desk.files.on_disk[HELLO] == NEW
    else:
        assert desk.files.on_disk[HELLO] == OLD


@pytest.mark.parametrize("path", sorted(RECORDINGS.glob("*.jsonl")), ids=ids)
def test_every_recording_can_be_reviewed_to_its_end(path: Path) -> None:
    desk = Played(path)
    found = {p["code"] for each in desk.review.view() for f in each["files"] for p in f["problems"]}
    # Only the files of the edit scenario are played; pieces of others are not in them.
    assert found <= (set() if path in EDITS else {"snippet-not-found"})
    assert desk.review.deadline() is None
