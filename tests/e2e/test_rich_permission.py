"""`acp/permission`: answered once, in any order, by whoever comes first; and rules."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conductor import Conductor, conducted
from tests.harness import Answers, Editor

Json = dict[str, Any]

pytestmark = pytest.mark.e2e


class User:
    """Sees the prompts of a rich client, and answers them whenever it likes."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self._answers: dict[str, asyncio.Future[Any]] = {}
        editor.handlers["acp/permission"] = self._prompt

    async def _prompt(self, params: Json) -> Any:
        self._answers[params["title"]] = asyncio.get_running_loop().create_future()
        return await self._answers[params["title"]]

    async def sees(self, title: str) -> Json:
        """Wait for a prompt."""
        await self.editor.connection.until(lambda: title in self._answers, 60)
        shown: list[Json] = self.editor.sent("acp/permission")
        return next(each for each in shown if each["title"] == title)

    def answers(self, title: str, option: str | None) -> None:
        """Answer it, or dismiss it."""
        self._answers[title].set_result(None if option is None else {"optionId": option})

    async def settled(self, title: str) -> Json:
        """Wait until it is said to be over."""

        def found() -> list[Json]:
            sent: list[Json] = self.editor.sent("acp/permissionSettled")
            return [each for each in sent if each["title"] == title]

        await self.editor.connection.until(lambda: bool(found()), 60)
        (once,) = found()
        return once


async def asked(editor: Editor, agent: Conductor, *titles: str) -> tuple[User, str]:
    """A turn with a question for each title, and a user that sees them all."""
    user = User(editor)
    session = await editor.prompt("Go")
    for title in titles:
        await agent.call(title, title=f"Call {title}", kind="edit", status="pending")
        await agent.ask(title, title, title=title, description=f"About {title}")
    for title in titles:
        await user.sees(title)
    return user, session


def prompt_is_cancelled(editor: Editor) -> list[bool]:
    return [each.cancelled for each in editor.received if each.method == "acp/permission"]


async def test_asked_and_answered(project: Path) -> None:
    async with conducted(project, permissions={"inert": 0.5}) as (editor, agent):
        user, session = await asked(editor, agent, "one")
        shown = await user.sees("one")
        assert (shown["sessionId"], shown["agent"]) == (session, "conducted")
        assert (shown["description"], shown["inert"]) == ("About one", 0.5)
        assert shown["subject"] == {"type": "tool_call", "toolCallId": "one", "terminalId": None}
        assert [option["optionId"] for option in shown["options"]] == ["yes", "no"]
        (listed,) = (await editor.state())["permissions"]
        assert listed["asked"]
        user.answers("one", "yes")
        assert await agent.outcome("one") == "yes"
        over = await user.settled("one")
        assert (over["outcome"], over["optionId"], over["by"]) == ("selected", "yes", "user")
        await agent.end()
        # The sidecar withdraws what is open only; and nobody is asked in a second way.
        assert prompt_is_cancelled(editor) == [False]
        assert editor.sent("window/showMessageRequest") == []


async def test_dismissed_is_cancelled(project: Path) -> None:
    async with conducted(project) as (editor, agent):
        user, _ = await asked(editor, agent, "one")
        user.answers("one", None)
        assert await agent.outcome("one") == "cancelled"
        assert (await user.settled("one"))["outcome"] == "cancelled"
        await agent.end()


@pytest.mark.parametrize("answer", [{"optionId": "nonsense"}, {"option": "yes"}, "yes", 1])
async def test_an_answer_that_makes_no_sense_is_cancelled(answer: Any, project: Path) -> None:
    async with conducted(project) as (editor, agent):

        async def nonsense(_params: Any) -> Any:
            return answer

        editor.handlers["acp/permission"] = nonsense
        await editor.prompt("Go")
        await agent.ask("one", "c")
        assert await agent.outcome("one") == "cancelled"
        await agent.end()


async def test_settled_elsewhere_the_prompt_is_withdrawn(project: Path) -> None:
    async with conducted(project) as (editor, agent):
        user, _ = await asked(editor, agent, "one")
        (permission,) = (await editor.state())["permissions"]
        answer = {"permissionId": permission["permissionId"], "optionId": "no"}
        await editor.command("acp.permission.answer", answer)
        assert await agent.outcome("one") == "no"
        assert (await user.settled("one"))["by"] == "user"
        assert prompt_is_cancelled(editor) == [True]
        await agent.end()


async def test_three_are_answered_out_of_order(project: Path) -> None:
    async with conducted(project) as (editor, agent):
        user, session = await asked(editor, agent, "one", "two", "three")
        assert len((await editor.state())["permissions"]) == 3
        for title, option in (("three", "no"), ("one", "yes"), ("two", None)):
            user.answers(title, option)
            assert await agent.outcome(title) == (option or "cancelled")
        answers = [each["id"] for each in agent.heard if "id" in each]
        assert answers == ["three", "one", "two"]
        await agent.end()
        assert (await editor.idle(session))["stopReason"] == "end_turn"
        audit = [(each["title"], each["optionId"]) for each in (await editor.state())["audit"]]
        assert audit == [("three", "no"), ("one", "yes"), ("two", None)]


