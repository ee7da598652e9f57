"""The SDK agents by themselves, driven by the raw client: they must do what tests rely on."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.peers.project import GREET, GREETED
from tests.peers.raw_client import Json, RawClient, RpcError, choose, dismiss, running
from tests.peers.sdk_agent import sdk_command

pytestmark = pytest.mark.e2e


@pytest.fixture(params=[1, 2], ids=["v1", "v2"])
async def peer(request: pytest.FixtureRequest, project: Path) -> AsyncIterator[RawClient]:
    protocol: int = request.param
    async with running(sdk_command(protocol), project, protocol) as client:
        await client.initialize(elicitation={"form": {}, "url": {}})
        yield client
    assert client.client_faults() == []


def calls(client: RawClient) -> dict[str, Json]:
    """The tool calls as their updates leave them; enough of a reducer for these tests."""
    state: dict[str, Json] = {}
    for update in client.updates:
        if update["sessionUpdate"] in {"tool_call", "tool_call_update"}:
            state.setdefault(update["toolCallId"], {}).update(update)
    return state


def ticks(client: RawClient) -> bool:
    """Whether the slow command has printed something (v1 has it as text, v2 in base64)."""
    heard = str(client.updates)
    return "tick 1" in heard or base64.b64encode(b"tick 1\n").decode() in heard


def variants(protocol: int) -> set[str]:
    """The kinds of `session/update` that the SDK's schema of this version names."""
    package = Path(sdk_command(protocol)[1]).parent / "node_modules/@agentclientprotocol/sdk"
    path = package / "schema" / f"v{protocol}" / "schema.json"
    update = json.loads(path.read_text(encoding="utf-8"))["$defs"]["SessionUpdate"]
    kinds = [
        variant["properties"]["sessionUpdate"] for variant in update.get("oneOf") or update["anyOf"]
    ]
    return {kind["const"] for kind in kinds if "const" in kind}


def only_call(client: RawClient) -> Json:
    (call,) = calls(client).values()
    return call


async def test_read_has_a_line(peer: RawClient, project: Path) -> None:
    session = await peer.new_session(project)
    assert await peer.prompt(session, "[[peer:read]]") == "end_turn"
    call = only_call(peer)
    assert call["locations"] == [{"path": str(project / "numbers.txt"), "line": 40}]
    assert call["content"][0]["content"]["text"].startswith("line 40\n")


async def test_edit_writes_when_allowed(peer: RawClient, project: Path) -> None:
    session = await peer.new_session(project)
    assert await peer.prompt(session, "[[peer:edit]]") == "end_turn"
    assert (project / "greet.py").read_text(encoding="utf-8") == GREETED
    (diff,) = only_call(peer)["content"]
    if peer.protocol == 1:
        assert (diff["oldText"], diff["newText"]) == (GREET, GREETED)
    else:
        path = project / "greet.py"
        assert diff["changes"] == [{"operation": "modify", "path": str(path), "fileType": "text"}]
        assert f"--- {path}\t\n+++ {path}\t\n@@ -2,7 +2,8 @@" in diff["patch"]["text"]


@pytest.mark.parametrize(
    ("answer", "ends"), [(choose("reject_once"), "end_turn"), (dismiss, "cancelled")]
)
async def test_edit_does_not_write_otherwise(
    peer: RawClient, project: Path, answer: Any, ends: str
) -> None:
    peer.answers["session/request_permission"] = answer
    session = await peer.new_session(project)
    assert await peer.prompt(session, "[[peer:edit]]") == ends
    assert (project / "greet.py").read_text(encoding="utf-8") == GREET


async def test_rename(peer: RawClient, project: Path) -> None:
    session = await peer.new_session(project)
    assert await peer.prompt(session, "[[peer:rename]]") == "end_turn"
    assert not (project / "old_name.txt").exists()
    assert (project / "new_name.txt").read_text(encoding="utf-8") == "one\ntwo\nafter\nfour\n"


