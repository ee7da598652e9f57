"""Editors with no plugin of ours: what real ones announce is what they get, and it is enough."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conductor import conducted
from tests.e2e.demo_agent import demo_agents, is_solved, sample_project
from tests.harness import BARE, CLIENTS, Answers, Editor, recorded_capabilities, start_sidecar

Json = dict[str, Any]

pytestmark = pytest.mark.e2e

# Neither of the two has ever heard of the request; LSP has no capability for it.
WITHOUT_MESSAGE_REQUESTS = {"bare", "helix-25.01"}
ALWAYS = {"window/showMessage", "window/logMessage", "window/showMessageRequest"}


def capabilities_of(client: str) -> Json:
    return BARE if client == "bare" else recorded_capabilities(client)


def offered(capabilities: Json, *path: str) -> bool:
    """Whether a capability is there and not switched off."""
    value: Any = capabilities
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return bool(value)


def expected(capabilities: Json) -> set[str]:
    """Every method that a client with these capabilities may be sent."""
    by_capability = {
        ("window", "showDocument", "support"): {"window/showDocument"},
        ("window", "workDoneProgress"): {"window/workDoneProgress/create", "$/progress"},
        ("workspace", "applyEdit"): {"workspace/applyEdit"},
        ("workspace", "configuration"): {"workspace/configuration"},
        ("workspace", "codeLens", "refreshSupport"): {"workspace/codeLens/refresh"},
        ("workspace", "didChangeWatchedFiles", "dynamicRegistration"): {
            "client/registerCapability"
        },
        ("workspace", "didChangeConfiguration", "dynamicRegistration"): {
            "client/registerCapability"
        },
    }
    found = (methods for path, methods in by_capability.items() if offered(capabilities, *path))
    return ALWAYS.union(*found)


async def allow_by_command(editor: Editor, session: str) -> None:
    """Allow everything that is asked until the turn is over."""

    def news(state: Json) -> bool:
        return bool(state["permissions"]) or not state["sessions"][0]["busy"]

    while (state := await editor.until(news))["permissions"]:
        permission = state["permissions"][0]
        answer = {"permissionId": permission["permissionId"], "optionId": "allow-once"}
        await editor.command("acp.permission.answer", answer)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return sample_project(tmp_path / "tally")


@pytest.mark.parametrize("client", [*CLIENTS, "bare"])
async def test_a_whole_turn(client: str, protocol: int, sample: Path) -> None:
    capabilities = capabilities_of(client)
    agents = demo_agents(protocol)
    async with start_sidecar(sample, agents=agents, capabilities=capabilities) as editor:
        editor.answers = Answers("Allow")
        if client in WITHOUT_MESSAGE_REQUESTS:
            del editor.handlers["window/showMessageRequest"]
        session = await editor.prompt("/tour")
        if client in WITHOUT_MESSAGE_REQUESTS:
            await allow_by_command(editor, session)
        ended = await editor.idle(session)
        assert (ended["stopReason"], ended["protocolVersion"]) == ("end_turn", protocol)
        assert {call["status"] for call in ended["toolCalls"]} <= {"completed", "failed"}
        assert is_solved(sample)
        state = await editor.state()
        assert state["problems"] == []
        assert state["trail"]
        sent = {received.method for received in editor.received}
        assert sent <= expected(capabilities)
        show_what_can_be_shown(editor, capabilities, state)


def show_what_can_be_shown(editor: Editor, capabilities: Json, state: Json) -> None:
    """Check follow, prompts and progress, each where the client has what it takes."""
    shown = editor.sent("window/showDocument")
    assert bool(shown) == offered(capabilities, "window", "showDocument", "support")
    assert not any(params.get("takeFocus") for params in shown)
    assert len(editor.sent("window/showMessageRequest")) in {1, len(asked(state))}
    progress = [params["value"] for params in editor.sent("$/progress")]
    assert bool(progress) == offered(capabilities, "window", "workDoneProgress")
    if progress:
        assert [value["kind"] for value in progress].count("begin") == 1
        assert (progress[0]["kind"], progress[-1]["kind"]) == ("begin", "end")
        assert progress[0]["cancellable"]
        assert any(value["kind"] == "report" for value in progress)


def asked(state: Json) -> list[Json]:
    """All decisions about permissions."""
    return [entry for entry in state["audit"] if entry["by"] == "user"]


@pytest.mark.parametrize("client", ["helix-25.01", "bare"])
async def test_without_message_requests_the_user_is_told_and_answers_by_command(
    client: str, sample: Path
) -> None:
    capabilities = capabilities_of(client)
    async with start_sidecar(sample, agents=demo_agents(), capabilities=capabilities) as editor:
        del editor.handlers["window/showMessageRequest"]
        session = await editor.prompt("/edit")
        (permission,) = (await editor.until(lambda state: bool(state["permissions"])))[
            "permissions"
        ]
        told = await editor.until_sent("window/showMessage")
        assert permission["title"] in told["message"]
        hint = f"Answer {permission['permissionId']} with the command acp.permission.answer."
        assert told["message"].endswith(hint)
        await allow_by_command(editor, session)
        assert (await editor.idle(session))["stopReason"] == "end_turn"
        # It was tried once; that the client does not know it holds for the next time.
        assert len(editor.sent("window/showMessageRequest")) == 1
        assert len(asked(await editor.state())) == len(editor.sent("window/showMessage")) == 2


async def never(_params: Any) -> Any:
    """An answer that does not come."""
    await asyncio.Event().wait()


async def null(_params: Any) -> None:
    """The answer of Emacs, which LSP does not know."""
    return


async def refusal(_params: Any) -> Json:
    return {"success": False}


@pytest.mark.parametrize("answer", [never, null, refusal])
async def test_show_document_is_answered_badly(
    answer: Callable[[Any], Awaitable[Any]], sample: Path
) -> None:
    options = {"timeouts": {"editor": 0.5}}
    async with start_sidecar(sample, agents=demo_agents(), options=options) as editor:
        editor.handlers["window/showDocument"] = answer
        editor.answers = Answers("Allow")
        session = await editor.turn("/tour")
        assert session["stopReason"] == "end_turn"
        assert is_solved(sample)
        assert len(editor.sent("window/showDocument")) > 1
        opened = await editor.command("acp.transcript.open")
        assert opened["shown"] is False


@pytest.mark.parametrize("client", ["eglot-1.9", "helix-25.01"])
async def test_without_show_document_a_lens_says_where_the_agent_is(
    client: str, project: Path
) -> None:
    capabilities = capabilities_of(client)
    async with conducted(project, capabilities) as (editor, agent):
        document = await editor.open(project / "numbers.txt")
        session = await editor.prompt("Go")
        await agent.call(
            "a", project / "numbers.txt", 40, title="Read", kind="read", status="in_progress"
        )
        await editor.until(lambda state: state["follow"]["target"] is not None)
        params = {"textDocument": {"uri": document.uri}}
        (lens,) = await editor.connection.request("textDocument/codeLens", params)
        assert lens["range"]["start"] == {"line": 39, "character": 0}
        assert lens["command"]["title"] == "conducted: Read"
        command = lens["command"]
        follow = await editor.command(command["command"], command["arguments"][0])
        assert follow["mode"] == "on"
        await agent.end()
        await editor.idle(session)
        assert await editor.connection.request("textDocument/codeLens", params) == []
        assert editor.sent("window/showDocument") == []