async def test_a_cancel_cancels_what_is_open_before_the_agent_hears_of_it(project: Path) -> None:
    async with conducted(project) as (editor, agent):
        user, session = await asked(editor, agent, "one", "two")
        await editor.command("acp.cancel", {"sessionId": session})
        await agent.until("cancelled")
        assert [await agent.outcome(title) for title in ("one", "two")] == ["cancelled"] * 2
        assert "cancelled" in agent.heard[-1]
        assert (await user.settled("two"))["by"] == "session"
        assert prompt_is_cancelled(editor) == [True, True]
        # What is asked while the turn is being cancelled is cancelled, too, without a prompt.
        await agent.ask("late", "one")
        assert await agent.outcome("late") == "cancelled"
        await agent.end("cancelled")
        await editor.idle(session)
        assert len(editor.sent("acp/permission")) == 2


async def test_a_client_that_promised_prompts_and_has_none_is_asked_plainly(project: Path) -> None:
    """Not knowing the request is no dismissal; from then on it gets message requests at once."""
    async with conducted(project, permissions={"inert": 0}) as (editor, agent):
        editor.answers = Answers("Allow", "Reject")
        await editor.prompt("Go")
        for title, option in (("one", "yes"), ("two", "no")):
            await agent.call(title, title=f"Call {title}", kind="edit", status="pending")
            await agent.ask(title, title, title=title, description=f"About {title}")
            assert await agent.outcome(title) == option
        assert [params["title"] for params in editor.sent("acp/permission")] == ["one"]
        assert len(editor.sent("window/showMessageRequest")) == 2


# --- rules ----------------------------------------------------------------------------------------

RULES = [
    {"match": {"path": "secret/**"}, "do": "deny"},
    {"match": {"kind": "read", "path": "**"}, "do": "allow"},
    {"match": {"command": "git status *"}, "do": "allow"},
    {"match": {"kind": "execute"}, "do": "ask"},
]


def subject(kind: str, project: Path, what: str) -> Json:
    """A tool call that concerns a path, or a command."""
    if kind == "execute":
        return {"type": "command", "command": what, "cwd": str(project)}
    locations = [{"path": str(project / what)}]
    call = {"toolCallId": what, "title": what, "kind": kind, "locations": locations}
    return {"type": "tool_call", "toolCall": call}


@pytest.mark.parametrize(
    ("kind", "what", "option", "rule"),
    [
        ("read", "greet.py", "yes", 2),
        ("read", "secret/key", "no", 1),
        ("execute", "git status --short", "yes", 3),
    ],
)
async def test_a_rule_decides_and_the_audit_says_which(
    kind: str, what: str, option: str, rule: int, project: Path
) -> None:
    async with conducted(project, permissions={"rules": RULES}) as (editor, agent):
        user = User(editor)
        await editor.prompt("Go")
        await agent.ask("one", "unused", title=what, subject=subject(kind, project, what))
        assert await agent.outcome("one") == option
        over = await user.settled(what)
        assert (over["by"], over["optionId"]) == ("rule", option)
        assert f"rule {rule}" in over["reason"]
        assert editor.sent("acp/permission") == []
        (entry,) = (await editor.state())["audit"]
        assert (entry["by"], entry["optionId"]) == ("rule", option)
        assert f"rule {rule}" in entry["reason"]
        await agent.end()


@pytest.mark.parametrize(
    ("kind", "what", "reason"),
    [
        ("execute", "git status; rm -rf .", "rule 1 may apply"),  # nobody knows what it touches
        ("execute", "git push", "rule 4"),
        ("edit", "greet.py", ""),
        ("read", "../outside", ""),
    ],
)
async def test_what_no_rule_allows_is_asked(
    kind: str, what: str, reason: str, project: Path
) -> None:
    async with conducted(project, permissions={"rules": RULES}) as (editor, agent):
        user = User(editor)
        await editor.prompt("Go")
        await agent.ask("one", "unused", title=what, subject=subject(kind, project, what))
        shown = await user.sees(what)
        assert reason in shown["reason"]
        user.answers(what, "no")
        assert await agent.outcome("one") == "no"
        await agent.end()


async def test_an_answer_becomes_a_rule_for_the_session(project: Path) -> None:
    async with conducted(project) as (editor, agent):

        async def remember(params: Json) -> Json:
            assert params["suggestedRules"]
            return {"optionId": "yes", "remember": {"scope": "session"}}

        editor.handlers["acp/permission"] = remember
        await editor.prompt("Go")
        for number in ("first", "second"):
            about = subject("execute", project, "git status --short")
            await agent.ask(number, "unused", title=number, subject=about)
            assert await agent.outcome(number) == "yes"
        assert len(editor.sent("acp/permission")) == 1
        state = await editor.state()
        assert [each["by"] for each in state["audit"] if each["optionId"]] == ["user", "rule"]
        assert len(state["rules"]) == 1
        await editor.command("acp.permission.forgetRule", {"number": state["rules"][0]["number"]})
        about = subject("execute", project, "git status --short")
        await agent.ask("third", "unused", title="third", subject=about)
        await editor.until_sent("acp/permission", 2)
        await agent.end()
