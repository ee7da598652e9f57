"""Everything we send is what the published schemas ask for, in both versions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acp_sidecar.errors import NotSupported
from acp_sidecar.session.handshake import AgentAuthMethod, AgentCapabilities
from acp_sidecar.wire.lenient import decode
from acp_sidecar.wire.negotiate import initialize_params
from acp_sidecar.wire.protocol import (
    Adapter,
    ClientInfo,
    ClientOffer,
    Outgoing,
    elicitation_answer,
    permission_answer,
)
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v2.adapter import V2Adapter
from tests.schemas import check, check_message

ABLE = decode(
    AgentCapabilities,
    {
        "session": {
            name: {}
            for name in ("list", "resume", "load", "close", "delete", "additionalDirectories")
        },
        "auth": {"logout": {}},
    },
    "capabilities",
).value

BLOCKS: list[Any] = [
    {"type": "text", "text": "hello"},
    {"type": "resource_link", "name": "a.py", "uri": "file:///a.py"},
    {"type": "resource", "resource": {"uri": "file:///b.py", "text": "x = 1\n"}},
]

REQUESTS: dict[str, Callable[[Adapter], Outgoing[Any]]] = {
    "authenticate": lambda a: a.authenticate(AgentAuthMethod(method_id="m", name="M")),
    "logout": lambda a: a.logout(),
    "new": lambda a: a.new_session("/project", []),
    "new with directories": lambda a: a.new_session("/project", ["/other"]),
    "list": lambda a: a.list_sessions(None, None),
    "list page": lambda a: a.list_sessions("/project", "next"),
    "resume": lambda a: a.resume_session("s", "/project", [], replay=False),
    "replay": lambda a: a.resume_session("s", "/project", ["/other"], replay=True),
    "close": lambda a: a.close_session("s"),
    "delete": lambda a: a.delete_session("s"),
    "prompt": lambda a: a.prompt("s", BLOCKS),
    "option": lambda a: a.set_option("s", "mode", "ask"),
    "switch": lambda a: a.set_option("s", "verbose", True),
    "cancel call": lambda a: a.cancel_tool_call("s", "c"),
    "cancel terminal": lambda a: a.cancel_terminal("s", "t"),
}
V2_ONLY = {"cancel call", "cancel terminal"}


def adapter(version: int) -> Adapter:
    return V2Adapter(ABLE) if version == 2 else V1Adapter(ABLE)


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("name", REQUESTS)
def test_requests_fit_the_schema(version: int, name: str) -> None:
    if version == 1 and name in V2_ONLY:
        with pytest.raises(NotSupported):
            REQUESTS[name](adapter(version))
        return
    outgoing = REQUESTS[name](adapter(version))
    message = {"jsonrpc": "2.0", "id": 0, "method": outgoing.method, "params": outgoing.params}
    check_message(version, message, from_agent=False)


@pytest.mark.parametrize("version", [1, 2])
def test_further_roots_are_sent_only_where_they_are_offered(version: int) -> None:
    unable: Adapter = V2Adapter() if version == 2 else V1Adapter()
    able = adapter(version)
    assert unable.new_session("/p", ["/other"]).params.get("additionalDirectories") is None
    for outgoing in (
        able.new_session("/p", ["/other"]),
        able.resume_session("s", "/p", ["/other"], replay=True),
    ):
        assert outgoing.params["additionalDirectories"] == ["/other"]


@pytest.mark.parametrize("version", [1, 2])
def test_the_cancel_notification_fits_the_schema(version: int) -> None:
    outgoing = adapter(version).cancel("s")
    message = {"jsonrpc": "2.0", "method": outgoing.method, "params": outgoing.params}
    check_message(version, message, from_agent=False)


CLIENT = ClientInfo("a", "A", "1")


@pytest.mark.parametrize("able", [True, False])
@pytest.mark.parametrize("version", [1, 2])
def test_the_offer_fits_the_schema_of_its_version(version: int, able: bool) -> None:
    offer = ClientOffer(able, able, able)
    params = initialize_params(version, CLIENT, offer, elicitation=able)
    check(version, "InitializeRequest", params)


@pytest.mark.parametrize(("read", "write", "run"), [(True, False, False), (False, True, True)])
def test_what_is_offered_is_told_one_by_one(read: bool, write: bool, run: bool) -> None:
    offer = ClientOffer(read, write, run)
    told = initialize_params(1, CLIENT, offer, elicitation=False)["clientCapabilities"]
    assert told["fs"] == {"readTextFile": read, "writeTextFile": write}
    assert told["terminal"] is run


def test_an_offer_of_2_is_a_valid_offer_for_a_v1_agent_too() -> None:
    params = initialize_params(2, CLIENT, ClientOffer(True, True, True), elicitation=True)
    check(1, "InitializeRequest", params)


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("option", ["allow", None])
def test_permission_answers_fit_the_schema(version: int, option: str | None) -> None:
    check(version, "RequestPermissionResponse", permission_answer(option))


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("action", "content"),
    [
        ("accept", {"a": 1, "b": ["x"], "c": True}),
        ("accept", None),
        ("decline", None),
        ("cancel", None),
    ],
)
def test_elicitation_answers_fit_the_schema(version: int, action: str, content: object) -> None:
    check(version, "CreateElicitationResponse", elicitation_answer(action, content))


def test_what_a_v1_agent_does_not_offer_is_refused_with_a_reason() -> None:
    bare = V1Adapter()
    for name in ("logout", "list", "resume", "replay", "close", "delete"):
        with pytest.raises(NotSupported, match="cannot"):
            REQUESTS[name](bare)


def test_v1_resumes_by_load_or_resume_as_the_agent_can() -> None:
    able = V1Adapter(ABLE)
    assert able.resume_session("s", "/", [], replay=True).method == "session/load"
    assert able.resume_session("s", "/", [], replay=False).method == "session/resume"
