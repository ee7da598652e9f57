"""Follow: which place is shown when, what pauses it, and what resumes it."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.config import FollowSettings
from acp_sidecar.features.ports import Abilities, Edit, Span
from tests.features.follow_world import BARE, PLAIN, RICH, World, numbered

BOTH = pytest.mark.parametrize("abilities", [RICH, PLAIN], ids=["rich", "plain"])


def diff(path: str, old: str | None, new: str) -> dict[str, Any]:
    """A v1 diff, as the adapter upgrades it."""
    change = {"operation": "modify", "path": path, "old_text": old, "new_text": new}
    return {"type": "diff", "changes": [change]}


def patch(path: str, hunks: str) -> dict[str, Any]:
    """A v2 diff."""
    text = f"diff --git {path} {path}\n--- {path}\n+++ {path}\n{hunks}"
    changes = [{"operation": "modify", "path": path}]
    return {"type": "diff", "changes": changes, "patch": {"format": "git_patch", "text": text}}


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
    assert numbered(1) == "line 1\n"


def test_settings_can_start_it_off() -> None:
    world = World(settings=FollowSettings(enabled=False))
    world.read("1", "/w/a.py", 5)
    world.wait(1)
    assert world.moves == []
    assert [here["path"] for here in world.presence] == ["/w/a.py"]
    world.follow.set_mode(world.now, "on")
    assert world.moves == [("/w/a.py", 5)]
