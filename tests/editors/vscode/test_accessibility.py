"""For everybody: the Agent view and marks in editors in every theme, by keys, and read aloud."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.editors.vscode.accessibility import (
    THEMES,
    colour,
    contrast,
    frame_of,
    over,
    set_theme,
    unseen_focus,
    violations,
)
from tests.editors.vscode.asking import program
from tests.editors.vscode.conftest import PICTURES, Windows
from tests.editors.vscode.review_desk import ReviewDesk
from tests.editors.vscode.status_bar import wait_status
from tests.editors.vscode.test_view_queue import PASTE, PNG, send_meanwhile
from tests.editors.vscode.view_desk import AgentView

SETTINGS = {**program("shows"), "acpSidecar.permissions.inert": 0}
TALL = {"width": 1400, "height": 1400}
FOLDED = "details:not(.empty):not([open]) > summary"
CALLS = tuple(f"A {status} call" for status in ("pending", "completed", "failed", "cancelled"))
ANSWERS = ("Allow", "Reject", "Details", "Remember...")
# The least contrast of text and of marks, as WCAG 2.2 has it for level AA.
TEXT, MARK = 4.5, 3.0
# What a background differs by at least, as in VS Code's own diffs.
BACKGROUND = 1.1
FOCUSED_NAME = """() => {
  const at = document.activeElement;
  const name = at.getAttribute("aria-label") ?? at.labels?.[0]?.innerText ?? at.innerText;
  return name.split("\\n")[0].trim();
}"""
CONTENTS = """() => [...document.querySelectorAll('.view-line span')]
  .map((span) => getComputedStyle(span, '::after').content)"""


def test_everything_can_be_read_in_every_theme(windows: Windows) -> None:
    view = opened(windows)
    for theme in THEMES:
        set_theme(windows, view, theme, SETTINGS)
        expect(view.frame.get_by_text("Say what is to be done")).to_be_visible()
        assert violations(view) == [], f"{theme}, before the first prompt"
    show_all(view)
    for theme in THEMES:
        set_theme(windows, view, theme, SETTINGS)
        view.vscode.picture(PICTURES / f"theme-{theme.lower().replace(' ', '-')}.png")
        assert violations(view) == [], f"{theme}, all that a turn can have"
        assert faint_marks(view) == [], theme
        complete(view)
        assert violations(view) == [], f"{theme}, completions"
        fail(view)
        assert violations(view) == [], f"{theme}, an error"
        view.frame.locator("#switcher").click()
        view.frame.get_by_role("grid", name="Sessions").get_by_role("row").first.wait_for()
        assert violations(view) == [], f"{theme}, the list of sessions"
        view.page.keyboard.press("Escape")
        assert unseen_on_the_way(view) == [], theme
    assert view.problems == []


def test_all_of_the_view_is_reached_by_tab(windows: Windows) -> None:
    view = opened(windows)
    start_turn(view)
    view.vscode.command("ACP: Add File to Prompt")
    expect(view.frame.locator("#chips")).to_contain_text("words.py")
    view.prompt.fill("and then")
    expect(view.button("Send")).to_be_enabled()
    wanted = [
        "Transcript",
        "Thought",
        "link",
        "Copy",
        "Edit the words",
        "Review 1 file +1 \N{MINUS SIGN}1",
        *CALLS,
        "Terminal make tea",
        "Open terminal",
        "Make tea",
        "Look at the words",
        "tally/words.py:10",
        "Plan",
        "count them",
        *ANSWERS,
        "Remove words.py",
        "Prompt",
        "Mode",
        "Loud",
        "Cancel turn",
        "Send",
    ]
    frame = frame_of(view)
    view.frame.locator("#switcher").focus()
    there = []
    for _ in wanted:
        view.page.keyboard.press("Tab")
        there.append(frame.evaluate(FOCUSED_NAME))
    assert there == wanted
    back = []
    for _ in wanted[1:]:
        view.page.keyboard.press("Shift+Tab")
        back.append(frame.evaluate(FOCUSED_NAME))
    assert back == wanted[-2::-1]


def test_a_turn_is_told_to_those_who_hear_it(windows: Windows) -> None:
    view = opened(windows)
    start_turn(view)
    said = view.frame.locator("#status")
    expect(said).to_have_text("shows asks: Make tea?")
    expect(view.frame.locator("body")).to_match_aria_snapshot(TURN)
    # What is new is said once, and not by the transcript as well.
    expect(view.transcript).to_have_attribute("aria-live", "off")
    meter = view.frame.get_by_role("progressbar", name="50,000 of 200,000 tokens of context")
    expect(meter).to_have_attribute("aria-valuetext", "25%")
    wait_status(view.vscode, "ACP shows")
    view.vscode.wait(lambda: "shows: Look at the words" in marks(view), "the agent's name")
    view.permission().get_by_role("button", name="Allow", exact=True).click()
    expect(said).to_have_text("The agent is idle. It is made.")
    wait_status(view.vscode, "idle")


def test_changes_are_told_with_their_state(windows: Windows) -> None:
    view = opened(windows)
    start_turn(view)
    desk = ReviewDesk(view.vscode)
    desk.show_view()
    expect(desk.row("18: ")).to_have_attribute("aria-label", re.compile("to review"))
    expect(desk.row("words.py")).to_have_attribute("aria-label", re.compile("1 to review"))


TURN = """
- region "Plan"
- region "Permissions":
  - 'group "shows asks: Make tea?"':
    - button "Allow"
    - button "Reject"
    - button "Details"
    - button "Remember..."
