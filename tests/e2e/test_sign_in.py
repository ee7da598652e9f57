"""Signing in through the real executable: asked for, done, and what was refused tried again."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.faulty import ROOT, agent_view, faulty, said
from tests.harness import PLAIN, Answers, Editor, EditorError, start_sidecar

Json = dict[str, Any]

pytestmark = pytest.mark.e2e

RICH: Json = {**PLAIN, "experimental": {"acp": {"runInTerminal": True}}}


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """There is one who is signed in if this file is."""
    return tmp_path / "key"


def sign_in(key: Path) -> None:
    key.touch()


def key_lost(key: Path) -> None:
    key.unlink()


def signed_in(key: Path) -> bool:
    return key.exists()


def asked(editor: Editor) -> list[str]:
    return [params["message"] for params in editor.sent("window/showMessageRequest")]


async def test_what_was_refused_is_done_after_the_sign_in(
    project: Path, protocol: int, key: Path
) -> None:
    async with faulty(project, "locked", str(protocol), str(key), "web", "never") as editor:
        editor.answers = Answers("By web")
        session = await editor.turn("Hello")
        assert said(session) == "done"
        (question,) = asked(editor)
        assert "wants you to sign in" in question
        view = agent_view(await editor.state())
        assert (view["authRequired"], view["state"]) == (False, "ready")
        assert [method["methodId"] for method in view["authMethods"]] == ["web", "never"]


async def test_not_now_is_told_and_asked_again_next_time(
    project: Path, protocol: int, key: Path
) -> None:
    async with faulty(project, "locked", str(protocol), str(key)) as editor:
        editor.answers = Answers("Not now", "By web")
        with pytest.raises(EditorError, match=r"acp\.agent\.login"):
            await editor.prompt("Hello")
        assert agent_view(await editor.state())["authRequired"]
        assert said(await editor.turn("Hello")) == "done"


async def test_signed_out_in_the_middle_the_turn_goes_on_after_the_sign_in(
    project: Path, protocol: int, key: Path
) -> None:
    sign_in(key)
    async with faulty(project, "locked", str(protocol), str(key)) as editor:
        editor.answers = Answers("By web")
        session = await editor.prompt("Hello")
        await editor.idle(session)
        ended = await editor.turn("Sign out, please")
        # The agent signs out again when it is asked again, so that the second try is refused.
        assert (ended["stopReason"], ended["error"]["code"]) == ("error", -32000)
        assert len(asked(editor)) == 1
        assert said(await editor.turn("And now?")) == "donedone"
        assert len(asked(editor)) == 2


async def test_signing_out_by_command_is_noticed_by_the_next_prompt(
    project: Path, protocol: int, key: Path
) -> None:
    sign_in(key)
    async with faulty(project, "locked", str(protocol), str(key)) as editor:
        editor.answers = Answers("By web")
        await editor.turn("Hello")
        await editor.command("acp.agent.logout")
        assert not signed_in(key)
        assert said(await editor.turn("Still there?")) == "donedone"
        assert signed_in(key)


async def test_a_rich_editor_runs_it_in_its_terminal(
    project: Path, protocol: int, key: Path
) -> None:
    sign_in(key)
    arguments = (str(protocol), str(key), "tty")
    async with faulty(project, "locked", *arguments, capabilities=RICH) as editor:
        ran: list[Json] = []

        async def run(params: Json) -> Json:
            ran.append(params)
            return {"exitCode": await run_program(params)}

        editor.handlers["acp/runInTerminal"] = run
        editor.answers = Answers("By tty")
        session = await editor.prompt("Hello")
        await editor.idle(session)
        key_lost(key)
        ended = await editor.idle(await editor.prompt("Go on", sessionId=session))
        # Another process of the agent has taken the session over.
        assert (said(ended), ended["stopReason"]) == ("donedone", "end_turn")
        (params,) = ran
        assert params["args"][-1] == "--sign-in"
        assert params["env"]["LOCKED_PIN"] == "pin-1234"
        assert Path(params["cwd"]) == project


async def run_program(params: Json) -> int:
    process = await asyncio.create_subprocess_exec(
        params["command"],
        *params["args"],
        cwd=params["cwd"],
        env={**os.environ, **params["env"]},
    )
    return await process.wait()


async def test_others_are_told_the_command_which_works_as_it_stands(
    project: Path, protocol: int, key: Path
) -> None:
    if sys.platform == "win32":
        pytest.fail("the command is told as a POSIX shell takes it")
    async with faulty(project, "locked", str(protocol), str(key), "tty") as editor:
        editor.handlers["window/showMessageRequest"] = by_hand(editor)
        assert said(await editor.turn("Hello")) == "done"
        assert "PYTHONPATH" in asked(editor)[-1]  # of the settings: named, never shown
        assert os.environ.get("PYTHONPATH", "/nowhere") not in asked(editor)[-1]


def by_hand(editor: Editor) -> Callable[[Json], Any]:
    """A user who does as told."""

    async def answer(params: Json) -> Json:
        titles = [action["title"] for action in params["actions"]]
        if "Done" not in titles:
            return {"title": titles[0]}
        line = params["message"].split("\n")[1]
        process = await asyncio.create_subprocess_shell(
            line, cwd=editor.root, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        assert await process.wait() == 0, shlex.split(line)
        return {"title": "Done"}

    return answer


async def test_a_sign_in_that_never_ends_holds_nothing_else_up(
    project: Path, protocol: int, key: Path
) -> None:
    async with faulty(project, "locked", str(protocol), str(key), "never", "web") as editor:
        login = {"agent": "faulty", "methodId": "never"}
        waiting = asyncio.create_task(editor.command("acp.agent.login", login))
        await editor.until_sent("$/progress")
        other = await editor.command("acp.agent.start", {"agent": "healthy"})
        assert other["state"] == "ready"
        second = await editor.command("acp.agent.login", {**login, "methodId": "web"})
        assert second == {"methodId": "web"}
        assert await waiting == second
        assert said(await editor.turn("Hello", agent="faulty")) == "done"


async def test_the_demo_agent_signs_in_by_its_only_way(project: Path, protocol: int) -> None:
    command = [sys.executable, "-m", "acp_sidecar", "agent", "--login", "--delay", "0"]
    agents = {"demo": {"command": [*command, "--protocol", str(protocol)]}}
    async with start_sidecar(project, agents=agents) as editor:
        editor.answers = Answers("Demo login")
        session = await editor.command("acp.session.new")
        assert session["sessionId"]
        assert len(asked(editor)) == 1


async def test_nothing_secret_is_written_down(
    project: Path, protocol: int, key: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    options: Json = {"capabilities": RICH, "trace": str(trace)}
    async with faulty(project, "locked", str(protocol), str(key), "tty", **options) as editor:
        editor.handlers["acp/runInTerminal"] = ended
        editor.answers = Answers("By tty")
        await editor.turn("Hello")
    traces = texts_of(tmp_path)
    assert traces
    assert any("LOCKED_PIN" in text for text in traces)
    assert not any("pin-1234" in text for text in [*traces, *editor.stderr])
    logged = json.dumps(editor.sent("window/logMessage") + editor.sent("window/showMessage"))
    assert "pin-1234" not in logged


def texts_of(directory: Path) -> list[str]:
    return [path.read_text("utf-8") for path in directory.glob("trace*.jsonl")]


async def ended(params: Json) -> Json:
    return {"exitCode": await run_program(params)}
