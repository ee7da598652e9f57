"""`acp/session`: state at once, the rest coalesced, only what has changed."""

from __future__ import annotations

from acp_sidecar.features.messages import SESSION
from acp_sidecar.features.ports import Abilities
from acp_sidecar.features.sessions import SessionStatus, view
from acp_sidecar.session import reducer
from acp_sidecar.session.updates import (
    PlanEntry,
    PlanItems,
    PlanUpdate,
    SessionInfoUpdate,
    StateUpdate,
    Update,
    UsageUpdate,
)
from tests.features.rich_editor import RecordingEditor, applied, new_session


class World:
    def __init__(self, abilities: Abilities | None = None) -> None:
        self.editor = RecordingEditor(abilities=abilities or Abilities(rich=frozenset({"session"})))
        self.status = SessionStatus(self.editor)
        self.session = new_session()

    def update(self, now: float, *updates: Update) -> None:
        for update, effect in applied(self.session, *updates):
            self.status.changed(now, self.session, update, effect)
        self.status.tick(now)


def test_the_first_push_has_everything() -> None:
    world = World()
    world.status.touched(0, world.session)
    world.status.tick(0)
    assert world.editor.of(SESSION) == [view(world.session)]
    assert world.editor.of(SESSION)[0]["usage"] is None


def test_what_is_null_now_is_named_for_clients_that_cannot_see_null() -> None:
    world = World()
    world.update(0.0, UsageUpdate(used=1, size=9), SessionInfoUpdate(title="Words"))
    assert world.editor.of(SESSION)[0]["cleared"] == ["updatedAt"]
    world.update(1.0, StateUpdate(state="running"))
    assert "cleared" not in world.editor.of(SESSION)[-1]
    world.update(2.0, SessionInfoUpdate(title=None))
    assert world.editor.of(SESSION)[-1]["cleared"] == ["title", "updatedAt"]


def test_state_does_not_wait_for_the_frame_and_usage_does() -> None:
    world = World()
    world.update(0.0, StateUpdate(state="running"))
    for step in range(1, 5):
        world.update(step / 100, UsageUpdate(used=step, size=100))
    assert len(world.editor.of(SESSION)) == 1
    world.update(0.05, StateUpdate(state="idle", stop_reason="end_turn"))
    last = world.editor.of(SESSION)[-1]
    assert (last["state"], last["stopReason"]) == ("idle", "end_turn")
    assert last["usage"] == {"used": 4, "size": 100}
    assert "configOptions" not in last
    assert world.status.deadline() is None


def test_the_last_usage_always_comes() -> None:
    world = World()
    world.update(0.0, UsageUpdate(used=1, size=9))
    world.update(0.01, UsageUpdate(used=2, size=9))
    deadline = world.status.deadline()
    assert deadline is not None
    world.status.tick(deadline)
    assert [each["usage"]["used"] for each in world.editor.of(SESSION)] == [1, 2]


def test_busy_is_pushed_when_the_prompt_is_sent() -> None:
    world = World()
    reducer.prompt_sent(world.session)
    world.status.touched(0, world.session)
    world.status.tick(0)
    assert world.editor.of(SESSION)[0]["busy"] is True


def test_info_that_says_nothing_is_not_pushed() -> None:
    world = World()
    world.update(0.0, SessionInfoUpdate(meta={"vendor": 1}))
    assert world.editor.notified == []
    world.update(0.0, SessionInfoUpdate(title="Names"))
    assert world.editor.of(SESSION)[0]["title"] == "Names"


def test_plans_come_whole() -> None:
    world = World()
    entry = PlanEntry(content="look", priority="high", status="pending")
    world.update(0.0, PlanUpdate(plan=PlanItems(plan_id="p", entries=[entry])))
    assert world.editor.of(SESSION)[0]["plans"][0]["entries"][0]["content"] == "look"


def test_others_are_told_nothing() -> None:
    world = World(Abilities())
    world.update(0.0, StateUpdate(state="running"))
    assert (world.editor.notified, world.status.deadline()) == ([], None)


def test_who_knows_of_a_session_is_told_that_it_was_deleted() -> None:
    world = World()
    world.status.forget(world.session)
    assert world.editor.of(SESSION) == []
    world.status.touched(0, world.session)
    world.status.tick(0)
    world.session.closed = True
    world.status.forget(world.session)
    assert [each["closed"] for each in world.editor.of(SESSION)] == [False, True]
