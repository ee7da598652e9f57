"""A turn's progress: begun at the prompt, reports what runs, ends once with the outcome."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from acp_sidecar.features.ports import Abilities
from acp_sidecar.features.progress import INTERVAL, STUBBORN, Progress
from acp_sidecar.session import reducer
from acp_sidecar.session.content import TextContent
from acp_sidecar.session.state import Session
from acp_sidecar.session.tool_calls import ToolCallUpdate
from acp_sidecar.session.updates import MessageChunk, StateUpdate, Update
from tests.features.rich_editor import RecordingEditor, applied, new_session


class World:
    def __init__(self, abilities: Abilities | None = None) -> None:
        self.editor = RecordingEditor(abilities=abilities or Abilities(work_done_progress=True))
        self.progress = Progress(self.editor)
        self.session = new_session()
        self.now = 0.0

    def prompt(self) -> None:
        reducer.prompt_sent(self.session)
        self.progress.prompt_sent(self.now, self.session)
        reducer.prompt_accepted(self.session)

    def update(self, *updates: Update, after: float = 0.0) -> None:
        self.now += after
        for update, effect in applied(self.session, *updates):
            self.progress.changed(self.now, self.session, update, effect)
        self.progress.tick(self.now)

    def wait(self) -> None:
        while (deadline := self.progress.deadline()) is not None:
            self.now = max(self.now, deadline)
            self.progress.tick(self.now)

    def said(self) -> list[str]:
        return [each[2] for each in self.editor.progress]


def call(call_id: str, status: str, title: str = "") -> ToolCallUpdate:
    if title:
        return ToolCallUpdate(tool_call_id=call_id, status=status, title=title)
    return ToolCallUpdate(tool_call_id=call_id, status=status)


def said_chunk(text: str) -> MessageChunk:
    return MessageChunk(role="agent", message_id="m", content=TextContent(text=text))


def test_a_whole_turn() -> None:
    world = World()
    world.prompt()
    world.update(call("a", "in_progress", "Read x"))
    world.update(call("b", "in_progress", "Edit y"), after=1)
    world.update(call("b", "completed"), after=1)
    world.update(call("a", "completed"), said_chunk("hello"), after=1)
    world.update(StateUpdate(state="idle", stop_reason="end_turn"), after=1)
    token = world.editor.progress[0][1]
    assert world.editor.progress == [
        ("begin", token, "helper", "True"),
        ("report", token, "Read x"),
        ("report", token, "Edit y (+1)"),
        ("report", token, "Read x"),
        ("report", token, "writing"),
        ("end", token, "done"),
    ]
    assert world.progress.session_of(token) is None


def test_reports_are_coalesced_and_the_last_one_comes() -> None:
    world = World()
    world.prompt()
    for number in range(50):
        world.update(call(str(number), "in_progress", f"Tool {number}"), after=INTERVAL / 100)
        world.update(call(str(number), "completed"))
    world.update(call("last", "in_progress", "Last"))
    world.wait()
    reports = world.said()[1:]
    assert len(reports) < 5
    assert reports[-1] == "Last"


def test_chunks_of_one_message_report_once() -> None:
    world = World()
    world.prompt()
    for _ in range(5):
        world.update(said_chunk("x"), after=1)
    assert world.said() == ["helper", "writing"]
    assert world.progress.deadline() is None


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        (lambda world: world.update(StateUpdate(state="idle", stop_reason="refusal")), "refused"),
        (lambda world: world.update(StateUpdate(state="idle", stop_reason="odd")), "odd"),
        (lambda world: world.update(StateUpdate(state="idle")), "done"),
    ],
)
def test_outcomes(end: Callable[[World], None], outcome: str) -> None:
    world = World()
    world.prompt()
    end(world)
    assert world.said()[-1] == outcome


def test_an_end_without_a_word_of_the_agent() -> None:
    world = World()
    world.prompt()
    reducer.turn_ended(world.session, None)
    world.progress.turn_ended(0, world.session, "The agent is gone")
    world.progress.turn_ended(0, world.session, "again")
    assert world.said() == ["helper", "The agent is gone"]


def test_a_token_leads_to_its_session_for_cancelling() -> None:
    world = World()
    world.prompt()
    assert world.progress.session_of(world.editor.progress[0][1]) is world.session
    assert world.progress.session_of("other") is None


def test_a_call_cancelled_by_the_user_is_not_reported() -> None:
    world = World()
    world.prompt()
    world.update(call("a", "in_progress", "Long"), after=1)
    world.session.tool_calls["a"].status = "cancelled"
    world.update(said_chunk("stopping"), after=1)
    assert world.said() == ["helper", "Long", "writing"]


def test_titles_are_one_visible_line() -> None:
    world = World()
    world.prompt()
    world.update(call("a", "in_progress", "rm -rf /\n\u202etxt"))
    assert world.said()[-1] == "rm -rf /␊⟨U+202E⟩txt"


def test_a_client_without_progress_gets_none() -> None:
    world = World(Abilities())
    world.prompt()
    world.update(call("a", "in_progress", "Long"))
    assert world.editor.progress == []


def test_sessions_do_not_mix() -> None:
    world = World()
    other = Session("o", "o", "second", "/project", 2)
    world.prompt()
    reducer.prompt_sent(other)
    world.progress.prompt_sent(0, other)
    tokens = [each[1] for each in world.editor.progress]
    assert len(set(tokens)) == 2
    world.progress.turn_ended(0, other, "gone")
    assert world.progress.session_of(tokens[0]) is world.session


def test_what_waits_for_the_user_is_said() -> None:
    world = World()
    world.prompt()
    world.update(StateUpdate(state="requires_action"))
    world.update(call("a", "pending", "Edit y"), after=1)
    world.update(StateUpdate(state="running"), after=1)
    assert world.said()[1:] == ["waiting for you", "waiting for you: Edit y", "Edit y"]


def test_an_agent_that_does_not_stop_is_told_of_once() -> None:
    world = World()
    world.prompt()
    world.update(call("a", "in_progress", "Run"))
    world.now = 5.0
    world.progress.cancelled(world.now, world.session)
    world.progress.tick(world.now)
    assert world.said()[1:] == ["Run", "cancelling"]
    world.progress.cancelled(8.0, world.session)  # the user presses again
    assert world.progress.deadline() is not None
    world.wait()
    assert world.now == 5.0 + STUBBORN
    assert world.said()[3:] == ["does not stop; the command acp.agent.restart ends it"]
    world.update(said_chunk("no"), after=1)
    assert len(world.said()) == 4


def test_a_cancel_that_is_obeyed_is_the_end() -> None:
    world = World()
    world.prompt()
    world.progress.cancelled(world.now, world.session)
    world.update(StateUpdate(state="idle", stop_reason="cancelled"), after=1)
    world.wait()
    assert world.said() == ["helper", "cancelled"]
    world.progress.cancelled(world.now, world.session)
    assert world.progress.deadline() is None


def test_a_prompt_after_a_cancel_is_not_hurried() -> None:
    world = World()
    world.prompt()
    world.progress.cancelled(world.now, world.session)
    world.wait()
    world.prompt()
    world.update(call("a", "in_progress", "Run"), after=1)
    assert world.said()[-1] == "Run"
