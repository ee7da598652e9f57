"""The editor's tools, from an agent that speaks MCP by the official SDK to what the user sees."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.faulty import program, said
from tests.harness import Answers, Editor, start_sidecar

Json = dict[str, Any]

pytestmark = pytest.mark.e2e

ON = {"editorTools": {"enabled": True}, "permissions": {"inert": 0}}
PLAIN_TOOLS = ["open_documents", "read_document", "show_place", "propose_edit"]


@contextlib.asynccontextmanager
async def using(
    project: Path, version: int = 2, *, rich: bool = False, **options: Any
) -> AsyncIterator[Editor]:
    """An editor whose agent uses tools as it is told."""
    agents = {"user": program("uses_tools", str(version))}
    capabilities: Json = {"window": {"showDocument": {"support": True}}, "workspace": {}}
    capabilities["workspace"]["applyEdit"] = True
    if rich:
        capabilities["experimental"] = {"acp": {"tools": True}}
    async with start_sidecar(
        project, agents=agents, options={**ON, **options}, capabilities=capabilities
    ) as editor:
        yield editor
    assert not any("Traceback" in line for line in editor.stderr), "\n".join(editor.stderr)


async def use(editor: Editor, tool: str, **arguments: Any) -> str:
    """What the agent is told by a tool, in a session of its own."""
    await editor.command("acp.session.new")
    return said(await editor.turn(json.dumps({"tool": tool, "arguments": arguments})))


async def listed(editor: Editor) -> Any:
    return json.loads(said(await editor.turn(json.dumps({"list": True}))))


@pytest.mark.parametrize("version", [1, 2])
async def test_unsaved_text_is_read(project: Path, version: int) -> None:
    path = project / "a.py"
    path.write_text("on disk\n", encoding="utf-8")
    async with using(project, version) as editor:
        await editor.open(path, "typed\n")
        assert await use(editor, "read_document", path="a.py") == "typed\n"


async def test_plain_clients_offer_what_needs_no_plugin(project: Path) -> None:
    async with using(project) as editor:
        assert await listed(editor) == PLAIN_TOOLS


async def test_rich_clients_are_asked(project: Path) -> None:
    async with using(project, rich=True) as editor:

        async def selection(_params: Json) -> Json:
            uri = (project / "a.py").as_uri()
            return {"uri": uri, "startLine": 0, "endLine": 1, "text": "x = 1\n"}

        editor.handlers["acp/selection"] = selection
        assert await use(editor, "selection") == f"{project / 'a.py'}:1-2\nx = 1\n"


async def test_a_client_that_promised_tools_and_has_none(project: Path) -> None:
    async with using(project, rich=True) as editor:
        assert (await use(editor, "selection")).startswith("failed: ")


async def test_a_proposal_is_reviewed_and_made_by_the_editor(project: Path) -> None:
    path = project / "a.py"
    path.write_text("one\ntwo\n", encoding="utf-8")
    async with using(project) as editor:
        document = await editor.open(path)
        told = await use(editor, "propose_edit", path="a.py", oldText="two", newText="2")
        assert "review" in told
        (shown,) = (await editor.state())["changeSets"]
        assert (shown["state"], document.text) == ("proposed", "one\ntwo\n")
        await editor.command("acp.review.accept", {"changeSet": shown["changeSet"]})
        assert document.text == "one\n2\n"


async def test_the_user_is_asked_for_what_lies_outside(project: Path, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere.txt"
    outside.write_text("secret", encoding="utf-8")
    async with using(project) as editor:
        editor.answers = Answers("Reject", "Allow")
        assert "refused" in await use(editor, "read_document", path=str(outside))
        assert await use(editor, "read_document", path=str(outside)) == "secret"
        asked = editor.sent("window/showMessageRequest")
        assert all(str(outside) in params["message"] for params in asked)


async def test_they_are_off_unless_the_user_turns_them_on(project: Path) -> None:
    async with using(project, editorTools={}) as editor:
        assert said(await editor.turn("{}")) == "[]"


async def test_they_are_turned_on_for_the_next_session(project: Path) -> None:
    async with using(project, editorTools={"enabled": False}) as editor:
        assert said(await editor.turn("{}")) == "[]"
        settings = {"acp": {"editorTools": {"enabled": True}}}
        await editor.connection.notify("workspace/didChangeConfiguration", {"settings": settings})
        await editor.command("acp.session.new")
        assert await listed(editor) == PLAIN_TOOLS


async def test_agents_that_take_no_servers_get_none(project: Path) -> None:
    record = project.parent / "record"
    agents = {"healthy": program("healthy", record=record)}
    async with start_sidecar(project, agents=agents, options=ON) as editor:
        await editor.turn("Hello")
    sent = [json.loads(line) for line in record.read_text(encoding="utf-8").split("\n") if line]
    (opened,) = [each for each in sent if each.get("method") == "session/new"]
    assert opened["params"]["mcpServers"] == []