- textbox "Prompt"
- group "Options of the session":
  - combobox "Mode"
  - checkbox "Loud" [checked]
- progressbar "50,000 of 200,000 tokens of context"
- button "Cancel turn"
- button "Send" [disabled]
"""


def opened(windows: Windows) -> AgentView:
    return AgentView(windows.open(settings=SETTINGS, size=TALL)).open()


def start_turn(view: AgentView) -> None:
    """Begin a turn that shows all there is, up to a question and where the agent is."""
    view.send("go on")
    view.permission("Make tea?").wait_for()
    expect(view.block("tool_call", "Look at the words")).to_be_visible()
    view.vscode.wait_tab("words.py")


def show_all(view: AgentView) -> None:
    """Have everything on screen that there can be at a time, unfolded."""
    view.send("stop")
    view.wait_idle()
    start_turn(view)
    folded = view.transcript.locator(FOLDED)
    while folded.count():
        folded.first.press("Enter")
    send_meanwhile(view, "later")
    view.vscode.command("ACP: Add File to Prompt")
    expect(view.frame.locator("#chips")).to_contain_text("words.py")
    view.prompt.fill("and then")
    expect(view.button("Send")).to_be_enabled()


def complete(view: AgentView) -> None:
    view.prompt.fill("")
    view.prompt.press_sequentially("/")
    view.wait_completions("/count", "/share")


def fail(view: AgentView) -> None:
    """Have an error said below the prompt."""
    view.prompt.press("Escape")
    view.prompt.fill("and then")
    view.prompt.evaluate(PASTE % PNG)
    expect(view.frame.locator("#hint.error")).to_have_text("This agent takes no images.")


def unseen_on_the_way(view: AgentView) -> list[str]:
    """What does not show that it has the focus, on the way by Tab through the whole view."""
    frame = frame_of(view)
    view.frame.locator("#switcher").focus()
    found = []
    while frame.evaluate(FOCUSED_NAME) != "Send":
        view.page.keyboard.press("Tab")
        found.append(unseen_focus(view))
    return [each for each in found if each]


def marks(view: AgentView) -> str:
    """All that stands in editors without being in their files."""
    return " ".join(view.page.evaluate(CONTENTS)).replace("\u00a0", " ")


def faint_marks(view: AgentView) -> list[str]:
    """Marks in editors that cannot be told from what is around them."""
    editor = colour(view, "editor.background")
    label = colour(view, "acpSidecar.agentLabelForeground")
    found = []
    for number in range(1, 7):
        name = f"acpSidecar.agent{number}"
        agent = colour(view, name)
        found += [(f"{name} in the editor", contrast(agent, editor), MARK)]
        found += [(f"the name on {name}", contrast(label, agent), TEXT)]
    for side, other in (("removed", "inserted"), ("added", "removed")):
        line = over(colour(view, f"diffEditor.{other}LineBackground"), editor)
        ghost = colour(view, f"acpSidecar.review.{side}Ghost")
        found += [(f"what is {side}, beside the line", contrast(ghost, line), TEXT)]
    for side, other in (("added", "inserted"), ("removed", "removed")):
        line = over(colour(view, f"diffEditor.{other}LineBackground"), editor)
        bar = over(colour(view, f"acpSidecar.review.{side}Border"), line)
        if contrast(line, editor) < BACKGROUND:
            found += [(f"the bar before what is {side}", contrast(bar, line), MARK)]
    return [f"{what}: {ratio:.1f}:1 < {least}" for what, ratio, least in found if ratio < least]
