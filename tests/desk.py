"""An editor on which questions lie until the test answers them, with progress beside."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.features.permission.world import FakeEditor


@dataclass
class Desk(FakeEditor):
    """What is open: `on_screen`, `current`. `progress` has (token, title or message)."""

    progress: list[tuple[str, str]] = field(default_factory=list)

    def progress_begin(self, token: str, title: str, *, cancellable: bool) -> None:
        assert not cancellable
        self.progress.append((token, title))

    def progress_end(self, token: str, message: str) -> None:
        self.progress.append((token, message))

    def progress_report(self, token: str, message: str) -> None:
        raise AssertionError(message)
