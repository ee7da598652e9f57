"""How an agent's life ended, said to a person: what happened and what to do about it."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass

from acp_sidecar.agent.launch import Launch


@dataclass(frozen=True, slots=True)
class ExitReport:
    """How an agent's life ended.

    Attributes:
        name: The agent's name in the settings.
        status: The exit status; negative is a signal's number.
        expected: We asked it to stop.
        reason: One sentence for a person, e.g. "claude ended with exit status 3."
        advice: What to do about it; empty if it was expected.
        last_words: The end of its stderr, printable; may be empty.
    """

    name: str
    status: int
    expected: bool
    reason: str
    advice: str
    last_words: str

    @property
    def message(self) -> str:
        """Reason, advice and last words, for a message box or a log."""
        said = f"\nIts last words were:\n{self.last_words}" if self.last_words else ""
        return f"{self.reason} {self.advice}".strip() + said


def describe_exit(status: int) -> str:
    """What an exit status says, to follow the agent's name: "ended with exit status 3"."""
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"


def exit_advice(launch: Launch, status: int, *, spoke: bool) -> str:
    """What to try after an exit that nobody asked for; `spoke`: it had sent a message."""
    if status == 127:
        return "A program that it needs is not on PATH: install it, then restart the agent."
    if status == 126:
        return "A program that it needs may not be executed: check its permissions."
    if status == -signal.SIGTERM or (sys.platform != "win32" and status == -signal.SIGKILL):
        return "Something outside killed it, perhaps for lack of memory. Restart the agent."
    if not spoke:
        shown = " ".join(launch.command)
        setting = f"agents.{launch.name}.command"
        return f"It never spoke ACP. Run `{shown}` in a terminal to see why, or set {setting}."
    return "Restart the agent; if it happens again, switch on `trace` and look at the trace file."
