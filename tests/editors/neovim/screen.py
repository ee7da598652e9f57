"""A terminal that is looked at and typed into, as a person does; tmux keeps it."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.editors.neovim.editor import PATIENCE, wait_until

COLUMNS, ROWS = 110, 36


class Screen:
    """A terminal with a program in it."""

    def __init__(self, environment: Mapping[str, str], folder: Path, command: str) -> None:
        self.socket = f"acp-{uuid.uuid4().hex[:8]}"
        self.environment = dict(environment)
        place = ["-x", str(COLUMNS), "-y", str(ROWS), "-c", str(folder)]
        self.tmux("-f", "/dev/null", "new-session", "-d", *place, command)

    def tmux(self, *arguments: str) -> str:
        """A command of tmux, and what it prints."""
        command = ["tmux", "-L", self.socket, *arguments]
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, env=self.environment
        )
        return done.stdout

    def keys(self, *keys: str) -> None:
        """Press keys, by tmux's names."""
        self.tmux("send-keys", *keys)

    def text(self, *, colours: bool = False) -> str:
        """What is on the screen; in colours with all blanks, as they have a background."""
        return self.tmux("capture-pane", "-p", *(["-e", "-N"] if colours else []))

    def wait(self, *texts: str, patience: float = PATIENCE) -> None:
        """Wait until all of it is on the screen at once."""

        def holds(seen: str) -> bool:
            return all(text in seen for text in texts)

        self.wait_until(holds, f"{texts!r}", patience)

    def wait_until(
        self, holds: Callable[[str], object], what: str, patience: float = PATIENCE
    ) -> str:
        """Wait until something is so on the screen, and give what is on it."""
        return wait_until(self.text, holds, what, patience)

    def close(self) -> None:
        """End it, with all that runs in it."""
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], check=False)
