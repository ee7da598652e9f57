"""Reviewing what the agent proposes and has written, in a real VS Code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from acp_sidecar import demo
from tests.editors.vscode.conftest import PICTURES, Windows
from tests.editors.vscode.review_desk import ALLOW_EDITS, WORDS, ReviewDesk, bind_prompts
from tests.editors.vscode.server import CodeServer

SOLUTION = (Path(demo.__file__).parent / "solution" / WORDS).read_text(encoding="utf-8")
UNDO, KEEP, COMPARE = "Reject", "Accept", "Compare Before and After"
Open = Callable[..., ReviewDesk]


@pytest.fixture
def desk(windows: Windows, code_server: CodeServer) -> Open:
    """Opens a window with the Changes view, in which the agent writes without asking."""
    bind_prompts(code_server)

    def make(*, asks: bool = False, **settings: object) -> ReviewDesk:
        allowed = {} if asks else ALLOW_EDITS
        made = ReviewDesk(windows.open(settings={**allowed, **settings}))
        made.vscode.open_file(WORDS)
        made.show_view()
        return made

    return make


def written(desk: ReviewDesk) -> str:
    """Have the agent edit two files; the text that the first one had. It is the active editor."""
    before = desk.disk()
    desk.prompt("/edit")
    desk.wait_states(["to review"] * 6)
    desk.vscode.open_file(WORDS)
    desk.vscode.wait(lambda: desk.lenses()[:2] == ["Keep +4 -1", "Undo"], "lenses")
    return before


def hunks(before: str) -> tuple[str, str, str]:
    """What the file is if just one of the agent's three hunks is undone."""
    old, new = before.split("\ndef "), SOLUTION.split("\ndef ")
    return (
        "\ndef ".join([*old[:2], *new[2:]]),
        "\ndef ".join([*new[:2], old[2], *new[3:]]),
        "\ndef ".join([*new[:4], *old[4:]]),
    )


def test_what_was_written_is_listed_marked_and_counted(desk: Open) -> None:
    it = desk()
    written(it)
    it.wait_row(r"^/edit 2 files · 6 to review$")
    it.wait_row(r"^words\.py \+12 -6 · 3 to review$")
    it.vscode.wait(lambda: it.badge() == "6", "the badge")
    old = '- PUNCTUATION = ".,;:!?()\\""'
    it.vscode.wait(lambda: old in it.ghosts(), "what was there before")
    counts = ["+4 -1", "+2 -2", "+6 -3"]
    lenses = [title for count in counts for title in (f"Keep {count}", "Undo", "Show Diff")]
    it.vscode.wait(lambda: it.lenses() == lenses, f"the lenses {lenses}")
    it.vscode.picture(PICTURES / "review-written.png")
    it.page.keyboard.press("Control+Shift+e")
    it.vscode.wait(lambda: it.explorer_mark("words.py") == "3", "the mark in the explorer")


def test_one_hunk_of_three_is_undone_by_the_keyboard_and_on_disk(desk: Open) -> None:
    it = desk()
    before = written(it)
    it.page.keyboard.press("Control+Home")
    it.go("Control+Alt+n", 6)
    it.go("Control+Alt+n", 21)
    it.page.keyboard.press("Control+Alt+u")
    it.wait_states(["to review", "undone", "to review"], first=3)
    it.vscode.wait(lambda: it.disk() == hunks(before)[1], "the file on disk")
    it.vscode.wait(lambda: not it.is_dirty(WORDS), "nothing unsaved")
    it.go("Control+Alt+p", 6)
    it.page.keyboard.press("Control+Alt+y")
    it.wait_states(["kept", "undone", "to review"], first=3)
    assert it.disk() == hunks(before)[1]
    it.vscode.wait(lambda: it.badge() == "4", "the badge")


def test_the_editors_own_undo_takes_a_rejection_back(desk: Open) -> None:
    it = desk()
    before = written(it)
    it.press_lens("Undo", 2, of=3)
    it.vscode.wait(lambda: it.disk() == hunks(before)[2], "the file on disk")
    it.focus_editor()
    it.page.keyboard.press("Control+z")
    it.wait_states(["to review"] * 3, first=3)
    it.vscode.wait(lambda: it.is_dirty(WORDS), "unsaved")
    it.page.keyboard.press("Control+s")
    it.vscode.wait(lambda: it.disk() == SOLUTION, "the file on disk")


