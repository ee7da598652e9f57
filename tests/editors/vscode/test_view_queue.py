"""What goes on beside the turn in the Agent view: prompts that wait, images, sessions of before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.editors.vscode.asking import program
from tests.editors.vscode.conftest import PICTURES, Windows, demo_agent
from tests.editors.vscode.status_bar import wait_status
from tests.editors.vscode.test_view_sessions import open_list
from tests.editors.vscode.view_desk import AgentView
from tests.editors.vscode.workbench import json_lines

Json = Any
# The smallest PNG there is, pasted as a browser does it.
PASTE = """(box) => {
  const bytes = Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], "dot.png", { type: "image/png" }));
  const options = { clipboardData, bubbles: true, cancelable: true };
  box.dispatchEvent(new ClipboardEvent("paste", options));
}"""
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


def waiting(view: AgentView) -> Locator:
    return view.frame.get_by_role("list", name="Prompts that wait").get_by_role("listitem")


def send_meanwhile(view: AgentView, text: str) -> None:
    """Send a prompt while a turn goes on."""
    view.prompt.fill(text)
    view.prompt.press("Enter")
    expect(waiting(view).filter(has_text=text)).to_be_visible()


def test_prompts_wait_for_the_turn_and_are_taken_back_or_released(windows: Windows) -> None:
    vscode = windows.open(settings=program("says", VERSION="1"))
    view = AgentView(vscode).open()
    view.send("slowly one two")
    expect(view.block("agent", "one two")).to_be_visible()
    send_meanwhile(view, "second")
    send_meanwhile(view, "third")
    expect(waiting(view)).to_contain_text(["waits for the turn's end"] * 2)
    vscode.picture(PICTURES / "view-queue.png")
    last = waiting(view).filter(has_text="third")
    last.get_by_role("button", name="Take back into the prompt box").click()
    expect(view.prompt).to_have_value("third")
    expect(waiting(view)).to_have_count(1)
    view.button("Cancel turn").click()
    expect(waiting(view)).to_contain_text(["held"])
    view.button("Send what is held").click()
    expect(view.block("agent", "second")).to_be_visible()
    expect(waiting(view)).to_have_count(0)


def test_an_image_is_pasted_and_sent(windows: Windows, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    vscode = windows.open(settings=program("says", record))
    view = AgentView(vscode).open()
    view.send("hello")  # what the agent takes is known once it has started
    view.wait_idle()
    expect(view.prompt).to_have_attribute("title", "Images can be pasted")
    view.prompt.fill("what is this?")
    view.prompt.evaluate(PASTE % PNG)
    vscode.wait(lambda: view.chips() == ["dot.png"], "the image is a chip")
    view.prompt.press("Enter")

    def prompts() -> list[Json]:
        return [each for each in json_lines(record) if each.get("method") == "session/prompt"]

    vscode.wait(lambda: len(prompts()) == 2, "the prompt is sent")
    said = prompts()[1]["params"]["prompt"]
    assert {"type": "image", "mimeType": "image/png", "data": PNG} in said
    assert view.chips() == []


def test_a_session_of_before_is_remembered_and_forgotten(windows: Windows) -> None:
    vscode = windows.open(settings=demo_agent())  # which keeps no session that it could list
    view = AgentView(vscode).open()
    view.send("/plan")
    view.wait_idle()
    vscode.command("ACP: Restart Server")
    wait_status(vscode, "no session")
    view.open()
    open_list(view)
    remembered = view.frame.get_by_role("rowgroup", name="Remembered").get_by_role("row")
    expect(remembered).to_have_count(1)
    remembered.hover()
    remembered.get_by_role("button", name="Forget").click()
    expect(remembered).to_have_count(0)
