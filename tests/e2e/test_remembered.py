"""Sessions over restarts of the sidecar: offered, resumed, forgotten, and nothing of them told."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.faulty import messages, program, said
from tests.harness import Editor, EditorError, start_sidecar

Json = Any
pytestmark = pytest.mark.e2e
SAID = "a secret that was said"
TITLE = "Friendlier greetings"


@asynccontextmanager
async def sidecar(root: Path, state: Path, **options: Json) -> AsyncIterator[Editor]:
    """A sidecar in a workspace, with its agent's past and a state directory that stays."""
    agents = {"peer": program("lists")}
    env = {"XDG_STATE_HOME": str(state)}
    async with start_sidecar(root, agents=agents, options=options, env=env) as editor:
        yield editor
    assert not any("Traceback" in line for line in editor.stderr), "\n".join(editor.stderr)


def workspace(tmp_path: Path, name: str = "project") -> Path:
    root = tmp_path / name
    root.mkdir()
    return root


def state_file(state: Path) -> Path:
    return state / "acp-sidecar" / "sessions.json"


async def remembered(editor: Editor) -> list[Json]:
    found: list[Json] = (await editor.state())["remembered"]
    return found


async def test_a_session_is_offered_after_a_restart_and_goes_on(tmp_path: Path) -> None:
    root, state = workspace(tmp_path), tmp_path / "state"
    async with sidecar(root, state) as editor:
        assert await remembered(editor) == []
        await editor.turn(SAID)
        (now,) = await remembered(editor)
        assert (now["open"], now["title"]) == (True, TITLE)
    async with sidecar(root, state) as editor:
        (entry,) = await remembered(editor)
        assert entry == {**now, "open": False}
        assert (entry["sessionId"], entry["agent"], entry["cwd"]) == ("kept", "peer", str(root))
        assert not (await editor.state())["sessions"]  # nothing is resumed unasked
        resumed = await editor.command("acp.session.resume")  # the one used last
        assert resumed == {"sessionId": "kept"}
        session = await editor.session("kept")
        assert said(session) == "said before"
        with pytest.raises(EditorError, match="No session from before"):
            await editor.command("acp.session.resume")
        again = await editor.turn("and now?")
        assert (again["sessionId"], again["stopReason"]) == ("kept", "end_turn")


async def test_the_state_file_has_nothing_of_what_was_said(tmp_path: Path) -> None:
    root, state = workspace(tmp_path), tmp_path / "state"
    async with sidecar(root, state) as editor:
        await editor.turn(SAID)
    text = state_file(state).read_text(encoding="utf-8")
    (entry,) = json.loads(text)["sessions"]
    assert (entry["sessionId"], entry["title"]) == ("kept", TITLE)
    for word in (SAID, "done", "secret"):
        assert word not in text


