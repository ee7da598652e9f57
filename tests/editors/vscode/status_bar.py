"""What our item of the status bar says."""

from __future__ import annotations

from tests.editors.vscode.workbench import Workbench

_ITEM = ".part.statusbar .statusbar-item [aria-label^='ACP'], .statusbar-item[aria-label^='ACP']"


def status(vscode: Workbench) -> str:
    """What it says to those who do not see it, or nothing if it is not there yet."""
    labels: list[str] = vscode.page.locator(_ITEM).evaluate_all(
        "(items) => items.map((item) => item.getAttribute('aria-label'))"
    )
    return " ".join(labels)


def wait_status(vscode: Workbench, part: str) -> None:
    """Wait until it says that."""
    vscode.wait(lambda: part in status(vscode), f'"{part}" in the status bar')
