"""The editor of tests, of which a feature asks nothing: each test world allows what is its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from acp_sidecar.features.ports import Level, Span, Withdraw, WorkspaceChange


class UnaskedEditor:
    """An `Editor` of which whatever is asked is a fault of the feature."""

    def notify(self, method: str, params: Any) -> None:
        raise AssertionError(f"nothing here sends {method}: {params}")

    def request(
        self,
        method: str,
        params: Any,
        on_answer: Callable[[Any], None],
        on_unable: Callable[[], None],
    ) -> Withdraw:
        raise AssertionError(f"nothing here asks {method}: {params}")

    def show_document(
        self, path: str, span: Span | None, on_done: Callable[[bool], None] | None = None
    ) -> None:
        raise AssertionError(f"nothing here opens documents: {path}")

    def open_external(self, url: str, on_done: Callable[[bool], None]) -> None:
        raise AssertionError(f"nothing here leaves the editor: {url}")

    def ask(
        self,
        level: Level,
        message: str,
        actions: Sequence[str],
        on_answer: Callable[[int | None], None],
    ) -> Withdraw:
        raise AssertionError(f"nothing here asks: {message}")

    def message(self, level: Level, text: str) -> None:
        raise AssertionError(f"nothing here interrupts: {text}")

    def log(self, level: Level, text: str) -> None:
        raise AssertionError(f"nothing here logs: {text}")

    def apply(self, change: WorkspaceChange, on_done: Callable[[bool, str], None]) -> None:
        raise AssertionError(f"nothing here edits: {change}")

    def progress_begin(self, token: str, title: str, *, cancellable: bool) -> None:
        raise AssertionError(f"nothing here shows progress: {token}")

    def progress_report(self, token: str, message: str) -> None:
        raise AssertionError(f"nothing here shows progress: {token}")

    def progress_end(self, token: str, message: str) -> None:
        raise AssertionError(f"nothing here shows progress: {token}")

    def refresh(self) -> None:
        raise AssertionError("nothing here needs a refresh")
