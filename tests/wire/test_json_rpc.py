"""JSON-RPC without IO: every line comes out as a message or a problem; answers are given once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.wire.json_rpc import (
    AlreadyAnswered,
    ErrorResponse,
    Incoming,
    Notification,
    Peer,
    Request,
    Response,
    RpcError,
)


def rpc(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def codes(incoming: list[Incoming]) -> list[Incoming | str]:
    return [item.code if isinstance(item, Problem) else item for item in incoming]


NOTE = Notification("m", {"a": 1})
LINE = rpc(method="m", params={"a": 1})
DEEP = b'{"jsonrpc":"2.0","method":"m","params":' + b"[" * 300 + b"]" * 300 + b"}\n"

# Every line is read by a peer that has request 0 open at the agent.
GOLDEN: list[tuple[str, bytes, list[Incoming | str]]] = [
    ("notification", LINE, [NOTE]),
    ("notification without params", rpc(method="m"), [Notification("m", None)]),
    ("extra members", rpc(method="m", params={"a": 1}, extra=1), [NOTE]),
    ("request", rpc(id=0, method="m", params=[1]), [Request(0, "m", [1])]),
    ("request with string id", rpc(id="0", method="m"), [Request("0", "m", None)]),
    ("request with an empty id", rpc(id="", method="m"), [Request("", "m", None)]),
    ("negative id", rpc(id=-7, method="m"), [Request(-7, "m", None)]),
    ("null id", rpc(id=None, method="m"), ["invalid-id"]),
    ("fractional id", rpc(id=1.5, method="m"), ["invalid-id"]),
    ("boolean id", rpc(id=True, method="m"), ["invalid-id"]),
    ("object id", rpc(id={}, method="m"), ["invalid-id"]),
    ("method is a number", rpc(id=1, method=7), ["not-json-rpc"]),
    ("response", rpc(id=0, result={"x": None}), [Response(0, {"x": None})]),
    ("null result", rpc(id=0, result=None), [Response(0, None)]),
    ("no result", rpc(id=0), ["answer-without-result", Response(0, None)]),
    ("null error beside a result", rpc(id=0, result=1, error=None), [Response(0, 1)]),
    (
        "error",
        rpc(id=0, error={"code": -1, "message": "no", "data": [1]}),
        [ErrorResponse(0, RpcError(-1, "no", [1]))],
    ),
    ("error is text", rpc(id=0, error="no"), [ErrorResponse(0, RpcError(-32603, "no", "no"))]),
    ("error is empty", rpc(id=0, error={}), [ErrorResponse(0, RpcError(-32603, "", None))]),
    (
        "error for nobody",
        rpc(id=None, error={"code": -32700, "message": "?"}),
        [ErrorResponse(None, RpcError(-32700, "?"))],
    ),
    ("never asked", rpc(id=7, result=1), ["unknown-response-id"]),
    ("our id as a string", rpc(id="0", result=1), ["unknown-response-id"]),
    ("our id as a fraction", rpc(id=0.0, result=1), ["unknown-response-id"]),
    ("result for nobody", rpc(id=None, result=1), ["unknown-response-id"]),
    ("blank", b"\n", []),
    ("spaces", b" \t \r\n", []),
    ("banner", b"Welcome to agent 1.0\n", ["not-json"]),
    ("ansi", b"\x1b[2J\x1b[1;1H\n", ["not-json"]),
    ("message in colour", b"\x1b[32m" + LINE[:-1] + b"\x1b[0m\n", ["decorated-json", NOTE]),
    ("byte order mark", b"\xef\xbb\xbf" + LINE, [NOTE]),
    ("byte order mark alone", b"\xef\xbb\xbf\n", []),
    ("cut", LINE[:-5] + b"\n", ["not-json"]),
    ("two on a line", LINE[:-1] + LINE, ["not-json"]),
    ("a logged message is no message", b"sent: " + LINE, ["not-json"]),
    ("number", b"42\n", ["not-json-rpc"]),
    ("string", b'"hello"\n', ["not-json-rpc"]),
    ("null", b"null\n", ["not-json-rpc"]),
    ("empty object", b"{}\n", ["missing-jsonrpc", "not-json-rpc"]),
    ("empty batch", b"[]\n", ["not-json-rpc"]),
    ("no version", b'{"method":"m","params":{"a":1}}\n', ["missing-jsonrpc", NOTE]),
    (
        "invalid utf-8",
        b'{"jsonrpc":"2.0","method":"m","params":"\xff!"}\n',
        ["invalid-utf8", Notification("m", "\ufffd!")],
    ),
    ("invalid utf-8 and no json", b"\xff\xfe\n", ["invalid-utf8"]),
    (
        "half a surrogate pair",
        b'{"jsonrpc":"2.0","method":"m","params":"\\ud83d"}\n',
        ["repaired-json", Notification("m", "\ufffd")],
    ),
    (
        "not a number",
        b'{"jsonrpc":"2.0","method":"m","params":[NaN,Infinity,1.5]}\n',
        ["repaired-json", Notification("m", [None, None, 1.5])],
    ),
    (
        "raw control character in a string",
        b'{"jsonrpc":"2.0","method":"m","params":"\x1b"}\n',
        ["repaired-json", Notification("m", "\x1b")],
    ),
    ("nested", DEEP, ["nested-too-deep"]),
    ("nested without end", b"[" * 100_000 + b"\n", ["nested-too-deep"]),
    ("batch", b"[" + LINE[:-1] + b"," + LINE[:-1] + b"]\n", [NOTE, NOTE]),
    ("batch with junk", b"[1," + LINE[:-1] + b",[]]\n", ["not-json-rpc", NOTE, "not-json-rpc"]),
    ("70 kB", rpc(method="m", params="x" * 70_000), [Notification("m", "x" * 70_000)]),
]


def asking_peer() -> Peer:
    peer = Peer()
    peer.request("initialize")
    return peer


def bytewise(peer: Peer, data: bytes) -> list[Incoming]:
    return [item for i in range(len(data)) for item in peer.receive(data[i : i + 1])]


@pytest.mark.parametrize(("data", "expected"), [g[1:] for g in GOLDEN], ids=[g[0] for g in GOLDEN])
def test_golden_lines_whole_bytewise_and_with_more_to_come(
    data: bytes, expected: list[Incoming | str]
) -> None:
    assert codes(asking_peer().receive(data)) == expected
    assert codes(bytewise(asking_peer(), data)) == expected
    peer = asking_peer()
    assert codes(peer.receive(data + LINE + LINE[:10])) == [*expected, NOTE]
    assert codes(peer.receive(LINE[10:])) == [NOTE]


@pytest.mark.parametrize("data", [g[1] for g in GOLDEN], ids=[g[0] for g in GOLDEN])
def test_what_a_peer_says_by_itself_is_json_rpc(data: bytes) -> None:
    peer = asking_peer()
    peer.receive(data)
    for line in peer.data_to_send().split(b"\n")[:-1]:
        for answer in one_or_many(json.loads(line)):
            assert answer["jsonrpc"] == "2.0"
            assert answer["error"]["code"] in {-32600, -32700}
    assert peer.data_to_send() == b""


def one_or_many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON,
        "id": st.integers(-1, 3) | st.text(max_size=2) | JSON,
        "method": st.text(max_size=5) | JSON,
        "params": JSON,
        "result": JSON,
        "error": st.dictionaries(st.sampled_from(["code", "message", "data"]), JSON) | JSON,
    },
)


@given(st.lists(MEMBERS | st.lists(MEMBERS, max_size=3) | JSON, max_size=5))
def test_any_json_is_survived_and_every_request_is_open(values: list[Any]) -> None:
    peer = asking_peer()
    incoming = peer.receive(b"".join(json.dumps(value).encode() + b"\n" for value in values))
    requests = [item for item in incoming if isinstance(item, Request)]
    assert [request.id for request in requests] == list(peer.incoming_requests)
    for request in requests:
        peer.respond(request.id, None)
    assert not peer.incoming_requests
    assert all(item.fault is Fault.AGENT for item in incoming if isinstance(item, Problem))


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_any_bytes_are_survived_and_the_next_message_is_read(first: bytes, second: bytes) -> None:
    peer = Peer()
    peer.receive(first)
    peer.receive(second)
    peer.receive(b"\n")
    assert peer.receive(LINE)[-1] == NOTE
    peer.receive_eof()


def test_requests_are_numbered_from_zero_and_answered_once() -> None:
    peer = Peer()
    assert peer.request("a", {"x": 1}) == (
        0,
        b'{"jsonrpc":"2.0","id":0,"method":"a","params":{"x":1}}\n',
    )
    assert peer.request("b") == (1, b'{"jsonrpc":"2.0","id":1,"method":"b"}\n')
    assert peer.outgoing_requests == {0: "a", 1: "b"}
    assert peer.receive(rpc(id=1, result=1) + rpc(id=0, result=0)) == [
        Response(1, 1),
        Response(0, 0),
    ]
    assert codes(peer.receive(rpc(id=1, result=2))) == ["second-answer"]
    assert not peer.outgoing_requests


def test_an_answer_after_we_gave_up_is_a_problem_once() -> None:
    peer = asking_peer()
    peer.forget(0)
    (late,) = peer.receive(rpc(id=0, result=1))
    assert isinstance(late, Problem)
    assert (late.code, late.where) == ("late-answer", "initialize")
    assert codes(peer.receive(rpc(id=0, result=1))) == ["second-answer"]


def test_a_request_is_answered_exactly_once() -> None:
    peer = Peer()
    peer.receive(rpc(id="x", method="m"))
    assert peer.respond("x", {"ok": True}) == b'{"jsonrpc":"2.0","id":"x","result":{"ok":true}}\n'
    with pytest.raises(AlreadyAnswered):
        peer.respond("x", None)
    with pytest.raises(AlreadyAnswered):
        peer.respond_error("never", -1, "no")


def test_ids_of_different_types_are_different_requests() -> None:
    peer = Peer()
    peer.receive(rpc(id=1, method="a") + rpc(id="1", method="b"))
    assert peer.incoming_requests == {1: "a", "1": "b"}
    assert json.loads(peer.respond("1", None))["id"] == "1"
    assert json.loads(peer.respond_error(1, -32601, "no", {"a": 1})) == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32601, "message": "no", "data": {"a": 1}},
    }


def test_an_id_in_use_is_refused_and_the_first_request_stays_open() -> None:
    peer = Peer()
    peer.receive(rpc(id=1, method="a"))
    assert codes(peer.receive(rpc(id=1, method="b"))) == ["id-in-use"]
    assert json.loads(peer.data_to_send())["error"]["code"] == -32600
    assert peer.incoming_requests == {1: "a"}
    peer.respond(1, None)
    assert peer.receive(rpc(id=1, method="c")) == [Request(1, "c", None)]


def test_a_bad_id_is_refused_with_id_null() -> None:
    peer = Peer()
    peer.receive(rpc(id=None, method="m"))
    assert json.loads(peer.data_to_send())["id"] is None


def test_a_request_that_lost_text_is_refused_and_not_acted_on() -> None:
    peer = Peer()
    line = b'{"jsonrpc":"2.0","id":4,"method":"fs/write_text_file","params":{"content":"\xff"}}\n'
    assert codes(peer.receive(line)) == ["invalid-utf8"]
    answer = json.loads(peer.data_to_send())
    assert (answer["id"], answer["error"]["code"]) == (4, -32700)
    assert not peer.incoming_requests


def test_a_batch_is_answered_by_one_array_when_its_last_request_is() -> None:
    peer = Peer()
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "a"},
        {"jsonrpc": "2.0", "method": "n"},
        {"jsonrpc": "2.0", "id": "2", "method": "b"},
        "junk",
    ]
    incoming = peer.receive(json.dumps(batch).encode() + b"\n")
    assert codes(incoming) == [
        Request(1, "a", None),
        Notification("n", None),
        Request("2", "b", None),
        "not-json-rpc",
    ]
    assert peer.data_to_send() == b""
    assert peer.respond("2", "second") == b""
    answers = json.loads(peer.respond_error(1, -32601, "first"))
    assert {answer["id"] for answer in answers} == {1, "2", None}
    with pytest.raises(AlreadyAnswered):
        peer.respond("2", None)


def test_two_batches_are_answered_apart() -> None:
    peer = Peer()
    for ids in ((1, 2), (3, 4)):
        batch = [{"jsonrpc": "2.0", "id": i, "method": "m"} for i in ids]
        peer.receive(json.dumps(batch).encode() + b"\n")
    assert peer.respond(1, None) == peer.respond(3, None) == b""
    assert [answer["id"] for answer in json.loads(peer.respond(4, None))] == [3, 4]
    assert [answer["id"] for answer in json.loads(peer.respond(2, None))] == [1, 2]


def test_a_batch_without_requests_is_not_answered() -> None:
    peer = asking_peer()
    batch = [{"jsonrpc": "2.0", "method": "n"}, {"jsonrpc": "2.0", "id": 0, "result": 1}]
    assert peer.receive(json.dumps(batch).encode() + b"\n") == [
        Notification("n", None),
        Response(0, 1),
    ]
    assert peer.data_to_send() == b""


def test_a_batch_of_junk_only_is_refused_at_once_in_one_array() -> None:
    peer = Peer()
    peer.receive(b"[1,2]\n")
    assert [answer["error"]["code"] for answer in json.loads(peer.data_to_send())] == [-32600] * 2


def test_a_missing_version_is_told_once_per_connection() -> None:
    peer = Peer()
    incoming = peer.receive(b'{"method":"a"}\n{"method":"b"}\n{"id":1,"method":"c"}\n')
    assert codes(incoming) == [
        "missing-jsonrpc",
        Notification("a", None),
        Notification("b", None),
        Request(1, "c", None),
    ]


def test_the_last_line_counts_without_its_newline_if_it_is_whole() -> None:
    peer = Peer()
    assert peer.receive(LINE.rstrip(b"\n")) == []
    assert peer.receive_eof() == [NOTE]
    peer = Peer()
    peer.receive(LINE[:-10])
    assert codes(peer.receive_eof()) == ["not-json"]


def test_a_line_over_the_limit_is_dropped_and_the_next_is_read() -> None:
    peer = Peer(max_line_bytes=1000)
    assert codes(peer.receive(rpc(method="m", params="x" * 1000) + LINE)) == ["line-too-long", NOTE]


@given(JSON)
def test_what_we_send_is_one_line_of_valid_json(value: Any) -> None:
    for line in (
        Peer().notify("m", value),
        Peer().request("m", value)[1],
    ):
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        text = line.decode("utf-8")
        json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


@given(st.text(st.characters(min_codepoint=0xD7F0, max_codepoint=0xE010), max_size=6))
def test_lone_surrogates_are_sent_without_raising(text: str) -> None:
    line = Peer().notify("m", [text])
    # A pair of surrogates is one character in JSON, so it may come back joined.
    sent = json.loads(line)["params"][0]
    assert sent.encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")


@given(st.text())
def test_text_comes_back_as_it_was_sent(text: str) -> None:
    (message,) = Peer().receive(Peer().notify("m", text))
    assert message == Notification("m", text)
