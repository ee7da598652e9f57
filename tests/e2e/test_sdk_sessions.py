"""The whole line with the SDK agents: what `acp.state` says of sessions and their turns."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from tests.harness import Answers, Editor, EditorError, start_sidecar
from tests.peers.project import NUMBERS
from tests.peers.sdk_agent import client_faults, sdk_command

Json = dict[str, Any]

pytestmark = pytest.mark.e2e


def text_of(session: Json, role: str) -> str:
    """All text that one role said."""
    return "".join(
        block.get("text", "")
        for message in session["messages"]
        if message["role"] == role
        for block in message["content"]
    )


def agent_view(state: Json, name: str = "peer") -> Json:
    found: Json = next(agent for agent in state["agents"] if agent["name"] == name)
    return found


async def test_a_turn_is_told(editor: Editor, protocol: int) -> None:
    session = await editor.turn("[[peer:hello]]")
    assert session["protocolVersion"] == protocol
    assert (session["state"], session["stopReason"]) == ("idle", "end_turn")
    assert text_of(session, "user") == "[[peer:hello]]"
    assert text_of(session, "thought") == "A greeting will do."
    assert text_of(session, "agent") == "Hello from the scripted agent."
    assert len(session["messages"]) == 3


async def test_a_read_has_its_line(editor: Editor, project: Path) -> None:
    session = await editor.turn("[[peer:read]]")
    (call,) = session["toolCalls"]
    assert (call["name"], call["kind"], call["status"]) == ("read_file", "read", "completed")
    assert call["locations"] == [{"path": str(project / "numbers.txt"), "line": 40}]
    assert call["content"][0]["content"]["text"].startswith("line 40\n")
    assert call["rawOutput"] == {"lines": 5}


async def test_a_plan_is_replaced_by_its_next_version(editor: Editor) -> None:
    session = await editor.turn("[[peer:plan]]")
    (plan,) = session["plans"]
    assert [entry["status"] for entry in plan["entries"]] == ["completed"] * 3


async def test_an_agent_error_ends_the_turn(editor: Editor) -> None:
    session = await editor.turn("[[peer:error]]")
    assert session["stopReason"] == "error"
    assert "the scripted failure" in session["error"]["message"]
    again = await editor.turn("[[peer:hello]]")
    assert again["sessionId"] == session["sessionId"]
    assert again["stopReason"] == "end_turn"


async def test_output_of_a_command(editor: Editor, protocol: int) -> None:
    editor.answers = Answers("Allow")
    session = await editor.turn("[[peer:command]]")
    (terminal,) = session["terminals"]
    assert terminal["output"] == "one\n\u20ac two\n"
    raw = await editor.command("acp.terminal.output", {"terminalId": terminal["terminalId"]})
    assert b64decode(raw["data"]) == b"\x1b[32mone\x1b[0m\n\xe2\x82\xac two\n"
    assert terminal["exitStatus"]["exitCode"] == 3
    assert {"type": "terminal", "terminalId": terminal["terminalId"]} in session["toolCalls"][0][
        "content"
    ]
    if protocol == 2:
        assert terminal["command"] == "node coloured.js"


async def test_output_is_seen_while_the_command_runs(editor: Editor) -> None:
    editor.answers = Answers("Allow")
    session = await editor.prompt("[[peer:slow]]")
    seen = await editor.until(
        lambda state: "tick 2" in "".join(t["output"] for t in state["sessions"][0]["terminals"])
    )
    assert seen["sessions"][0]["busy"]
    await editor.command("acp.cancel", {"sessionId": session})
    ended = await editor.idle(session)
    assert ended["stopReason"] == "cancelled"
    assert [call["status"] for call in ended["toolCalls"]] == ["cancelled"]


@pytest.mark.parametrize("protocol", [2], indirect=True)
@pytest.mark.parametrize("what", ["terminal", "toolCall"])
async def test_one_command_is_stopped_alone(editor: Editor, what: str) -> None:
    editor.answers = Answers("Allow")
    session = await editor.prompt("[[peer:slow]]")
    state = await editor.until(
        lambda state: "tick" in "".join(t["output"] for t in state["sessions"][0]["terminals"])
    )
    running = state["sessions"][0]
    identifier = f"{what}Id"
    thing = running["terminals" if what == "terminal" else "toolCalls"][0][identifier]
    await editor.command(f"acp.{what}.stop", {"sessionId": session, identifier: thing})
    ended = await editor.idle(session)
    assert ended["stopReason"] == "end_turn"
    assert ended["terminals"][0]["exitStatus"] == {"signal": "SIGTERM"}
    with pytest.raises(EditorError):
        await editor.command(f"acp.{what}.stop", {"sessionId": session, identifier: thing})


async def test_updates_after_the_turn_are_kept(editor: Editor) -> None:
    session = await editor.turn("[[peer:late]]")
    state = await editor.until(
        lambda state: state["sessions"][0]["title"] == "A title that came late"
    )
    assert state["sessions"][0]["toolCalls"][0]["status"] == "completed"
    assert not state["sessions"][0]["busy"]
    assert session["sessionId"] == state["sessions"][0]["sessionId"]


async def test_updates_before_the_session_is_known_are_kept(protocol: int, project: Path) -> None:
    command = sdk_command(protocol, "--early-updates")
    async with start_sidecar(project, agents={"peer": {"command": command}}) as editor:
        session = await editor.turn("[[peer:hello]]")
        assert session["title"] == "Named before it was known"


async def test_everything_at_once_leaves_no_problem(editor: Editor, protocol: int) -> None:
    await editor.command("acp.session.new")
    await editor.until(lambda state: bool(state["sessions"][0]["availableCommands"]))
    session = await editor.turn("[[peer:allfeatures]]")
    state = await editor.state()
    assert state["problems"] == []
    assert session["title"] == "Everything at once"
    assert (session["usage"]["used"], session["usage"]["cost"]["currency"]) == (1200, "EUR")
    assert session["notices"][0]["title"] == "Model changed"
    assert session["compactions"][0]["status"] == "completed"
    assert [command["name"] for command in session["availableCommands"]] == ["only"]
    assert session["unknownUpdates"][0]["sessionUpdate"] == "_peer_widget"
    model = next(o for o in session["configOptions"] if o["configId"] == "model")
    assert model["currentValue"] == "large"
    if protocol == 2:
        assert session["terminals"][0]["output"] == "snapshot\nafter the snapshot\n"


@pytest.mark.parametrize("protocol", [2], indirect=True)
async def test_patches_mean_what_v2_says(editor: Editor) -> None:
    (call,) = (await editor.turn("[[peer:patches]]"))["toolCalls"]
    assert (call["title"], call["kind"], call["status"]) == ("Last", "other", "completed")
    assert call["locations"] == []
    assert [item["content"]["text"] for item in call["content"]] == ["D"]
    assert call["_meta"] == {"peer.example/b": 2}


@pytest.mark.parametrize(
    ("option", "value"), [("mode", "code"), ("model", "large"), ("verbose", True)]
)
async def test_options_of_each_type_are_set(editor: Editor, option: str, value: str | bool) -> None:
    await editor.command("acp.session.new")
    await editor.command("acp.session.setOption", {"option": option, "value": value})
    state = await editor.until(lambda state: _option(state, option) == value)
    assert len(state["sessions"][0]["configOptions"]) == 3


def _option(state: Json, option: str) -> Any:
    options = state["sessions"][0]["configOptions"]
    return next(o["currentValue"] for o in options if o["configId"] == option)


async def test_options_from_the_settings_are_set_in_new_sessions(
    protocol: int, project: Path, faults: Path
) -> None:
    command = sdk_command(protocol, "--faults", str(faults))
    settings = {"command": command, "options": {"mode": "code", "verbose": True}}
    async with start_sidecar(project, agents={"peer": settings}) as editor:
        await editor.turn("[[peer:hello]]")
        state = await editor.state()
        assert (_option(state, "mode"), _option(state, "verbose")) == ("code", True)
    assert client_faults(faults) == []


async def test_sessions_are_listed_closed_and_deleted(editor: Editor, project: Path) -> None:
    opened = [(await editor.command("acp.session.new"))["sessionId"] for _ in range(3)]
    first = await editor.command("acp.session.list")
    rest = await editor.command("acp.session.list", {"cursor": first["nextCursor"]})
    assert [info["sessionId"] for info in first["sessions"] + rest["sessions"]] == opened
    assert first["sessions"][0]["cwd"] == str(project)
    await editor.command("acp.session.close", {"sessionId": opened[0]})
    await editor.command("acp.session.delete", {"sessionId": opened[1]})
    left = await editor.command("acp.session.list")
    assert [info["sessionId"] for info in left["sessions"]] == [opened[0], opened[2]]


async def test_a_session_is_resumed_with_its_past(
    protocol: int, project: Path, tmp_path: Path, faults: Path
) -> None:
    kept = str(tmp_path / "sessions.json")
    command = sdk_command(protocol, "--sessions", kept, "--faults", str(faults))
    agents = {"peer": {"command": command}}
    async with start_sidecar(project, agents=agents) as editor:
        editor.answers = Answers("Allow")
        before = await editor.turn("[[peer:read]]")
    async with start_sidecar(project, agents=agents) as editor:
        await editor.command("acp.session.resume", {"sessionId": before["sessionId"]})
        after = await editor.session(before["sessionId"])
        assert after["toolCalls"] == before["toolCalls"]
        assert text_of(after, "user") == text_of(before, "user")
        assert text_of(after, "agent") == text_of(before, "agent")
        assert not after["busy"]
        assert editor.sent("window/showDocument") == []  # the past is not followed
    assert client_faults(faults) == []


async def test_an_agent_of_both_versions_is_spoken_to_in_the_newer(project: Path) -> None:
    agents = {"peer": {"command": sdk_command("both")}}
    async with start_sidecar(project, agents=agents) as editor:
        assert (await editor.turn("[[peer:hello]]"))["protocolVersion"] == 2


async def test_the_version_can_be_chosen(project: Path) -> None:
    agents = {"peer": {"command": sdk_command("both"), "protocol": 1}}
    async with start_sidecar(project, agents=agents) as editor:
        assert (await editor.turn("[[peer:hello]]"))["protocolVersion"] == 1


async def test_login_and_logout(editor: Editor) -> None:
    await editor.command("acp.agent.start")
    methods = agent_view(await editor.state())["authMethods"]
    assert [method["methodId"] for method in methods] == ["pretend", "terminal"]
    await editor.command("acp.agent.login", {"methodId": "pretend"})
    await editor.command("acp.agent.logout")


async def test_the_agent_is_restarted(editor: Editor) -> None:
    await editor.turn("[[peer:hello]]")
    view = await editor.command("acp.agent.restart")
    assert view["state"] == "ready"
    session = (await editor.command("acp.session.new"))["sessionId"]
    assert (await editor.turn("[[peer:hello]]", sessionId=session))["stopReason"] == "end_turn"


async def test_two_sessions_of_one_agent_are_kept_apart(editor: Editor) -> None:
    editor.answers = Answers("Allow")
    first, second = [(await editor.command("acp.session.new"))["sessionId"] for _ in range(2)]
    turns = [("[[peer:read]]", first), ("[[peer:command]]", second)]
    read, ran = await asyncio.gather(
        *(editor.turn(text, sessionId=session) for text, session in turns)
    )
    assert [call["kind"] for call in read["toolCalls"]] == ["read"]
    assert [call["kind"] for call in ran["toolCalls"]] == ["execute"]


@pytest.mark.parametrize("protocol", [1], indirect=True)
async def test_client_files_are_served(editor: Editor, project: Path) -> None:
    said = text_of(await editor.turn("[[peer:client_files]]"), "agent")
    assert said == 'read "line 40\\nline 41\\n", missing -32002'
    written = (project / "numbers.txt").read_text(encoding="utf-8")
    assert written == NUMBERS.replace("line 10\n", "line ten\n")


@pytest.mark.parametrize("protocol", [1], indirect=True)
async def test_client_terminals_are_served(editor: Editor) -> None:
    session = await editor.turn("[[peer:client_terminal]]")
    assert text_of(session, "agent") == 'exit 3, "from the client\\n", truncated false'
    (terminal,) = session["terminals"]
    assert (terminal["output"], terminal["exitStatus"]["exitCode"]) == ("from the client\n", 3)
    (call,) = session["toolCalls"]
    assert call["content"] == [{"type": "terminal", "terminalId": terminal["terminalId"]}]


async def test_what_is_switched_off_is_not_offered(project: Path, faults: Path) -> None:
    agents = {"peer": {"command": sdk_command(1, "--faults", str(faults))}}
    off = {"client": {"readFiles": False, "writeFiles": False, "terminals": False}}
    async with start_sidecar(project, agents=agents, options=off) as editor:
        await editor.turn("[[peer:client_files]]")
        said = text_of(await editor.turn("[[peer:client_terminal]]"), "agent")
    assert said == "The client offers no files.The client offers no terminal."
    assert client_faults(faults) == []
