"""Every recording of a real agent can be replayed, to the same client and to a different one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.replay.account import account
from acp_sidecar.replay.player import Player
from acp_sidecar.replay.roots import Roots
from acp_sidecar.replay.script import script_of
from acp_sidecar.wire.trace import Direction, TraceLine
from tests.replay.recorded import NAMES, RECORDINGS, RecordedClient, lines_of, said

FELL_SILENT = {
    "claude-agent-acp-0.101.0-error500",
    "claude-agent-acp-zed-0.23.1-error500",
    "gemini-cli-0.61.0-error500",
}
"""Recordings of agents that never ended their turn when the model failed."""

ON_A_PIPE = [
    "claude-agent-acp-0.101.0-v2-life",
    "claude-agent-acp-zed-0.23.1-mixed",
    "codex-acp-0.16.0-edit-permcancel",
    "codex-acp-2.6.0-v2-mixed",
    "gemini-cli-0.61.0-edit-client-fs-term",
    "opencode-1.18.33-slow-cancel",
    "sdk-v2agent-2.4.0-allfeatures",
]
"""One recording of each agent; the others differ in nothing that a pipe could matter to."""

every_recording = pytest.mark.parametrize("path", RECORDINGS, ids=NAMES)


def test_the_recordings_are_there() -> None:
    assert len(RECORDINGS) == 69


@every_recording
def test_the_same_client_hears_the_same_and_differs_in_nothing(path: Path) -> None:
    lines = lines_of(path)
    player = Player(script_of(lines), Roots([]))
    heard = said(player.start())
    for before, message in RecordedClient(lines).turns():
        assert heard == before
        heard = said(player.receive(message) if message is not None else player.close())
    assert heard == []
    assert player.take_differences() == []


@pytest.mark.parametrize("stem", ON_A_PIPE)
def test_the_same_client_on_the_other_side_of_a_pipe(stem: str) -> None:
    path = next(path for path in RECORDINGS if path.stem == stem)
    process = subprocess.Popen(
        [sys.executable, "-m", "acp_sidecar", "replay", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    with process:
        for before, message in RecordedClient(lines_of(path)).turns():
            for expected in before:
                assert json.loads(process.stdout.readline()) == expected
            if message is not None:
                process.stdin.write(json.dumps(message).encode() + b"\n")
                process.stdin.flush()
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.stderr.read() == b""
    assert process.returncode == 0


@every_recording
def test_moved_to_another_root_no_old_path_is_left(path: Path, tmp_path: Path) -> None:
    roots = Roots([("/workspace", str(tmp_path))])
    lines = lines_of(path)
    player = Player(script_of(lines), roots)
    heard = player.start()
    for _before, message in RecordedClient(lines).turns():
        heard += player.receive(roots.map(message)) if message is not None else player.close()
    assert player.take_differences() == []
    text = b"".join(heard).decode()
    assert text.count("/workspace") == text.count("/workspace~cut")
    assert (str(tmp_path) in text) == any(
        "/workspace" in json.dumps(line.msg) for line in lines if line.dir is Direction.IN
    )


class OtherClient:
    """A client that was not there: other names, other ids, other requests, other words."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.heard = said(player.start())
        self.answers: dict[int, dict[str, Any]] = {}
        self.turn_over = False
        self.next_id = 500
        self.take(self.heard)

    def send(self, message: dict[str, Any]) -> None:
        heard = said(self.player.receive({"jsonrpc": "2.0", **message}))
        self.heard += heard
        self.take(heard)

    def take(self, heard: list[dict[str, Any]]) -> None:
        for message in heard:
            if "id" in message and "method" not in message:
                self.answers[message["id"]] = message
            if message.get("params", {}).get("update", {}).get("state") == "idle":
                self.turn_over = True
        for message in heard:
            if "id" in message and "method" in message:
                self.send({"id": message["id"], **self.answer(message)})

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["method"] == "session/request_permission":
            option = request["params"]["options"][-1]["optionId"]
            return {"result": {"outcome": {"outcome": "selected", "optionId": option}}}
        return {"error": {"code": -32601, "message": "no"}}

    def ask(self, method: str, **params: Any) -> dict[str, Any] | None:
        self.next_id += 1
        asked = self.next_id
        self.send({"id": asked, "method": method, "params": params})
        return self.answers.get(asked)

    def prompt(self, session: str) -> bool:
        """Prompt, and cancel if that does not end the turn; gives whether it ended."""
        self.turn_over = False
        content = [{"type": "text", "text": "something else"}]
        answer = self.ask("session/prompt", sessionId=session, prompt=content)
        if not self.over(answer):
            self.send({"method": "session/cancel", "params": {"sessionId": session}})
        return self.over(self.answers.get(self.next_id))

    def over(self, answer: dict[str, Any] | None) -> bool:
        done = answer is not None and ("error" in answer or "stopReason" in answer["result"])
        return done or self.turn_over


