"""ACP v2 display terminals: bytes, snapshots, chunks, patches."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.session.view import session_view, terminal_view
from tests.session.builders import b64, session, tell


def after(*updates: tuple[str, dict[str, Any]], limit: int = 1024) -> dict[str, Any]:
    """Terminal `t` after updates of it, as acp.state shows it."""
    state = session(output_limit=limit)
    for kind, fields in updates:
        tell(state, kind, terminalId="t", **fields)
    view: dict[str, Any] = terminal_view(state.terminals["t"])
    return view


def snapshot(data: bytes) -> tuple[str, dict[str, Any]]:
    return "terminal_update", {"output": {"data": b64(data)}}


def chunk(data: bytes) -> tuple[str, dict[str, Any]]:
    return "terminal_output_chunk", {"data": b64(data)}


def test_each_chunk_is_decoded_by_itself_and_appended() -> None:
    # "a" and "b" both need padding: concatenated base64 would not decode to "ab".
    assert after(chunk(b"a"), chunk(b"b"), chunk(b"\n"))["output"] == "ab\n"


def test_a_character_split_between_chunks_is_whole() -> None:
    euro = "€".encode()
    assert after(chunk(euro[:1]), chunk(euro[1:2]), chunk(euro[2:]))["output"] == "€"


def test_a_snapshot_replaces_everything_before_it() -> None:
    assert after(chunk(b"old"), snapshot(b"new"))["output"] == "new"
    assert after(snapshot(b"one"), snapshot(b"two"))["output"] == "two"


def test_chunks_append_to_a_snapshot() -> None:
    assert after(snapshot(b"a"), chunk(b"b"), chunk(b"c"))["output"] == "abc"


@pytest.mark.parametrize("output", [None, {"data": ""}])
def test_null_or_an_empty_snapshot_clears_the_output(output: object) -> None:
    cleared = ("terminal_update", {"output": output})
    assert after(chunk(b"x"), cleared)["output"] == ""
    assert after(chunk(b"x"), cleared, chunk(b"y"))["output"] == "y"


def test_an_update_without_output_keeps_it() -> None:
    assert after(chunk(b"x"), ("terminal_update", {"exitStatus": {}}))["output"] == "x"


FULL: dict[str, Any] = {
    "command": "make",
    "cwd": "/project",
    "exitStatus": {"exitCode": 0, "signal": None},
    "size": {"cols": 80, "rows": 24},
    "capabilities": {"cancel": {}},
}


@pytest.mark.parametrize("field", FULL)
def test_fields_are_patches(field: str) -> None:
    kept = after(("terminal_update", FULL), ("terminal_update", {}))
    cleared = after(("terminal_update", FULL), ("terminal_update", {field: None}))
    assert kept[field]
    assert cleared[field] is None
    others = [name for name in FULL if name != field]
    assert all(cleared[name] == kept[name] for name in others)


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ({"exitCode": 3}, {"exitCode": 3}),
        ({"signal": "SIGTERM"}, {"signal": "SIGTERM"}),
        ({"exitCode": None, "signal": None}, {}),
        ({}, {}),
    ],
)
def test_a_concrete_exit_status_marks_the_end_even_when_empty(
    status: dict[str, Any], shown: dict[str, Any]
) -> None:
    assert after(("terminal_update", {"exitStatus": status}))["exitStatus"] == shown


def test_a_reference_and_its_updates_come_in_either_order() -> None:
    reference = {"content": [{"type": "terminal", "terminalId": "t"}]}
    one, other = session(), session()
    tell(one, "tool_call_update", toolCallId="c", **reference)
    tell(one, "terminal_output_chunk", terminalId="t", data=b64(b"x"))
    tell(other, "terminal_output_chunk", terminalId="t", data=b64(b"x"))
    tell(other, "tool_call_update", toolCallId="c", **reference)
    for name in ("toolCalls", "terminals"):
        assert session_view(one)[name] == session_view(other)[name]


def test_a_terminal_and_a_call_with_the_same_id_are_two_things() -> None:
    state = session()
    tell(state, "tool_call_update", toolCallId="x", status="completed")
    tell(state, "terminal_update", terminalId="x", command="ls")
    assert state.tool_calls["x"].status == "completed"
    assert state.terminals["x"].command == "ls"


def test_the_end_of_a_terminal_does_not_end_the_call() -> None:
    state = session()
    tell(state, "tool_call_update", toolCallId="x", status="in_progress")
    tell(state, "terminal_update", terminalId="x", exitStatus={"exitCode": 0})
    assert state.tool_calls["x"].status == "in_progress"


def test_output_is_capped_from_the_front_and_says_so() -> None:
    view = after(*[chunk(b"0123456789") for _ in range(100)], limit=100)
    assert view["output"] == "0123456789" * 10
    assert view["truncated"]


def test_a_late_reader_gets_the_rest_from_its_offset() -> None:
    state = session(output_limit=100)
    tell(state, "terminal_output_chunk", terminalId="t", data=b64(b"a" * 60))
    output = state.terminals["t"].output
    seen = output.offset
    tell(state, "terminal_output_chunk", terminalId="t", data=b64(b"b" * 30))
    assert output.since(seen) == (60, b"b" * 30)
    tell(state, "terminal_output_chunk", terminalId="t", data=b64(b"c" * 200))
    start, rest = output.since(seen)
    assert start + len(rest) == output.offset
    assert rest.endswith(b"c" * 100)
