"""The editor protocol is what its tables say: nothing else is sent, nothing is undocumented."""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.commands import Commands
from acp_sidecar.demo.project import make_project as make_sample
from acp_sidecar.demo.project import remove_project
from acp_sidecar.errors import EditorError
from acp_sidecar.lsp import arguments, names
from acp_sidecar.lsp.abilities import RICH
from acp_sidecar.lsp.extensions import MESSAGES, arguments_of
from acp_sidecar.session_commands import SessionCommands
from acp_sidecar.view_commands import ViewCommands
from scripts.contract.protocol import protocol
from tests.e2e.faulty import program
from tests.harness import EditorError as Refused
from tests.harness import start_sidecar
from tests.lsp.contract import COMMANDS, answer_faults, message_faults
from tests.lsp.rich import EVERYTHING, RichClient, filled_in
from tests.peers.sdk_agent import client_faults, sdk_command

Json = dict[str, Any]

PACKAGE = Path(__file__).parents[2] / "acp_sidecar"
METHOD = re.compile(r"acp/\w+")


def strings(path: Path) -> Iterator[str]:
    """Every string of a module that is not a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


def handled() -> set[str]:
    """The commands that the tables of handlers name."""
    tables = (Commands, SessionCommands, ViewCommands)
    sources = [inspect.getsource(table.__init__) for table in tables]
    return {name for source in sources for name in re.findall(r'"(acp\.[\w.]+)":', source)}


def test_commands_are_announced_documented_and_handled() -> None:
    assert tuple(COMMANDS) == names.COMMANDS
    assert handled() == set(names.COMMANDS)
    for name, each in COMMANDS.items():
        assert each.command.doc.endswith("."), name
        assert all(error.endswith(".") for error in each.command.errors), name


def test_every_arguments_model_belongs_to_a_command_or_to_another_model() -> None:
    models = {
        name
        for name, value in vars(arguments).items()
        if inspect.isclass(value) and issubclass(value, arguments.Arguments)
    }
    assert models - {"Arguments"} <= protocol().records.keys()


def test_messages_are_told_apart_and_switched_on_by_a_capability() -> None:
    methods = [message.method for message in MESSAGES]
    assert len(set(methods)) == len(methods)
    assert {message.capability for message in MESSAGES} == RICH
    for message in MESSAGES:
        assert message.doc.endswith("."), message.method
        assert message.kind == "request" or message.result is None


def test_every_method_in_the_code_is_in_the_table() -> None:
    found = {
        text for path in PACKAGE.rglob("*.py") for text in strings(path) if METHOD.fullmatch(text)
    }
    assert found == {message.method for message in MESSAGES}


@pytest.mark.parametrize(
    ("command", "argument", "told"),
    [
        ("acp.nothing", {}, "no command"),
        ("acp.prompt", {}, "text"),
        ("acp.prompt", ["text"], "the argument"),
        ("acp.follow", {"mode": "sideways"}, "mode"),
        ("acp.review.texts", {"changeSet": "s/c"}, "file"),
        ("acp.terminal.output", {"terminalId": "t", "offset": -1}, "offset"),
        ("acp.permission.addRule", {"match": {"pth": "**"}, "do": "allow"}, "match.pth"),
        ("acp.permission.addRule", {"match": {}, "do": "allow", "scop": "session"}, "scop"),
    ],
)
def test_a_bad_argument_is_named(command: str, argument: Any, told: str) -> None:
    with pytest.raises(EditorError, match=re.escape(told)):
        arguments_of(command, argument)


@pytest.mark.parametrize("nothing", [None, {}, []], ids=["none", "object", "lua"])
def test_an_empty_argument_may_be_left_out_or_come_from_lua(nothing: Any) -> None:
    assert arguments_of("acp.state", nothing) == arguments.StateArguments()


def test_members_that_are_not_known_do_no_harm_elsewhere() -> None:
    assert arguments_of("acp.cancel", {"sessionId": "s", "later": 1}) == arguments.SessionArguments(
        session_id="s"
    )


def test_the_check_itself_finds_faults() -> None:
    settled = {"elicitationId": "e", "action": None, "reason": "withdrawn"}
    assert message_faults("acp/elicitationSettled", settled) == []
    for wrong in (
        {**settled, "more": 1},
        {**settled, "action": "perhaps"},
        {**settled, "reason": None},
        {"elicitationId": "e", "action": None},
    ):
        assert message_faults("acp/elicitationSettled", wrong)
    block = {"type": "text", "text": "a", "extra": 1}
    view = {"sessionId": "s"}
    assert message_faults("acp/transcript", {**view, "blocks": [block]})
    assert message_faults("acp/unheard-of", {})


# --- real turns -----------------------------------------------------------------------------------


async def agents_and_sessions(client: RichClient) -> None:
    await client.command("acp.agent.start")
    await client.command("acp.session.new")
    await client.command("acp.session.list")
    known = {each["name"] for each in (await client.command("acp.agents.list"))["agents"]}
    assert {"peer", "demo", "claude"} <= known
    await client.command("acp.agent.login", methodId="pretend")
    await client.command("acp.agent.logout")
    await client.command("acp.agent.login", methodId="terminal")
    await client.turn("[[peer:hello]]")


async def follow(client: RichClient) -> None:
    session = await client.turn("[[peer:read]]")
    shown = await client.editor.until_sent("acp/follow")
    uri = session["toolCalls"][-1]["locations"][0]["path"]
    activity = {"kind": "scrolled", "uri": Path(uri).as_uri()}
    client.faults += message_faults("acp/userActivity", activity)
    await client.editor.connection.notify("acp/userActivity", activity)
    await client.command("acp.follow", mode="on", sessionId=session["sessionId"])
    await client.command("acp.trail", move="back")
    await client.command("acp.follow", mode="resume")
    assert shown["mode"] == "on"


async def review(client: RichClient) -> None:
    await client.turn("[[peer:two_files]]")
    state = await client.command("acp.state")
    change = next(each for each in state["changeSets"] if each["toolCallId"] is not None)
    one = {"changeSet": change["changeSet"], "file": 0}
    await client.command("acp.review.preview", **one)
    texts = await client.command("acp.review.texts", **one)
    assert texts["before"]["text"] != texts["after"]["text"]
    for side in ("before", "after"):
        content = await client.editor.connection.request(
            "workspace/textDocumentContent", {"uri": texts[side]["uri"]}
        )
        assert content == {"text": texts[side]["text"]}
    gone = texts["after"]["uri"].replace("/0/", "/7/", 1)
    for uri in (gone, "acp-review:/before/a", (client.editor.root / "greet.py").as_uri()):
        with pytest.raises(Refused):
            await client.editor.connection.request("workspace/textDocumentContent", {"uri": uri})
    rejected = await client.command("acp.review.reject", **one, hunk=0)
    assert rejected == {"changed": 1, "failed": []}
    await client.command("acp.review.undo")
    await client.command("acp.review.accept", changeSet=change["changeSet"])


async def permissions(client: RichClient) -> None:
    client.remember = {"scope": "session"}
    client.allow = False
    await client.turn("[[peer:command]]")
    client.remember, client.allow = None, True
    await client.turn("[[peer:two_permissions]]")
    unusable: list[Json] = [{}, {"kind": "raed"}, {"command": "'"}]
    for match in unusable:
        with pytest.raises(Refused):
            await client.command("acp.permission.addRule", match=match, do="allow")
    rule = {"match": {"command": "rm **"}, "do": "deny"}
    await client.command("acp.permission.addRule", **rule)
    rules = (await client.command("acp.state"))["rules"]
    assert [each["rule"]["do"] for each in rules] == ["deny", "deny"]
    for each in rules:
        await client.command("acp.permission.forgetRule", number=each["number"])


async def terminals(client: RichClient) -> None:
    session = await client.turn("[[peer:command]]")
    await client.editor.until_sent("acp/terminal")
    session = await client.editor.session(session["sessionId"])
    (terminal,) = session["terminals"]
    screen = await client.command("acp.terminal.screen", terminalId=terminal["terminalId"])
    assert (screen["cols"], screen["rows"]) == (80, 24)
    assert any(screen["lines"])
    output = await client.command("acp.terminal.output", terminalId=terminal["terminalId"])
    rest = await client.command(
        "acp.terminal.output", terminalId=terminal["terminalId"], offset=output["next"]
    )
    assert (rest["data"], rest["offset"], rest["more"]) == ("", output["next"], False)


async def questions(client: RichClient) -> None:
    for mode in ("form", "url"):
        await client.turn(f"[[peer:{mode}]]")


async def answers_by_command(client: RichClient) -> None:
    client.silent = True
    session = (await client.command("acp.prompt", text="[[peer:edit]]"))["sessionId"]
    state = await client.editor.until(lambda state: bool(state["permissions"]))
    (permission,) = state["permissions"]
    options = {option["kind"]: option["optionId"] for option in permission["options"]}
    answer = {"permissionId": permission["permissionId"], "optionId": options["reject_once"]}
    await client.command("acp.permission.answer", **answer)
    await client.editor.idle(session)
    await client.command("acp.prompt", text="[[peer:form]]")
    state = await client.editor.until(lambda state: bool(state["elicitations"]))
    (elicitation,) = state["elicitations"]
    content = {each["name"]: filled_in(each) for each in elicitation["form"]["fields"]}
    form = {"elicitationId": elicitation["elicitationId"], "action": "accept"}
    with pytest.raises(Refused, match="mistakes"):
        await client.command("acp.elicitation.answer", **form, content={})
    await client.command("acp.elicitation.answer", **form, content=content)
    await client.editor.idle(session)
    client.silent = False


async def stops(client: RichClient) -> None:
    """What can be stopped alone in v2 cannot in v1; the answer says so."""
    for name, kind in (("acp.terminal.stop", "terminals"), ("acp.toolCall.stop", "toolCalls")):
        session = (await client.command("acp.prompt", text="[[peer:slow]]"))["sessionId"]
        running = await client.editor.until(running_in)
        view = next(each for each in running["sessions"] if each["sessionId"] == session)
        key = "terminalId" if kind == "terminals" else "toolCallId"
        wanted = {"sessionId": session, key: view[kind][-1][key]}
        if view["protocolVersion"] == 2:
            await client.command(name, **wanted)
        else:
            with pytest.raises(Refused, match="alone"):
                await client.command(name, **wanted)
            await client.command("acp.cancel", sessionId=session)
        await client.editor.idle(session)


def running_in(state: Json) -> bool:
    """Whether a program runs in a terminal of a session that is busy."""
    return any(
        terminal["exitStatus"] is None and terminal["output"]
        for session in state["sessions"]
        if session["busy"]
        for terminal in session["terminals"]
    )


async def transcript(client: RichClient) -> None:
    for story in ("plan", "allfeatures", "error"):
        await client.turn(f"[[peer:{story}]]")
    whole = await client.command("acp.transcript.blocks")
    assert len({block["id"] for block in whole["blocks"]}) == len(whole["blocks"])
    opened = await client.command("acp.transcript.open")
    assert opened["shown"] is True


async def queued(client: RichClient) -> None:
    session = (await client.command("acp.prompt", text="[[peer:slow]]"))["sessionId"]
    await client.command("acp.prompt", text="[[peer:hello]]", queue=True)
    result = await client.command("acp.prompt", text="[[peer:plan]]", queue=True)
    assert result["queued"]
    taken = await client.command("acp.prompt.unqueue", promptId=result["promptId"])
    assert taken["text"] == "[[peer:plan]]"
    await client.command("acp.cancel", sessionId=session)
    held = await client.editor.idle(session)
    assert [each["state"] for each in held["queued"]] == ["held"]
    assert (await client.command("acp.prompt.release"))["released"] == 1
    await client.editor.until(lambda state: not state["sessions"][-1]["queued"])
    await client.editor.idle(session)


async def ends(client: RichClient) -> None:
    session = (await client.command("acp.prompt", text="[[peer:slow]]"))["sessionId"]
    await client.command("acp.cancel", sessionId=session)
    ended = await client.editor.idle(session)
    options = [each for each in ended["configOptions"] if each["type"] == "select"]
    if options:
        chosen = {"option": options[0]["configId"], "value": options[0]["currentValue"]}
        await client.command("acp.session.setOption", **chosen)
    await client.command("acp.session.close", sessionId=session)
    await client.command("acp.session.resume", sessionId=session, replay=True)
    await client.command("acp.session.forget", sessionId=session)
    await client.command("acp.session.delete", sessionId=session)
    await client.command("acp.agent.restart")
    await client.command("acp.agent.stop")


STEPS = (
    agents_and_sessions, follow, review, permissions, terminals, questions, answers_by_command,
    stops, transcript, queued, ends,
)  # fmt: skip


@pytest.mark.e2e
@pytest.mark.parametrize("protocol_version", [1, 2], ids=["v1", "v2"])
async def test_everything_that_is_really_said_is_of_its_type(
    protocol_version: int, project: Path, faults: Path
) -> None:
    command = sdk_command(protocol_version, "--faults", str(faults))
    agents = {"peer": {"command": command}}
    async with start_sidecar(project, agents=agents, capabilities=EVERYTHING) as editor:
        client = RichClient(editor)
        for step in STEPS:
            await step(client)
        methods = client.check_received()
        assert client.faults == []
    sent = {message.method for message in MESSAGES if message.direction == "to client"}
    assert methods == sent - set(OF_TOOLS)
    not_in_v1 = {"acp.terminal.stop", "acp.toolCall.stop"} if protocol_version == 1 else set()
    assert set(names.COMMANDS) - client.commands.keys() == not_in_v1
    assert client_faults(faults) == []


PLACE = {"uri": "file:///a.py", "startLine": 0, "endLine": 2}
OF_TOOLS: dict[str, tuple[Json, Json]] = {
    "acp/selection": ({}, {**PLACE, "text": "x"}),
    "acp/diagnostics": (
        {},
        {"diagnostics": [{**PLACE, "severity": "hint", "message": "m", "source": "", "code": ""}]},
    ),
    "acp/symbols": (
        {"path": "a.py"},
        {"symbols": [{**PLACE, "name": "run", "kind": "function", "container": ""}]},
    ),
    "acp/references": ({"path": "a.py", "line": 1, "symbol": "run"}, {"references": [PLACE]}),
}
"""What tools ask: arguments that make them ask, and an answer."""


@pytest.mark.e2e
async def test_what_tools_ask_is_of_its_type(project: Path) -> None:
    agents = {"user": program("uses_tools", "2")}
    options = {"editorTools": {"enabled": True}}
    async with start_sidecar(
        project, agents=agents, options=options, capabilities=EVERYTHING
    ) as editor:
        client = RichClient(editor)
        for method, (arguments, answer) in OF_TOOLS.items():
            assert answer_faults(method, answer) == []

            async def answered(_params: Json, answer: Json = answer) -> Json:
                return answer

            editor.handlers[method] = answered
            tool = {"tool": method.removeprefix("acp/"), "arguments": arguments}
            await client.turn(json.dumps(tool))
        assert set(OF_TOOLS) <= client.check_received()
        assert client.faults == []


@pytest.mark.e2e
@pytest.mark.parametrize("protocol_version", [1, 2], ids=["v1", "v2"])
async def test_the_tour_of_the_demo_agent_is_of_its_type(protocol_version: int) -> None:
    command = [sys.executable, "-m", "acp_sidecar", "agent", "--protocol", str(protocol_version)]
    agents = {"demo": {"command": [*command, "--delay", "0"]}}
    project = make_sample()
    try:
        async with start_sidecar(project, agents=agents, capabilities=EVERYTHING) as editor:
            client = RichClient(editor)
            session = await client.turn("/tour")
            await client.command("acp.state")
            methods = client.check_received()
            assert client.faults == []
            assert session["stopReason"] == "end_turn"
    finally:
        remove_project(project)
    shown = {"acp/follow", "acp/review", "acp/permission", "acp/transcript", "acp/session"}
    assert methods >= shown | {"acp/permissionSettled", "acp/terminal"}