async def test_command_output_comes_whole(peer: RawClient, project: Path) -> None:
    session = await peer.new_session(project)
    assert await peer.prompt(session, "[[peer:command]]") == "end_turn"
    if peer.protocol == 2:
        chunks = [u for u in peer.updates if u["sessionUpdate"] == "terminal_output_chunk"]
        output = b"".join(base64.b64decode(chunk["data"]) for chunk in chunks).decode()
        assert len(chunks) > 1
    else:
        metas = [update.get("_meta", {}) for update in peer.updates]
        output = "".join(meta.get("terminal_output", {}).get("data", "") for meta in metas)
    assert output == "\x1b[32mone\x1b[0m\n\u20ac two\n"
    assert only_call(peer)["rawOutput"]["exitCode"] == 3


async def test_slow_is_cancelled(peer: RawClient, project: Path) -> None:
    session = await peer.new_session(project)
    turn = asyncio.create_task(peer.prompt(session, "[[peer:slow]]"))
    await peer.until(lambda: ticks(peer))
    await peer.cancel(session)
    assert await turn == "cancelled"


async def test_two_permissions_are_open_at_once(peer: RawClient, project: Path) -> None:
    async def when_both(params: Json) -> Json:
        await peer.until(lambda: len(peer.requests) == 2)
        return await choose("allow_once")(params)

    peer.answers["session/request_permission"] = when_both
    session = await peer.new_session(project)
    assert await peer.prompt(session, "[[peer:two_permissions]]") == "end_turn"
    assert [call["status"] for call in calls(peer).values()] == ["completed", "completed"]


async def test_elicitation(peer: RawClient, project: Path) -> None:
    async def accept(params: Json) -> Json:
        content = {"strategy": "quick"} if params["mode"] == "form" else None
        return {"action": "accept", **({"content": content} if content else {})}

    peer.answers["elicitation/create"] = accept
    session = await peer.new_session(project)
    assert await peer.prompt(session, "[[peer:form]]") == "end_turn"
    assert await peer.prompt(session, "[[peer:url]]") == "end_turn"
    assert 'elicitation accept {"strategy":"quick"}' in peer.said()
    assert [note["method"] for note in peer.notifications] == ["elicitation/complete"]


@pytest.mark.parametrize("story", ["two_files", "new_file", "delete", "plan", "unknown_call"])
async def test_story_ends(peer: RawClient, project: Path, story: str) -> None:
    session = await peer.new_session(project)
    assert await peer.prompt(session, f"[[peer:{story}]]") == "end_turn"


async def test_allfeatures_and_replay(peer: RawClient, project: Path) -> None:
    session = await peer.new_session(project)
    assert await peer.prompt(session, "[[peer:allfeatures]]") == "end_turn"
    kinds = {update["sessionUpdate"] for update in peer.updates}
    assert kinds >= variants(peer.protocol)
    assert "_peer_widget" in kinds
    live = calls(peer)
    peer.updates.clear()
    again = {"sessionId": session, "cwd": str(project), "mcpServers": []}
    if peer.protocol == 2:
        await peer.request("session/resume", {**again, "replayFrom": {"type": "start"}})
    else:
        await peer.request("session/load", again)
    assert calls(peer) == live


async def test_error_ends_the_turn(peer: RawClient, project: Path) -> None:
    session = await peer.new_session(project)
    if peer.protocol == 2:
        assert await peer.prompt(session, "[[peer:error]]") == "error"
    else:
        with pytest.raises(RpcError, match="the scripted failure"):
            await peer.prompt(session, "[[peer:error]]")


async def test_late_updates_come_after_the_turn(peer: RawClient, project: Path) -> None:
    session = await peer.new_session(project)
    assert await peer.prompt(session, "[[peer:late]]") == "end_turn"
    titled = "session_info_update"  # other news of the session may come after it
    await peer.until(lambda: any(each["sessionUpdate"] == titled for each in peer.updates))
    assert only_call(peer)["status"] == "completed"


