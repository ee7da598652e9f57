"""Any order of any updates leaves a session sound; one story told in v1 and in v2 ends alike."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.session.reducer import apply
from acp_sidecar.session.state import Session
from acp_sidecar.session.text import OutputBuffer, TextRun
from acp_sidecar.session.updates import UnknownUpdate
from acp_sidecar.session.view import session_view
from acp_sidecar.wire.protocol import SessionUpdates
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v2.adapter import V2Adapter
from tests.session.builders import b64, session, text_item, update

Json = Any

IDS = st.sampled_from(["a", "b", "c"])
WORDS = st.text(max_size=12)
STATUSES = st.sampled_from(["pending", "in_progress", "completed", "failed", "cancelled", "_odd"])
LOCATIONS = st.lists(
    st.fixed_dictionaries({"path": WORDS}, optional={"line": st.integers(0, 99) | st.none()}),
    max_size=3,
)
CONTENT = st.lists(WORDS.map(text_item), max_size=3)
BYTES = st.binary(max_size=20).map(b64)
META = st.none() | st.dictionaries(st.sampled_from(["x", "y"]), st.none() | st.integers(0, 9))


def updates_of(kind: str, required: Json, optional: Json | None = None) -> st.SearchStrategy[Json]:
    """Updates of one kind: required fields, and any subset of the optional ones."""
    return st.fixed_dictionaries(
        {"sessionUpdate": st.just(kind), **required}, optional={**(optional or {}), "_meta": META}
    )


TEXT = st.fixed_dictionaries({"type": st.just("text"), "text": WORDS})
ANY_UPDATE = st.one_of(
    updates_of(
        "tool_call_update",
        {"toolCallId": IDS},
        {
            "title": st.none() | WORDS,
            "status": st.none() | STATUSES,
            "content": st.none() | CONTENT,
            "locations": st.none() | LOCATIONS,
            "rawInput": st.none() | st.integers(),
        },
    ),
    updates_of("tool_call_content_chunk", {"toolCallId": IDS, "content": WORDS.map(text_item)}),
    updates_of("agent_message_chunk", {"messageId": IDS, "content": TEXT}),
    updates_of("agent_thought_chunk", {"messageId": IDS, "content": TEXT}),
    updates_of(
        "user_message", {"messageId": IDS}, {"content": st.none() | st.lists(TEXT, max_size=2)}
    ),
    updates_of("terminal_output_chunk", {"terminalId": IDS, "data": BYTES}),
    updates_of(
        "terminal_update",
        {"terminalId": IDS},
        {
            "command": st.none() | WORDS,
            "output": st.none() | st.fixed_dictionaries({"data": BYTES}),
            "exitStatus": st.none() | st.just({"exitCode": 1}),
        },
    ),
    updates_of(
        "state_update",
        {"state": st.sampled_from(["running", "idle", "requires_action", "_odd"])},
        {"stopReason": st.none() | st.sampled_from(["end_turn", "cancelled", "_odd"])},
    ),
    updates_of("usage_update", {"used": st.integers(0, 9), "size": st.integers(0, 9)}),
    updates_of("notice", {"severity": WORDS, "title": WORDS}),
    updates_of("_vendor", {}, {"x": st.integers()}),
)
STORY = st.lists(ANY_UPDATE, max_size=40)


def told(story: list[Json], **options: Any) -> Session:
    state = session(**options)
    for each in story:
        kind = each["sessionUpdate"]
        fields = {key: value for key, value in each.items() if key != "sessionUpdate"}
        apply(state, update(kind, **fields))
    return state


def check_sound(state: Session) -> None:
    """What must hold after any story."""
    for key, message in state.messages.items():
        assert key == (message.role, message.message_id)
        runs = [type(block) is TextRun for block in message.content]
        assert not any(one and two for one, two in pairwise(runs)), "runs join"
    for call_id, call in state.tool_calls.items():
        assert call_id == call.tool_call_id
        assert isinstance(call.kind, str)
        assert isinstance(call.status, str)
        assert isinstance(call.content, list)
        assert isinstance(call.locations, list)
        assert call.meta is None or None not in call.meta.values()
    for terminal in state.terminals.values():
        assert len(terminal.output.kept()) <= state.output_limit
    assert len(set(state.timeline)) == len(state.timeline), "everything appears once"
    known = {("tool_call", call) for call in state.tool_calls} | set(state.messages)
    assert known <= set(state.timeline)
    json.dumps(session_view(state))


@given(STORY)
@settings(max_examples=150, deadline=None)
def test_any_story_leaves_a_sound_session(story: list[Json]) -> None:
    check_sound(told(story, output_limit=32))


@given(STORY)
@settings(max_examples=60, deadline=None)
def test_telling_does_not_depend_on_what_was_told_of_others(story: list[Json]) -> None:
    """Updates of one call, terminal or message commute with those of all others."""
    whole = told(story)
    for call_id, call in whole.tool_calls.items():
        mine = [each for each in story if each.get("toolCallId") == call_id]
        assert session_view(told(mine))["toolCalls"] == [
            view for view in session_view(whole)["toolCalls"] if view["toolCallId"] == call_id
        ]
        assert call.tool_call_id == call_id
    for terminal_id in whole.terminals:
        mine = [each for each in story if each.get("terminalId") == terminal_id]
        assert session_view(told(mine))["terminals"] == [
            view for view in session_view(whole)["terminals"] if view["terminalId"] == terminal_id
        ]


@given(STORY)
@settings(max_examples=60, deadline=None)
def test_the_past_is_never_changed_by_what_comes_after(story: list[Json]) -> None:
    """The frozen updates that are stored stay as they were, however much is appended."""
    state = session()
    kept: list[tuple[UnknownUpdate, Json]] = []
    for each in story:
        fields = {key: value for key, value in each.items() if key != "sessionUpdate"}
        one = update(each["sessionUpdate"], **fields)
        kept.append((one, one.model_dump()))  # type: ignore[arg-type]  # any update will do
        apply(state, one)
    assert all(one.model_dump() == before for one, before in kept)


@given(st.lists(st.binary(max_size=30), max_size=30), st.integers(1, 40))
@settings(max_examples=150, deadline=None)
def test_an_output_buffer_is_the_tail_of_everything(pieces: list[bytes], limit: int) -> None:
    output = OutputBuffer(limit)
    for piece in pieces:
        output.append(piece)
    everything = b"".join(pieces)
    assert output.kept() == everything[-limit:]
    assert output.offset == len(everything)
    start, rest = output.since(0)
    assert everything[start:] == rest


# --- one story, two versions ----------------------------------------------------------------------

PLAN = st.lists(
    st.fixed_dictionaries(
        {
            "content": WORDS,
            "priority": st.sampled_from(["high", "low"]),
            "status": st.sampled_from(["pending", "completed"]),
        }
    ),
    max_size=3,
)
DIFF = st.tuples(st.just("/p/a.py"), st.none() | WORDS, WORDS)
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), WORDS.filter(bool)),
        st.tuples(st.just("think"), WORDS.filter(bool)),
        st.tuples(st.just("call"), IDS, WORDS, st.sampled_from(["read", "edit"]), LOCATIONS),
        st.tuples(st.just("status"), IDS, st.sampled_from(["in_progress", "completed", "failed"])),
        st.tuples(st.just("content"), IDS, CONTENT),
        st.tuples(st.just("diff"), IDS, DIFF),
        st.tuples(st.just("plan"), PLAN),
        st.tuples(st.just("usage"), st.integers(0, 99)),
        st.tuples(st.just("title"), WORDS),
    ),
    max_size=25,
)


def in_v1(event: tuple[Any, ...]) -> Json:
    match event:
        case ("say", text):
            return {
                "sessionUpdate": "agent_message_chunk",
                "content": {"type": "text", "text": text},
            }
        case ("think", text):
            return {
                "sessionUpdate": "agent_thought_chunk",
                "content": {"type": "text", "text": text},
            }
        case ("call", call, title, kind, locations):
            fields = {"toolCallId": call, "title": title, "kind": kind, "locations": locations}
            return {"sessionUpdate": "tool_call", **fields}
        case ("status", call, status):
            return {"sessionUpdate": "tool_call_update", "toolCallId": call, "status": status}
        case ("content", call, content):
            return {"sessionUpdate": "tool_call_update", "toolCallId": call, "content": content}
        case ("diff", call, (path, old, new)):
            diff = {"type": "diff", "path": path, "oldText": old, "newText": new}
            return {"sessionUpdate": "tool_call_update", "toolCallId": call, "content": [diff]}
        case ("plan", entries):
            return {"sessionUpdate": "plan", "entries": entries}
        case ("usage", used):
            return {"sessionUpdate": "usage_update", "used": used, "size": 100}
        case (_, title):
            return {"sessionUpdate": "session_info_update", "title": title}
    raise AssertionError(event)


class V2Teller:
    """Says the same in v2, giving the ids that v1 leaves out."""

    def __init__(self) -> None:
        self.role = ""
        self.count = 0

    def tell(self, event: tuple[Any, ...]) -> Json:
        said = in_v1(event)
        match event:
            case ("say" | "think" as what, _):
                if self.role != what:
                    self.role, self.count = what, self.count + 1
                prefix = {"say": "agent", "think": "thought"}[what]
                return {**said, "messageId": f"{prefix}-{self.count}"}
            case ("call" | "status" | "content" | "diff", *_):
                self.role = ""
                said = {**said, "sessionUpdate": "tool_call_update"}
        match event:
            case ("diff", call, (path, old, new)):
                change = {
                    "operation": "modify" if old else "add",
                    "path": path,
                    "fileType": "text",
                    "oldText": old,
                    "newText": new,
                }
                content = [{"type": "diff", "changes": [change]}]
                return {"sessionUpdate": "tool_call_update", "toolCallId": call, "content": content}
            case ("plan", entries):
                plan = {"type": "items", "planId": "plan", "entries": entries}
                return {"sessionUpdate": "plan_update", "plan": plan}
        return said


def ended(adapter: V1Adapter | V2Adapter, told_updates: list[Json]) -> Json:
    state = session()
    for each in told_updates:
        decoded = adapter.incoming("session/update", {"sessionId": "s", "update": each})
        assert decoded.problems == []
        if isinstance(decoded.value, SessionUpdates):
            for one in decoded.value.updates:
                apply(state, one)
    return session_view(state)


@given(EVENTS)
@settings(max_examples=150, deadline=None)
def test_one_story_in_v1_and_in_v2_ends_in_one_state(events: list[tuple[Any, ...]]) -> None:
    teller = V2Teller()
    in_two = ended(V2Adapter(), [teller.tell(event) for event in events])
    in_one = ended(V1Adapter(), [in_v1(event) for event in events])
    assert in_one == in_two
