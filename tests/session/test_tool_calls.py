"""ACP v2 "Tool Calls": upsert, replace, append, clear."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.session.view import session_view, tool_call_view
from tests.session.builders import session, tell, text_item

LOCATION = {"path": "/project/a.py", "line": 3}


def view_after(*updates: dict[str, Any]) -> dict[str, Any]:
    """The call `c` after some updates of it."""
    state = session()
    for fields in updates:
        kind = fields.pop("kind_of_update", "tool_call_update")
        tell(state, kind, toolCallId="c", **fields)
    view: dict[str, Any] = tool_call_view(state.tool_calls["c"])
    return view


def texts(view: dict[str, Any]) -> list[str]:
    return [item["content"]["text"] for item in view["content"]]


def test_a_new_id_makes_a_call_with_the_protocols_defaults() -> None:
    view = view_after({})
    assert view == {
        "toolCallId": "c",
        "name": None,
        "title": None,
        "kind": "other",
        "status": "pending",
        "content": [],
        "locations": [],
        "rawInput": None,
        "rawOutput": None,
        "capabilities": None,
        "_meta": None,
    }


FULL: dict[str, Any] = {
    "name": "edit_file",
    "title": "Edit a.py",
    "kind": "edit",
    "status": "in_progress",
    "content": [text_item("one")],
    "locations": [LOCATION],
    "rawInput": {"path": "a.py"},
    "rawOutput": [1, None],
    "capabilities": {"cancel": {}},
}
DEFAULTS: dict[str, Any] = {
    "name": None,
    "title": None,
    "kind": "other",
    "status": "pending",
    "content": [],
    "locations": [],
    "rawInput": None,
    "rawOutput": None,
    "capabilities": None,
}


@pytest.mark.parametrize("field", FULL)
def test_an_omitted_field_keeps_its_value(field: str) -> None:
    rest = {name: value for name, value in FULL.items() if name != field}
    assert view_after({**FULL}, {**rest})[field] == FULL[field]


@pytest.mark.parametrize("field", FULL)
def test_null_clears_a_field_to_its_default(field: str) -> None:
    view = view_after({**FULL}, {field: None})
    assert view[field] == DEFAULTS[field]
    kept = {name: value for name, value in FULL.items() if name != field}
    assert {name: view[name] for name in kept} == kept


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "New"),
        ("kind", "read"),
        ("status", "completed"),
        ("content", [text_item("two"), text_item("three")]),
        ("locations", [{"path": "/b"}]),
        ("rawInput", "anything"),
        ("rawOutput", False),
    ],
)
def test_a_value_replaces_as_a_whole(field: str, value: object) -> None:
    assert view_after({**FULL}, {field: value})[field] == value


@pytest.mark.parametrize("empty", [[], None])
@pytest.mark.parametrize("field", ["content", "locations"])
def test_an_empty_array_or_null_clears_arrays(field: str, empty: object) -> None:
    assert view_after({**FULL}, {field: empty})[field] == []


def test_a_chunk_appends_one_item() -> None:
    view = view_after(
        {"content": [text_item("a")]},
        {"kind_of_update": "tool_call_content_chunk", "content": text_item("b")},
        {"kind_of_update": "tool_call_content_chunk", "content": text_item("c")},
    )
    assert texts(view) == ["a", "b", "c"]


def test_a_chunk_makes_the_call_if_it_is_new() -> None:
    view = view_after({"kind_of_update": "tool_call_content_chunk", "content": text_item("a")})
    assert (view["status"], texts(view)) == ("pending", ["a"])


def test_a_later_update_replaces_what_chunks_made_and_chunks_append_to_that() -> None:
    chunk = {"kind_of_update": "tool_call_content_chunk"}
    view = view_after(
        {**chunk, "content": text_item("old")},
        {"content": [text_item("new")]},
        {**chunk, "content": text_item("more")},
    )
    assert texts(view) == ["new", "more"]


@pytest.mark.parametrize("empty", [[], None])
def test_chunks_append_after_content_was_cleared(empty: object) -> None:
    chunk = {"kind_of_update": "tool_call_content_chunk"}
    view = view_after(
        {**chunk, "content": text_item("old")},
        {"content": empty},
        {**chunk, "content": text_item("new")},
    )
    assert texts(view) == ["new"]


def test_an_update_without_content_leaves_chunks_alone() -> None:
    chunk = {"kind_of_update": "tool_call_content_chunk"}
    view = view_after({**chunk, "content": text_item("a")}, {"status": "completed"})
    assert texts(view) == ["a"]


def test_chunks_never_grow_the_update_they_are_added_to() -> None:
    state = session()
    tell(state, "tool_call_update", toolCallId="a", content=[text_item("x")])
    before = list(state.tool_calls["a"].content)
    tell(state, "tool_call_content_chunk", toolCallId="a", content=text_item("y"))
    assert len(before) == 1


def test_meta_of_a_chunk_is_the_chunks_own_and_not_stored() -> None:
    view = view_after(
        {"_meta": {"kept": 1}},
        {
            "kind_of_update": "tool_call_content_chunk",
            "content": text_item("a"),
            "_meta": {"chunk": 1},
        },
    )
    assert view["_meta"] == {"kept": 1}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, {"a": 1, "b": {"c": 2}}),
        ({"_meta": None}, None),
        ({"_meta": {"d": 3}}, {"a": 1, "b": {"c": 2}, "d": 3}),
        ({"_meta": {"b": {"e": 4}}}, {"a": 1, "b": {"e": 4}}),
        ({"_meta": {"a": None}}, {"b": {"c": 2}}),
        ({"_meta": {}}, {"a": 1, "b": {"c": 2}}),
    ],
)
def test_meta_is_patched_by_top_level_key(patch: dict[str, Any], expected: object) -> None:
    assert view_after({"_meta": {"a": 1, "b": {"c": 2}}}, patch)["_meta"] == expected


@pytest.mark.parametrize("status", ["paused", "_vendor", "future_status"])
@pytest.mark.parametrize("kind", ["think", "_vendor", "future_kind"])
def test_unknown_statuses_and_kinds_survive_unchanged(status: str, kind: str) -> None:
    view = view_after({"status": status, "kind": kind})
    assert (view["status"], view["kind"]) == (status, kind)


def test_unknown_content_is_kept_whole() -> None:
    unknown = {"type": "_chart", "data": {"x": [1, 2, None]}, "_meta": {"m": 1}}
    assert view_after({"content": [unknown]})["content"] == [unknown]


def test_a_finished_call_may_start_again() -> None:
    view = view_after({"status": "completed"}, {"status": "pending"}, {"status": "completed"})
    assert view["status"] == "completed"


def test_updates_while_idle_change_the_call_and_not_the_state() -> None:
    state = session()
    tell(state, "state_update", state="idle", stopReason="end_turn")
    tell(state, "tool_call_update", toolCallId="late", status="completed")
    view = session_view(state)
    assert (view["state"], view["stopReason"], view["busy"]) == ("idle", "end_turn", False)
    assert view["toolCalls"][0]["status"] == "completed"


def test_calls_keep_the_order_in_which_they_appeared() -> None:
    state = session()
    for call in ("b", "a", "b", "c"):
        tell(state, "tool_call_update", toolCallId=call, status="in_progress")
    assert [call["toolCallId"] for call in session_view(state)["toolCalls"]] == ["b", "a", "c"]