def answer_in(lines: list[TraceLine], method: str) -> dict[str, Any] | None:
    """What the recorded agent answered to the first request of a method."""
    for line in lines:
        if line.dir is Direction.OUT and line.msg.get("method") == method:
            return next(
                (
                    later.msg
                    for later in lines
                    if later.number > line.number
                    and later.dir is Direction.IN
                    and "method" not in later.msg
                    and later.msg["id"] == line.msg["id"]
                ),
                None,
            )
    return None


@every_recording
def test_a_different_client_is_never_left_waiting(path: Path) -> None:
    lines = lines_of(path)
    player = Player(script_of(lines), Roots([]))
    client = OtherClient(player)
    info = {"name": "someone-else", "version": "9"}
    started = client.ask("initialize", protocolVersion=2, info=info, capabilities={})
    recorded = answer_in(lines, "initialize")
    assert started is not None
    assert recorded is not None
    assert {**started, "id": 0} == recorded
    assert client.ask("session/list") is not None
    opened = client.ask("session/new", cwd="/elsewhere", mcpServers=[])
    new = answer_in(lines, "session/new")
    assert opened is not None
    if new is None or "result" not in new:
        return
    assert opened["result"] == new["result"]
    session = opened["result"]["sessionId"]
    extra = client.ask("session/set_config_option", sessionId=session, configId="x", value="y")
    assert extra is not None
    prompts = [line for line in lines if line.dir is Direction.OUT]
    count = sum(line.msg.get("method") == "session/prompt" for line in prompts)
    ended = [client.prompt(session) for _ in range(count)]
    # A recorded agent that fell silent falls silent again; every other turn comes to its end.
    assert ended.count(False) == (1 if path.stem in FELL_SILENT else 0)
    told = [message for message in client.heard + said(player.close()) if "method" in message]
    assert told == [line.msg for line in lines if line.dir is Direction.IN and "method" in line.msg]
    assert any("elsewhere" in difference.text for difference in player.take_differences())


@every_recording
def test_the_account_reads_well(path: Path) -> None:
    text = list(account(lines_of(path)))
    assert text[0].startswith("agent     ")
    assert text[0] != "agent     did not answer initialize"
    assert all(line.isprintable() for line in text)
    assert max(map(len, text)) < 240
    body = [line for line in text if line[:6].strip().isdecimal()]
    messages = sum(line.count("(x") == 1 for line in body)
    assert len(body) + messages <= len(lines_of(path)) + 1
    assert len(list(account(lines_of(path), whole=True))) >= len(text)


def test_the_account_of_one_recording() -> None:
    path = next(path for path in RECORDINGS if path.stem == "sdk-v2agent-2.4.0-edit")
    golden = Path(__file__).parent / "sdk-v2agent-2.4.0-edit.txt"
    assert "\n".join(account(lines_of(path))) + "\n" == golden.read_text(encoding="utf-8")
