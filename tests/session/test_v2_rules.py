"""Rules of ACP v2 about order and scope: what belongs to which call, terminal or message."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.session.view import session_view, terminal_view, tool_call_view
from tests.session.builders import b64, session, tell, text_item

META = {"example.com/x": 1}


def texts(view: dict[str, Any]) -> list[str]:
    return [item["content"]["text"] for item in view["content"]]


def test_each_call_has_its_own_order() -> None:
    state = session()
    for call, piece in (("a", "1"), ("b", "one"), ("a", "2"), ("b", "two")):
        tell(state, "tool_call_content_chunk", toolCallId=call, content=text_item(piece))
    tell(state, "tool_call_update", toolCallId="a", content=[text_item("new")])
    tell(state, "tool_call_content_chunk", toolCallId="b", content=text_item("three"))
    tell(state, "tool_call_content_chunk", toolCallId="a", content=text_item("3"))
    assert texts(tool_call_view(state.tool_calls["a"])) == ["new", "3"]
    assert texts(tool_call_view(state.tool_calls["b"])) == ["one", "two", "three"]


def test_each_terminal_has_its_own_order() -> None:
    state = session()
    for terminal, data in (
        ("a", b"\xe2"),
        ("b", b"\xf0\x9f"),
        ("a", b"\x82\xac"),
        ("b", b"\x98\x80"),
    ):
        tell(state, "terminal_output_chunk", terminalId=terminal, data=b64(data))
    shown = {name: terminal_view(each)["output"] for name, each in state.terminals.items()}
    assert shown == {"a": "€", "b": "\U0001f600"}


@pytest.mark.parametrize("kind", ["terminal_update", "terminal_output_chunk"])
def test_a_new_terminal_begins_unknown_and_empty(kind: str) -> None:
    state = session()
    data = {"data": ""} if kind == "terminal_output_chunk" else {}
    tell(state, kind, terminalId="t", **data)
    assert terminal_view(state.terminals["t"]) == {
        "terminalId": "t",
        "command": None,
        "cwd": None,
        "output": "",
        "truncated": False,
        "exitStatus": None,
        "size": None,
        "capabilities": None,
        "_meta": None,
    }


def test_a_reference_keeps_no_terminal_and_a_cleared_reference_ends_none() -> None:
    state = session()
    reference = {"type": "terminal", "terminalId": "t"}
    tell(state, "tool_call_update", toolCallId="c", content=[reference])
    tell(state, "terminal_output_chunk", terminalId="t", data=b64(b"x"))
    tell(state, "tool_call_update", toolCallId="c", content=None)
    tell(state, "terminal_output_chunk", terminalId="t", data=b64(b"y"))
    assert terminal_view(state.terminals["t"])["output"] == "xy"


def test_meta_of_parts_is_not_meta_of_the_terminal() -> None:
    state = session()
    tell(state, "terminal_update", terminalId="t", _meta={"own": 1})
    tell(state, "terminal_output_chunk", terminalId="t", data="", _meta=META)
    output = {"data": b64(b"x"), "_meta": META}
    tell(state, "terminal_update", terminalId="t", output=output, exitStatus={"_meta": META})
    tell(
        state,
        "tool_call_update",
        toolCallId="c",
        content=[{"type": "terminal", "terminalId": "t", "_meta": META}],
    )
    view = terminal_view(state.terminals["t"])
    assert (view["_meta"], view["exitStatus"]) == ({"own": 1}, {"_meta": META})
    call = tool_call_view(state.tool_calls["c"])
    assert (call["_meta"], call["content"][0]["_meta"]) == (None, META)


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, {"a": 1, "b": 2}),
        ({"_meta": None}, None),
        ({"_meta": {"b": None, "c": 3}}, {"a": 1, "c": 3}),
    ],
)
def test_meta_of_a_terminal_is_a_patch(patch: dict[str, Any], expected: object) -> None:
    state = session()
    tell(state, "terminal_update", terminalId="t", _meta={"a": 1, "b": 2})
    tell(state, "terminal_update", terminalId="t", **patch)
    assert terminal_view(state.terminals["t"])["_meta"] == expected


@pytest.mark.parametrize("absent", [{}, {"_meta": None}])
def test_no_meta_of_an_item_and_null_are_the_same(absent: dict[str, Any]) -> None:
    state = session()
    item = {"type": "terminal", "terminalId": "t", **absent}
    tell(state, "tool_call_update", toolCallId="c", content=[item])
    shown = tool_call_view(state.tool_calls["c"])["content"]
    assert shown == [{"type": "terminal", "terminalId": "t"}]


@pytest.mark.parametrize("patch", [{}, {"patch": None}])
def test_a_diff_without_a_patch_is_a_diff(patch: dict[str, Any]) -> None:
    state = session()
    change = {"operation": "modify", "path": "/p/logo.png", "fileType": "binary"}
    diff = {"type": "diff", "changes": [change], **patch}
    tell(state, "tool_call_update", toolCallId="c", content=[diff])
    shown = tool_call_view(state.tool_calls["c"])["content"]
    assert shown == [{"type": "diff", "changes": [change]}]


def test_a_name_is_neither_the_title_nor_the_kind() -> None:
    state = session()
    tell(state, "tool_call_update", toolCallId="c", name="read_file")
    tell(state, "tool_call_update", toolCallId="c", title="Read a.py", kind="read")
    tell(state, "tool_call_update", toolCallId="c", title=None)
    view = tool_call_view(state.tool_calls["c"])
    assert (view["name"], view["title"], view["kind"]) == ("read_file", None, "read")


def test_capabilities_are_replaced_as_a_whole() -> None:
    state = session()
    tell(state, "tool_call_update", toolCallId="c", capabilities={"cancel": {}})
    tell(state, "tool_call_update", toolCallId="c", capabilities={})
    assert tool_call_view(state.tool_calls["c"])["capabilities"] == {}


def test_work_in_the_background_is_not_the_turn() -> None:
    state = session()
    work = [{"type": "tool_call", "toolCallId": "c"}]
    tell(state, "tool_call_update", toolCallId="c", status="in_progress")
    tell(state, "state_update", state="idle", stopReason="end_turn", background=work)
    tell(state, "tool_call_update", toolCallId="c", status="completed")
    view = session_view(state)
    assert (view["state"], view["busy"], view["background"]) == ("idle", False, work)
