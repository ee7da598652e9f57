"""Agents that misbehave, through the real executable: said clearly, survived, and gone on from."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.faulty import agent_view, faulty, messages, pids_of, problems, said
from tests.faults.harness import wait_until_gone
from tests.harness import NEVER, Answers, EditorError, start_sidecar
from tests.harness.documents import path_of

Json = dict[str, Any]

pytestmark = pytest.mark.e2e


# --- the agent ends -------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["start", "initialize", "initialized", "session/new"])
async def test_exit_before_the_session_is_open(project: Path, stage: str) -> None:
    async with faulty(project, "exits", stage) as editor:
        with pytest.raises(EditorError, match="ended with exit status 3") as caught:
            await editor.prompt("Hello")
        assert "Traceback" not in str(caught.value)
        await editor.until_sent("window/showMessage")
        (told,) = messages(editor)
        assert "faulty ended with exit status 3" in told
        assert f"fatal: leaving at {stage}" in told
        state = await editor.state()
        assert state["sessions"] == []
        assert agent_view(state)["state"] == "failed"
        assert "exit status 3" in agent_view(state)["failure"]


@pytest.mark.parametrize("stage", ["turn", "permission"])
async def test_exit_in_a_turn(project: Path, stage: str) -> None:
    async with faulty(project, "exits", stage) as editor:
        editor.answers = Answers(NEVER)
        session = await editor.turn("Hello")
        assert (session["state"], session["stopReason"]) == ("idle", "error")
        assert "exit status 3" in session["error"]["message"]
        assert said(session) == "begun"
        assert [call["status"] for call in session["toolCalls"]] == ["cancelled"]
        (told,) = messages(editor)
        assert f"fatal: leaving at {stage}" in told
        state = await editor.state()
        assert state["permissions"] == []
        assert state["presence"] == []
        prompts = [r for r in editor.received if r.method == "window/showMessageRequest"]
        assert all(prompt.cancelled for prompt in prompts)
        progress = [params["value"]["kind"] for params in editor.sent("$/progress")]
        assert (progress[0], progress[-1]) == ("begin", "end")


async def test_an_agent_that_ended_is_started_by_the_next_prompt(project: Path) -> None:
    async with faulty(project, "exits", "turn") as editor:
        first = await editor.turn("Hello")
        # It has forgotten its session with its life, and cannot resume it: a new one is opened.
        again = await editor.turn("Hello")
        assert again["sessionId"] != first["sessionId"]
        assert again["error"]["message"] == first["error"]["message"]
        assert len(messages(editor)) == 2


async def test_death_by_signal_in_a_turn_and_a_restart(project: Path) -> None:
    async with faulty(project, "stubborn", timeouts={"stop": 0.4}) as editor:
        session = await editor.prompt("Who are you?")
        pids = await pids_of(editor, session)
        os.kill(pids[0], signal.SIGKILL)
        ended = await editor.idle(session)
        assert "killed by SIGKILL" in ended["error"]["message"]
        assert await asyncio.to_thread(wait_until_gone, pids) == []  # its child, too
        view = await editor.command("acp.agent.restart")
        assert (view["state"], view["failure"]) == ("ready", None)
        opened = (await editor.command("acp.session.new"))["sessionId"]
        again = await editor.prompt("Who are you?", sessionId=opened)
        assert not set(pids) & set(await pids_of(editor, again))


async def test_silence_at_initialize(project: Path) -> None:
    async with faulty(project, "silent", timeouts={"initialize": 0.3, "stop": 0.4}) as editor:
        with pytest.raises(EditorError, match=r"did not answer initialize within 0\.3 s"):
            await editor.prompt("Hello")
        await editor.until_sent("window/showMessage")
        (told,) = messages(editor)
        assert "did not answer initialize" in told
        assert agent_view(await editor.state())["state"] == "failed"


async def test_a_program_that_does_not_exist(project: Path) -> None:
    agents = {"faulty": {"command": [str(project / "no such program")]}}
    async with start_sidecar(project, agents=agents) as editor:
        with pytest.raises(EditorError, match="no such program"):
            await editor.prompt("Hello")
        assert agent_view(await editor.state())["state"] == "failed"


# --- what comes is not as it should be ------------------------------------------------------------


async def test_noise_on_stdout(project: Path) -> None:
    async with faulty(project, "banners") as editor:
        session = await editor.turn("Hello")
        assert said(session) == "heard through the noise"
        assert messages(editor) == []
        state = await editor.state()
        assert problems(state) == {"not-json", "missing-jsonrpc", "not-json-rpc", "invalid-utf8"}
        # Each kind is logged once, however often it comes.
        logged = [params for params in editor.sent("window/logMessage") if params["type"] == 2]
        assert len(logged) == len(problems(state))


async def test_a_flood_can_be_cancelled_and_commands_answer_meanwhile(project: Path) -> None:
    async with faulty(project, "floods") as editor:
        session = await editor.prompt("Flood")
        seen = 0
        while (now := len(said(await editor.session(session)).split())) < 20_000:
            assert now >= seen
            seen = now
        await editor.command("acp.cancel", {"sessionId": session})
        ended = await editor.idle(session)
        assert ended["stopReason"] == "cancelled"
        numbers = said(ended).split()
        assert numbers == [str(number) for number in range(len(numbers))]


async def test_messages_in_pieces(project: Path) -> None:
    async with faulty(project, "half_lines") as editor:
        assert said(await editor.turn("Hello")) == "100 €"
        assert problems(await editor.state()) == set()


async def test_a_line_of_70_kb(project: Path) -> None:
    async with faulty(project, "long_lines", "70000") as editor:
        session = await editor.turn("Hello")
        assert said(session) == "x" * 70_000 + "after it"
        assert problems(await editor.state()) == set()


async def test_a_line_of_70_mb_is_dropped_and_told(project: Path) -> None:
    async with faulty(project, "long_lines", str(70 * 2**20)) as editor:
        session = await editor.turn("Hello")
        assert said(session) == "after it"
        assert session["stopReason"] == "end_turn"
        assert problems(await editor.state()) == {"line-too-long"}


async def test_wrong_ids(project: Path) -> None:
    async with faulty(project, "wrong_ids") as editor:
        session = await editor.turn("Hello")
        assert said(session) == "done"
        assert session["protocolVersion"] == 2
        state = await editor.state()
        assert problems(state) == {"unknown-response-id"}
        assert [each["sessionId"] for each in state["sessions"]] == [session["sessionId"]]


async def test_double_answers_and_an_id_used_twice(project: Path) -> None:
    async with faulty(project, "double_answers") as editor:
        editor.answers = Answers(NEVER)
        session = await editor.prompt("Hello")
        state = await editor.until(lambda state: "id-in-use" in problems(state))
        (permission,) = state["permissions"]
        answer = {"permissionId": permission["permissionId"], "optionId": "yes"}
        await editor.command("acp.permission.answer", answer)
        ended = await editor.idle(session)
        assert ended["sessionId"] != "another"
        assert len(editor.sent("window/showMessageRequest")) == 1
        assert said(ended).startswith("refused 7. answered 7: ")
        assert '"optionId": "yes"' in said(ended)
        assert problems(await editor.state()) == {"second-answer", "id-in-use"}


# --- order and identity ---------------------------------------------------------------------------


async def test_updates_before_the_session_is_known(project: Path) -> None:
    async with faulty(project, "early_updates") as editor:
        session = await editor.turn("Hello")
        assert session["title"] == "Named early"
        assert [call["title"] for call in session["toolCalls"]] == ["An early call"]


async def test_a_question_before_the_session_is_known_waits_for_it(project: Path) -> None:
    options = {"timeouts": {"request": 1.0}}
    async with faulty(project, "early_updates", "asks", **options) as editor:
        # It is a deadlock of the agent's own making; it ends with the patience for `session/new`.
        with pytest.raises(EditorError, match="did not answer session/new"):
            await editor.prompt("Hello")
        assert editor.sent("window/showMessageRequest") == []


async def test_updates_after_the_turn(project: Path) -> None:
    async with faulty(project, "late_updates") as editor:
        session = (await editor.turn("Hello"))["sessionId"]
        state = await editor.until(lambda state: state["sessions"][0]["title"] == "Named late")
        (late,) = state["sessions"]
        assert late["sessionId"] == session
        assert not late["busy"]
        assert said(late) == "afterthought"
        assert [call["status"] for call in late["toolCalls"]] == ["completed"]
        assert state["presence"] == []
        again = await editor.turn("Hello again")
        assert again["sessionId"] == session


async def test_permission_for_a_call_that_was_never_announced(project: Path) -> None:
    async with faulty(project, "asks_about_strangers", "call") as editor:
        editor.answers = Answers("Allow")
        session = await editor.turn("Hello")
        assert '"optionId": "yes"' in said(session)
        (call,) = session["toolCalls"]
        assert (call["toolCallId"], call["title"]) == ("never-announced", "A call")


async def test_permission_for_an_unknown_session_is_cancelled_unasked(project: Path) -> None:
    async with faulty(project, "asks_about_strangers", "session") as editor:
        session = await editor.turn("Hello")
        assert '"outcome": "cancelled"' in said(session)
        assert editor.sent("window/showMessageRequest") == []
        state = await editor.state()
        assert problems(state) == {"unknown-session"}
        assert len(state["sessions"]) == 1


async def test_the_same_call_announced_twice(project: Path) -> None:
    async with faulty(project, "announces_twice") as editor:
        (call,) = (await editor.turn("Hello"))["toolCalls"]
        assert (call["title"], call["kind"], call["status"]) == ("Second", "read", "completed")


async def test_words_of_the_future(project: Path) -> None:
    async with faulty(project, "unknown_things") as editor:
        editor.answers = Answers("Allow in a new way [allow by moonlight]")
        session = await editor.turn("Hello")
        assert session["unknownUpdates"][0]["sessionUpdate"] == "hologram"
        assert session["messages"][-1]["content"][0]["type"] == "smell"
        (call,) = session["toolCalls"]
        assert (call["kind"], call["status"]) == ("dance", "levitating")
        # Chosen by the user it is passed on; `allow_by_moonlight` is never chosen by anybody else.
        assert '"optionId": "future"' in said(session)
        told = await editor.state()
        assert {"unknown-notification", "unknown-request"} <= problems(told)
        transcript = await editor.command("acp.transcript.open")
        assert "dance, levitating" in path_of(transcript["uri"]).read_text(encoding="utf-8")


# --- versions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("claims_two", "It answered version 2 but speaks version 1: restarted with an offer of 1."),
        ("refuses_two", "It refused an offer of version 2 (unsupported version): offered 1."),
    ],
)
async def test_version_1_is_found_out(project: Path, name: str, note: str) -> None:
    async with faulty(project, name) as editor:
        session = await editor.turn("Hello")
        assert (session["protocolVersion"], said(session)) == (1, "done")
        assert note in agent_view(await editor.state())["notes"]
        logged = [params["message"] for params in editor.sent("window/logMessage")]
        assert f"faulty: {note}" in logged
        assert messages(editor) == []


async def test_a_version_that_nobody_offered(project: Path) -> None:
    async with faulty(project, "version_three") as editor:
        with pytest.raises(EditorError, match="version 3"):
            await editor.prompt("Hello")
        await editor.until_sent("window/showMessage")
        assert "version 3" in messages(editor)[0]
        assert agent_view(await editor.state())["state"] == "failed"


# --- turns that do not end ------------------------------------------------------------------------


async def test_an_agent_that_is_never_idle_can_be_left(project: Path) -> None:
    async with faulty(project, "never_idle") as editor:
        session = await editor.prompt("Hello")
        await editor.until(lambda state: bool(state["sessions"][0]["toolCalls"]))
        await editor.command("acp.cancel", {"sessionId": session})
        state = await editor.until(lambda state: said(state["sessions"][0]) == "no")
        (stuck,) = state["sessions"]
        assert (stuck["busy"], stuck["cancelling"]) == (True, True)
        await editor.connection.until(lambda: "cancelling" in str(editor.sent("$/progress")), 60)
        assert [call["status"] for call in stuck["toolCalls"]] == ["cancelled"]
        assert state["presence"] == []
        await editor.command("acp.agent.restart")
        assert not (await editor.idle(session))["busy"]
        opened = (await editor.command("acp.session.new"))["sessionId"]
        assert await editor.prompt("Hello", sessionId=opened)
