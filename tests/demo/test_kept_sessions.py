"""Sessions that outlive the agent's process."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.demo.agent.archive import MOST_BYTES, MOST_SESSIONS, Archive
from acp_sidecar.demo.agent.events import MessageChunk
from acp_sidecar.demo.agent.session import Session
from tests.demo.client import Client, Refused, started, story

KEEP = "--keep-sessions"
NOT_FOUND = -32002


def kept(state: Path) -> list[Path]:
    return sorted((state / "acp-sidecar" / "demo-sessions").glob("*"))


async def told_again(client: Client, session_id: str, cwd: Path) -> list[dict[str, Any]]:
    """Resume a session with its past; what is told of it before the answer."""
    params: dict[str, Any] = {"sessionId": session_id, "cwd": str(cwd), "mcpServers": []}
    if client.version == 1:
        await client.ask("session/load", **params)
    else:
        await client.ask("session/resume", **params, replayFrom={"type": "start"})
    return client.updates(session_id)


async def test_a_session_goes_on_in_another_process(
    version: int, sample: Path, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    async with started(version, KEEP, state=state) as client:
        session_id = await client.new_session(sample)
        await client.ask(
            "session/set_config_option",
            sessionId=session_id,
            configId="mode",
            value="auto-accept",
            **({} if version == 1 else {"type": "id"}),
        )
        await client.turn(session_id, "/tour")
        live = client.updates(session_id)
        (before,) = (await client.ask("session/list"))["sessions"]
    async with started(version, KEEP, state=state) as client:
        (listed,) = (await client.ask("session/list"))["sessions"]
        assert listed == before
        replayed = await told_again(client, session_id, sample)
        assert story(replayed) == story(live) | {"user": "/tour"}
        asked = len(client.said)
        await client.turn(session_id, "/edit README.md")
        assert not [each for each in client.said[asked:] if "permission" in each.get("method", "")]
        calls = [each["toolCallId"] for each in replayed if "toolCallId" in each]
        later = [each.get("toolCallId") for each in client.updates(session_id, asked)]
        assert not set(calls) & set(later), "an id is given once in a session"


async def test_without_it_nothing_is_written(version: int, tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with started(version, state=state) as client:
        await client.turn(await client.new_session(tmp_path), "/plan")
    assert not state.exists()


async def test_what_is_deleted_is_gone(version: int, tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with started(version, KEEP, state=state) as client:
        session_id = await client.new_session(tmp_path)
        await client.turn(session_id, "/plan")
        assert [path.stem for path in kept(state)] == [session_id]
    async with started(version, KEEP, state=state) as client:
        await client.ask("session/delete", sessionId=session_id)
        assert kept(state) == []
        with pytest.raises(Refused) as refused:
            await told_again(client, session_id, tmp_path)
        assert refused.value.code == NOT_FOUND


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "\udc80", '{"version": 2}', json.dumps({"version": 1, "history": [{}]})],
)
async def test_a_damaged_file_is_passed_over(text: str, tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with started(2, KEEP, state=state) as client:
        session_id = await client.new_session(tmp_path)
        await client.turn(session_id, "/plan")
    (path,) = kept(state)
    path.with_name("demo-other.json").write_bytes(path.read_bytes())  # of another name than its id
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    async with started(2, KEEP, state=state) as client:
        assert (await client.ask("session/list"))["sessions"] == []
        await client.turn(await client.new_session(tmp_path), "/plan")
        assert len((await client.ask("session/list"))["sessions"]) == 1


@pytest.mark.parametrize("session_id", ["../outside", "/etc/passwd", "*", "demo-\0"])
async def test_an_id_is_no_path(session_id: str, tmp_path: Path) -> None:
    state = tmp_path / "state"
    outside = state / "acp-sidecar" / "outside.json"
    outside.parent.mkdir(parents=True)
    outside.write_text("kept", encoding="utf-8")
    async with started(2, KEEP, state=state) as client:
        await client.turn(await client.new_session(tmp_path), "/plan")
        with pytest.raises(Refused) as refused:
            await told_again(client, session_id, tmp_path)
        assert refused.value.code == NOT_FOUND
        await client.ask("session/delete", sessionId=session_id)
    assert outside.exists()
    assert len(kept(state)) == 1


def test_the_last_ones_are_kept(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "kept")
    made = [Session(tmp_path) for _ in range(MOST_SESSIONS + 3)]
    for session in made:
        archive.keep(session)
    found = {session.session_id for session in archive.sessions()}
    assert found == {session.session_id for session in made[3:]}
    assert not list(archive.sessions(without=found))


def test_a_session_that_grows_too_large_is_kept_no_more(tmp_path: Path) -> None:
    archive, session = Archive(tmp_path / "kept"), Session(tmp_path)
    archive.keep(session)
    assert len(list(archive.sessions())) == 1
    heap = {"type": "text", "text": "x" * MOST_BYTES}
    session.history.append(MessageChunk("agent", "msg-1", (heap,)))
    archive.keep(session)
    assert not list(archive.sessions())


def test_names_that_are_no_utf8_and_folders_that_cannot_be_written(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("", encoding="utf-8")
    Archive(in_the_way / "kept").keep(Session(tmp_path))
    archive = Archive(tmp_path / "kept")
    archive.keep(Session(tmp_path / "\udcff"))
    assert not list(archive.sessions())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_they_are_their_owners(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "kept")
    archive.keep(Session(tmp_path))
    (path,) = (tmp_path / "kept").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
