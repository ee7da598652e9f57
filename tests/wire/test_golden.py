"""Every kind of message that an agent can send, on the wire and understood, in both versions.

The tables are in `tests/wire/golden`. Each row is read whole, byte by byte, and with the beginning
of another message behind it; each must be valid by the published schema, and together they must
have every variant, value and member that the schema names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from acp_sidecar.errors import Problem
from acp_sidecar.wire.json_rpc import (
    ErrorResponse,
    Incoming,
    Notification,
    Peer,
    Request,
    Response,
    RpcError,
)
from acp_sidecar.wire.negotiate import negotiated
from tests.schemas import check, check_message, load_schema
from tests.wire.golden import v1, v2
from tests.wire.golden.case import Answered, Said, adapter_of, written

Json = Any
Read = Callable[[Peer, bytes], list[Incoming]]

ERRORS = {
    "parse error": {"code": -32700, "message": "Parse error"},
    "invalid request": {"code": -32600, "message": "Invalid request"},
    "method not found": {"code": -32601, "message": "No", "data": {"method": "x"}},
    "invalid params": {"code": -32602, "message": "No", "data": None},
    "internal": {"code": -32603, "message": "Oops", "data": "text"},
    "request cancelled": {"code": -32800, "message": "Cancelled"},
    "sign in first": {"code": -32000, "message": "Authentication required"},
    "no such session": {"code": -32002, "message": "No", "data": {"sessionId": "s", "_meta": {}}},
    "vendor's own": {"code": -31999, "message": "Own"},
}
WRONG_VERSION = {
    "code": -32022,
    "message": "Unsupported",
    "data": {"requested": 3, "supported": [2]},
}
SAID = [(version, row) for version, table in ((1, v1), (2, v2)) for row in table.SAID]
ANSWERS = [(version, row) for version, table in ((1, v1), (2, v2)) for row in table.ANSWERS]


def named(value: object) -> str | None:
    return value.name if isinstance(value, Said | Answered) else None


def whole(peer: Peer, line: bytes) -> list[Incoming]:
    return peer.receive(line)


def byte_by_byte(peer: Peer, line: bytes) -> list[Incoming]:
    incoming = []
    for index in range(len(line)):
        came = peer.receive(line[index : index + 1])
        assert not came or index == len(line) - 1
        incoming += came
    return incoming


def with_trailing_bytes(peer: Peer, line: bytes) -> list[Incoming]:
    following = b'{"jsonrpc":"2.0","method":"_next"}\n'
    incoming = peer.receive(line + following[:20])
    assert peer.receive(following[20:]) == [Notification("_next", None)]
    return incoming


three_ways = pytest.mark.parametrize("read", [whole, byte_by_byte, with_trailing_bytes])


def encoded(message: Json) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def codes(problems: list[Problem]) -> tuple[str, ...]:
    return tuple(problem.code for problem in problems)


@three_ways
@pytest.mark.parametrize(("version", "row"), SAID, ids=named)
def test_what_an_agent_says(version: int, row: Said, read: Read) -> None:
    (message,) = read(Peer(), encoded(row.message()))
    expected = Notification if row.id is None else Request
    assert type(message) is expected
    assert isinstance(message, Notification | Request)
    assert getattr(message, "id", None) == row.id
    adapter = adapter_of(version)
    for method, params in row.before:
        adapter.incoming(method, params)
    decoded = adapter.incoming(message.method, message.params)
    assert written(decoded.value) == row.means
    assert codes(decoded.problems) == row.problems


@three_ways
@pytest.mark.parametrize(("version", "row"), ANSWERS, ids=named)
def test_what_an_agent_answers(version: int, row: Answered, read: Read) -> None:
    peer = Peer()
    outgoing = row.request(adapter_of(version))
    peer.request(outgoing.method, outgoing.params)
    assert read(peer, encoded(row.message())) == [Response(0, row.result)]
    decoded = outgoing.decode(row.result)
    assert written(decoded.value) == row.means
    assert codes(decoded.problems) == row.problems
    assert peer.outgoing_requests == {}


@three_ways
@pytest.mark.parametrize("error", [*ERRORS.values(), WRONG_VERSION], ids=[*ERRORS, "version"])
def test_how_an_agent_refuses(error: Json, read: Read) -> None:
    peer = Peer()
    peer.request("session/prompt", {})
    expected = RpcError(error["code"], error["message"], error.get("data"))
    message = {"jsonrpc": "2.0", "id": 0, "error": error}
    assert read(peer, encoded(message)) == [ErrorResponse(0, expected)]


@three_ways
@pytest.mark.parametrize(
    ("table", "means"),
    [(v1, v1.MEANT_INITIALIZED), (v2, {"is": "InitializeResult", **v2.INITIALIZED})],
)
def test_how_an_agent_introduces_itself(table: Any, means: Json, read: Read) -> None:
    peer = Peer()
    peer.request("initialize", {})
    (answer,) = read(peer, encoded({"jsonrpc": "2.0", "id": 0, "result": table.INITIALIZED}))
    assert isinstance(answer, Response)
    outcome = negotiated(2, answer.result)
    assert written(outcome.result) == means
    assert outcome.problems == []
    assert not outcome.reconnect


# --- the tables against the published schema ------------------------------------------------------


@pytest.mark.parametrize(("version", "row"), SAID, ids=named)
def test_the_table_is_what_the_schema_says(version: int, row: Said) -> None:
    if row.valid:
        check_message(version, row.message(), from_agent=True)


@pytest.mark.parametrize(("version", "row"), ANSWERS, ids=named)
def test_the_answers_are_what_the_schema_says(version: int, row: Answered) -> None:
    if row.valid:
        method = row.request(adapter_of(version)).method
        check_message(version, row.message(), from_agent=True, answers=method)


@pytest.mark.parametrize(("version", "table"), [(1, v1), (2, v2)])
def test_the_introductions_are_what_the_schema_says(version: int, table: Any) -> None:
    check(version, "InitializeResponse", table.INITIALIZED)
    for error in [*ERRORS.values(), *([WRONG_VERSION] if version == 2 else [])]:
        check(version, "Error", error)


def test_every_update_of_the_schema_has_a_row() -> None:
    for version, table in ((1, v1), (2, v2)):
        rows = {row.params["update"]["sessionUpdate"] for row in table.UPDATES}
        union = load_schema(version)["$defs"]["SessionUpdate"]
        variants = union.get("anyOf") or union["oneOf"]
        tags = {variant["properties"]["sessionUpdate"].get("const") for variant in variants}
        assert tags - {None} <= rows


@pytest.mark.parametrize(("version", "table"), [(1, v1), (2, v2)])
def test_everything_that_the_schema_names_is_in_the_table(version: int, table: Any) -> None:
    """Members by name, and values of members that the schema lists, such as kinds and types."""
    members, values = set(), set()
    for definition in agent_definitions(version):
        for name, value in schema_names(version, {"$ref": f"#/$defs/{definition}"}, set()):
            members.add(name)
            values.add((name, value))
    told = {*told_by(version, table)}
    assert members - {name for name, _ in told} == set()
    assert {(name, value) for name, value in values if value is not None} - told == set()


def agent_definitions(version: int) -> list[str]:
    """Definitions of what the agent sends: requests, notifications, answers."""
    found = []
    for name, definition in load_schema(version)["$defs"].items():
        side = definition.get("x-side")
        answers = name.endswith("Response")
        if (
            side == "protocol"
            or (side == "agent" and answers)
            or (side == "client" and not answers)
        ):
            found.append(name)
    return [*found, "Error"]


def schema_names(version: int, node: Json, seen: set[str]) -> Iterator[tuple[str, Json]]:
    """(member, value or None if any) that a schema names, in it and in all that it refers to."""
    if isinstance(node, list):
        for item in node:
            yield from schema_names(version, item, seen)
    if not isinstance(node, dict):
        return
    reference = node.get("$ref")
    if reference is not None and reference not in seen:
        seen.add(reference)
        yield from schema_names(version, resolved(version, node), seen)
    for name, schema in node.get("properties", {}).items():
        yield name, None
        yield from ((name, value) for value in constants(version, schema))
    for key, part in node.items():
        yield from schema_names(version, list(part.values()) if key == "properties" else part, seen)


def resolved(version: int, node: Json) -> Json:
    while "$ref" in node:
        node = load_schema(version)["$defs"][node["$ref"].rsplit("/", 1)[1]]
    return node


def constants(version: int, schema: Json) -> Iterator[Json]:
    """The values that a member's schema lists."""
    if not isinstance(schema, dict):
        return
    schema = resolved(version, schema)
    if "const" in schema:
        yield schema["const"]
    for key in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(key, ()):
            yield from constants(version, part)
    if "items" in schema:
        yield from constants(version, schema["items"])


def told_by(version: int, table: Any) -> Iterator[tuple[str, Json]]:
    """(member, value) of everything in the rows that the schema allows; values of lists too."""
    for row in [*table.SAID, *table.ANSWERS]:
        if row.valid:
            yield from walked(row.params if isinstance(row, Said) else row.result)
    yield from walked([table.INITIALIZED, *ERRORS.values(), WRONG_VERSION])


def walked(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, list):
        for item in value:
            yield from walked(item)
    elif isinstance(value, dict):
        for name, member in value.items():
            values = member if isinstance(member, list) else [member]
            scalar = [each for each in values if isinstance(each, str | int | None)]
            yield from ((name, each) for each in scalar or [None])
            yield from walked(member)
