"""Messages, state, plans and the rest; turns; updates that come early or late."""

from __future__ import annotations

import pytest

from acp_sidecar.session import reducer
from acp_sidecar.session.store import EARLY_UPDATES, SessionStore
from acp_sidecar.session.view import session_view
from tests.session.builders import session, tell, update


def text(content: str) -> dict[str, str]:
    return {"type": "text", "text": content}


def contents(state: object) -> list[tuple[str, str]]:
    view = session_view(state)  # type: ignore[arg-type]  # a Session, typed loosely for brevity
    return [
        (message["role"], "".join(block.get("text", "?") for block in message["content"]))
        for message in view["messages"]
    ]


def test_chunks_with_one_id_are_one_message() -> None:
    state = session()
    for piece in ("Hel", "lo ", "wörld 🌍"):
        tell(state, "agent_message_chunk", messageId="m", content=text(piece))
    assert contents(state) == [("agent", "Hello wörld 🌍")]


def test_a_thought_and_a_message_may_share_an_id() -> None:
    state = session()
    tell(state, "agent_thought_chunk", messageId="m", content=text("think"))
    tell(state, "agent_message_chunk", messageId="m", content=text("say"))
    assert contents(state) == [("thought", "think"), ("agent", "say")]


@pytest.mark.parametrize("kind", ["user_message", "agent_message", "agent_thought"])
def test_a_whole_message_replaces_and_chunks_append_to_it(kind: str) -> None:
    state = session()
    tell(state, f"{kind}_chunk", messageId="m", content=text("old"))
    tell(state, kind, messageId="m", content=[text("new")])
    tell(state, f"{kind}_chunk", messageId="m", content=text(" more"))
    assert [words for _, words in contents(state)] == ["new more"]


@pytest.mark.parametrize(("patch", "left"), [({}, "old"), ({"content": None}, "")])
def test_message_content_is_a_patch(patch: dict[str, None], left: str) -> None:
    state = session()
    tell(state, "agent_message", messageId="m", content=[text("old")])
    tell(state, "agent_message", messageId="m", **patch)
    assert contents(state) == [("agent", left)]


def test_blocks_that_are_no_plain_text_stay_apart() -> None:
    state = session()
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    unknown = {"type": "_poll", "choices": ["a"]}
    for block in (text("a"), image, text("b"), unknown):
        tell(state, "agent_message_chunk", messageId="m", content=block)
    assert session_view(state)["messages"][0]["content"] == [text("a"), image, text("b"), unknown]


def test_lone_surrogates_survive() -> None:
    state = session()
    tell(state, "agent_message_chunk", messageId="m", content=text("\ud83d"))
    assert str(next(iter(state.messages.values())).content[0]) == "\ud83d"


def test_a_plan_is_replaced_by_its_id() -> None:
    state = session()
    entry = {"content": "x", "priority": "high", "status": "pending"}
    for plan_id, count in (("p", 2), ("q", 1), ("p", 1)):
        plan = {"type": "items", "planId": plan_id, "entries": [entry] * count}
        tell(state, "plan_update", plan=plan)
    assert {p["planId"]: len(p["entries"]) for p in session_view(state)["plans"]} == {
        "p": 1,
        "q": 1,
    }


def test_an_unknown_update_is_kept_whole() -> None:
    state = session()
    effect = tell(state, "_vendor_widget", anything={"x": [1]}, _meta=None)
    assert effect.kind == "unknown"
    assert session_view(state)["unknownUpdates"] == [
        {"sessionUpdate": "_vendor_widget", "anything": {"x": [1]}, "_meta": None}
    ]


def test_session_info_is_a_patch() -> None:
    state = session()
    tell(state, "session_info_update", title="One", updatedAt="2026-01-01T00:00:00Z")
    tell(state, "session_info_update", title=None)
    assert (state.title, state.updated_at) == (None, "2026-01-01T00:00:00Z")


def test_a_compaction_collects_its_summary() -> None:
    state = session()
    tell(state, "compaction_update", compactionId="k", status="in_progress")
    tell(state, "compaction_summary_chunk", compactionId="k", content=text("sum"))
    tell(state, "compaction_summary_chunk", compactionId="k", content=text("mary"))
    tell(state, "compaction_update", compactionId="k", status="completed")
    assert session_view(state)["compactions"] == [
        {
            "compactionId": "k",
            "status": "completed",
            "summary": [text("summary")],
            "error": None,
            "_meta": None,
        }
    ]


