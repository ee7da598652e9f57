"""Follow: which place is shown when, what pauses it, and what resumes it."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.config import FollowSettings
from acp_sidecar.features.follow_messages import ActivityKind
from acp_sidecar.features.ports import Abilities, Edit, Span
from tests.features.follow_world import BARE, PLAIN, RICH, World, numbered

BOTH = pytest.mark.parametrize("abilities", [RICH, PLAIN], ids=["rich", "plain"])


def patch(path: str, hunks: str) -> dict[str, Any]:
    """A v2 diff."""
    text = f"diff --git {path} {path}\n--- {path}\n+++ {path}\n{hunks}"
    changes = [{"operation": "modify", "path": path}]
    return {"type": "diff", "changes": changes, "patch": {"format": "git_patch", "text": text}}


HUNK = "@@ -10,3 +10,3 @@\n line 10\n-line 11\n+line eleven\n line 12\n"


@BOTH
def test_the_first_place_is_shown_at_once(abilities: Abilities) -> None:
    world = World(abilities)
    world.read("1", "/w/a.py", 7)
    assert world.moves == [("/w/a.py", 7)]


@BOTH
def test_places_in_quick_succession_are_coalesced_and_the_last_is_shown(
    abilities: Abilities,
) -> None:
    world = World(abilities)
    for line in range(1, 60):
        world.read("1", "/w/a.py", line)
        world.now += 0.001
    assert world.moves == [("/w/a.py", 1)]
    world.wait(1)
    assert world.moves == [("/w/a.py", 1), ("/w/a.py", 59)]


def test_nothing_is_looked_up_for_a_place_that_is_coalesced_away() -> None:
    world = World()
    for line in range(1, 60):
        world.read(str(line), "/w/a.py", line)
    world.wait(1)
    assert len(world.files.looks) == 2


@BOTH
def test_an_equal_place_is_not_shown_again(abilities: Abilities) -> None:
    world = World(abilities)
    world.read("1", "/w/a.py", 7)
    world.wait(1)
    world.read("2", "/w/a.py", 7)
    world.wait(1)
    assert world.moves == [("/w/a.py", 7)]
    assert world.target["toolCallId"] == "2"


def test_the_last_location_of_a_call_is_shown() -> None:
    world = World()
    world.call("1", locations=[{"path": "/w/a.py", "line": 3}, {"path": "/w/b.py", "line": 4}])
    assert world.moves == [("/w/b.py", 4)]


def test_an_edit_beats_a_read_of_the_same_instant() -> None:
    world = World()
    world.read("0", "/w/c.py", 1)
    world.edit("1", "/w/a.py", 5)
    world.read("2", "/w/b.py", 6)
    world.wait(1)
    assert world.moves == [("/w/c.py", 1), ("/w/a.py", 5)]


def test_an_older_call_waits_while_a_newer_one_goes_on() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    world.wait(1)
    world.read("2", "/w/b.py", 6)
    world.wait(1)
    world.read("1", "/w/a.py", 50)
    world.wait(1)
    assert world.moves[-1] == ("/w/b.py", 6)
    world.call("2", status="completed")
    world.wait(1)
    assert world.moves[-1] == ("/w/a.py", 50)


def test_a_place_that_comes_with_completed_is_shown() -> None:
    world = World()
    world.call("1", kind="edit", status="pending")
    world.edit("1", "/w/a.py", 5, status="completed")
    assert world.moves == [("/w/a.py", 5)]


def test_a_place_repeated_by_a_call_that_ends_is_not_new() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    world.wait(1)
    world.read("2", "/w/b.py", 6)
    world.wait(1)
    world.read("2", "/w/b.py", 6, status="completed")
    world.read("1", "/w/a.py", 5, status="completed")
    world.wait(1)
    assert world.moves == [("/w/a.py", 5), ("/w/b.py", 6)]


def test_clients_without_show_document_get_a_lens_and_a_line() -> None:
    world = World(BARE)
    world.edit("1", "/w/a.py", 5, title="Edit a")
    assert world.follow.lens() == ("/w/a.py", 4, "claude: Edit a")
    assert world.follow.status_line() == "Edit a (a.py:5)"
    assert world.editor.refreshed == 1
    assert world.editor.shown == []
    world.end_turn()
    assert world.follow.lens() is None
    assert world.editor.refreshed == 2


@BOTH
def test_clients_that_can_be_sent_to_a_place_need_no_lens(abilities: Abilities) -> None:
    world = World(abilities)
    world.edit("1", "/w/a.py", 5)
    assert world.follow.lens() is None
    assert world.editor.refreshed == 0


def test_a_range_that_grows_is_told_without_a_new_move() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    world.wait(1)
    world.call("1", locations=[{"path": "/w/a.py", "line": 5, "_meta": {"endLine": 9}}])
    world.call("1", rawInput={"path": "/w/a.py", "start_line": 5, "end_line": 9})
    world.wait(1)
    told = world.editor.notified[-1]["target"]
    assert (told["move"], told["range"]["end"]["line"]) == (1, 9)
    assert world.moves == [("/w/a.py", 5)]


def test_a_plain_client_is_not_sent_again_where_it_is() -> None:
    world = World(PLAIN)
    world.read("1", "/w/a.py", 5)
    world.wait(1)
    world.call("1", rawInput={"path": "/w/a.py", "start_line": 5, "end_line": 9})
    world.wait(1)
    assert len(world.editor.shown) == 1
    assert world.target["endLine"] == 9


def test_a_location_at_the_top_of_a_hunk_does_not_step_back() -> None:
    world = World()
    world.edit("1", "/w/a.py", content=[patch("/w/a.py", HUNK)])
    world.wait(1)
    world.edit("1", "/w/a.py", 10, status="completed")
    world.wait(1)
    assert world.moves == [("/w/a.py", 11)]


def test_exactly_the_rate_is_used_under_load() -> None:
    world = World(settings=FollowSettings(rate=5))
    start = world.now
    for number in range(4000):
        world.read(str(number), "/w/a.py", number % 97 + 1)
        world.wait(0.001)
    assert world.now - start == pytest.approx(4.0)
    assert 19 <= len(world.moves) <= 21
    world.wait(1)
    assert world.moves[-1] == ("/w/a.py", 3999 % 97 + 1)


@BOTH
def test_typing_in_the_followed_view_pauses(abilities: Abilities) -> None:
    world = World(abilities)
    world.read("1", "/w/a.py", 5)
    if abilities is RICH:
        world.act("typed", "/w/a.py")
    else:
        edit = Edit(Span(0, 0, 0, 0), "x")
        world.follow.document_changed(world.now, "/w/a.py", [edit], by_us=False)
    assert world.paused == "typed"
    world.read("2", "/w/b.py", 5)
    world.wait(5)
    assert world.moves == [("/w/a.py", 5)]


def test_settings_can_start_it_off() -> None:
    world = World(settings=FollowSettings(enabled=False))
    world.read("1", "/w/a.py", 5)
    world.wait(1)
    assert world.moves == []
    assert [here["path"] for here in world.presence] == ["/w/a.py"]
    world.follow.set_mode(world.now, "on")
    assert world.moves == [("/w/a.py", 5)]


# What a call says


def test_a_diff_without_a_location_is_a_place() -> None:
    world = World()
    world.call("1", kind="edit", status="in_progress", content=[patch("/w/a.py", HUNK)])
    assert world.moves == [("/w/a.py", 11)]
    assert world.target["basis"] == "hunk"


def test_a_diff_that_is_appended_is_a_place() -> None:
    world = World()
    world.call("1", kind="edit", status="in_progress")
    world.chunk("1", {"type": "content", "content": {"type": "text", "text": "working"}})
    world.chunk("1", patch("/w/a.py", HUNK))
    assert world.moves == [("/w/a.py", 11)]


def test_a_path_without_a_line_becomes_exact_when_the_diff_comes() -> None:
    world = World()
    world.edit("1", "/w/a.py")
    assert world.moves == [("/w/a.py", 1)]
    world.call("1", rawInput={"file_path": "/w/a.py", "old_string": "line 11\n"})
    world.wait(1)
    assert world.moves[-1] == ("/w/a.py", 11)
    world.call("1", content=[patch("/w/a.py", HUNK)])
    world.wait(1)
    assert world.moves == [("/w/a.py", 1), ("/w/a.py", 11)]
    assert world.target["basis"] == "hunk"


def test_the_file_in_raw_input_is_a_place() -> None:
    world = World()
    world.call("1", kind="read", rawInput={"filePath": "b.py", "offset": 40, "limit": 3})
    assert world.moves == [("/w/b.py", 40)]
    assert (world.target["endLine"], world.target["basis"]) == (42, "input")


def test_raw_input_says_nothing_about_another_file() -> None:
    world = World()
    world.call("1", rawInput={"path": "/w/b.py", "line": 40}, locations=[{"path": "/w/a.py"}])
    assert world.moves == [("/w/a.py", 1)]


def test_a_range_in_the_meta_of_a_location() -> None:
    world = World()
    world.call("1", locations=[{"path": "/w/a.py", "line": 4, "_meta": {"endLine": 9}}])
    assert (world.target["line"], world.target["endLine"]) == (4, 9)
    world = World()
    world.call("1", locations=[{"path": "/w/a.py", "_meta": {"line_range": [4, 9]}}])
    assert (world.target["line"], world.target["endLine"]) == (4, 9)


def test_a_path_without_any_line_goes_where_that_file_was_shown_last() -> None:
    world = World()
    world.read("1", "/w/a.py", 50)
    world.wait(1)
    world.read("2", "/w/b.py", 1)
    world.wait(1)
    world.read("3", "/w/a.py")
    world.wait(1)
    assert world.moves[-1] == ("/w/a.py", 50)
    assert world.target["basis"] == "last"


def test_a_file_access_is_a_place() -> None:
    world = World()
    world.follow.file_access(world.now, world.session, "/w/a.py", 12, 4, kind="read")
    assert world.moves == [("/w/a.py", 12)]
    assert (world.target["endLine"], world.target["toolCallId"]) == (15, None)


def test_a_file_access_of_a_running_call_only_adds_the_lines() -> None:
    world = World()
    world.read("1", "/w/a.py")
    world.follow.file_access(world.now, world.session, "/w/a.py", 12, 4, kind="read")
    world.wait(1)
    assert world.moves == [("/w/a.py", 1), ("/w/a.py", 12)]
    assert world.target["toolCallId"] == "1"
    world.follow.file_access(world.now, world.session, "/w/a.py", 12, 4, kind="read")
    world.follow.file_access(world.now, world.session, "/w/a.py", None, None, kind="edit")
    world.wait(1)
    assert len(world.moves) == 2


# What is never opened


@pytest.mark.parametrize("reason", ["directory", "binary", "missing", "too-large", "unreadable"])
def test_what_cannot_be_shown_goes_into_the_trail(reason: str) -> None:
    world = World()
    world.files.reasons["/w/x"] = reason
    world.read("1", "/w/x", 5)
    world.wait(1)
    assert world.moves == []
    assert world.presence == []
    assert world.trail == [("/w/x", 5, reason)]


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/etc/passwd", "outside"), ("../x", "outside"), ("https://example.org/", "not-a-file")],
)
def test_nothing_outside_is_even_read(path: str, reason: str) -> None:
    world = World()
    world.files.links["/w/../x"] = "/x"
    world.read("1", path, 5)
    world.wait(1)
    assert (world.moves, world.files.looks) == ([], [])
    assert [state for _, _, state in world.trail] == [reason]


def test_a_link_out_of_the_roots_is_not_followed() -> None:
    world = World()
    world.files.links["/w/link"] = "/etc/passwd"
    world.read("1", "/w/link")
    assert (world.moves, world.files.looks) == ([], [])


def test_the_next_best_place_is_shown_instead() -> None:
    world = World()
    world.files.reasons["/w"] = "directory"
    world.call("1", locations=[{"path": "/w/a.py", "line": 3}, {"path": "/w"}])
    assert world.moves == [("/w/a.py", 3)]


def test_the_next_best_call_is_shown_instead() -> None:
    world = World()
    world.files.reasons["/w"] = "directory"
    world.read("0", "/w/c.py", 1)
    world.read("1", "/w/a.py", 3)
    world.call("2", kind="execute", locations=[{"path": "/w"}])
    world.wait(1)
    assert world.moves == [("/w/c.py", 1), ("/w/a.py", 3)]


def test_a_new_file_is_shown_when_it_has_been_written() -> None:
    world = World()
    world.edit("1", "/w/new.py")
    world.wait(1)
    assert world.moves == []
    world.files.files["/w/new.py"] = "x\n"
    world.call("1", status="completed")
    world.wait(1)
    assert world.moves == [("/w/new.py", 1)]
    assert world.trail[-1] == ("/w/new.py", 1, "shown")


# Sessions and replay


def test_replay_moves_nothing() -> None:
    world = World()
    world.session.replaying = True
    world.read("1", "/w/a.py", 5, status="completed")
    world.edit("2", "/w/b.py", 5)
    world.follow.file_access(world.now, world.session, "/w/c.py", 1, 1, kind="read")
    world.wait(1)
    world.session.replaying = False
    world.call("2", status="completed")
    world.edit("2", "/w/b.py", 5)
    world.wait(1)
    assert (world.moves, world.trail, world.presence) == ([], [], [])
    world.edit("2", "/w/b.py", 6)
    assert world.moves == [("/w/b.py", 6)]


def test_every_session_moves_the_view_unless_one_is_followed_alone() -> None:
    world = World()
    other = world.open("s2")
    world.read("1", "/w/a.py", 1)
    world.wait(1)
    world.read("1", "/w/b.py", 2, session=other)
    world.wait(1)
    assert world.moves == [("/w/a.py", 1), ("/w/b.py", 2)]
    world.follow.set_mode(world.now, "on", "s1")
    world.read("2", "/w/c.py", 3, session=other)
    world.wait(1)
    assert world.moves == [("/w/a.py", 1), ("/w/b.py", 2)]
    assert world.follow.view()["session"] == "s1"
    world.read("2", "/w/a.py", 4)
    world.wait(1)
    assert world.moves[-1] == ("/w/a.py", 4)


def test_a_session_that_closes_is_followed_no_more() -> None:
    world = World()
    world.follow.set_mode(world.now, "on", "s1")
    world.follow.session_closed(world.now, world.session)
    assert world.follow.view()["session"] is None


def test_what_waited_for_a_newer_call_is_forgotten_at_the_end_of_the_turn() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    world.wait(1)
    world.read("2", "/w/b.py", 6)
    world.wait(1)
    world.read("1", "/w/a.py", 50)
    world.end_turn()
    world.wait(1)
    assert world.moves[-1] == ("/w/b.py", 6)


def test_the_last_place_is_shown_also_if_the_turn_ends_before() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    world.read("1", "/w/a.py", 6)
    world.end_turn()
    world.wait(1)
    assert world.moves[-1] == ("/w/a.py", 6)
    assert world.presence == []


# The user

TARGET = "/w/a.py"
ACTIVITIES: list[tuple[ActivityKind, str | None, str | None]] = [
    ("typed", TARGET, "typed"),
    ("scrolled", TARGET, "scrolled"),
    ("selected", TARGET, "selected"),
    ("closed", TARGET, "closed"),
    ("switched", "/w/b.py", "switched"),
    ("switched", None, "switched"),
    ("switched", TARGET, None),
    ("typed", "/w/b.py", None),
    ("scrolled", "/w/b.py", None),
    ("selected", None, None),
    ("closed", "/w/b.py", None),
]


@pytest.mark.parametrize(("kind", "path", "reason"), ACTIVITIES)
def test_what_pauses(kind: ActivityKind, path: str | None, reason: str | None) -> None:
    world = World()
    world.read("1", TARGET, 5)
    world.act(kind, path)
    assert world.paused == reason
    assert world.editor.notified[-1]["paused"] == reason


@pytest.mark.parametrize(("kind", "path", "reason"), ACTIVITIES)
def test_what_our_own_moves_cause_does_not_pause(
    kind: ActivityKind, path: str | None, reason: str | None
) -> None:
    world = World()
    world.read("1", TARGET, 4)
    world.wait(1)
    world.read("1", TARGET, 5)
    for move in (1, 2):
        world.act(kind, path, move)
    assert world.paused is None


def test_a_move_that_never_was_is_no_excuse() -> None:
    world = World()
    world.read("1", TARGET, 5)
    world.act("scrolled", TARGET, 2)
    assert world.paused == "scrolled"


def test_nothing_pauses_before_the_first_move() -> None:
    world = World()
    world.act("typed", TARGET)
    assert world.paused is None


def test_our_own_edits_and_reloads_do_not_pause() -> None:
    world = World(PLAIN)
    world.read("1", TARGET, 5)
    edit = Edit(Span(0, 0, 0, 0), "x")
    world.follow.document_changed(world.now, TARGET, [edit], by_us=True)
    world.follow.document_changed(world.now, "/w/b.py", [edit], by_us=False)
    assert world.paused is None


def test_rich_clients_say_themselves_what_the_user_does() -> None:
    world = World(RICH)
    world.read("1", TARGET, 5)
    edit = Edit(Span(0, 0, 0, 0), "x")
    world.follow.document_changed(world.now, TARGET, [edit], by_us=False)
    assert world.paused is None


def test_the_first_reason_stays() -> None:
    world = World()
    world.read("1", TARGET, 5)
    world.act("scrolled", TARGET)
    world.act("typed", TARGET)
    world.follow.set_mode(world.now, "pause")
    assert world.paused == "scrolled"


def paused_world(settings: FollowSettings | None = None) -> World:
    """The user scrolls, the agent goes on to line 50."""
    world = World(settings=settings)
    world.read("1", TARGET, 5)
    world.act("scrolled", TARGET)
    world.wait(1)
    world.read("1", TARGET, 50)
    world.wait(1)
    assert world.moves == [(TARGET, 5)]
    return world


def test_the_command_resumes_at_the_live_end() -> None:
    world = paused_world()
    world.follow.set_mode(world.now, "resume")
    assert world.paused is None
    assert world.moves == [(TARGET, 5), (TARGET, 50)]


def test_the_command_goes_back_even_to_the_same_place() -> None:
    world = World()
    world.read("1", TARGET, 5)
    world.act("scrolled", TARGET)
    world.follow.set_mode(world.now, "resume")
    assert world.moves == [(TARGET, 5), (TARGET, 5)]


def test_a_prompt_resumes_and_stays_until_the_agent_does_something() -> None:
    world = paused_world()
    world.follow.prompt_sent(world.now, world.session)
    world.wait(1)
    assert world.follow.view()["paused"] is None
    assert world.moves == [(TARGET, 5)]
    world.read("2", TARGET, 5)
    world.wait(1)
    assert world.moves == [(TARGET, 5), (TARGET, 5)]


def test_a_prompt_resumes_only_if_the_settings_say_so() -> None:
    world = paused_world(FollowSettings(resume_on_prompt=False))
    world.follow.prompt_sent(world.now, world.session)
    assert world.paused == "scrolled"


def test_idle_time_resumes_and_any_activity_starts_it_anew() -> None:
    world = World(settings=FollowSettings(resume_after=10))
    world.read("1", TARGET, 5)
    world.act("scrolled", TARGET)
    world.wait(8)
    world.act("typed", "/w/b.py")
    world.read("1", TARGET, 50)
    world.wait(9)
    assert world.paused == "scrolled"
    world.wait(2)
    assert world.paused is None
    assert world.moves == [(TARGET, 5), (TARGET, 50)]


def test_idle_time_does_not_go_back_to_where_nobody_works() -> None:
    world = World(settings=FollowSettings(resume_after=10))
    world.read("1", TARGET, 5)
    world.act("scrolled", TARGET)
    world.end_turn()
    world.wait(20)
    assert world.paused is None
    assert world.moves == [(TARGET, 5)]


def test_without_an_idle_time_nothing_is_waited_for() -> None:
    assert paused_world().follow.deadline() is None


def test_off_is_off_until_it_is_switched_on() -> None:
    world = World()
    world.follow.set_mode(world.now, "off")
    world.read("1", TARGET, 5)
    world.wait(1)
    world.follow.prompt_sent(world.now, world.session)
    world.wait(1)
    assert (world.moves, world.follow.view()["mode"]) == ([], "off")
    world.follow.set_mode(world.now, "on")
    assert (world.moves, world.follow.view()["mode"]) == ([(TARGET, 5)], "on")


def test_nothing_is_looked_up_for_a_plain_client_while_off() -> None:
    world = World(PLAIN, FollowSettings(enabled=False))
    world.read("1", TARGET, 5)
    world.wait(1)
    assert (world.files.looks, world.trail) == ([], [(TARGET, 5, "passed")])
    world.follow.set_mode(world.now, "on")
    assert world.moves == [(TARGET, 5)]


def test_plain_clients_get_the_range_to_select() -> None:
    world = World(PLAIN)
    world.call("1", kind="read", rawInput={"path": "/w/a.py", "offset": 2, "limit": 3})
    assert world.editor.shown == [("/w/a.py", Span(1, 0, 3, 6))]


def test_the_whole_message_to_a_rich_client() -> None:
    world = World()
    world.edit("1", "/w/a.py", 5, title="Edit \x1b[31ma")
    place = {
        "sessionId": "s1",
        "agent": "claude",
        "colour": 0,
        "uri": "file:///w/a.py",
        "path": "/w/a.py",
        "range": {"start": {"line": 4, "character": 0}, "end": {"line": 5, "character": 0}},
        "basis": "location",
        "kind": "edit",
        "title": "Edit ␛[31ma",
        "toolCallId": "1",
    }
    assert world.editor.notified == [
        {
            "mode": "on",
            "paused": None,
            "session": None,
            "target": {**place, "move": 1},
            "trail": None,
            "presence": [{**place, "age": 0.0}],
        }
    ]


def test_texts_are_shown_up_to_their_end_only() -> None:
    world = World(files={"/w/a.py": numbered(3)})
    world.read("1", "/w/a.py", 99)
    assert world.moves == [("/w/a.py", 3)]


def test_updates_that_say_nothing_about_places_cost_no_look() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    looks = len(world.files.looks)
    world.wait(1)
    world.call("1", title="Reading", rawOutput={"x": 1})
    world.call("1", status="completed")
    world.call("1", content=[{"type": "content", "content": {"type": "text", "text": "out"}}])
    world.wait(1)
    assert len(world.files.looks) == looks


def test_calls_that_the_agent_never_closed_keep_nothing_waiting() -> None:
    world = World()
    world.read("1", "/w/a.py", 5)
    world.wait(1)
    world.read("2", "/w/b.py", 6)
    world.wait(1)
    world.end_turn()
    world.read("1", "/w/a.py", 50)
    assert world.moves[-1] == ("/w/a.py", 50)
