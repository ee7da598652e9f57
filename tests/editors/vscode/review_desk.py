"""What a reviewer sees and does: the Changes view, the marks in a file, and keys for prompts."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Locator

from tests.editors.vscode.server import CodeServer
from tests.editors.vscode.workbench import Workbench

WORDS = "tally/words.py"

_PROMPTS = {
    "Control+F7": "/edit",
    "Control+F8": f"/edit {WORDS}",
    "Control+F9": "/rename docs/usage.txt docs/manual.txt",
    "Control+F10": "/tour",
}

ALLOW_EDITS = {
    "acpSidecar.permissions.rules": [
        {"match": {"kind": kind}, "do": "allow"} for kind in ("edit", "move")
    ]
}
"""Settings by which the agent writes without being asked."""


def bind_prompts(server: CodeServer) -> None:
    """Give the user a key for each prompt, as anybody can in `keybindings.json`."""
    bindings = [
        {
            "key": key.lower().replace("control", "ctrl"),
            "command": "acp.prompt",
            "args": {"text": text},
        }
        for key, text in _PROMPTS.items()
    ]
    file = server.home / "user" / "User" / "keybindings.json"
    file.write_text(json.dumps(bindings), encoding="utf-8")


class ReviewDesk:
    """The review in one window."""

    def __init__(self, vscode: Workbench) -> None:
        self.vscode = vscode
        self.page = vscode.page

    def show_view(self) -> None:
        """Bring the Changes view to front."""
        self.vscode.command("ACP: Focus on Changes View")
        self.page.locator(".pane:has(.pane-header[aria-label*='Changes']) .pane-body").wait_for()

    def prompt(self, text: str) -> None:
        """Have the agent change something, by the key bound to it; returns when it shows."""
        key = next(key for key, prompt in _PROMPTS.items() if prompt == text)
        before = self.rows()
        self.page.keyboard.press(key)

        def shows() -> bool:
            if self.vscode.toast("'acp.prompt' not found").count():
                self.vscode.command("Notifications: Clear All Notifications")
                self.page.keyboard.press(key)  # the server had not started yet
            return self.rows() != before

        self.vscode.wait(shows, f"something comes of {text}")

    def rows(self) -> list[str]:
        """The rows of the Changes view: name and description."""
        told: list[str] = self.vscode.tree_rows("Changes").evaluate_all(
            """(rows) => rows.map((row) => ['.label-name', '.label-description']
              .map((part) => row.querySelector(part)?.textContent ?? '').join(' '))"""
        )
        return [" ".join(text.split()) for text in told]

    def row(self, text: str) -> Locator:
        """The first row that contains a text."""
        return self.vscode.tree_rows("Changes").filter(has_text=text).first

    def wait_row(self, pattern: str) -> str:
        """Wait for a row that matches a pattern; what it says."""
        return self.vscode.wait(
            lambda: next((row for row in self.rows() if re.search(pattern, row)), ""),
            f"a row like {pattern}",
        )

    def press_in_row(self, text: str, button: str) -> None:
        """Press one of the buttons that a row has while the mouse is on it."""
        row = self.row(text)
        row.hover()
        row.get_by_role("button", name=button).click()

    def states(self) -> list[str]:
        """What is said of the state of each hunk, from the top."""
        found = [re.match(r"\d+: .* · (.*)$", row) for row in self.rows()]
        return [match[1] for match in found if match]

    def wait_states(self, wanted: list[str], *, first: int | None = None) -> None:
        """Wait until the hunks, or the `first` of them, have these states."""
        self.vscode.wait(
            lambda: self.states()[:first] == wanted, f"the states {wanted}, not {self.states()}"
        )

    def badge(self) -> str:
        """What the badge of the activity bar says; nothing without one."""
        badge = self.page.locator(
            ".activitybar .action-item:has([aria-label^='ACP']) .badge-content"
        )
        return badge.first.inner_text() if badge.count() else ""

    def explorer_mark(self, name: str) -> str:
        """What the explorer shows behind a file's name; nothing without a mark."""
        content: str = self.page.evaluate(
            """(name) => {
              const label = document.querySelector(
                `.explorer-folders-view .monaco-icon-label[aria-label*="${name}"]`);
              return label ? getComputedStyle(label, '::after').content : 'none';
            }""",
            name,
        )
        return json.loads(content) if content.startswith('"') else ""

    def lenses(self) -> list[str]:
        """The lenses in the active editor."""
        found = self.vscode.editor().locator(".codelens-decoration a")
        return [text.strip() for text in found.all_inner_texts()]

    def press_lens(self, title: str, number: int, *, of: int) -> None:
        """Press one of the lenses with this title, counted from 0, when there are just so many.

        VS Code shows those of a hunk that is decided for a moment longer.
        """
        self.vscode.wait(
            lambda: sum(text.startswith(title) for text in self.lenses()) == of,
            f"{of} lenses {title}",
        )
        found = self.vscode.editor().locator(".codelens-decoration a").filter(has_text=title)
        found.nth(number).click()

    def ghosts(self) -> list[str]:
        """The texts that stand beside lines of the active editor without being in the file."""
        found: list[str] = self.page.evaluate(
            """() => [...document.querySelectorAll(
                '.editor-group-container.active .view-line span[class*="ced-"]')]
              .map((span) => getComputedStyle(span, '::after').content)
              .filter((content) => content.startsWith('"'))"""
        )
        texts = [json.loads(text) for text in found]
        return [text for text in texts if re.match(r"[↑↓]? ?[+-] ", text)]

    def focus_editor(self) -> None:
        """Put the keyboard into the active editor."""
        self.vscode.command("View: Focus Active Editor Group")
        self.vscode.wait(lambda: "edit" in self.vscode.focus(), "the editor has the focus")

    def go(self, key: str, line: int) -> None:
        """Press a key that brings the cursor to a line."""
        self.page.keyboard.press(key)
        at = f"Ln {line},"
        self.vscode.wait(lambda: self.vscode.cursor().startswith(at), f"{key} leads to {line}")

    def is_dirty(self, name: str) -> bool:
        """Whether a file that is open has unsaved edits."""
        tab = self.page.locator(f".tab.dirty[data-resource-name='{name.rsplit('/', 1)[-1]}']")
        return tab.count() > 0

    def disk(self) -> str:
        """What the disk has of the file that most tests have changed."""
        return (self.vscode.project / WORDS).read_text(encoding="utf-8")
