"""The published agents through the real executable, with an editor on the other side.

The same tests for every row of the table: what a user of that agent sees of a read, an edit that
is allowed, refused or left, a new file, a command, a cancelled one, and a failing model.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness import DISMISS, NEVER, Answers, Editor, start_sidecar
from tests.harness.documents import path_of
from tests.peers.fake_model import FakeModel
from tests.peers.fake_model.script import NEW_FILE, OVERWRITTEN
from tests.peers.project import GREET, GREETED, NUMBERS
from tests.peers.published import AGENTS, PublishedAgent

Json = dict[str, Any]

pytestmark = [pytest.mark.peers, pytest.mark.e2e, pytest.mark.timeout(300)]

START_SECONDS = 120
GOOD_ENDS = {"end_turn", None}
REFUSED_ENDS = {"end_turn", "cancelled", "refusal", None}


@pytest.fixture(params=list(AGENTS.values()), ids=list(AGENTS))
def agent(request: pytest.FixtureRequest) -> PublishedAgent:
    agent: PublishedAgent = request.param
    return agent


@pytest.fixture
def model(project: Path) -> Iterator[FakeModel]:
    with FakeModel(project) as model:
        yield model
    assert model.unknown_paths() == []


@pytest.fixture
def settings(agent: PublishedAgent, model: FakeModel, tmp_path: Path) -> Json:
    return {
        "command": agent.command(),
        "env": agent.prepare(tmp_path / "home", model.url),
        "options": dict(agent.asks_with),
        "protocol": agent.protocol,
    }


@pytest.fixture
async def editor(agent: PublishedAgent, settings: Json, project: Path) -> AsyncIterator[Editor]:
    async with start_sidecar(project, agents={agent.name: settings}) as editor:
        await editor.command("acp.agent.start", {"agent": agent.name}, START_SECONDS)
        yield editor


def option(kinds: Iterable[str], permission: Json) -> Json:
    """The first option of one of these kinds, best kind first."""
    options: list[Json] = permission["options"]
    return next(o for kind in kinds for o in options if o["kind"] == kind)


async def answer(editor: Editor, permission: Json, *kinds: str) -> None:
    chosen = {
        "permissionId": permission["permissionId"],
        "optionId": option(kinds, permission)["optionId"],
    }
    await editor.command("acp.permission.answer", chosen)


async def until_asked(editor: Editor) -> Json:
    state = await editor.until(lambda state: bool(state["permissions"]), START_SECONDS)
    permission: Json = state["permissions"][0]
    return permission


async def allow_all(editor: Editor, session: str) -> Json:
    """Allow once whatever is asked until the turn ends; return the session."""
    while True:
        state = await editor.until(
            lambda state: bool(state["permissions"]) or not state["sessions"][0]["busy"],
            START_SECONDS,
        )
        if not state["permissions"]:
            return await editor.session(session)
        await answer(editor, state["permissions"][0], "allow_once", "allow_always")


def read(path: Path) -> str:
    return path.read_bytes().decode()


async def test_read_is_followed(editor: Editor, agent: PublishedAgent, project: Path) -> None:
    session = await editor.turn("Please. [[peer:read]]")
    assert session["stopReason"] in GOOD_ENDS
    shown = await editor.until_sent("window/showDocument")
    assert shown["uri"] == (project / "numbers.txt").as_uri()
    if agent.tells_lines:
        assert shown["selection"]["start"]["line"] == 39


async def test_edit_is_previewed_then_allowed(editor: Editor, project: Path) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt("Please. [[peer:edit]]")
    permission = await until_asked(editor)
    prompt = await editor.until_sent("window/showMessageRequest")
    offered = [action["title"] for action in prompt["actions"]]
    names = [option["name"] for option in permission["options"]]
    assert offered[: len(names)] == names
    change_sets = (await editor.state())["changeSets"]
    change_set = [change_set for change_set in change_sets if change_set["toolCallId"]][-1]
    edit = await editor.command("acp.review.preview", {"changeSet": change_set["changeSet"]})
    outcome = editor.documents.outcome(edit["edit"])
    assert {path_of(uri).name: text for uri, text in outcome.items()} == {"greet.py": GREETED}
    assert read(project / "greet.py") == GREET
    await answer(editor, permission, "allow_once", "allow_always")
    ended = await allow_all(editor, session)
    assert ended["stopReason"] in GOOD_ENDS
    assert read(project / "greet.py") == GREETED
    followed = [shown["uri"] for shown in editor.sent("window/showDocument")]
    assert (project / "greet.py").as_uri() in followed


async def test_edit_is_refused(editor: Editor, project: Path) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt("Please. [[peer:edit]]")
    await answer(editor, await until_asked(editor), "reject_once", "reject_always")
    assert (await editor.idle(session))["stopReason"] in REFUSED_ENDS
    assert read(project / "greet.py") == GREET


async def test_prompt_is_dismissed(editor: Editor, project: Path) -> None:
    editor.answers = Answers(DISMISS)
    session = await editor.turn("Please. [[peer:edit]]")
    assert session["stopReason"] in REFUSED_ENDS
    assert read(project / "greet.py") == GREET


async def test_cancel_while_asked(editor: Editor, project: Path) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt("Please. [[peer:edit]]")
    await until_asked(editor)
    await editor.command("acp.cancel", {"sessionId": session})
    assert (await editor.idle(session))["stopReason"] == "cancelled"
    assert read(project / "greet.py") == GREET
    assert (await editor.state())["permissions"] == []


async def test_new_file(editor: Editor, project: Path) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt("Please. [[peer:new_file]]")
    await allow_all(editor, session)
    assert read(project / "notes.md") == NEW_FILE


async def test_overwrite(editor: Editor, agent: PublishedAgent, project: Path) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt("Please. [[peer:overwrite]]")
    await allow_all(editor, session)
    assert read(project / "greet.py") == OVERWRITTEN


@pytest.mark.parametrize("agent", [AGENTS["claude"]], ids=["claude"])
async def test_one_of_two_hunks_is_refused_before_the_write(editor: Editor, project: Path) -> None:
    """The agreed way: allow, and undo what was refused as soon as the write is seen."""
    editor.answers = Answers(NEVER)
    session = await editor.prompt("Please. [[peer:two_hunks]]")
    asked = await until_asked(editor)
    state = await editor.state()
    (change,) = [each for each in state["changeSets"] if each["pending"]]
    assert [hunk["state"] for hunk in change["files"][0]["hunks"]] == ["proposed"] * 2
    assert read(project / "numbers.txt") == NUMBERS
    choice = {"changeSet": change["changeSet"], "file": 0}
    await editor.command("acp.review.reject", {**choice, "hunk": 0})
    assert (await editor.state())["permissions"][0]["permissionId"] == asked["permissionId"]
    await editor.command("acp.review.accept", {**choice, "hunk": 1}, START_SECONDS)
    await editor.idle(session)
    wanted = NUMBERS.replace("line 90\n", "line ninety\n")
    await editor.until(lambda _: read(project / "numbers.txt") == wanted)
    (edit,) = editor.sent("workspace/applyEdit")
    assert edit["edit"]["documentChanges"], "one undoable change"


async def test_failing_command(editor: Editor) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt("Please. [[peer:command]]")
    ended = await allow_all(editor, session)
    (call,) = ended["toolCalls"]
    assert call["kind"] == "execute"
    assert call["status"] in {"completed", "failed"}
    output = "".join(terminal["output"] for terminal in ended["terminals"])
    assert "two" in output or "two" in str(call["content"]) or not call["content"]


def is_running(state: Json, project: Path) -> bool:
    """Whether the slow command runs: it left its mark or, in a sandbox, the agent says so."""
    (call,) = state["sessions"][0]["toolCalls"] or [{"status": None}]
    return (project / "started").exists() or call["status"] == "in_progress"


async def test_slow_command_is_cancelled(
    editor: Editor, agent: PublishedAgent, project: Path
) -> None:
    editor.answers = Answers(NEVER)
    session = await editor.prompt("Please. [[peer:slow]]")
    if agent.asks_before_commands:
        await answer(editor, await until_asked(editor), "allow_once", "allow_always")
    await editor.until(lambda state: is_running(state, project))
    await editor.command("acp.cancel", {"sessionId": session})
    ended = await editor.idle(session)
    assert ended["stopReason"] == "cancelled"
    assert {call["status"] for call in ended["toolCalls"]} <= {"cancelled", "failed", "completed"}


async def test_two_calls_at_once(editor: Editor) -> None:
    session = await editor.turn("Please. [[peer:parallel]]")
    assert session["stopReason"] in GOOD_ENDS
    assert [call["status"] for call in session["toolCalls"]] == ["completed", "completed"]


async def test_model_error_is_told(editor: Editor) -> None:
    session = await editor.turn("Please. [[peer:error]]")
    assert session["stopReason"] == "error"
    assert session["error"]["message"]
    again = await editor.turn("Please. [[peer:hello]]")
    assert again["stopReason"] in GOOD_ENDS


async def test_past_is_told_again(editor: Editor, agent: PublishedAgent) -> None:
    """Another process of the agent tells the session's past, which moves nothing in the editor."""
    session = (await editor.turn("Please. [[peer:read]]"))["sessionId"]
    await editor.command("acp.agent.restart", {"agent": agent.name}, START_SECONDS)
    shown = len(editor.sent("window/showDocument"))
    if agent.forgets_within_the_minute:
        await asyncio.sleep(61 - time.time() % 60)
    resumed = {"sessionId": session, "agent": agent.name, "replay": True}
    await editor.command("acp.session.resume", resumed, START_SECONDS)
    await editor.until(lambda state: "[[peer:read]]" in text_of(state, "user"), START_SECONDS)
    assert len(editor.sent("window/showDocument")) == shown
    again = await editor.turn("Please. [[peer:hello]]", sessionId=session)
    assert again["stopReason"] in GOOD_ENDS
    assert "Hello from the scripted model." in text_of(await editor.state(), "agent")


def text_of(state: Json, role: str) -> str:
    """All that was said in that role."""
    return "".join(
        block.get("text", "")
        for session in state["sessions"]
        for message in session["messages"]
        if message["role"] == role
        for block in message["content"]
    )