async def test_workspaces_have_sessions_of_their_own(tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with sidecar(workspace(tmp_path, "one"), state) as editor:
        await editor.turn("hi")
    async with sidecar(workspace(tmp_path, "two"), state) as editor:
        assert await remembered(editor) == []


async def test_forgetting_and_deleting(tmp_path: Path) -> None:
    root, state = workspace(tmp_path), tmp_path / "state"
    async with sidecar(root, state) as editor:
        await editor.turn("hi")
        await editor.command("acp.session.forget", {"sessionId": "kept"})
        assert await remembered(editor) == []
        with pytest.raises(EditorError, match="not remembered"):
            await editor.command("acp.session.forget", {"sessionId": "kept"})
        await editor.turn("hi again")
        assert len(await remembered(editor)) == 1
        await editor.command("acp.session.delete", {"sessionId": "kept"})
        state_now = await editor.state()
        assert (state_now["remembered"], state_now["sessions"]) == ([], [])
    assert json.loads(state_file(state).read_text(encoding="utf-8"))["sessions"] == []


async def test_a_session_that_the_agent_has_lost_is_forgotten_when_that_is_found(
    tmp_path: Path,
) -> None:
    root, state = workspace(tmp_path), tmp_path / "state"
    async with sidecar(root, state) as editor:
        await editor.turn("hi")
    file = state_file(state)
    file.write_text(file.read_text(encoding="utf-8").replace('"kept"', '"gone"'), encoding="utf-8")
    async with sidecar(root, state) as editor:
        assert [each["sessionId"] for each in await remembered(editor)] == ["gone"]
        with pytest.raises(EditorError, match="not found"):
            await editor.command("acp.session.resume", {"sessionId": "gone"})
        assert await remembered(editor) == []


async def test_two_sidecars_at_once_lose_nothing(tmp_path: Path) -> None:
    one, two = workspace(tmp_path, "one"), workspace(tmp_path, "two")
    state = tmp_path / "state"
    async with sidecar(one, state) as first, sidecar(two, state) as second:
        await first.turn("hi")
        await second.turn("hi")
    kept = json.loads(state_file(state).read_text(encoding="utf-8"))["sessions"]
    # The agent calls both the same: an agent's session is one, wherever it was used last.
    assert [each["workspace"] for each in kept] == [str(two.resolve())]
    async with sidecar(two, state) as editor:
        assert len(await remembered(editor)) == 1


async def test_whoever_does_not_want_it_leaves_no_trace(tmp_path: Path) -> None:
    root, state = workspace(tmp_path), tmp_path / "state"
    async with sidecar(root, state, sessions={"remember": False}) as editor:
        await editor.turn("hi")
        assert await remembered(editor) == []
    assert not state_file(state).exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "sessions.json.damaged-1"), ('{"version": 9}', "later acp-sidecar")],
    ids=["damaged", "from the future"],
)
async def test_a_state_file_of_no_use_is_told_and_kept(
    tmp_path: Path, text: str, told: str
) -> None:
    root, state = workspace(tmp_path), tmp_path / "state"
    file = state_file(state)
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    async with sidecar(root, state) as editor:
        await editor.until_sent("window/showMessage")
        assert [told in message for message in messages(editor)] == [True]
        await editor.turn("hi")
    kept = [each for each in file.parent.iterdir() if each.read_text(encoding="utf-8") == text]
    assert len(kept) == 1


async def test_the_further_roots_follow_the_workspace_folders(tmp_path: Path) -> None:
    root, other, record = workspace(tmp_path), workspace(tmp_path, "other"), tmp_path / "record"
    agents = {"peer": program("lists", record=record)}
    async with start_sidecar(root, agents=agents) as editor:
        await editor.turn("hi")
        event = {"added": [{"uri": other.as_uri(), "name": "other"}], "removed": []}
        changed = "workspace/didChangeWorkspaceFolders"
        await editor.connection.notify(changed, {"event": event})
        session = await editor.turn("hi")
        assert session["additionalDirectories"] == [str(other)]
        await editor.turn("hi")
    sent = [json.loads(line) for line in record.read_text(encoding="utf-8").split("\n") if line]
    resumed = [each["params"] for each in sent if each["method"] == "session/resume"]
    assert [params["additionalDirectories"] for params in resumed] == [[str(other)]]
    assert "replayFrom" not in resumed[0]


async def test_the_demo_agent_goes_on_with_its_session(tmp_path: Path) -> None:
    root, env = workspace(tmp_path), {"XDG_STATE_HOME": str(tmp_path / "state")}
    async with start_sidecar(root, env=env) as editor:
        before = await editor.turn("/plan")
    async with start_sidecar(root, env=env) as editor:
        resumed = await editor.command("acp.session.resume")
        assert resumed == {"sessionId": before["sessionId"]}
        session = await editor.session(resumed["sessionId"])
        assert (said(session), session["title"]) == (said(before), "/plan")
        assert (await editor.turn("/plan"))["sessionId"] == before["sessionId"]
