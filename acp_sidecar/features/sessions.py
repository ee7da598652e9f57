"""What a session is doing, for status lines and session views of rich clients (`acp/session`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from acp_sidecar.features.frames import Frames
from acp_sidecar.features.messages import SESSION, SessionParams
from acp_sidecar.features.ports import Editor
from acp_sidecar.session.queue import queue_view
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session
from acp_sidecar.session.updates import SessionInfoUpdate, Update
from acp_sidecar.session.view import plain

INTERVAL: Final = 0.1
"""Seconds between two pushes of what is not urgent, such as usage."""

_FIELDS: Final = {
    "usage": "usage",
    "options": "configOptions",
    "commands": "availableCommands",
    "plan": "plans",
    "info": "title",
}
"""Kinds of effects and the field that says what has changed."""

_ALL: Final = frozenset(_FIELDS.values())

_CLEARABLE: Final[tuple[Literal["title", "updatedAt", "usage"], ...]] = (
    "title",
    "updatedAt",
    "usage",
)
"""Members that are left out when they have not changed, and null when there is nothing."""


@dataclass(slots=True)
class _Dirty:
    session: Session
    fields: set[str] = field(default_factory=set)


class SessionStatus:
    """Pushes state at once and the rest a few times a second."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._dirty: dict[str, _Dirty] = {}
        self._known: set[str] = set()
        self._frames = Frames(INTERVAL, calm=INTERVAL)

    def changed(self, now: float, session: Session, update: Update, effect: Effect) -> None:
        """An update was applied. O(1)."""
        name = _FIELDS.get(effect.kind)
        if effect.kind == "state":
            self.touched(now, session)
        elif name is not None and not _says_nothing(update):
            self._mark(now, session, name, urgent=False)

    def touched(self, now: float, session: Session, *fields: str) -> None:
        """Something has changed without an update: opened, prompted, cancelled, ended, closed.

        Args:
            now: The time.
            session: The session.
            fields: Names of what has changed beyond the state, as in `SessionParams`.
        """
        self._mark(now, session, *fields, urgent=True)

    def forget(self, session: Session) -> None:
        """The session was deleted: who knows of it is told that it is closed."""
        self._dirty.pop(session.key, None)
        if session.key in self._known:
            self._known.discard(session.key)
            self._editor.notify(SESSION, view(session, frozenset()))

    def deadline(self) -> float | None:
        """When `tick` has something to do."""
        return self._frames.deadline()

    def tick(self, now: float) -> None:
        """Push what has changed."""
        if not self._frames.due(now):
            return
        for key, dirty in self._dirty.items():
            fields = dirty.fields if key in self._known else _ALL
            self._known.add(key)
            self._editor.notify(SESSION, view(dirty.session, fields))
        self._dirty.clear()

    def _mark(self, now: float, session: Session, *fields: str, urgent: bool) -> None:
        if "session" not in self._editor.abilities.rich:
            return
        self._dirty.setdefault(session.key, _Dirty(session)).fields.update(fields)
        self._frames.mark(now, urgent=urgent)


def _says_nothing(update: Update) -> bool:
    # Some agents send these many times a turn with nothing but `_meta`.
    return isinstance(update, SessionInfoUpdate) and not update.model_fields_set - {"meta"}


def view(session: Session, fields: set[str] | frozenset[str] = _ALL) -> SessionParams:
    """The session's state, and those of the other fields that are named."""
    params: SessionParams = {
        "sessionId": session.key,
        "agent": session.agent,
        "cwd": session.cwd,
        "state": session.state,
        "stopReason": session.stop_reason,
        "busy": session.busy,
        "cancelling": session.cancelling,
        "replaying": session.replaying,
        "closed": session.closed,
        "queued": queue_view(session),
        "error": None if session.error is None else plain(session.error),
    }
    if "title" in fields:
        params["title"] = session.title
        params["updatedAt"] = session.updated_at
    if "usage" in fields:
        params["usage"] = None if session.usage is None else plain(session.usage)
    if "configOptions" in fields:
        params["configOptions"] = [plain(option) for option in session.config_options]
    if "availableCommands" in fields:
        params["availableCommands"] = [plain(each) for each in session.available_commands]
    if "plans" in fields:
        params["plans"] = [plain(plan) for plan in session.plans.values()]
    if cleared := [name for name in _CLEARABLE if name in params and params[name] is None]:
        params["cleared"] = cleared
    return params
