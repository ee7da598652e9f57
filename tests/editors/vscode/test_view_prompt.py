"""The prompt box of the Agent view: completion, context, history, options."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.editors.vscode.asking import program
from tests.editors.vscode.conftest import PICTURES, Windows
from tests.editors.vscode.status_bar import wait_status
from tests.editors.vscode.test_sessions import sent
from tests.editors.vscode.view_desk import AgentView
from tests.editors.vscode.workbench import Workbench

WORDS = "tally/words.py"


def test_commands_of_the_agent_are_completed(windows: Windows) -> None:
    vscode = windows.open(settings=program("says"))
    view = AgentView(vscode).open()
    view.send("hello")
    view.wait_idle()
    view.prompt.press_sequentially("/")
    view.wait_completions("/many", "/stop")
    vscode.page.keyboard.press("ArrowDown")
    vscode.page.keyboard.press("ArrowUp")
    vscode.page.keyboard.press("Tab")
    expect(view.prompt).to_have_value("/many ")
    expect(view.frame.locator("#hint")).to_have_text("how many")
    view.prompt.press_sequentially("2")
    expect(view.frame.locator("#hint")).to_be_hidden()
    view.prompt.press("Enter")
    expect(view.block("tool_call", "Read 1")).to_be_visible()


def test_a_command_that_is_typed_out_is_sent_by_enter(windows: Windows) -> None:
    view = AgentView(windows.open(settings=program("says"))).open()
    view.send("hello")
    view.wait_idle()
    view.prompt.press_sequentially("/stop")
    view.wait_completions("/stop")
    view.prompt.press("Enter")
    view.wait_sent()
    expect(view.block("agent")).to_contain_text("/stop")


def test_files_and_selections_go_with_the_prompt(windows: Windows, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    vscode = windows.open(settings={"acpSidecar.trace": str(trace)})
    vscode.open_file(WORDS)
    vscode.page.keyboard.press("Control+Home")
    vscode.page.keyboard.press("Shift+ArrowDown")
    vscode.page.keyboard.press("Shift+ArrowDown")
    vscode.wait(lambda: vscode.cursor().startswith("Ln 3, Col 1 ("), "two lines are selected")
    view = AgentView(vscode).open()
    view.prompt.press_sequentially("look at #sel")
    view.wait_completions("#selection")
    vscode.page.keyboard.press("Enter")
    expect(view.prompt).to_have_value("look at ")
    vscode.wait(lambda: view.chips() == ["words.py:1-2"], "the selection is a chip")
    view.prompt.press_sequentially("@repor")
    vscode.wait(lambda: view.completions()[0] == "report.py", "the file is offered")
    vscode.picture(PICTURES / "view-completion.png")
    vscode.page.keyboard.press("Enter")
    expect(view.prompt).to_have_value("look at @tally/report.py ")
    assert view.chips() == ["words.py:1-2", "report.py"]
    view.button("Remove report.py").press("Enter")
    assert view.chips() == ["words.py:1-2"]
    view.prompt.press("Enter")
    [prompt] = vscode.wait(lambda: sent(trace, "session/prompt"), "the prompt is sent")
    said, *context = prompt["params"]["prompt"]
    assert said["text"] == "look at @tally/report.py"
    # The chip is gone, but the text still names the file.
    assert len(context) == 2
    [selection] = [str(each) for each in context if WORDS in str(each)]
    assert '"""Split text into words and count them."""' in selection
    assert view.chips() == []


def test_the_editor_adds_to_the_prompt(vscode: Workbench) -> None:
    wait_status(vscode, "Following")
    vscode.open_file(WORDS)
    choose_in_menu(vscode.editor().locator(".view-line").first, "Add Selection to Prompt")
    view = AgentView(vscode)
    expect(view.prompt).to_be_focused()
    vscode.wait(lambda: view.chips() == ["words.py:1"], "the line of the cursor is a chip")
    vscode.command("ACP: Add File to Prompt")
    vscode.wait(lambda: view.chips() == ["words.py:1", "words.py"], "the file is a chip")
    vscode.command("ACP: Add File to Prompt")
    assert view.chips() == ["words.py:1", "words.py"]


def choose_in_menu(place: Locator, label: str) -> None:
    """Choose from the menu that the right button of the mouse opens."""
    place.click(button="right")
    item = place.page.locator(".context-view .monaco-menu").get_by_role("menuitem", name=label)
    item.click()


def test_lines_history_and_keys(windows: Windows) -> None:
    vscode = windows.open(settings=program("says"))
    view = AgentView(vscode).open()
    view.prompt.press_sequentially("one")
    view.prompt.press("Shift+Enter")
    view.prompt.press_sequentially("two")
    view.prompt.press("Enter")
    expect(view.block("agent")).to_contain_text("one")
    view.wait_idle()
    view.send("another")
    view.wait_idle()
    view.prompt.press_sequentially("draft")
    view.prompt.press("Home")
    view.prompt.press("ArrowUp")
    expect(view.prompt).to_have_value("another")
    view.prompt.press("ArrowUp")
    expect(view.prompt).to_have_value("one\ntwo")
    view.prompt.press("Control+End")
    view.prompt.press("ArrowDown")
    view.prompt.press("ArrowDown")
    expect(view.prompt).to_have_value("draft")


def test_what_is_used_of_the_context_is_shown(windows: Windows) -> None:
    view = AgentView(windows.open(settings=program("says"))).open()
    view.send("use 50000")
    meter = view.frame.get_by_role("progressbar", name="50,000 of 200,000 tokens of context")
    expect(meter).to_have_attribute("value", "0.25")
    expect(view.frame.locator("#usage")).to_have_text("50k / 200k · €1.50")
    view.wait_idle()
    view.send("use 150000")
    expect(view.frame.locator("#usage progress")).to_have_attribute("value", "0.75")


def test_options_are_set(windows: Windows, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    vscode = windows.open(settings={"acpSidecar.trace": str(trace)})
    view = AgentView(vscode).open()
    view.send("/plan")
    view.wait_idle()
    mode = view.frame.get_by_role("combobox", name="Mode", exact=True)
    chosen = mode.locator("option").nth(1).get_attribute("value") or ""
    mode.select_option(chosen)
    [request] = vscode.wait(lambda: sent(trace, "session/set_config_option"), "it is set")
    assert request["params"]["value"] == chosen
    expect(mode).to_have_value(chosen)
    before = (vscode.project / WORDS).read_bytes()
    view.send(f"/edit {WORDS}")  # in this mode it writes without asking
    vscode.wait(lambda: (vscode.project / WORDS).read_bytes() != before, "the file is written")
