"""Transcripts of sessions of real agents: readable, safe, and the same by deltas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.features.messages import TERMINAL, TRANSCRIPT
from acp_sidecar.features.terminal import Terminals
from acp_sidecar.features.transcript.deltas import Transcripts
from acp_sidecar.session import reducer
from acp_sidecar.session.state import Session
from acp_sidecar.session.updates import StateUpdate, Update
from acp_sidecar.wire.protocol import Adapter, SessionUpdates
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v2.adapter import V2Adapter
from tests.features.rich_editor import RecordingEditor, TerminalModel, TranscriptModel
from tests.features.transcript.test_safe_markdown import parse

RECORDINGS = sorted((Path(__file__).resolve().parents[2] / "recordings").glob("*.jsonl"))
SNAPSHOTS = Path(__file__).resolve().parent / "snapshots"


class Player:
    """Plays what an agent said, and the client's prompts, into the features."""

    def __init__(self, path: Path) -> None:
        frames = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        self.frames = [frame for frame in frames if isinstance(frame.get("msg"), dict)]
        self.version = self._spoken()
        self.adapter: Adapter = V2Adapter() if self.version == 2 else V1Adapter()
        self.editor = RecordingEditor()
        self.transcripts = Transcripts(self.editor)
        self.terminals = Terminals(self.editor)
        self.sessions: dict[str, Session] = {}
        self._prompts: dict[Any, str] = {}

    def play(self) -> None:
        for frame in self.frames:
            self._hear(frame["dir"], frame["msg"], frame["t"])
            self.transcripts.tick(frame["t"])
            self.terminals.tick(frame["t"])
        for feature in (self.transcripts, self.terminals):
            while (deadline := feature.deadline()) is not None:
                feature.tick(deadline)

    def _spoken(self) -> int:
        versions = [
            frame["msg"]["result"]["protocolVersion"]
            for frame in self.frames
            if frame["dir"] == "in"
            and isinstance(frame["msg"].get("result"), dict)
            and "protocolVersion" in frame["msg"]["result"]
        ]
        return int(versions[-1]) if versions else 1

    def _hear(self, direction: str, message: dict[str, Any], now: float) -> None:
        method, params = message.get("method"), message.get("params") or {}
        if direction == "out" and method == "session/prompt":
            self._prompts[message["id"]] = params["sessionId"]
            session = self._session(params["sessionId"])
            reducer.prompt_sent(session)
            updates = self.adapter.prompt_updates(params["sessionId"], params["prompt"])
            self._apply(now, session, updates)
        elif direction == "in" and method == "session/update":
            heard = self.adapter.incoming(method, params).value
            if isinstance(heard, SessionUpdates):
                self._apply(now, self._session(heard.session_id), heard.updates)
        elif direction == "in" and message.get("id") in self._prompts and self.version == 1:
            result = message.get("result") or {}
            reason = result.get("stopReason", "error")
            session = self._session(self._prompts.pop(message["id"]))
            self._apply(now, session, [StateUpdate(state="idle", stop_reason=reason)])

    def _session(self, session_id: str) -> Session:
        if session_id not in self.sessions:
            key = f"session {len(self.sessions)}"
            session = Session(key, session_id, "agent", "/workspace", self.version)
            self.sessions[session_id] = session
        return self.sessions[session_id]

    def _apply(self, now: float, session: Session, updates: Any) -> None:
        applied: list[tuple[Update, reducer.Effect]] = [
            (update, reducer.apply(session, update)) for update in updates
        ]
        for update, effect in applied:
            self.transcripts.changed(now, session, update, effect)
            self.terminals.changed(now, session, update, effect)


@pytest.fixture(scope="module", params=RECORDINGS, ids=lambda path: path.stem)
def played(request: pytest.FixtureRequest) -> Player:
    player = Player(request.param)
    player.play()
    return player


def test_deltas_make_the_same_document(played: Player) -> None:
    for session in played.sessions.values():
        model = TranscriptModel()
        for params in played.editor.of(TRANSCRIPT):
            if params["sessionId"] == session.key:
                model.take(params)
        if model.blocks:
            assert model.markdown() == played.transcripts.markdown(session)


def test_nothing_in_it_acts(played: Player) -> None:
    for session in played.sessions.values():
        tokens = parse(played.transcripts.markdown(session))
        types = {token.type for token in tokens}
        assert not types & {"html_block", "html_inline", "image"}
        links = [str(token.attrGet("href")) for token in tokens if token.type == "link_open"]
        assert all(link.startswith(("file:///", "https://")) for link in links)


def test_every_message_and_call_is_there(played: Player) -> None:
    for session in played.sessions.values():
        kinds = [
            str(token.content)
            for token in parse(played.transcripts.markdown(session))
            if token.type == "inline"
        ]
        assert sum(each == "You" for each in kinds) == sum(k == "user" for k, _ in session.timeline)
        assert len(kinds) >= len(session.timeline)


def test_terminals_arrive_whole(played: Player) -> None:
    for session in played.sessions.values():
        for terminal in session.terminals.values():
            model = TerminalModel()
            for params in played.editor.of(TERMINAL):
                if (params["sessionId"], params["terminalId"]) == (
                    session.key,
                    terminal.terminal_id,
                ):
                    model.take(params)
            assert model.data == terminal.output.kept()


@pytest.mark.parametrize(
    "name",
    [
        "claude-agent-acp-0.101.0-edit-v2",
        "codex-acp-2.6.0-edit-v2-reject",
        "gemini-cli-0.61.0-mixed",
        "sdk-v2agent-2.4.0-allfeatures",
    ],
)
def test_snapshots(name: str) -> None:
    """How whole transcripts look. Read the difference before taking a new one over."""
    player = Player(next(path for path in RECORDINGS if path.stem == name))
    player.play()
    documents = [player.transcripts.markdown(session) for session in player.sessions.values()]
    snapshot = SNAPSHOTS / f"{name}.md"
    assert "\n".join(documents) == snapshot.read_text(encoding="utf-8")
