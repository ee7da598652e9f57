"""Permissions in VS Code: asked without the focus, answered by mouse and keys, taken back."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.editors.vscode.asking import Desk, nothing_is_asked, press, question
from tests.editors.vscode.conftest import PICTURES, Windows
from tests.editors.vscode.workbench import Workbench

WORDS = "tally/words.py"
ALLOWED = {"outcome": {"outcome": "selected", "optionId": "yes"}}
REJECTED = {"outcome": {"outcome": "selected", "optionId": "no"}}
CANCELLED = {"outcome": {"outcome": "cancelled"}}
MESSAGE = ".notification-list-item-message"
# As a click that was on its way to something else when the question appeared under the pointer.
PRESS_AT_ONCE = """(selector) => {
  const press = () => {
    const links = [...document.querySelectorAll(selector)];
    const allow = links.find((each) => each.textContent === 'Allow');
    if (allow) { observer.disconnect(); allow.click(); }
  };
  const observer = new MutationObserver(press);
  observer.observe(document.body, { subtree: true, childList: true });
}"""
INERT = "acpSidecar.permissions.inert"


def test_a_permission_is_asked_without_the_focus_and_answered_by_mouse(
    windows: Windows, tmp_path: Path
) -> None:
    desk = Desk(windows, tmp_path)
    vscode = desk.vscode
    vscode.open_file(WORDS)
    vscode.prompt("command")
    toast = question(vscode, "Run command-0?")
    expect(toast.locator(MESSAGE)).to_contain_text("$ make tea")
    expect(toast.locator(MESSAGE)).to_contain_text("in project")
    expect(vscode.status_item("1 question")).to_be_visible()
    assert vscode.editor_has_focus()
    vscode.page.keyboard.type("# mine")
    vscode.wait(lambda: vscode.editor_lines()[0].startswith("# mine"))
    assert desk.answers() == []
    vscode.picture(PICTURES / "permission.png")
    press(vscode, "Run command-0?", "Allow")
    assert desk.answer("command-0") == ALLOWED
    nothing_is_asked(vscode)
    assert vscode.editor_has_focus()


def test_a_question_that_has_just_appeared_is_not_answered(
    windows: Windows, tmp_path: Path
) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 5})
    vscode = desk.vscode
    vscode.page.evaluate(PRESS_AT_ONCE, f"{MESSAGE} a")
    vscode.prompt("command")
    expect(vscode.status_item("only just appeared")).to_be_visible()
    question(vscode, "Run command-0?")
    expect(vscode.status_item("1 question")).to_be_visible()
    assert desk.answers() == []
    press(vscode, "Run command-0?", "Allow")
    assert desk.answer("command-0") == ALLOWED


def test_a_permission_is_answered_by_keys(windows: Windows, tmp_path: Path) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    vscode.prompt("command")
    question(vscode, "Run command-0?")
    vscode.page.keyboard.press("Control+Alt+Q")
    focused = vscode.quick_input().locator(".monaco-list-row.focused")
    expect(focused).to_contain_text("Show details")
    first_words = [row.split()[0] for row in vscode.quick_rows()]
    assert first_words == ["Show", "Allow", "Reject", "Answer", "Dismiss"]
    vscode.picture(PICTURES / "permission-pick.png")
    vscode.quick_pick("Reject")
    assert desk.answer("command-0") == REJECTED
    nothing_is_asked(vscode)
    vscode.prompt("command")
    question(vscode, "Run command-0?")
    vscode.page.keyboard.press("Control+Alt+Shift+A")
    vscode.wait(lambda: len(desk.answers()) == 2)
    assert desk.answers()[1]["result"] == ALLOWED


def test_several_are_counted_and_answered_in_any_order(windows: Windows, tmp_path: Path) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    vscode.prompt("command command command")
    expect(vscode.status_item("3 questions")).to_be_visible()
    vscode.wait(lambda: len(vscode.toasts()) == 1, "one notification at a time")
    vscode.page.keyboard.press("Control+Alt+Q")
    vscode.quick_pick("Run command-1?", typed="command-1")
    vscode.quick_pick("Reject")
    assert desk.answer("command-1") == REJECTED
    expect(vscode.status_item("2 questions")).to_be_visible()
    press(vscode, "Run command-0?", "Allow")
    assert desk.answer("command-0") == ALLOWED
    press(vscode, "Run command-2?", "Allow")
    assert desk.answer("command-2") == ALLOWED
    assert [each["id"] for each in desk.answers()] == ["command-1", "command-0", "command-2"]
    nothing_is_asked(vscode)


def test_a_permission_that_is_settled_elsewhere_closes(windows: Windows, tmp_path: Path) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    vscode.prompt("command")
    question(vscode, "Run command-0?")
    vscode.page.keyboard.press("Control+Alt+Q")
    expect(vscode.quick_input()).to_contain_text("Run command-0?")
    vscode.page.keyboard.press("Control+Alt+A")
    vscode.page.keyboard.press("c")  # cancels the turn
    assert desk.answer("command-0") == CANCELLED
    expect(vscode.quick_input()).to_have_count(0)
    nothing_is_asked(vscode)


def allow_for_the_session(vscode: Workbench) -> None:
    """Have the agent ask for a command, and answer that such are allowed from now on."""
    vscode.prompt("command")
    question(vscode, "Run command-0?")
    vscode.page.keyboard.press("Control+Alt+Q")
    vscode.quick_pick("Answer and remember")
    vscode.quick_pick("Allow for this session")


def test_an_answer_is_remembered(windows: Windows, tmp_path: Path) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    allow_for_the_session(vscode)
    assert desk.answer("command-0") == ALLOWED
    nothing_is_asked(vscode)
    vscode.prompt("command")
    vscode.wait(lambda: len(desk.answers()) == 2, "an answer without a question")
    assert desk.answers()[1]["result"] == ALLOWED


def test_a_remembered_answer_is_forgotten(windows: Windows, tmp_path: Path) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    allow_for_the_session(vscode)
    nothing_is_asked(vscode)
    forget(vscode)
    vscode.press_in_toast("Forgotten: Allow", "Undo")
    expect(vscode.quick_input()).to_have_count(0)
    vscode.prompt("command")
    vscode.wait(lambda: len(desk.answers()) == 2, "an answer without a question")
    forget(vscode)
    expect(vscode.page.get_by_placeholder("No answer has been remembered")).to_be_visible()
    vscode.page.keyboard.press("Escape")
    vscode.prompt("command")
    press(vscode, "Run command-0?", "Reject")
    vscode.wait(lambda: len(desk.answers()) == 3, "the user's answer")
    assert [each["result"] for each in desk.answers()] == [ALLOWED, ALLOWED, REJECTED]


def forget(vscode: Workbench) -> None:
    """Forget the one rule that is remembered."""
    vscode.command("ACP: Permission Rules")
    vscode.quick_pick("make tea")


def test_what_is_too_long_to_read_is_not_allowed_from_a_notification(
    windows: Windows, tmp_path: Path
) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    vscode.prompt("long")
    toast = question(vscode, "Run long-0?")
    expect(links(toast)).to_have_text(["Reject", "Details", "More..."])
    toast.locator(f"{MESSAGE} a").filter(has_text="Details").click()
    vscode.wait_tab("Permission")
    vscode.wait(lambda: vscode.editor_lines()[0].startswith("asks asks for permission"))
    press(vscode, "Run long-0?", "Reject")
    assert desk.answer("long-0") == REJECTED
    vscode.wait(lambda: vscode.editor_lines()[0].startswith("This question has been settled"))


def test_text_of_agents_is_no_link(windows: Windows, tmp_path: Path) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    vscode.prompt("trap")
    toast = question(vscode, "look [here]")
    expect(links(toast)).to_have_text(["Allow", "Reject", "Details", "More..."])
    press(vscode, "look [here]", "Reject")
    assert desk.answer("trap-0") == REJECTED


def links(toast: Locator) -> Locator:
    return toast.locator(f"{MESSAGE} a")


def test_the_changes_that_are_asked_about_can_be_seen(windows: Windows) -> None:
    vscode: Workbench = windows.open(settings={INERT: 0})
    before = (vscode.project / WORDS).read_bytes()
    vscode.prompt(f"/edit {WORDS}")
    toast = question(vscode, "demo asks")
    toast.locator(f"{MESSAGE} a").filter(has_text="Show changes").click()
    vscode.wait_tab("Changes: Edit tally/words.py")
    expect(vscode.page.locator(".line-insert").first).to_be_visible()
    vscode.picture(PICTURES / "permission-changes.png")
    assert (vscode.project / WORDS).read_bytes() == before
    press(vscode, "demo asks", "Allow")
    vscode.wait(lambda: (vscode.project / WORDS).read_bytes() != before, "the file is written")
