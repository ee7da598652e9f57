"""A place that can be shown: a real file, lines in it, and who is there for what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from acp_sidecar.features.drift import drifted
from acp_sidecar.features.follow_messages import PlacePayload, range_payload
from acp_sidecar.features.places import LineRange, file_uri, plain_path, to_wire_line
from acp_sidecar.features.ports import Edit, Span
from acp_sidecar.features.sanitize import visible_line
from acp_sidecar.features.trail import SHOWN, TrailEntry
from acp_sidecar.features.whereabouts import Basis
from acp_sidecar.session.state import ToolCall

Json = Any

_WORK: Final = frozenset({Basis.HUNK, Basis.SNIPPET})


@dataclass(frozen=True, slots=True)
class Target:
    """A place in a file that can be shown, and who is there for what."""

    session: str
    agent: str
    path: str
    lines: LineRange
    span: Span
    basis: str
    kind: str
    title: str
    call: str | None

    def same_place(self, other: Target | None) -> bool:
        """Whether going from one to the other would move nothing; the ranges may differ."""
        if other is None or self.path != other.path:
            return False
        return self.lines.start == other.lines.start

    def settled(self, before: Target | None) -> Target:
        """The target, without a step back from where its own call was found to work.

        Agents often give the first line of a hunk, context included, when the edit is done.
        """
        if before is None or self.path != before.path or before.basis not in _WORK:
            return self
        start = before.lines.start
        if self.basis != Basis.LOCATION or not self.lines.holds(start):
            return self
        span = Span(start, 0, self.span.end_line, self.span.end_column)
        return replace(self, lines=LineRange(start, self.lines.end), span=span)

    def edited(self, path: str, edits: Iterable[Edit]) -> Target:
        """The target after edits of the file at `path`."""
        if path != self.path:
            return self
        lines = drifted(self.lines, edits)
        span = self.span
        span = Span(lines.start, span.start_column, lines.end, span.end_column)
        return replace(self, lines=lines, span=span)

    def renamed(self, rename: Callable[[str], str | None]) -> Target:
        path = rename(self.path)
        return self if path is None else replace(self, path=path)

    def trail_entry(self, now: float) -> TrailEntry:
        return TrailEntry(
            self.session,
            self.agent,
            self.path,
            self.lines,
            self.kind,
            self.title,
            self.call,
            now,
            SHOWN,
            exact=self.basis not in (Basis.LAST, Basis.TOP),
        )

    def view(self) -> Json:
        """For `acp.state`: lines count from 1."""
        return {
            "sessionId": self.session,
            "agent": self.agent,
            "path": plain_path(self.path),
            "uri": file_uri(self.path),
            "line": to_wire_line(self.lines.start),
            "endLine": to_wire_line(self.lines.end),
            "basis": self.basis,
            "kind": self.kind,
            "title": self.title,
            "toolCallId": self.call,
        }

    def payload(self, colour: int) -> PlacePayload:
        return {
            "sessionId": self.session,
            "agent": self.agent,
            "colour": colour,
            "uri": file_uri(self.path),
            "path": plain_path(self.path),
            "range": range_payload(self.lines),
            "basis": self.basis,
            "kind": self.kind,
            "title": self.title,
            "toolCallId": self.call,
        }


@dataclass(frozen=True, slots=True)
class Unshown:
    """A place that is never opened, and why (`places`, `ports.FileText`)."""

    path: str
    reason: str


def title_of(call: ToolCall) -> str:
    """A call's title, safe to show on one line."""
    title = call.title or call.name or call.kind
    return _visible(title) if len(title) <= _SHORT else visible_line(title)


_SHORT: Final = 200
_visible = lru_cache(maxsize=256)(visible_line)


def renaming(old: str, new: str) -> Callable[[str], str | None]:
    """A function that answers the new path of a file or folder that moved, or `None`."""

    def rename(path: str) -> str | None:
        if path == old:
            return new
        below = path.startswith((old + "/", old + "\\"))
        return new + path[len(old) :] if below else None

    return rename
