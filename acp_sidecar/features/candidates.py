"""Which of a session's tool calls says where the user's eyes should be.

A call becomes a candidate when it says a place that is new for it. Of the candidates of one
instant edits win, then the newest call. While the newest call that was shown goes on, older calls
wait. Nothing here looks at files: that is done only for a candidate that wins.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from acp_sidecar.features.hints import NO_HINTS, Hints, from_raw_input
from acp_sidecar.features.places import LineRange, from_wire_line
from acp_sidecar.features.target import Target
from acp_sidecar.features.trail import TrailEntry
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session, ToolCall
from acp_sidecar.session.tool_calls import Diff, PathChange, PathPairChange, ToolCallLocation

EDITS: Final = frozenset({"edit", "delete", "move"})
KEPT_CALLS: Final = 512
"""Calls remembered in each session, to know what is new for a call."""

PLACES_TRIED: Final = 4
"""Places of one call that are looked up before it is given up."""

_PLACES: Final = frozenset({"locations", "content", "raw_input"})
_WATCHED: Final = _PLACES | {"status", "kind"}


@dataclass(slots=True, eq=False)
class Candidate:
    """A tool call as a place to look at.

    Attributes:
        order: Later calls have higher numbers, over all sessions.
        signature: What it said last about places; tells whether an update says something new.
        absent: Its file was not there when looked for, so the end of the call may change that.
        moved: The files that the call moves have been moved in what is remembered.
        access: A file that the agent asked for by `fs/*`, and the lines of it.
        target: What was found for it last.
        entry: Its last place in the trail.
    """

    session: Session
    call: ToolCall
    order: int
    signature: Hashable = None
    hints: Hints = NO_HINTS
    finished: bool = False
    absent: bool = False
    moved: bool = False
    access: tuple[str, LineRange | None] | None = None
    target: Target | None = None
    entry: TrailEntry | None = None

    @property
    def goes_on(self) -> bool:
        return not (self.finished or self.call.finished)

    @property
    def rank(self) -> tuple[bool, int]:
        """Edits first, then the newest."""
        return self.call.kind in EDITS or any(_diffs(self.call)), self.order

    @property
    def names_a_place(self) -> bool:
        if self.call.locations or self.hints.path is not None:
            return True
        return next(self._changed_paths(), None) is not None

    def said_paths(self) -> Iterator[tuple[str, LineRange | None, Any]]:
        """The places that the call names, best first: path, line, `_meta`.

        Locations from the last on, then the files that its diffs leave, from the last on, then
        the file in `rawInput`.
        """
        for location in reversed(self.call.locations[-PLACES_TRIED:]):
            line = from_wire_line(location.line)
            lines = None if line is None else LineRange(line, line)
            yield location.path, lines, location.meta
        for path in self._changed_paths():
            yield path, None, None
        if self.hints.path is not None:
            yield self.hints.path, None, None

    def _changed_paths(self) -> Iterator[str]:
        left = PLACES_TRIED
        for diff in _diffs(self.call):
            for change in reversed(diff.changes):
                if isinstance(change, PathPairChange) or (
                    isinstance(change, PathChange) and change.operation != "delete"
                ):
                    yield change.path
                    left -= 1
                    if not left:
                        return


def _diffs(call: ToolCall) -> Iterator[Diff]:
    return (item for item in reversed(call.content) if isinstance(item, Diff))


def concerns_places(call: ToolCall, effect: Effect) -> bool:
    """Whether an update can say anything about places; cheap, for every update comes by here."""
    fields = effect.fields
    if not fields:
        return effect.created or (bool(call.content) and type(call.content[-1]) is Diff)
    return effect.created or not _WATCHED.isdisjoint(fields)


def _signature(call: ToolCall, hints: Hints) -> Hashable:
    locations = tuple((each.path, each.line) for each in call.locations[-PLACES_TRIED:])
    diffs = tuple(_diff_signature(diff) for diff in _diffs(call))
    return locations, diffs, hints


def _diff_signature(diff: Diff) -> Hashable:
    patch = diff.patch.text if diff.patch is not None else None
    changes = tuple(
        (getattr(change, "path", None), getattr(change, "old_text", None), _new_text(change))
        for change in diff.changes
    )
    return hash((patch, changes))


def _new_text(change: Any) -> Any:
    return getattr(change, "new_text", None)


@dataclass(slots=True)
class Candidates:
    """The calls of one session that said places.

    Attributes:
        working: The agent has done something since its last turn ended.
        current: The call that was shown last.
    """

    session: Session
    working: bool = False
    calls: dict[str, Candidate] = field(default_factory=dict)
    current: Candidate | None = None
    _fresh: dict[str, Candidate] = field(default_factory=dict)

    def update(self, call: ToolCall, effect: Effect, order: int) -> Candidate | None:
        """Take in what an update changed; answers the candidate if it says a place anew.

        A replayed call is remembered, and never becomes a candidate by that.
        """
        candidate = self._candidate(call, order)
        ended = call.finished and not candidate.finished
        candidate.finished = call.finished
        if effect.created or not effect.fields or not _PLACES.isdisjoint(effect.fields):
            if "raw_input" in effect.fields:
                candidate.hints = from_raw_input(call.raw_input)
            signature = _signature(call, candidate.hints)
            changed = signature != candidate.signature
            candidate.signature = signature
        else:
            changed = False
        if call.replayed or self.session.replaying:
            return None
        if not (changed or (ended and candidate.absent)):
            return None
        if not candidate.names_a_place:
            return None
        self.freshen(candidate)
        return candidate

    def access(
        self, path: str, line: int | None, limit: int | None, kind: str, order: int
    ) -> Candidate | None:
        """The agent reads or writes a file through us (v1 `fs/*`): the least telling source.

        If a call that goes on names the file, the lines are added to that call.
        """
        start = from_wire_line(line)
        lines = None
        if start is not None:
            lines = LineRange(start, start + max(limit or 1, 1) - 1)
        for candidate in reversed(self.calls.values()):
            if candidate.goes_on and any(said == path for said, _, _ in candidate.said_paths()):
                if lines is None or candidate.access == (path, lines):
                    return None
                candidate.access = (path, lines)
                self.freshen(candidate)
                return candidate
        call = ToolCall("", kind=kind, status="completed")
        call.locations = [ToolCallLocation(path=path)]
        candidate = Candidate(self.session, call, order, finished=True, access=(path, lines))
        self.freshen(candidate)
        return candidate

    def freshen(self, candidate: Candidate) -> None:
        """Something is to be decided about this candidate."""
        self.working = True
        self._fresh[candidate.call.tool_call_id] = candidate

    def ready(self) -> bool:
        """Whether a candidate may be shown now."""
        return any(not self._waits(candidate) for candidate in self._fresh.values())

    def take(self) -> list[Candidate]:
        """The candidates of this instant, best first; those that lose are forgotten."""
        waiting = [each for each in self._fresh.values() if self._waits(each)]
        ready = [each for each in self._fresh.values() if not self._waits(each)]
        self._fresh = {each.call.tool_call_id: each for each in waiting if each.goes_on}
        return sorted(ready, key=lambda each: each.rank, reverse=True)

    def drop(self) -> None:
        """Nobody looks: what was to be decided is forgotten."""
        self._fresh.clear()

    def newest_live(self) -> Candidate | None:
        """The newest call that goes on and names a place."""
        for candidate in reversed(self.calls.values()):
            if candidate.goes_on and not candidate.call.replayed:
                return candidate
        return None

    def end(self) -> None:
        """The turn is over: no call of it goes on, whatever the agent left open."""
        self.working = False
        self._fresh = {key: each for key, each in self._fresh.items() if not self._waits(each)}
        for candidate in self.calls.values():
            candidate.finished = True

    def _waits(self, candidate: Candidate) -> bool:
        current = self.current
        return current is not None and current.goes_on and current.order > candidate.order

    def _candidate(self, call: ToolCall, order: int) -> Candidate:
        candidate = self.calls.get(call.tool_call_id)
        if candidate is None:
            candidate = Candidate(self.session, call, order)
            self.calls[call.tool_call_id] = candidate
            if len(self.calls) > KEPT_CALLS:
                del self.calls[next(iter(self.calls))]
        return candidate
