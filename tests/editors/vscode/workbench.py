"""What a user sees and does in one window of VS Code.

Every step waits for what it needs to be there, and nothing waits for a time to pass. Patience is
long, because machines that run tests are slow; a wait ends as soon as its condition holds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import FrameLocator, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

PATIENCE = 60.0
_OFFERED_MILLISECONDS = 5000
_FOLDERS_MILLISECONDS = 30_000
T = TypeVar("T")

_TOASTS = ".notifications-toasts .notification-list-item"
_ACTIVE_GROUP = ".editor-group-container.active"
_NAME = "data-resource-name"
_QUICK_INPUT = ".quick-input-widget:visible"


class Workbench:
    """A window of VS Code on `project`. `page` is there for what has no method here."""

    def __init__(self, page: Page, project: Path) -> None:
        self.page = page
        self.project = project
        page.set_default_timeout(PATIENCE * 1000)
        expect.set_options(timeout=PATIENCE * 1000)

    def open(self, url: str) -> None:
        """Load the window, and wait until its folders are there."""
        self.page.goto(url, wait_until="domcontentloaded")
        self.page.locator(".monaco-workbench .part.statusbar").wait_for()
        rows = self.page.locator(".explorer-folders-view .monaco-list-row")
        try:
            rows.first.wait_for(timeout=_FOLDERS_MILLISECONDS)
        except PlaywrightTimeoutError:
            # VS Code sometimes misses what a `.code-workspace` file says, if the machine is busy.
            self.page.reload(wait_until="domcontentloaded")
            rows.first.wait_for()

    def wait(self, look: Callable[[], T], what: str = "") -> T:
        """Look until it is true, while the window goes on living.

        Raises:
            AssertionError: it never was; `what` says what was waited for.
        """
        end = time.monotonic() + PATIENCE
        while True:
            found = look()
            if found:
                return found
            assert time.monotonic() < end, f"waited in vain: {what or look}"
            self.page.wait_for_timeout(50)

    # Commands and quick inputs

    def command(self, title: str) -> None:
        """Run a command by its title in the palette, as "ACP: Follow", once it is offered there."""
        # Not offered yet, it never is: the list stays as it was when it was opened.
        self.wait(lambda: self._pick_after("F1", f">{title}", title), f"the command {title}")

    def _pick_after(self, key: str, typed: str, row: str) -> bool:
        """Open a quick input by a key and choose a row; false if that is not to be had now."""
        self.page.keyboard.press(key)
        # It may close at once, as something else that was on its way takes the focus.
        if not self._focused_after(typed, row):
            self.page.keyboard.press("Escape")
            return False
        self.page.keyboard.press("Enter")
        return True

    def prompt(self, text: str) -> None:
        """Send a prompt to the default agent."""
        self.command("ACP: Send Prompt")
        self.type_into_quick_input(text)

    def quick_input(self) -> Locator:
        """The widget of quick picks and input boxes."""
        return self.page.locator(_QUICK_INPUT)

    def quick_pick(self, row: str, *, typed: str | None = None) -> None:
        """Choose a row of the quick pick that is open or about to open, by what it contains."""
        text = row if typed is None else typed
        # What is on screen may still be the pick before this one, which is about to go.
        self.wait(lambda: self._focused_after(text, row), f"{row} in a quick pick")
        self.page.keyboard.press("Enter")

    def _focused_after(self, typed: str, row: str) -> bool:
        """Whether a row has the focus soon after typing: only that one is what Enter takes."""
        widget = self.quick_input()
        focused = widget.locator(".quick-input-list .monaco-list-row.focused")
        try:
            widget.locator("input.input").first.fill(typed, timeout=_OFFERED_MILLISECONDS)
            focused.filter(has_text=row).first.wait_for(timeout=_OFFERED_MILLISECONDS)
        except PlaywrightTimeoutError:
            return False
        return True

    def quick_rows(self) -> list[str]:
        """The rows of the quick pick that is open."""
        rows = self.quick_input().locator(".quick-input-list .monaco-list-row")
        # They are drawn anew now and then, and are none for a moment.
        texts = self.wait(rows.all_inner_texts, "rows to choose from")
        return [" ".join(text.split()) for text in texts]

    def type_into_quick_input(self, text: str) -> None:
        """Answer the input box that is open or about to open."""
        box = self.quick_input().locator("input.input").first
        box.fill(text)
        self.page.keyboard.press("Enter")

    # Editors

    def open_file(self, name: str) -> None:
        """Open a file of the project by a part of its path that no other file has."""
        last = name.rsplit("/", 1)[-1]
        self.wait(lambda: self._pick_after("Control+P", name, last), f"{name} in the list of files")
        self.wait_tab(last)
        self.wait(self.editor_has_focus, f"the editor of {name} has the focus")

    def wait_tab(self, name: str) -> None:
        """Wait until the active editor's tab has this name."""
        self.page.locator(f"{_ACTIVE_GROUP} .tab.active").filter(has_text=name).first.wait_for()

    def active_tab(self) -> str:
        """Name on the tab of the active editor, or nothing if none is open."""
        tab = self.page.locator(f"{_ACTIVE_GROUP} .tab.active")
        return (tab.first.get_attribute(_NAME) or "") if tab.count() else ""

    def tabs(self) -> list[str]:
        """Names on all tabs of all groups."""
        tabs = self.page.locator(".tabs-container .tab").all()
        return [tab.get_attribute(_NAME) or "" for tab in tabs]

    def editor(self) -> Locator:
        """The active text editor."""
        return self.page.locator(f"{_ACTIVE_GROUP} .editor-instance .monaco-editor").first

    def editor_lines(self) -> list[str]:
        """The lines of the active editor that are on screen, from the top."""
        lines: list[str] = self.page.evaluate(
            """(group) => [...document.querySelectorAll(group + ' .view-lines .view-line')]
            .sort((one, other) => one.offsetTop - other.offsetTop)
            .map((line) => line.innerText.replaceAll('\\u00a0', ' '))""",
            _ACTIVE_GROUP,
        )
        return lines

    def cursor(self) -> str:
        """The status bar's "Ln 31, Col 3 (4 selected)", or nothing without a text editor."""
        item = self.page.locator("[id='status.editor.selection']")
        return item.first.inner_text().strip() if item.count() else ""

    def first_line(self) -> int:
        """The number of the first line on screen in the active editor."""
        numbers = self.editor().locator(".line-numbers").all_inner_texts()
        return min(int(text) for text in numbers if text.strip().isdigit())

    # Notifications and status bar

    def toast(self, text: str) -> Locator:
        """The notification that contains a text."""
        return self.page.locator(_TOASTS).filter(has_text=text).first

    def toasts(self) -> list[str]:
        """What the notifications on screen say."""
        return self.page.locator(f"{_TOASTS} .notification-list-item-message").all_inner_texts()

    def press_in_toast(self, text: str, button: str) -> None:
        """Press a button of the notification that contains a text."""
        self.toast(text).get_by_role("button", name=button, exact=True).click()

    def status(self) -> list[str]:
        """The texts of the status bar."""
        items = self.page.locator(".part.statusbar .statusbar-item")
        return [text.strip() for text in items.all_inner_texts()]

    def status_item(self, text: str) -> Locator:
        """The item of the status bar that contains a text."""
        return self.page.locator(".part.statusbar .statusbar-item").filter(has_text=text).first

    # Views

    def tree_rows(self, view: str) -> Locator:
        """The rows of a tree view, by the title of its section."""
        pane = self.page.locator(".pane").filter(
            has=self.page.locator(f".pane-header[aria-label*='{view}']")
        )
        return pane.locator(".monaco-list-row")

    def webview(self, title: str) -> FrameLocator:
        """What is inside a webview, by its title."""
        outer = self.page.frame_locator(
            f"iframe.webview.ready[title*='{title}'], iframe.webview.ready"
        )
        return outer.frame_locator("#active-frame")

    # Focus

    def focus(self) -> str:
        """Where the keyboard goes: tag, classes and label of the focused element."""
        described: str = self.page.evaluate(
            """() => { const it = document.activeElement;
            return `${it.tagName} ${it.className} ${it.getAttribute('aria-label') ?? ''}` }"""
        )
        return described

    def editor_has_focus(self) -> bool:
        """Whether keys go to a text editor."""
        found: bool = self.page.evaluate(
            "() => document.activeElement?.closest('.editor-instance') != null"
        )
        return found

    def picture(self, path: Path) -> Path:
        """Keep a picture of the window."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(path))
        return path


def json_lines(path: Path) -> list[Any]:
    """The objects of a JSON Lines file, such as a trace, without a line that is not finished."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].split("\n") if line]
