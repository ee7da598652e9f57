"""Reviewing what is no edit of lines: files that came, went, and are no text."""

from __future__ import annotations

import pytest

from tests.editors.vscode.asking import program
from tests.editors.vscode.conftest import PICTURES, Windows
from tests.editors.vscode.programs.changes import ADDED, DELETED, PICTURE, PICTURE_AFTER
from tests.editors.vscode.review_desk import ReviewDesk

UNDO, KEEP, COMPARE = "Reject", "Accept", "Compare Before and After"


@pytest.fixture
def desk(windows: Windows) -> ReviewDesk:
    """A window in which an agent has added, deleted and changed files."""
    made = ReviewDesk(windows.open(settings=program("changes")))
    made.show_view()
    return made


def tidied(desk: ReviewDesk) -> bytes:
    """Have the agent do it; what was in the file that is gone."""
    before = (desk.vscode.project / DELETED).read_bytes()
    desk.vscode.prompt("tidy up")
    desk.wait_row(r"^logo\.png binary")
    return before


def test_added_deleted_and_binary_files_are_named_as_such(desk: ReviewDesk) -> None:
    tidied(desk)
    desk.wait_row(r"^notes\.txt \+2 · new · 1 to review$")
    desk.wait_row(r"^usage\.txt -\d+ · deleted · 1 to review$")
    desk.vscode.picture(PICTURES / "review-kinds.png")


def test_a_file_that_was_added_is_taken_away_again(desk: ReviewDesk) -> None:
    tidied(desk)
    added = desk.vscode.project / ADDED
    desk.press_in_row("notes.txt", UNDO)
    desk.vscode.wait(lambda: not added.exists(), "the file is gone")
    desk.wait_row(r"^1: first \+2 · undone$")
    assert not (desk.vscode.project / DELETED).exists()  # nobody has said anything about it
    assert (desk.vscode.project / PICTURE).read_bytes() == PICTURE_AFTER


def test_a_file_that_was_deleted_is_compared_and_brought_back(desk: ReviewDesk) -> None:
    before = tidied(desk)
    deleted = desk.vscode.project / DELETED
    desk.press_in_row("usage.txt", COMPARE)
    desk.vscode.wait_tab("usage.txt (Tidy up)")
    desk.press_in_row("usage.txt", UNDO)
    desk.vscode.wait(deleted.exists, "the file is there again")
    desk.vscode.wait(lambda: deleted.read_bytes() == before, "as it was, byte for byte")
    assert (desk.vscode.project / ADDED).exists()
