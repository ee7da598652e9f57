"""Messages of an editor, right and wrong: commands keep their JSON and their order."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lsprotocol import types

from acp_sidecar.errors import EditorError
from acp_sidecar.lsp.names import ACP_VERSION, COMMANDS, REVIEW_SCHEME
from acp_sidecar.lsp.protocol import Reply
from acp_sidecar.lsp.server import SidecarServer

Json = Any


class Backend:
    """Keeps what reaches it, in order, and answers no command by itself."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.replies: list[Reply] = []

    def command(self, name: str, argument: Json, reply: Reply) -> None:
        if name == "acp.bug":
            raise ZeroDivisionError
        self.calls.append((name, argument))
        self.replies.append(reply)

    def user_activity(self, params: Json) -> None:
        self.calls.append(("activity", params))

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self.calls.append(("open", params.text_document.text))

    def virtual_text(self, uri: str) -> str:
        if uri != "acp-review:/known":
            raise EditorError("There is no such document.")
        return "text\u2028more"


class Wire:
    """The editor's side: what it sends, and what it has got, as JSON."""

    def __init__(self) -> None:
        self.backend = Backend()
        self.server = SidecarServer(lambda _server: self.backend)  # type: ignore[arg-type,return-value]  # it has what these tests use
        self.raw: list[bytes] = []
        self.server.protocol.set_writer(self)
        self.send({"id": 0, "method": "initialize", "params": {"capabilities": {}}})
        self.initialized = self.got.pop()["result"]
        self.raw.clear()

    def write(self, data: bytes) -> None:
        self.raw.append(data)

    def close(self) -> None:
        """As a writer can be."""

    @property
    def got(self) -> list[Json]:
        return [json.loads(data.split(b"\r\n\r\n", 1)[1]) for data in self.raw]

    def send(self, message: Json) -> None:
        self.server.protocol.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def command(self, number: int | str, *arguments: Json, name: str = "acp.state") -> None:
        params = {"command": name, "arguments": list(arguments)}
        self.send({"id": number, "method": "workspace/executeCommand", "params": params})


@pytest.fixture
def wire() -> Wire:
    return Wire()


def test_initialize_announces_commands_documents_and_the_contract(wire: Wire) -> None:
    capabilities = wire.initialized["capabilities"]
    assert tuple(capabilities["executeCommandProvider"]["commands"]) == COMMANDS
    assert capabilities["experimental"] == {"acp": {"version": ACP_VERSION}}
    assert capabilities["workspace"]["textDocumentContent"]["schemes"] == [REVIEW_SCHEME]
    assert capabilities["textDocumentSync"]["change"] == types.TextDocumentSyncKind.Incremental


def test_arguments_are_plain_json_whatever_their_keys(wire: Wire) -> None:
    argument = {"_meta": {"_1": None}, "class": 1, "a b": [True, 1.5, "\u2028"]}
    wire.command(1, argument)
    assert wire.backend.calls == [("acp.state", argument)]


def test_commands_and_notifications_keep_their_order(wire: Wire) -> None:
    wire.command(1, {"n": 1})
    wire.send({"method": "acp/userActivity", "params": {"_kind": "x"}})
    item = {"uri": "file:///a", "languageId": "x", "version": 1, "text": "t\u2028"}
    wire.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    wire.command(2, {"n": 2})
    names = [("acp.state", {"n": 1}), ("activity", {"_kind": "x"}), ("open", "t\u2028")]
    assert wire.backend.calls == [*names, ("acp.state", {"n": 2})]


def test_a_command_is_answered_once_and_perhaps_later(wire: Wire) -> None:
    wire.command("id", {})
    assert wire.got == []
    (reply,) = wire.backend.replies
    reply.result({"é": 1})
    reply.result(2)
    reply.error(1, "no")
    assert wire.got == [{"jsonrpc": "2.0", "id": "id", "result": {"é": 1}}]


def test_answers_may_come_in_any_order(wire: Wire) -> None:
    wire.command(1, {})
    wire.command(2, {})
    wire.backend.replies[1].error(-32803, "busy")
    wire.backend.replies[0].result(None)
    assert [(message["id"], "error" in message) for message in wire.got] == [(2, True), (1, False)]


def test_a_cancelled_command_is_answered_as_cancelled_and_not_again(wire: Wire) -> None:
    wire.command(1, {})
    wire.send({"method": "$/cancelRequest", "params": {"id": 1}})
    wire.backend.replies[0].result("late")
    wire.send({"method": "$/cancelRequest", "params": {"id": 1}})
    assert [message["error"]["code"] for message in wire.got] == [-32800]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"command": "acp.state", "arguments": [{}, {}]}, "one object"),
        ({"command": "acp.state", "arguments": {"a": 1}}, "one object"),
        ({"command": 5}, "has a name"),
        ({}, "has a name"),
        (None, "has a name"),
        ([], "has a name"),
    ],
)
def test_a_command_of_the_wrong_shape_is_refused(wire: Wire, params: Json, said: str) -> None:
    wire.send({"id": 1, "method": "workspace/executeCommand", "params": params})
    (answer,) = wire.got
    assert answer["error"]["code"] == -32602
    assert said in answer["error"]["message"]
    assert wire.backend.calls == []


@pytest.mark.parametrize("arguments", [None, []])
def test_a_command_without_an_argument_has_an_empty_one(wire: Wire, arguments: Json) -> None:
    params = {"command": "acp.state", "arguments": arguments}
    wire.send({"id": 1, "method": "workspace/executeCommand", "params": params})
    assert wire.backend.calls == [("acp.state", {})]


def test_a_bug_is_answered_and_logged(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    wire.command(1, {}, name="acp.bug")
    assert wire.got[0]["error"]["code"] == -32603
    assert "ZeroDivisionError" in caplog.text
    wire.command(2, {})
    assert len(wire.backend.replies) == 1


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[]", b"5", b"{}", b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"2.0","id":9}'],
)
def test_what_is_no_message_ends_nothing(wire: Wire, body: bytes) -> None:
    wire.server.protocol.receive(body)
    wire.command(1, {})
    assert len(wire.backend.replies) == 1


def test_after_shutdown_commands_are_refused(wire: Wire) -> None:
    wire.send({"id": 1, "method": "shutdown"})
    wire.command(2, {})
    assert wire.got[-1]["error"]["code"] == -32602
    assert wire.backend.calls == []


@pytest.mark.parametrize("answer", [{"result": None}, {"result": {"success": "maybe"}}])
async def test_an_answer_that_lsp_does_not_know_still_ends_the_request(
    wire: Wire, answer: Json
) -> None:
    params = types.ShowDocumentParams(uri="file:///a")
    future = wire.server.protocol.send_request("window/showDocument", params)
    wire.send({"id": wire.got[-1]["id"], **answer})
    assert future.done()


def test_virtual_documents(wire: Wire) -> None:
    method = "workspace/textDocumentContent"
    wire.send({"id": 1, "method": method, "params": {"uri": "acp-review:/known"}})
    wire.send({"id": 2, "method": method, "params": {"uri": "acp-review:/other"}})
    known, other = wire.got
    assert known["result"]["text"] == "text\u2028more"
    assert "no such document" in other["error"]["message"]


def test_lone_surrogates_are_sent_without_raising(wire: Wire) -> None:
    wire.server.protocol.notify_json("acp/x", {"text": "a\ud800b"})
    assert wire.got[0]["params"]["text"].startswith("a")
