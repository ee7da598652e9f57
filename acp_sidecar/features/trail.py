"""The trail: where agents have been, in order; bounded, and walked by the user.

It also keeps what was never shown: places that were passed too fast, and files that are never
opened, with the reason. A walk has a cursor of its own, so the live end is never lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import dropwhile, islice
from typing import Any, Final

from acp_sidecar.features.drift import drifted
from acp_sidecar.features.places import NOT_A_FILE, LineRange, file_uri, plain_path, to_wire_line
from acp_sidecar.features.ports import Edit

Json = Any

SHOWN: Final = "shown"
PASSED: Final = "passed"
"""Not looked at: another place came first in the same instant, or follow was off."""


@dataclass(slots=True, eq=False)
class TrailEntry:
    """A place of the trail.

    Attributes:
        path: Absolute; a real path once it was looked up.
        lines: `None` where no line is known.
        call: The tool call's id; `None` for a file access without a call.
        when: The time at which the agent came there, in the caller's clock.
        state: "shown", "passed", or the reason why the place is never opened.
        exact: The lines are the agent's, not a guess; others of the same call come behind them.
    """

    session: str
    agent: str
    path: str
    lines: LineRange | None
    kind: str
    title: str
    call: str | None
    when: float
    state: str = PASSED
    exact: bool = False

    @property
    def walkable(self) -> bool:
        return self.state in (SHOWN, PASSED)


class Trail:
    """At most `limit` entries, oldest first; none at all if it is 0."""

    def __init__(self, limit: int) -> None:
        self._entries: deque[TrailEntry] = deque(maxlen=limit)
        self.cursor: TrailEntry | None = None
        """Where the user's walk is; `None` at the live end."""

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[TrailEntry]:
        return iter(self._entries)

    def resize(self, limit: int) -> None:
        self._entries = deque(self._entries, maxlen=limit)
        self._keep_cursor()

    def add(self, entry: TrailEntry, latest: TrailEntry | None) -> TrailEntry:
        """Add a place; one that only says more about `latest`, of the same call, replaces it."""
        if latest is not None and _refines(entry, latest):
            latest.lines = entry.lines or latest.lines
            latest.exact = latest.exact or entry.exact
            latest.kind, latest.title = entry.kind, entry.title
            return latest
        return self._append(entry)

    def shown(self, entry: TrailEntry, found: TrailEntry) -> TrailEntry:
        """A place was looked up; one that was shown before at other lines stays beside it."""
        both_exact = entry.state == SHOWN and entry.exact and found.exact
        if both_exact and not _same_start(entry, found):
            return self._append(found)
        entry.path, entry.lines, entry.state = found.path, found.lines, SHOWN
        entry.exact = found.exact
        return entry

    def _append(self, entry: TrailEntry) -> TrailEntry:
        self._entries.append(entry)
        self._keep_cursor()
        return entry

    def before(self, entry: TrailEntry | None) -> Iterator[TrailEntry]:
        """The walkable entries before `entry`, or before the end, newest first."""
        entries = list(self._entries)
        if entry in entries:
            entries = entries[: entries.index(entry)]
        return (each for each in reversed(entries) if each.walkable)

    def after(self, entry: TrailEntry) -> Iterator[TrailEntry]:
        """The walkable entries after `entry`, oldest first."""
        rest = islice(dropwhile(lambda each: each is not entry, self._entries), 1, None)
        return (each for each in list(rest) if each.walkable)

    def position(self) -> tuple[int, int] | None:
        """Where the walk is, counted from 1, and how many entries there are."""
        if self.cursor is None or self.cursor not in self._entries:
            return None
        return self._entries.index(self.cursor) + 1, len(self._entries)

    def edited(self, path: str, edits: Iterable[Edit]) -> None:
        """A document was edited: its places move along."""
        edits = list(edits)
        for entry in self._entries:
            if entry.path == path and entry.lines is not None:
                entry.lines = drifted(entry.lines, edits)

    def renamed(self, rename: Callable[[str], str | None]) -> None:
        for entry in self._entries:
            entry.path = rename(entry.path) or entry.path

    def view(self, now: float) -> list[Json]:
        """For `acp.state`: lines count from 1, `age` is in seconds."""
        return [_entry_view(entry, now, entry is self.cursor) for entry in self._entries]

    def _keep_cursor(self) -> None:
        # The place where the user stands may be the oldest that goes; the walk then goes on from
        # the oldest that is left.
        if self.cursor is not None and self.cursor not in self._entries:
            self.cursor = self._entries[0] if self._entries else None


def _refines(entry: TrailEntry, latest: TrailEntry) -> bool:
    same_call = entry.call is not None and entry.call == latest.call
    if not same_call or entry.session != latest.session or entry.path != latest.path:
        return False
    return not latest.exact or _same_start(entry, latest)


def _same_start(one: TrailEntry, other: TrailEntry) -> bool:
    if one.lines is None or other.lines is None:
        return True
    return one.lines.start == other.lines.start


def _entry_view(entry: TrailEntry, now: float, here: bool) -> Json:
    lines = entry.lines
    return {
        "sessionId": entry.session,
        "agent": entry.agent,
        "path": plain_path(entry.path),
        "uri": file_uri(entry.path) if entry.state != NOT_A_FILE else None,
        "line": None if lines is None else to_wire_line(lines.start),
        "endLine": None if lines is None else to_wire_line(lines.end),
        "kind": entry.kind,
        "title": entry.title,
        "toolCallId": entry.call,
        "age": max(0.0, now - entry.when),
        "state": entry.state,
        "current": here,
    }
