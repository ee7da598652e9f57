"""What agents want to know, in VS Code: forms with their mistakes shown, pages, withdrawal."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.asking import Desk, nothing_is_asked, press, question
from tests.editors.vscode.conftest import PICTURES, Windows

INERT = "acpSidecar.permissions.inert"


def test_a_form_is_filled_in_and_its_mistake_shown_at_the_field(
    windows: Windows, tmp_path: Path
) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    vscode.prompt("form")
    question(vscode, "Where to?").locator("a").filter(has_text="Answer").click()
    widget = vscode.quick_input()
    expect(widget).to_contain_text("Mail (1/4)")
    vscode.type_into_quick_input("nobody")
    expect(widget).to_contain_text("Size (2/4)")
    vscode.quick_pick("large")
    expect(widget).to_contain_text("Count (3/4)")
    box = widget.locator("input.input").first
    expect(box).to_have_value("3")
    box.fill("12")
    expect(widget).to_contain_text("At most 9.")
    vscode.picture(PICTURES / "elicitation.png")
    vscode.type_into_quick_input("2")
    expect(widget).to_contain_text("review")
    vscode.quick_pick("Send")
    # What only the server knows to be wrong comes back at its field, with what was typed.
    expect(widget).to_contain_text("This is no email.")
    expect(widget.locator("input.input").first).to_have_value("nobody")
    vscode.type_into_quick_input("me@example.org")
    expect(widget).to_contain_text("review")
    vscode.quick_pick("Send")
    content = {"mail": "me@example.org", "size": "large", "count": 2}
    assert desk.answer("form-0") == {"action": "accept", "content": content}
    nothing_is_asked(vscode)


def test_a_form_that_is_put_aside_stays_open_and_can_be_declined(
    windows: Windows, tmp_path: Path
) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    vscode.prompt("form")
    question(vscode, "Where to?")
    vscode.page.keyboard.press("Control+Alt+Q")
    expect(vscode.quick_input()).to_contain_text("Mail (1/4)")
    vscode.page.keyboard.press("Escape")
    expect(vscode.quick_input()).to_have_count(0)
    assert desk.answers() == []
    press(vscode, "Where to?", "Decline")
    assert desk.answer("form-0")["action"] == "decline"


def test_a_page_is_shown_with_its_address_and_opened_only_by_choice(
    windows: Windows, tmp_path: Path
) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    vscode.prompt("page")
    said = question(vscode, "Sign the form.").inner_text()
    assert "https://forms.example.org/sign?form=7" in said
    assert "leads to forms.example.org" in said
    assert desk.answers() == []
    press(vscode, "Sign the form.", "Decline")
    assert desk.answer("page-0")["action"] == "decline"


def test_a_form_on_screen_closes_when_it_is_withdrawn(windows: Windows, tmp_path: Path) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    vscode.prompt("form")
    question(vscode, "Where to?").locator("a").filter(has_text="Answer").click()
    expect(vscode.quick_input()).to_contain_text("Mail (1/4)")
    vscode.page.keyboard.press("Control+Alt+A")
    vscode.page.keyboard.press("c")  # cancels the turn
    assert desk.answer("form-0")["action"] == "cancel"
    expect(vscode.quick_input()).to_have_count(0)
    nothing_is_asked(vscode)
