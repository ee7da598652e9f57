"""The state of a whole file's change, also where there is no text."""

from __future__ import annotations

import pytest

from acp_sidecar.changes.anchor import anchor_hunks
from acp_sidecar.changes.compare import net_change
from acp_sidecar.changes.file_state import Present, created_as, of_file
from acp_sidecar.changes.hunks import FileChange, HunkState, SetState, combined_state
from acp_sidecar.changes.views import TextView

P, A, C, U = HunkState.PROPOSED, HunkState.APPLIED, HunkState.CONFLICT, HunkState.UNANCHORED


@pytest.mark.parametrize(
    ("states", "whole"),
    [
        ([], SetState.UNKNOWN),
        ([P, P], SetState.PROPOSED),
        ([A, HunkState.KEPT], SetState.APPLIED),
        ([P, HunkState.UNDONE], SetState.PROPOSED),
        ([P, A], SetState.MIXED),
        ([HunkState.KEPT, HunkState.UNDONE], SetState.MIXED),
        ([A, U], SetState.APPLIED),
        ([U], SetState.UNKNOWN),
        ([A, C, P], SetState.CONFLICTING),
    ],
)
def test_states_combine(states: list[HunkState], whole: SetState) -> None:
    assert combined_state(states) is whole


@pytest.mark.parametrize(
    ("operation", "exists", "old_exists", "state"),
    [
        ("add", False, False, SetState.PROPOSED),
        ("add", True, False, SetState.APPLIED),
        ("delete", True, False, SetState.PROPOSED),
        ("delete", False, False, SetState.APPLIED),
        ("copy", False, True, SetState.PROPOSED),
        ("copy", True, True, SetState.APPLIED),
        ("move", False, True, SetState.PROPOSED),
        ("move", True, False, SetState.APPLIED),
        ("move", True, True, SetState.CONFLICTING),
        ("move", False, False, SetState.CONFLICTING),
        ("modify", True, False, SetState.UNKNOWN),
        ("chmod", True, False, SetState.UNKNOWN),
    ],
)
def test_changes_without_text_are_told_by_what_exists(
    operation: str, exists: bool, old_exists: bool, state: SetState
) -> None:
    change = FileChange(operation, "/w/f", old_path="/w/o", file_type="binary")
    assert of_file(change, Present(exists, old_exists)) is state


def state_of(old: str | None, new: str | None, present: str | None) -> SetState:
    change = net_change("/w/f", old, new)
    assert change is not None
    places = anchor_hunks(change.hunks, TextView(present or ""))
    return of_file(change, Present(present is not None), places)


@pytest.mark.parametrize(
    ("old", "new", "present", "state"),
    [
        (None, "a\n", None, SetState.PROPOSED),
        (None, "a\n", "a\n", SetState.APPLIED),
        (None, "a\n", "other\n", SetState.CONFLICTING),
        (None, "a\n", "a\nmine\n", SetState.APPLIED),
        ("a\n", None, "a\n", SetState.PROPOSED),
        ("a\n", None, None, SetState.APPLIED),
        ("a\n", None, "other\n", SetState.CONFLICTING),
        ("a\n", "b\n", "a\n", SetState.PROPOSED),
        ("a\n", "b\n", "b\n", SetState.APPLIED),
        ("a\n", "b\n", "c\n", SetState.UNKNOWN),
        (None, "", None, SetState.PROPOSED),
    ],
)
def test_changes_of_text(
    old: str | None, new: str | None, present: str | None, state: SetState
) -> None:
    assert state_of(old, new, present) is state


def test_a_created_file_may_only_be_deleted_while_nothing_of_the_user_is_in_it() -> None:
    change = net_change("/w/f", None, "a\nb\n")
    assert change is not None
    for text, same in (
        ("a\nb\n", True),
        ("a\r\nb\r\n", True),
        ("a\nb", True),
        ("a\nb\nc\n", False),
    ):
        assert created_as(change, text) is same
    assert not created_as(FileChange("add", "/w/f", whole=False), "")
