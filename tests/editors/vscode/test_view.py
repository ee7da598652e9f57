"""The Agent view: what is said and done, as it comes; permissions; what is kept."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.asking import Desk, press, program
from tests.editors.vscode.conftest import PICTURES, Windows, server_settings
from tests.editors.vscode.view_desk import AgentView
from tests.editors.vscode.workbench import Workbench

WORDS = "tally/words.py"
INERT = "acpSidecar.permissions.inert"
ALLOWED = {"outcome": {"outcome": "selected", "optionId": "yes"}}
REJECTED = {"outcome": {"outcome": "selected", "optionId": "no"}}
CANCELLED = {"outcome": {"outcome": "cancelled"}}
MARKUP = "<b>bold</b> <img src=x onerror=alert(1)> ![i](https://example.org/i.png)"

# Timers of one page fire in their order: the one by which the view keeps its place was set before.
AFTER_ITS_TIMERS = "() => new Promise((done) => setTimeout(done, 250))"


def test_a_turn_is_told_as_it_goes_on(vscode: Workbench) -> None:
    view = AgentView(vscode).open()
    expect(view.frame.get_by_text("Say what is to be done")).to_be_visible()
    view.send(f"/edit {WORDS}")
    expect(view.block("user", f"/edit {WORDS}")).to_be_visible()
    card = view.permission()
    expect(card).to_contain_text(f"modify {WORDS}")
    call = view.block("tool_call", "Review 1 file")
    expect(call).to_be_visible()
    expect(view.button("Cancel turn")).to_be_visible()
    card.get_by_role("button", name="Allow", exact=True).click()
    expect(card).to_be_hidden()
    view.wait_idle()
    expect(view.transcript.locator(".block.tool_call .status.completed").last).to_be_visible()
    expect(view.block("agent")).to_be_visible()
    assert view.problems == []


def test_thoughts_and_tool_calls_unfold_and_lead_to_files(vscode: Workbench) -> None:
    view = AgentView(vscode).open()
    view.send(f"/read {WORDS}:3-5")
    view.wait_idle()
    call = view.block("tool_call", "words.py")
    body = call.locator(".body")
    expect(body).to_be_hidden()
    call.locator("summary").focus()
    vscode.page.keyboard.press("Enter")
    expect(body).to_be_visible()
    call.get_by_role("link", name=re.compile("words.py")).click()
    vscode.wait_tab("words.py")
    vscode.wait(lambda: vscode.cursor().startswith("Ln 3"), "the cursor is where the agent was")


def test_changes_of_a_tool_call_and_its_terminal_are_opened(vscode: Workbench) -> None:
    view = AgentView(vscode).open()
    view.send(f"/edit {WORDS}")
    view.button(re.compile("Review 1 file")).click()
    vscode.wait_tab("Changes: Edit tally/words.py")
    view.permission().get_by_role("button", name="Reject", exact=True).click()
    view.wait_idle()
    view.send("/run")
    view.permission().get_by_role("button", name="Allow", exact=True).click()
    view.wait_idle()
    terminal = view.block("terminal")
    terminal.get_by_role("button", name="Open terminal").click()
    expect(vscode.page.locator(".terminal-wrapper.active")).to_be_visible()


def test_a_turn_is_cancelled(vscode: Workbench) -> None:
    view = AgentView(vscode).open()
    view.send("/slow 600")
    view.permission().get_by_role("button", name="Allow", exact=True).click()
    expect(view.transcript.locator(".block.tool_call .status.in_progress")).to_be_visible()
    view.button("Cancel turn").click()
    view.wait_idle()
    expect(view.transcript.locator(".block.tool_call .status.cancelled")).to_be_visible()


def test_a_plan_is_shown_until_it_is_done(windows: Windows) -> None:
    view = AgentView(windows.open(settings=program("says"))).open()
    view.send("plan boil water, make tea")
    plan = view.frame.get_by_role("region", name="Plan")
    expect(plan.locator(".entry")).to_contain_text(["boil water", "make tea"])
    expect(plan.locator("summary")).to_contain_text("boil water")
    expect(plan.get_by_label("0/2 done")).to_be_visible()
    view.button("Cancel turn").click()  # it leaves the plan done
    expect(plan).to_be_hidden()
    view.block("plan").locator("summary").click()
    expect(view.block("plan")).to_contain_text("make tea")
    view.wait_idle()


def test_markup_of_agents_is_text_and_nothing_is_fetched(windows: Windows) -> None:
    vscode = windows.open(settings=program("says"))
    fetched: list[str] = []
    vscode.page.on("request", lambda request: fetched.append(request.url))
    view = AgentView(vscode).open()
    view.send(MARKUP)
    view.wait_idle()
    answer = view.block("agent")
    expect(answer).to_contain_text("<b>bold</b>")
    assert answer.locator("b, img").count() == 0
    assert not any("example.org" in url for url in fetched)
    allowed = view.prompt.evaluate(
        """async (box) => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.body.append(script);
          const fetched = await fetch("https://example.org").then(() => true, () => false);
          return { ran: window.ran === true, fetched };
        }"""
    )
    assert allowed == {"ran": False, "fetched": False}


def test_permissions_are_answered_by_mouse_and_by_keys(windows: Windows, tmp_path: Path) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    vscode = desk.vscode
    view = AgentView(vscode).open()
    view.send("command command command")
    expect(view.frame.locator(".permission")).to_have_count(3)
    expect(view.prompt).to_be_focused()  # nothing has taken it
    first = view.permission("command-0")
    expect(first.locator("pre.command")).to_have_text("make tea")
    expect(first).to_contain_text("in project")
    vscode.picture(PICTURES / "view-permissions.png")
    first.get_by_role("button", name="Allow", exact=True).click()
    assert desk.answer("command-0") == ALLOWED
    reject = view.permission("command-1").get_by_role("button", name="Reject", exact=True)
    reject.focus()
    vscode.page.keyboard.press("Enter")
    assert desk.answer("command-1") == REJECTED
    expect(view.prompt).to_be_focused()
    press(vscode, "Run command-2?", "Allow")  # elsewhere
    assert desk.answer("command-2") == ALLOWED
    expect(view.frame.locator(".permission")).to_have_count(0)


def test_a_permission_that_has_just_appeared_is_not_answered(
    windows: Windows, tmp_path: Path
) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 5})
    view = AgentView(desk.vscode).open()
    view.send("command")
    allow = view.permission().get_by_role("button", name="Allow", exact=True)
    allow.dispatch_event("click")  # as if it had been on its way
    expect(view.permission()).to_be_visible()
    assert desk.answers() == []
    allow.click()  # waits until it is enabled
    assert desk.answer("command-0") == ALLOWED


def test_what_is_open_is_withdrawn_with_its_turn(windows: Windows, tmp_path: Path) -> None:
    desk = Desk(windows, tmp_path, **{INERT: 0})
    view = AgentView(desk.vscode).open()
    view.send("command")
    view.permission().wait_for()
    view.button("Cancel turn").click()
    assert desk.answer("command-0") == CANCELLED
    expect(view.permission()).to_be_hidden()


def test_a_view_that_was_hidden_is_as_it_was(windows: Windows) -> None:
    vscode = windows.open(settings=program("says"))
    view = AgentView(vscode).open()
    view.send("many 300")
    view.wait_idle()
    expect(view.block("tool_call", "Read 299")).to_be_visible()
    view.transcript.focus()
    vscode.page.keyboard.press("Home")
    expect(view.block("tool_call", "Read 0")).to_be_in_viewport()
    view.prompt.fill("not sent yet")
    expect(view.button("Jump to latest")).to_be_visible()
    view.prompt.evaluate(AFTER_ITS_TIMERS)
    vscode.command("View: Show Explorer")
    expect(vscode.page.locator("iframe.webview.ready")).to_be_hidden()
    view.open()
    expect(view.prompt).to_have_value("not sent yet")
    expect(view.block("tool_call", "Read 0")).to_be_in_viewport()
    expect(view.button("Jump to latest")).to_be_visible()
    view.button("Jump to latest").click()
    expect(view.block("tool_call", "Read 299")).to_be_in_viewport()
    expect(view.button("Jump to latest")).to_be_hidden()


def test_the_view_says_why_nothing_can_be_done(windows: Windows) -> None:
    vscode = windows.open(settings={"acpSidecar.server.path": "/nowhere/acp-sidecar"})
    vscode.command("ACP: Go to Prompt")
    view = AgentView(vscode)
    expect(view.frame.get_by_text("The server does not run")).to_be_visible()
    expect(view.button("Send")).to_be_disabled()
    view.prompt.fill("kept")
    view.prompt.press("Enter")
    expect(view.frame.locator("#hint")).to_have_text("The server does not run.")
    expect(view.prompt).to_have_value("kept")


def test_what_is_sent_while_the_server_starts_waits_for_it(
    windows: Windows, tmp_path: Path
) -> None:
    server = server_settings()["acpSidecar.server.path"]
    may_start = tmp_path / "may-start"
    slow = tmp_path / "slow-server"
    slow.write_text(
        f'#!/bin/sh\nuntil [ -e "{may_start}" ]; do sleep 0.1; done\nexec "{server}" "$@"\n',
        encoding="utf-8",
    )
    slow.chmod(0o755)
    vscode = windows.open(settings={**program("says"), "acpSidecar.server.path": str(slow)})
    vscode.page.get_by_role("tab", name="ACP Agent").click()
    view = AgentView(vscode)
    expect(view.frame.get_by_text("The server starts")).to_be_visible()
    view.prompt.fill("early")
    view.prompt.press("Enter")
    expect(view.prompt).to_have_value("")
    expect(view.prompt).to_have_attribute("aria-busy", "true")
    may_start.touch()
    view.wait_sent()
    expect(view.block("agent")).to_contain_text("early")
