"""Whatever the published schema calls valid is understood, without a problem."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acp_sidecar.wire.negotiate import adapter_for, negotiated
from acp_sidecar.wire.protocol import SessionUpdates
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v2.adapter import V2Adapter
from tests.schemas import load_schema
from tests.wire.schema_cases import instances

Json = Any

generous = settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
    ],
)


def update_variants(version: int) -> list[tuple[str, str]]:
    """(`sessionUpdate`, name of its definition) of every variant that the schema names."""
    union = load_schema(version)["$defs"]["SessionUpdate"]
    found = []
    for variant in union.get("anyOf") or union["oneOf"]:
        tag = variant["properties"]["sessionUpdate"].get("const")
        if tag is not None:
            found.append((tag, variant["allOf"][0]["$ref"].rsplit("/", 1)[1]))
    return found


def all_variants() -> list[tuple[int, str, str]]:
    return [(version, *each) for version in (1, 2) for each in update_variants(version)]


@pytest.mark.parametrize(("version", "tag", "definition"), all_variants())
@given(data=st.data())
@generous
def test_valid_updates_are_understood(
    version: int, tag: str, definition: str, data: st.DataObject
) -> None:
    update = {**data.draw(instances(version, definition)), "sessionUpdate": tag}
    adapter = V2Adapter() if version == 2 else V1Adapter()
    decoded = adapter.incoming("session/update", {"sessionId": "s", "update": update})
    assert decoded.problems == []
    assert isinstance(decoded.value, SessionUpdates)


@pytest.mark.parametrize("state", ["running", "requires_action", "_dreaming"])
def test_what_only_idle_has_is_an_extension_of_other_states(state: str) -> None:
    update = {"sessionUpdate": "state_update", "state": state, "error": [], "stopReason": 7}
    decoded = V2Adapter().incoming("session/update", {"sessionId": "s", "update": update})
    assert decoded.problems == []
    assert isinstance(decoded.value, SessionUpdates)


REQUESTS = [
    ("session/request_permission", "RequestPermissionRequest"),
    ("elicitation/create", "CreateElicitationRequest"),
    ("elicitation/complete", "CompleteElicitationNotification"),
    ("$/cancel_request", "CancelRequestNotification"),
]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(("method", "definition"), REQUESTS)
@given(data=st.data())
@generous
def test_valid_requests_are_understood(
    version: int, method: str, definition: str, data: st.DataObject
) -> None:
    params = data.draw(instances(version, definition))
    if method == "$/cancel_request" and params["requestId"] is None:
        return  # JSON-RPC's null id can be no open request of ours
    adapter = V2Adapter() if version == 2 else V1Adapter()
    decoded = adapter.incoming(method, params)
    assert decoded.problems == []
    assert decoded.value is not None


@pytest.mark.parametrize("version", [1, 2])
@given(data=st.data())
@generous
def test_valid_initialize_answers_are_understood(version: int, data: st.DataObject) -> None:
    result = {**data.draw(instances(version, "InitializeResponse")), "protocolVersion": version}
    outcome = negotiated(version, result)
    assert outcome.problems == []
    assert outcome.result is not None
    assert adapter_for(outcome.result).version == version


ANSWERS = {
    "NewSessionResponse": lambda adapter: adapter.new_session("/", []),
    "SetSessionConfigOptionResponse": lambda adapter: adapter.set_option("s", "o", "v"),
    "PromptResponse": lambda adapter: adapter.prompt("s", []),
}


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("definition", ANSWERS)
@given(data=st.data())
@generous
def test_valid_answers_are_understood(version: int, definition: str, data: st.DataObject) -> None:
    adapter = V2Adapter() if version == 2 else V1Adapter()
    decoded = ANSWERS[definition](adapter).decode(data.draw(instances(version, definition)))
    assert decoded.problems == []
    assert decoded.value is not None
