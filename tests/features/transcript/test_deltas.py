"""Deltas add up to the document, cost what the update is long, and come in frames."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.features.messages import TRANSCRIPT
from acp_sidecar.features.ports import Abilities
from acp_sidecar.features.transcript.deltas import Transcripts
from acp_sidecar.session.content import (
    Annotations,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from acp_sidecar.session.state import KEPT_NOTICES
from acp_sidecar.session.terminals import (
    TerminalExitStatus,
    TerminalOutput,
    TerminalOutputChunk,
    TerminalUpdate,
)
from acp_sidecar.session.tool_calls import (
    ContentItem,
    Diff,
    DiffPatch,
    PathChange,
    TerminalItem,
    ToolCallContent,
    ToolCallContentChunk,
    ToolCallLocation,
    ToolCallUpdate,
)
from acp_sidecar.session.updates import (
    CompactionSummaryChunk,
    CompactionUpdate,
    MessageChunk,
    MessageUpdate,
    Notice,
    PlanEntry,
    PlanItems,
    PlanUpdate,
    SessionInfoUpdate,
    StateUpdate,
    Update,
    UsageUpdate,
)
from tests.features.rich_editor import (
    RecordingEditor,
    TranscriptModel,
    applied,
    new_session,
)


class World:
    def __init__(self, limit: int = 1024 * 1024, abilities: Abilities | None = None) -> None:
        rich = Abilities(rich=frozenset({"transcript"}))
        self.editor = RecordingEditor(abilities=abilities or rich)
        self.transcripts = Transcripts(self.editor)
        self.session = new_session(limit)
        self.now = 0.0
        self._taken = 0
        self.model = TranscriptModel()

    def update(self, *updates: Update, after: float = 0.0) -> None:
        self.now += after
        for update, effect in applied(self.session, *updates):
            self.transcripts.changed(self.now, self.session, update, effect)
        self.transcripts.tick(self.now)

    def settle(self) -> None:
        while (deadline := self.transcripts.deadline()) is not None:
            self.now = max(self.now, deadline)
            self.transcripts.tick(self.now)
        pushed = self.editor.of(TRANSCRIPT)
        for params in pushed[self._taken :]:
            self.model.take(params)
        self._taken = len(pushed)

    def check(self) -> None:
        self.settle()
        view = self.transcripts.blocks_view(self.session)
        if self.model.blocks:
            assert list(self.model.blocks.values()) == view["blocks"]
            assert self.model.markdown() == self.transcripts.markdown(self.session)


def chunk(text: str, message_id: str = "m") -> MessageChunk:
    return MessageChunk(role="agent", message_id=message_id, content=TextContent(text=text))


TEXTS = st.lists(
    st.sampled_from(
        ["word ", "\n", "\n\n", "```", "`", "<b>", "- ", "# ", "> ", "[a](javascript:x)", "|", "\r"]
    ),
    max_size=8,
).map("".join)
CONTENT: st.SearchStrategy[ContentBlock] = st.one_of(
    TEXTS.map(lambda text: TextContent(text=text)),
    TEXTS.map(lambda text: TextContent(text=text, annotations=Annotations(priority=1.0))),
    st.just(ImageContent(data="AAAA", mime_type="image/png", uri="https://e.example/a.png")),
    st.just(ResourceLink(name="a [b]", uri="command:x")),
    st.just(EmbeddedResource(resource=TextResourceContents(text="a\nb", uri="file:///w/a"))),
)
PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n"
ITEMS: st.SearchStrategy[ToolCallContent] = st.one_of(
    CONTENT.map(lambda block: ContentItem(content=block)),
    st.sampled_from(["t1", "t2"]).map(lambda each: TerminalItem(terminal_id=each)),
    st.just(
        Diff(
            changes=[PathChange(operation="modify", path="/project/x")],
            patch=DiffPatch(format="git_patch", text=PATCH),
        )
    ),
    st.just(Diff(changes=[PathChange(operation="add", path="/project/n", new_text="a\nb\n")])),
)
IDS = st.sampled_from(["t1", "t2", "c1"])
OUTPUT = st.lists(
    st.sampled_from([b"line\n", b"\r", b"\x1b[31m", b"\x1b[A", b"````\n", b"x" * 700, b"\xe2\x82"]),
    max_size=8,
).map(b"".join)
UPDATES: st.SearchStrategy[Update] = st.one_of(
    st.builds(
        lambda role, each, content: MessageChunk(role=role, message_id=each, content=content),
        st.sampled_from(["user", "agent", "thought"]),
        st.sampled_from(["m1", "m2"]),
        CONTENT,
    ),
    st.builds(
        lambda role, content: MessageUpdate(role=role, message_id="m1", content=content),
        st.sampled_from(["user", "agent", "thought"]),
        st.lists(CONTENT, max_size=3) | st.none(),
    ),
    st.builds(lambda each, item: ToolCallContentChunk(tool_call_id=each, content=item), IDS, ITEMS),
    st.builds(
        lambda each, content: ToolCallUpdate(tool_call_id=each, content=content),
        IDS,
        st.lists(ITEMS, max_size=3) | st.none(),
    ),
    st.builds(
        lambda each, title, status: ToolCallUpdate(tool_call_id=each, title=title, status=status),
        IDS,
        TEXTS,
        st.sampled_from(["in_progress", "completed", "odd"]),
    ),
    st.builds(
        lambda each: ToolCallUpdate(
            tool_call_id=each, locations=[ToolCallLocation(path="a/b.py", line=3)]
        ),
        IDS,
    ),
    st.builds(lambda each, data: TerminalOutputChunk(terminal_id=each, data=data), IDS, OUTPUT),
    st.builds(
        lambda each, data: TerminalUpdate(terminal_id=each, output=TerminalOutput(data=data)),
        IDS,
        OUTPUT,
    ),
    st.builds(lambda each: TerminalUpdate(terminal_id=each, command="make `x`"), IDS),
    st.builds(
        lambda each: TerminalUpdate(terminal_id=each, exit_status=TerminalExitStatus(exit_code=1)),
        IDS,
    ),
    st.builds(
        lambda text: PlanUpdate(
            plan=PlanItems(
                plan_id="p", entries=[PlanEntry(content=text, priority="high", status="pending")]
            )
        ),
        TEXTS,
    ),
    st.builds(lambda text: Notice(severity="info", title="n", description=text), TEXTS),
    st.builds(lambda text: SessionInfoUpdate(title=text), TEXTS),
    st.builds(lambda content: CompactionSummaryChunk(compaction_id="k", content=content), CONTENT),
    st.just(CompactionUpdate(compaction_id="k", status="completed", summary=None)),
    st.just(StateUpdate(state="idle", stop_reason="cancelled")),
    st.just(UsageUpdate(used=1, size=2)),
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.lists(UPDATES, min_size=1, max_size=3), max_size=25),
    st.sampled_from([1024, 1024 * 1024]),
    st.data(),
)
def test_all_deltas_together_are_the_document(
    batches: list[list[Update]], limit: int, data: st.DataObject
) -> None:
    world = World(limit)
    for batch in batches:
        world.update(*batch, after=data.draw(st.sampled_from([0.0, 0.001, 0.02])))
        if data.draw(st.integers(0, 9)) == 0:
            world.transcripts.note(world.now, world.session, "permission", "Allowed: *x*")
        if data.draw(st.integers(0, 9)) == 0:
            world.check()
    world.check()


def test_updates_that_were_applied_before_they_are_reported_count_once() -> None:
    """Early updates are applied together when their session becomes known."""
    world = World()
    world.update(chunk("one "), chunk("two "), chunk("three"))
    world.check()
    assert world.model.blocks["agent:m"]["tail"] == "one two three"


def test_a_late_client_gets_everything_and_deltas_go_on_from_there() -> None:
    world = World()
    world.update(chunk("one\n"))
    world.update(chunk("two\n"))
    late = TranscriptModel()
    late.take(world.transcripts.blocks_view(world.session))
    before = len(world.editor.of(TRANSCRIPT))
    world.update(chunk("three\n"), after=1)
    for params in world.editor.of(TRANSCRIPT)[before:]:
        late.take(params)
    assert late.blocks["agent:m"]["text"] == "one\ntwo\nthree\n"


def test_the_first_delta_comes_at_once_and_the_next_by_frames() -> None:
    world = World()
    for number in range(100):
        world.update(chunk(f"{number}\n"), after=0.001)
    assert 5 <= len(world.editor.of(TRANSCRIPT)) <= 8
    world.check()


def test_the_first_push_of_a_session_resets_and_has_the_head() -> None:
    world = World()
    world.transcripts.opened(0, world.session)
    world.transcripts.tick(0)
    world.update(chunk("x"), after=1)
    first, second = world.editor.of(TRANSCRIPT)
    assert first["reset"] is True
    assert [block["kind"] for block in first["blocks"]] == ["session"]
    assert "reset" not in second


def test_an_append_is_small() -> None:
    world = World()
    world.update(chunk("a line of text\n" * 1000))
    world.update(chunk("more\nand"), after=1)
    assert world.editor.of(TRANSCRIPT)[-1]["blocks"] == [
        {"id": "agent:m", "kind": "agent", "append": "more\n", "tail": "and"}
    ]


def _cost(world: World, rounds: int) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for _ in range(rounds):
            world.update(chunk("a few words more\n"), after=1)
        best = min(best, time.process_time() - start)
    return best


def test_a_chunk_costs_the_same_in_a_message_of_ten_megabytes() -> None:
    small, large = World(), World()
    small.update(chunk("start\n"))
    large.update(chunk(f"{'a line of text ' * 10}\n" * 66_000))
    assert _cost(large, 50) < 20 * _cost(small, 50)
    sizes = [len(json.dumps(params)) for params in large.editor.of(TRANSCRIPT)[1:]]
    assert max(sizes) < 500


def test_a_terminal_that_writes_much_costs_what_it_writes() -> None:
    world = World()
    line = b"0123456789" * 7 + b"\n"
    for _ in range(2000):
        world.update(TerminalOutputChunk(terminal_id="t", data=line), after=1)
    pushed = sum(len(json.dumps(params)) for params in world.editor.of(TRANSCRIPT))
    live_rows = 24 * len(line) * 2000
    assert pushed < 2 * (live_rows + 4 * 2000 * len(line))
    world.check()


def test_nothing_is_done_for_other_clients_until_they_ask() -> None:
    world = World(abilities=Abilities())
    world.update(chunk("hello"))
    world.transcripts.note(0, world.session, "error", "The agent is gone")
    assert world.transcripts.deadline() is None
    assert world.editor.notified == []
    assert "hello" in world.transcripts.markdown(world.session)
    assert "The agent is gone" in world.transcripts.markdown(world.session)


def test_a_status_changes_the_head_alone() -> None:
    world = World()
    world.update(ToolCallUpdate(tool_call_id="c", title="Long", status="in_progress"))
    world.update(ToolCallUpdate(tool_call_id="c", status="cancelled"), after=1)
    (delta,) = world.editor.of(TRANSCRIPT)[-1]["blocks"]
    assert delta == {
        "id": "tool_call:c",
        "kind": "tool_call",
        "status": "cancelled",
        "head": "### ⊘ Long\n\nother, cancelled",
    }


def test_an_agent_that_is_idle_twice_has_ended_once() -> None:
    world = World()
    world.update(chunk("x"))
    world.update(*[StateUpdate(state="idle", stop_reason="end_turn")] * 2)
    world.update(StateUpdate(state="idle", stop_reason="end_turn"), after=1)
    assert world.transcripts.markdown(world.session).count("*Done*") == 1
    world.check()


def test_old_notices_go_for_everybody() -> None:
    world = World()
    for number in range(KEPT_NOTICES + 2):
        world.update(Notice(severity="info", title=f"notice {number}"))
    world.check()
    heads = [block["head"] for block in world.model.blocks.values()]
    assert sum("no longer kept" in head for head in heads) == 2


@pytest.mark.parametrize(
    ("update", "words"),
    [
        ({"state": "idle", "stop_reason": "end_turn"}, "*Done*"),
        ({"state": "idle", "stop_reason": "a_new_reason"}, "*The turn ended: a_new_reason*"),
        (
            {"state": "idle", "stop_reason": "error", "error": {"code": -1, "message": "no <b>"}},
            r"### ✗ The turn failed: no \<b>",
        ),
    ],
)
def test_why_a_turn_ended_is_written(update: dict[str, Any], words: str) -> None:
    world = World()
    world.update(StateUpdate.model_validate(update))
    assert words in world.transcripts.markdown(world.session)


def test_a_session_that_is_deleted_is_forgotten() -> None:
    world = World()
    world.update(chunk("hello"))
    world.transcripts.note(0, world.session, "info", "note")
    world.transcripts.forget(world.session)
    assert "note" not in world.transcripts.markdown(world.session)
    world.transcripts.tick(9)
    assert len(world.editor.of(TRANSCRIPT)) == 1