async def test_sessions_are_listed_in_pages_and_deleted(peer: RawClient, project: Path) -> None:
    opened = [await peer.new_session(project) for _ in range(3)]
    first = await peer.request("session/list", {})
    rest = await peer.request("session/list", {"cursor": first["nextCursor"]})
    listed = [info["sessionId"] for info in first["sessions"] + rest["sessions"]]
    assert listed == opened
    await peer.request("session/delete", {"sessionId": opened[0]})
    assert (await peer.request("session/list", {}))["sessions"][0]["sessionId"] == opened[1]


async def test_options(peer: RawClient, project: Path) -> None:
    session = await peer.new_session(project, mode="code", model="large")
    params = {"sessionId": session, "configId": "verbose", "type": "boolean", "value": True}
    answer = await peer.request("session/set_config_option", params)
    values = {o.get("id") or o.get("configId"): o["currentValue"] for o in answer["configOptions"]}
    assert values["model"] == "large"
    assert values["verbose"] is True


async def test_one_command_can_be_cancelled_alone(project: Path) -> None:
    async with running(sdk_command(2), project, 2) as peer:
        await peer.initialize()
        session = await peer.new_session(project)
        turn = asyncio.create_task(peer.prompt(session, "[[peer:slow]]"))
        await peer.until(lambda: ticks(peer))
        call = only_call(peer)["toolCallId"]
        await peer.request("tool_call/cancel", {"sessionId": session, "toolCallId": call})
        assert await turn == "end_turn"
        assert only_call(peer)["status"] == "cancelled"


async def test_updates_come_before_the_session_is_known(project: Path) -> None:
    async with running(sdk_command(2, "--early-updates"), project, 2) as peer:
        await peer.initialize()
        so_far = len(peer.order)
        await peer.new_session(project)
        assert peer.order[so_far] == "session/update"


async def test_both_versions_from_one_process(project: Path) -> None:
    for protocol in (1, 2):
        async with running(sdk_command("both"), project, protocol) as peer:
            await peer.initialize()
            session = await peer.new_session(project)
            assert await peer.prompt(session, "[[peer:hello]]") == "end_turn"
            assert peer.said() == "Hello from the scripted agent."


async def test_sessions_outlive_the_process(project: Path, tmp_path: Path) -> None:
    kept = str(tmp_path / "sessions.json")
    async with running(sdk_command(2, "--sessions", kept), project, 2) as peer:
        await peer.initialize()
        session = await peer.new_session(project)
        await peer.prompt(session, "[[peer:hello]]")
    async with running(sdk_command(2, "--sessions", kept), project, 2) as peer:
        await peer.initialize()
        again = {"sessionId": session, "cwd": str(project), "replayFrom": {"type": "start"}}
        await peer.request("session/resume", again)
        assert peer.said() == "Hello from the scripted agent."


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ({"id": 90, "method": "session/prompt", "params": {"sessionId": 7}}, "invalid params"),
        ({"id": 90, "method": "no/such", "params": {}}, "unknown method"),
        ({"id": 90, "result": {}}, "Got response to unknown request"),
        ({"method": "session/cancel", "params": {}}, "Error handling notification"),
    ],
)
async def test_the_referee_sees_client_faults(peer: RawClient, message: Json, fault: str) -> None:
    await peer.send(message)
    await peer.until(lambda: bool(peer.client_faults()))
    (line,) = peer.client_faults()
    assert fault in line
    peer.stderr.clear()


async def test_the_referee_sees_a_bad_answer(project: Path) -> None:
    async def nonsense(_params: Json) -> Json:
        return {"outcome": {"outcome": "selected"}}

    async with running(sdk_command(2), project, 2) as peer:
        await peer.initialize()
        peer.answers["session/request_permission"] = nonsense
        await peer.prompt(await peer.new_session(project), "[[peer:edit]]")
    assert any("answer to session/request_permission" in line for line in peer.client_faults())
