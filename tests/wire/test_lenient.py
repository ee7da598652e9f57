"""What the schema forgives is forgiven and recorded; nothing an agent sends raises."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.errors import Problem
from acp_sidecar.session.tool_calls import ToolCallUpdate
from acp_sidecar.session.view import plain
from acp_sidecar.wire.lenient import Decoded, decode
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v2.adapter import UPDATE_TYPES, V2Adapter

Json = Any
TEXT = {"type": "content", "content": {"type": "text", "text": "x"}}


def tool_call(**fields: Json) -> Decoded[ToolCallUpdate]:
    return decode(ToolCallUpdate, {"toolCallId": "c", **fields}, "tool_call_update")


def problem_of(decoded: Decoded[Any]) -> Problem:
    [problem] = decoded.problems
    return problem


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("title", 5),
        ("kind", ["edit"]),
        ("status", {}),
        ("content", "text"),
        ("locations", {"path": "/a"}),
        ("capabilities", True),
        ("_meta", "x"),
    ],
)
def test_a_bad_optional_value_counts_as_omitted(field: str, bad: Json) -> None:
    decoded = tool_call(**{field: bad})
    assert decoded.value is not None
    name = {"_meta": "meta"}.get(field, field)
    assert name not in decoded.value.model_fields_set, "a patch must not clear what it got wrong"
    problem = problem_of(decoded)
    assert (problem.code, problem.where) == ("invalid-value", f"tool_call_update.{field}")


@pytest.mark.parametrize("bad", [3, None, {}, {"type": 1}, {"type": "diff"}, {"type": "content"}])
def test_a_bad_item_is_left_out_and_the_others_stay(bad: Json) -> None:
    decoded = tool_call(content=[TEXT, bad, {"type": "_new", "a": 1}])
    assert decoded.value is not None
    assert plain(decoded.value)["content"] == [TEXT, {"type": "_new", "a": 1}]
    assert problem_of(decoded).where == "tool_call_update.content[1]"


def test_a_malformed_known_type_is_a_problem_and_no_unknown_variant() -> None:
    decoded = tool_call(content=[{"type": "terminal"}])
    assert decoded.value is not None
    assert decoded.value.content == []
    assert problem_of(decoded).code == "invalid-item"


@pytest.mark.parametrize(
    ("line", "kept"), [(7, 7), (0, 0), (None, None), (-1, None), ("7", None), (1.5, None)]
)
def test_a_location_survives_its_bad_line(line: Json, kept: int | None) -> None:
    decoded = tool_call(locations=[{"path": "/a", "line": line}])
    assert decoded.value is not None
    assert decoded.value.locations is not None
    assert [location.line for location in decoded.value.locations] == [kept]
    assert len(decoded.problems) == (0 if kept == line else 1)


def test_a_bad_required_value_makes_the_message_unusable() -> None:
    decoded = decode(ToolCallUpdate, {"toolCallId": 5}, "tool_call_update")
    assert decoded.value is None
    assert problem_of(decoded).code == "malformed"
    assert "toolCallId" in problem_of(decoded).message


def test_problems_carry_a_short_excerpt_only() -> None:
    decoded = tool_call(title=["secret " * 1000])
    assert len(problem_of(decoded).excerpt) <= 120


def test_a_bad_permission_option_is_not_forgiven() -> None:
    # The schema marks nothing here: an option that is not understood must not silently go away.
    params = {
        "sessionId": "s",
        "title": "t",
        "options": [{"optionId": "a", "name": "Allow", "kind": "allow_once"}, {"optionId": "b"}],
    }
    assert V2Adapter().incoming("session/request_permission", params).value is None


OLDER = [
    (
        "available_commands_update",
        {"availableCommands": [{"name": "n", "description": "d", "input": {"hint": "h"}}]},
    ),
    (
        "config_option_update",
        {
            "configOptions": [
                {
                    "id": "m",
                    "name": "M",
                    "type": "select",
                    "currentValue": "a",
                    "options": [{"group": "g", "name": "G", "options": []}],
                }
            ]
        },
    ),
    ("plan", {"entries": [{"content": "c", "priority": "low", "status": "pending"}]}),
    ("tool_call", {"toolCallId": "c", "title": "t"}),
]


@pytest.mark.parametrize(("kind", "fields"), OLDER)
def test_what_older_drafts_send_is_understood(kind: str, fields: Json) -> None:
    update = {"sessionUpdate": kind, **fields}
    decoded = V2Adapter().incoming("session/update", {"sessionId": "s", "update": update})
    assert decoded.problems == []
    assert decoded.value is not None


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    sorted(
        {
            info.alias or name
            for model in UPDATE_TYPES.values()
            for name, info in model.model_fields.items()
        }
    )
)
WILD_UPDATES = st.builds(
    lambda kind, fields, session: {
        "sessionId": session,
        "update": {"sessionUpdate": kind, **fields},
    },
    st.sampled_from([*UPDATE_TYPES, "tool_call", "plan", "current_mode_update", "_x"]),
    st.dictionaries(FIELDS, ANYTHING, max_size=6),
    st.just("s") | ANYTHING,
)


@given(st.one_of(ANYTHING, WILD_UPDATES), st.sampled_from([1, 2]))
@settings(max_examples=400, deadline=None)
def test_no_update_whatever_it_is_raises(params: Json, version: int) -> None:
    adapter = V2Adapter() if version == 2 else V1Adapter()
    decoded = adapter.incoming("session/update", params)
    assert decoded.value is not None or decoded.problems or version == 1


@given(
    ANYTHING,
    st.sampled_from(
        [
            "session/request_permission",
            "elicitation/create",
            "$/cancel_request",
            "elicitation/complete",
        ]
    ),
)
@settings(max_examples=200, deadline=None)
def test_no_request_whatever_it_is_raises(params: Json, method: str) -> None:
    for adapter in (V2Adapter(), V1Adapter()):
        decoded = adapter.incoming(method, params)
        assert (decoded.value is None) == bool(decoded.problems)


@given(ANYTHING)
@settings(max_examples=200, deadline=None)
def test_no_answer_whatever_it_is_raises(result: Json) -> None:
    for adapter in (V2Adapter(), V1Adapter()):
        adapter.new_session("/", []).decode(result)
        adapter.prompt("s", []).decode(result)
        adapter.set_option("s", "o", "v").decode(result)
        adapter.resume_session  # noqa: B018 - v1 needs a capability for it, tested elsewhere