def test_files_are_rejected_in_the_view_and_the_choice_is_taken_back(desk: Open) -> None:
    it = desk()
    before = written(it)
    it.press_in_row("words.py", UNDO)
    it.wait_states(["undone"] * 3, first=3)
    it.vscode.wait(lambda: it.disk() == before, "the file on disk")
    it.vscode.command("ACP: Take Back the Last Accept or Reject")
    it.wait_states(["to review"] * 3, first=3)
    it.vscode.wait(lambda: it.disk() == SOLUTION, "the file on disk")
    it.press_in_row("/edit", KEEP)
    it.wait_states(["kept"] * 6)
    it.vscode.wait(lambda: it.badge() == "", "no badge")
    it.vscode.wait(lambda: it.lenses() == [] and it.ghosts() == [], "no marks")


@pytest.mark.parametrize("key", ["Control+Home", "Control+End"])
def test_unsaved_edits_of_the_user_survive_and_stay_unsaved(desk: Open, key: str) -> None:
    """At the end of the file they touch the change that is undone."""
    it = desk()
    before = written(it)
    it.focus_editor()
    it.page.keyboard.press(key)
    it.page.keyboard.type("# mine ")
    it.vscode.wait(lambda: it.is_dirty(WORDS), "unsaved")
    it.wait_row("^6: ")
    it.press_in_row("34: ", UNDO)
    it.wait_states(["to review", "to review", "undone"], first=3)
    assert it.is_dirty(WORDS)
    assert it.disk() == SOLUTION
    it.focus_editor()
    it.page.keyboard.press("Control+s")
    undone = hunks(before)[2]
    wanted = f"# mine {undone}" if key == "Control+Home" else f"{undone}# mine "
    it.vscode.wait(lambda: it.disk() == wanted, "the file on disk")


def test_choices_before_the_write_answer_the_permission(desk: Open) -> None:
    it = desk(asks=True)
    before = it.disk()
    it.prompt(f"/edit {WORDS}")
    it.wait_states(["waits for your permission"] * 2)
    it.vscode.wait(lambda: any(text.startswith("↑ + # A note") for text in it.ghosts()), "marks")
    assert it.disk() == before
    it.press_lens("Refuse", 0, of=2)
    it.wait_states(["refused", "waits for your permission"])
    assert it.disk() == before
    it.vscode.picture(PICTURES / "review-proposed.png")
    it.press_lens("Accept", 0, of=1)
    it.wait_states(["undone", "kept"])
    note = "# A note from the acp-sidecar demo agent; delete it whenever you like.\n"
    it.vscode.wait(lambda: it.disk() == before + note, "the file on disk")


def test_a_diff_shows_both_sides_and_follows_the_choices(desk: Open) -> None:
    it = desk()
    before = written(it)
    it.press_in_row("words.py", COMPARE)
    it.vscode.wait_tab("words.py (Edit tally/words.py)")
    sides = it.page.locator(".editor-group-container.active .monaco-diff-editor .editor")
    it.vscode.wait(lambda: sides.count() == 2, "both sides")
    it.vscode.picture(PICTURES / "review-diff.png")
    it.vscode.wait(lambda: it.ghosts() == [], "no marks of ours in a diff")
    it.vscode.command("ACP: Reject Changes in File")
    it.vscode.wait(lambda: it.disk() == before, "the file on disk")


def test_all_changes_of_a_session_are_compared_in_one_view(desk: Open) -> None:
    it = desk()
    written(it)
    it.press_in_row("/edit", "Compare All Changes")
    it.vscode.wait_tab("Changes: /edit (2 files)")
    view = it.page.locator(".editor-group-container.active .multiDiffEntry").first
    view.filter(has_text="words.py").wait_for()
    view.locator(".line-insert").first.wait_for()
    it.vscode.picture(PICTURES / "review-all.png")


def test_a_renamed_file_is_moved_back(desk: Open) -> None:
    it = desk()
    docs = it.vscode.project / "docs"
    before = (docs / "usage.txt").read_bytes()
    it.prompt("/rename docs/usage.txt docs/manual.txt")
    it.wait_row(r"^manual\.txt renamed from usage\.txt · to review$")
    assert len(it.rows()) == 2
    it.vscode.wait(lambda: it.badge() == "1", "the badge")
    it.press_in_row("renamed from usage.txt", UNDO)
    it.vscode.wait((docs / "usage.txt").exists, "moved back")
    it.vscode.wait(lambda: not (docs / "manual.txt").exists(), "moved back")
    assert (docs / "usage.txt").read_bytes() == before


def test_changes_are_grouped_by_tool_call_when_asked(desk: Open) -> None:
    it = desk()
    written(it)
    it.vscode.command("ACP: Group Changes by Tool Call")
    it.wait_row(r"^Edit tally/__main__.py 1 file · 3 to review$")
    it.press_in_row("Edit tally/words.py", KEEP)
    it.wait_states(["kept"] * 3 + ["to review"] * 3)
