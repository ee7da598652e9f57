"""`acp/follow` and `acp/userActivity`: where a rich client is sent, and when it is left alone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conductor import Conductor, conducted
from tests.harness import Editor

Json = dict[str, Any]

pytestmark = pytest.mark.e2e


async def until_target(editor: Editor, move: int) -> Json:
    """Wait for a move; return the whole message that brought it."""

    def moves() -> list[Json]:
        sent: list[Json] = editor.sent("acp/follow")
        return [each for each in sent if each["target"] and each["target"]["move"] == move]

    await editor.connection.until(lambda: bool(moves()), 60)
    return moves()[0]


def last(editor: Editor) -> Json:
    """What following is like now."""
    found: Json = editor.sent("acp/follow")[-1]
    return found


async def did(editor: Editor, kind: str, path: Path, **more: Any) -> None:
    """The user, or the editor in answer to a move, did something."""
    params = {"kind": kind, "uri": path.as_uri(), **more}
    await editor.connection.notify("acp/userActivity", params)


async def begun(editor: Editor, agent: Conductor, path: Path) -> str:
    """A turn whose agent reads line 40."""
    session = await editor.prompt("Go")
    await agent.until("prompt")
    await agent.call("a", path, 40, title="Read 40", kind="read", status="in_progress")
    await until_target(editor, 1)
    return session


async def test_moves_and_presence(project: Path) -> None:
    path = project / "numbers.txt"
    async with conducted(project) as (editor, agent):
        session = await begun(editor, agent, path)
        first = last(editor)
        assert (first["mode"], first["paused"], first["trail"]) == ("on", None, None)
        target = first["target"]
        assert (target["uri"], target["sessionId"]) == (path.as_uri(), session)
        assert target["range"] == {
            "start": {"line": 39, "character": 0},
            "end": {"line": 40, "character": 0},
        }
        assert [each["uri"] for each in first["presence"]] == [path.as_uri()]
        assert first["presence"][0]["agent"] == "conducted"
        await agent.call("b", project / "greet.py", 5, title="Edit", kind="edit")
        second = await until_target(editor, 2)
        assert second["target"]["uri"] == (project / "greet.py").as_uri()
        assert len(second["presence"]) == 1
        await agent.end()
        await editor.idle(session)
        assert last(editor)["presence"] == []
        assert last(editor)["target"]["move"] == 2
        assert editor.sent("window/showDocument") == []


@pytest.mark.parametrize("kind", ["typed", "scrolled", "selected", "switched", "closed"])
async def test_the_user_takes_over_until_the_next_prompt(kind: str, project: Path) -> None:
    path, other = project / "numbers.txt", project / "greet.py"
    async with conducted(project) as (editor, agent):
        session = await begun(editor, agent, path)
        await did(editor, kind, other if kind == "switched" else path)
        await editor.until(lambda state: state["follow"]["paused"] == kind)
        assert last(editor)["paused"] == kind
        await agent.call("b", other, 5, title="Edit", kind="edit", status="in_progress")
        await editor.until(lambda state: state["presence"][0]["path"] == str(other))
        await agent.end()
        await editor.idle(session)
        # The agent's place is told, and nobody is sent there.
        told = [
            each["presence"][0]["uri"] for each in editor.sent("acp/follow") if each["presence"]
        ]
        assert told[-1] == other.as_uri()
        assert last(editor)["target"]["move"] == 1
        await editor.prompt("Go on")
        assert (await editor.state())["follow"]["paused"] is None
        await agent.call("c", other, 2, title="Again", kind="read", status="in_progress")
        assert (await until_target(editor, 2))["target"]["uri"] == other.as_uri()
        await agent.end()


async def test_what_we_cause_never_pauses(project: Path) -> None:
    path = project / "numbers.txt"
    async with conducted(project) as (editor, agent):
        await begun(editor, agent, path)
        for kind in ("switched", "scrolled", "selected"):
            await did(editor, kind, path, move=1)
        await did(editor, "scrolled", project / "greet.py")  # nobody follows there
        assert (await editor.state())["follow"]["paused"] is None
        await did(editor, "nonsense", path)
        await editor.connection.notify("acp/userActivity", ["no object"])
        assert (await editor.state())["follow"]["paused"] is None
        await did(editor, "scrolled", path, move=99)  # a move that never was
        await editor.until(lambda state: state["follow"]["paused"] == "scrolled")
        await agent.end()


async def test_the_trail_is_walked_and_the_live_end_is_not_lost(project: Path) -> None:
    path = project / "numbers.txt"
    async with conducted(project) as (editor, agent):
        await begun(editor, agent, path)
        for move, (call, line) in enumerate([("b", 60), ("c", 80)], 2):
            await agent.call(call, path, line, title=call, kind="read", status="in_progress")
            await until_target(editor, move)
        back = await editor.command("acp.trail", {"move": "back"})
        assert (back["moved"], back["follow"]["paused"]) == (True, "trail")
        assert back["follow"]["target"]["line"] == 60
        assert last(editor)["trail"] == {"position": 2, "length": 3}
        assert last(editor)["target"]["range"]["start"]["line"] == 59
        again = await editor.command("acp.trail", {"move": "back"})
        assert again["follow"]["target"]["line"] == 40
        assert not (await editor.command("acp.trail", {"move": "back"}))["moved"]
        await agent.call("d", path, 90, title="d", kind="read", status="in_progress")
        await editor.until(lambda state: state["presence"][0]["line"] == 90)
        lines = []
        while (step := await editor.command("acp.trail", {"move": "forward"}))["moved"]:
            lines.append(step["follow"]["target"]["line"])
        assert lines == [60, 80, 90]
        assert last(editor)["paused"] is None
        assert last(editor)["trail"] is None
        await agent.end()


async def test_presence_ends_with_a_cancel(project: Path) -> None:
    async with conducted(project) as (editor, agent):
        session = await begun(editor, agent, project / "numbers.txt")
        await editor.command("acp.cancel", {"sessionId": session})
        assert last(editor)["presence"] == []
        await agent.until("cancelled")
        await agent.end("cancelled")
        await editor.idle(session)
        assert (await editor.state())["presence"] == []


async def test_off_and_on(project: Path) -> None:
    path = project / "numbers.txt"
    async with conducted(project, follow={"enabled": False}) as (editor, agent):
        await editor.prompt("Go")
        await agent.call("a", path, 40, title="Read", kind="read", status="in_progress")
        await editor.until(lambda state: bool(state["presence"]))
        assert (last(editor)["mode"], last(editor)["target"]) == ("off", None)
        await editor.command("acp.follow", {"mode": "on"})
        assert (await until_target(editor, 1))["target"]["range"]["start"]["line"] == 39
        await agent.end()


async def test_the_past_never_moves_the_view(project: Path) -> None:
    path = project / "numbers.txt"
    async with conducted(project) as (editor, agent):
        connection = editor.connection
        resume = {"command": "acp.session.resume", "arguments": [{"sessionId": "of-old"}]}
        request = connection.request("workspace/executeCommand", resume, 60)
        resuming = asyncio.ensure_future(request)
        told = await agent.until("resume")
        assert told["resume"]["sessionId"] == "of-old"
        await agent.call("a", path, 40, title="Read", kind="read", status="in_progress")
        await agent.call(
            "b", project / "greet.py", 5, title="Edit", kind="edit", status="completed"
        )
        await agent.do("resumed")
        await resuming
        state = await editor.state()
        assert len(state["sessions"][0]["toolCalls"]) == 2
        assert state["follow"]["target"] is None
        assert state["presence"] == []
        assert all(each["target"] is None for each in editor.sent("acp/follow"))
        assert editor.sent("window/showDocument") == []
