"""What a user of the Agent view sees and does in one window of VS Code."""

from __future__ import annotations

import re

from playwright.sync_api import FrameLocator, Locator, expect

from tests.editors.vscode.workbench import Workbench


class AgentView:
    """The Agent view of one window, once it is on screen."""

    def __init__(self, vscode: Workbench) -> None:
        self.vscode = vscode
        self.page = vscode.page
        self.problems: list[str] = []
        self.page.on("console", lambda message: self._hear(message.type, message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def open(self) -> AgentView:
        """Bring it to front, as soon as the server runs; the prompt box has the focus."""
        self.vscode.command("ACP: Go to Prompt")
        expect(self.prompt).to_be_focused()
        return self

    @property
    def frame(self) -> FrameLocator:
        """What is inside of the view."""
        return self.page.frame_locator("iframe.webview.ready").frame_locator("#active-frame")

    @property
    def prompt(self) -> Locator:
        """The text box."""
        return self.frame.get_by_role("textbox", name="Prompt", exact=True)

    @property
    def transcript(self) -> Locator:
        """All that is said and done."""
        return self.frame.get_by_role("log", name="Transcript")

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button anywhere in the view."""
        exact = isinstance(name, str)
        return self.frame.get_by_role("button", name=name, exact=exact)

    def send(self, text: str) -> None:
        """Type a prompt and send it by the keyboard."""
        expect(self.button("Cancel turn")).to_be_hidden()
        self.prompt.fill(text)
        expect(self.button("Send")).to_be_enabled()
        self.prompt.press("Enter")
        self.wait_sent()

    def wait_sent(self) -> None:
        """Wait until the agent's session has the prompt: what it does is shown by then."""
        expect(self.prompt).to_have_value("")
        expect(self.prompt).to_have_attribute("aria-busy", "false")

    def wait_idle(self) -> None:
        """Wait until the turn has ended."""
        expect(self.frame.locator("#switcher-doing")).to_have_text("idle")
        expect(self.button("Cancel turn")).to_be_hidden()

    def block(self, kind: str, text: str = "") -> Locator:
        """The last block of a kind, as `tool_call`, that contains a text."""
        return self.transcript.locator(f".block.{kind}").filter(has_text=text).last

    def completions(self) -> list[str]:
        """The labels of the completion list, once it is there."""
        rows = self.frame.get_by_role("listbox", name="Completions").get_by_role("option")
        rows.first.wait_for()
        return rows.locator(".label").all_inner_texts()

    def wait_completions(self, *labels: str) -> None:
        """Wait until the completion list has just these: there may be an earlier one before it."""
        self.vscode.wait(lambda: self.completions() == list(labels), f"completions {labels}")

    def chips(self) -> list[str]:
        """The labels of what goes with the prompt."""
        return self.frame.locator("#chips .chip .label").all_inner_texts()

    def permission(self, text: str = "") -> Locator:
        """The first open permission that contains a text."""
        return self.frame.locator(".permission").filter(has_text=text).first

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error" and re.search("content security policy|webview.js", text, re.IGNORECASE):
            self.problems.append(text)
