"""Progress of turns for any LSP client (`$/progress`): begins with the prompt, ends at idle.

While a tool runs its title is the message; what waits for the user, and an agent that does not stop
when it is cancelled, is said. Cancelling the progress cancels the turn:
`session_of` tells which session a token belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.features.frames import Frames
from acp_sidecar.features.ports import Editor
from acp_sidecar.features.sanitize import visible_line
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session
from acp_sidecar.session.updates import Update

INTERVAL: Final = 0.1
"""Seconds between two reports of a turn."""

STUBBORN: Final = 10.0
"""Seconds after a cancel in which a turn should have ended."""

TITLE_LENGTH: Final = 100
"""Characters of a tool's title in a status line."""

_OUTCOMES: Final = {
    "end_turn": "done",
    "cancelled": "cancelled",
    "refusal": "refused",
    "max_tokens": "stopped: longest answer reached",
    "max_turn_requests": "stopped: most requests reached",
    "error": "failed",
}
_DOING: Final = {"thought": "thinking", "agent": "writing"}


@dataclass(slots=True)
class _Turn:
    session: Session
    token: str
    running: dict[str, None] = field(default_factory=dict)
    """Unfinished tool calls of this turn in the order they began."""
    doing: str = ""
    said: str = ""
    hurry: float | None = None
    """When it should have ended, because it was cancelled."""
    late: bool = False
    """It has not."""


class Progress:
    """One progress for each turn that is under way."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._turns: dict[str, _Turn] = {}
        self._count = 0
        self._frames = Frames(INTERVAL, calm=INTERVAL)

    def prompt_sent(self, now: float, session: Session) -> None:
        """A turn begins. If one of the session's is under way, its progress goes on."""
        if not self._editor.abilities.work_done_progress:
            return
        if session.key in self._turns:
            self._turns[session.key].hurry, self._turns[session.key].late = None, False
            return
        self._count += 1
        turn = _Turn(session, f"acp-turn-{self._count}")
        self._turns[session.key] = turn
        self._editor.progress_begin(turn.token, visible_line(session.agent), cancellable=True)

    def changed(self, now: float, session: Session, update: Update, effect: Effect) -> None:
        """An update was applied. O(1). Call it after the reducer."""
        turn = self._turns.get(session.key)
        if turn is None:
            return
        match effect.kind:
            case "tool_call":
                if session.tool_calls[effect.id].finished:
                    turn.running.pop(effect.id, None)
                else:
                    turn.running[effect.id] = None
            case "agent" | "thought":
                if turn.doing == _DOING[effect.kind]:
                    return
                turn.doing = _DOING[effect.kind]
            case "state" if not session.busy:
                self.turn_ended(now, session)
                return
            case "state":
                pass
            case _:
                return
        self._frames.mark(now)

    def turn_ended(self, now: float, session: Session, text: str = "") -> None:
        """The turn is over; `text` is the outcome where the session does not know it."""
        turn = self._turns.pop(session.key, None)
        if turn is None:
            return
        reason = session.stop_reason
        known = _OUTCOMES.get(reason or "", reason or "done")
        outcome = "failed" if session.error is not None else known
        self._editor.progress_end(turn.token, visible_line(text or outcome, TITLE_LENGTH))

    def cancelled(self, now: float, session: Session) -> None:
        """The user has cancelled the turn; the agent is to end it."""
        turn = self._turns.get(session.key)
        if turn is not None and turn.hurry is None:
            turn.hurry = now + STUBBORN
            self._frames.mark(now)

    def session_of(self, token: str) -> Session | None:
        """The session whose turn has this token, while it is under way."""
        return next((turn.session for turn in self._turns.values() if turn.token == token), None)

    def deadline(self) -> float | None:
        """When `tick` has something to do."""
        times = [turn.hurry for turn in self._turns.values() if turn.hurry and not turn.late]
        frame = self._frames.deadline()
        return min(times if frame is None else [frame, *times], default=None)

    def tick(self, now: float) -> None:
        """Report what has changed."""
        for turn in self._turns.values():
            if turn.hurry is not None and now >= turn.hurry and not turn.late:
                turn.late = True
                self._frames.mark(now, urgent=True)
        if not self._frames.due(now):
            return
        for turn in self._turns.values():
            message = _message(turn)
            if message and message != turn.said:
                turn.said = message
                self._editor.progress_report(turn.token, message)


def _message(turn: _Turn) -> str:
    if turn.late:
        return "does not stop; the command acp.agent.restart ends it"
    if turn.hurry is not None:
        return "cancelling"
    title = _running(turn)
    if turn.session.state == "requires_action":
        return f"waiting for you: {title}" if title else "waiting for you"
    return title or turn.doing


def _running(turn: _Turn) -> str:
    """The title of the newest call that runs, and how many others do."""
    calls = turn.session.tool_calls
    # A cancel marks calls as finished without an update.
    running = [calls[each] for each in turn.running if not calls[each].finished]
    if not running:
        return ""
    call = running[-1]
    title = visible_line(call.title or call.name or call.kind, TITLE_LENGTH)
    return title if len(running) == 1 else f"{title} (+{len(running) - 1})"