def test_a_turn_is_busy_from_the_prompt_to_idle() -> None:
    state = session()
    reducer.prompt_sent(state)
    assert state.busy
    reducer.prompt_accepted(state)
    tell(state, "state_update", state="running")
    tell(state, "state_update", state="requires_action")
    assert state.busy
    tell(state, "state_update", state="idle", stopReason="end_turn")
    assert (state.busy, state.state, state.stop_reason) == (False, "idle", "end_turn")


def test_an_idle_that_crossed_the_prompt_does_not_end_its_turn() -> None:
    state = session()
    reducer.prompt_sent(state)
    tell(state, "state_update", state="idle")
    assert state.busy
    reducer.prompt_accepted(state)
    tell(state, "state_update", state="idle", stopReason="end_turn")
    assert not state.busy


def test_an_agent_may_be_done_before_it_answers_the_prompt() -> None:
    state = session()
    reducer.prompt_sent(state)
    tell(state, "state_update", state="running")
    tell(state, "state_update", state="idle", stopReason="end_turn")
    assert not state.busy
    reducer.prompt_accepted(state)
    assert not state.busy


@pytest.mark.parametrize("reason", ["max_tokens", "error", "_vendor", "future"])
def test_stop_reasons_are_open(reason: str) -> None:
    state = session()
    error = {"code": -1, "message": "bad"} if reason == "error" else None
    tell(state, "state_update", state="idle", stopReason=reason, error=error)
    assert state.stop_reason == reason
    assert (state.error is not None) == (reason == "error")


def test_a_state_says_everything_anew() -> None:
    state = session()
    work = [{"type": "terminal", "terminalId": "t"}, {"type": "_x", "y": 1}]
    tell(state, "state_update", state="idle", stopReason="refusal", background=work)
    assert session_view(state)["background"] == work
    tell(state, "state_update", state="running")
    assert (state.stop_reason, state.background) == (None, [])


def test_only_unfinished_calls_are_to_be_cancelled() -> None:
    state = session()
    for status in ("pending", "in_progress", "paused", "_odd", "completed", "failed", "cancelled"):
        tell(state, "tool_call_update", toolCallId=status, status=status)
    unfinished = [call.tool_call_id for call in reducer.unfinished(state)]
    assert unfinished == ["pending", "in_progress", "paused", "_odd"]


def test_updates_before_the_session_is_known_are_applied_in_order_when_it_is() -> None:
    store = SessionStore()
    for piece in ("a", "b"):
        early = update("agent_message_chunk", messageId="m", content=text(piece))
        assert store.keep_early("agent", "s", early)
    other = update("agent_message_chunk", messageId="m", content=text("x"))
    store.keep_early("agent", "other", other)
    opened = store.open("agent", "s", "/", 2)
    effects = [effect for _, effect in store.release_early(opened)]
    assert contents(opened) == [("agent", "ab")]
    assert [effect.created for effect in effects] == [True, False]
    assert store.release_early(opened) == []


def test_early_updates_are_capped_and_counted() -> None:
    store = SessionStore()
    early = update("usage_update", used=1, size=2)
    kept = [store.keep_early("agent", "s", early) for _ in range(EARLY_UPDATES + 5)]
    assert kept.count(True) == EARLY_UPDATES
    assert store.early_dropped == 5
    assert store.forget_early("agent") == EARLY_UPDATES
    assert store.keep_early("agent", "s", early)


def test_two_agents_may_use_the_same_session_id() -> None:
    store = SessionStore()
    one, two = store.open("one", "1", "/", 2), store.open("two", "1", "/", 2)
    assert one.key != two.key
    assert store.find("two", "1") is two
    store.remove(one)
    assert store.find("one", "1") is None
    assert store.by_key == {two.key: two}


def test_replayed_calls_are_marked_until_something_live_comes() -> None:
    state = session()
    state.replaying = True
    tell(state, "tool_call_update", toolCallId="c", status="completed")
    assert state.tool_calls["c"].replayed
    state.replaying = False
    tell(state, "tool_call_update", toolCallId="c", status="pending")
    assert not state.tool_calls["c"].replayed
