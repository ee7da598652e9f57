"""From what a tool call says to a place that can be shown: a real file, and lines in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from acp_sidecar.features.candidates import Candidate
from acp_sidecar.features.drift import drifted
from acp_sidecar.features.hints import NO_HINTS, Hints, end_in, range_in
from acp_sidecar.features.places import (
    NOT_A_FILE,
    TOP,
    LineRange,
    Said,
    Sight,
    clamped,
    look,
    said_place,
    span_of,
)
from acp_sidecar.features.ports import Edit, Workspace
from acp_sidecar.features.sanitize import visible_line
from acp_sidecar.features.target import Target, Unshown, title_of
from acp_sidecar.features.trail import TrailEntry
from acp_sidecar.features.whereabouts import Basis, Found, work_in
from acp_sidecar.session.state import Session

FILES_REMEMBERED: Final = 256


class Lookup:
    """Finds targets, and remembers where each file was shown last."""

    def __init__(self, workspace: Workspace, home: str) -> None:
        self._workspace = workspace
        self._home = home
        self._last: dict[str, LineRange] = {}

    def said(self, candidate: Candidate) -> Said | Unshown:
        """The best place that a call names, not looked up."""
        for text, lines, _ in candidate.said_paths():
            said = said_place(text, candidate.session.cwd, self._home)
            if said is None:
                return Unshown(visible_line(text), NOT_A_FILE)
            return Said(said.path, lines or said.lines)
        return Unshown("", NOT_A_FILE)

    def find(self, candidate: Candidate) -> Target | Unshown:
        """The best place of a call that can be shown; each file is looked up at most once."""
        unshown: Unshown | None = None
        tried: set[str] = set()
        for text, lines, meta in candidate.said_paths():
            said = said_place(text, candidate.session.cwd, self._home)
            path = text if said is None else said.path
            if path in tried:
                continue
            tried.add(path)
            if said is None:
                unshown = unshown or Unshown(visible_line(text), NOT_A_FILE)
                continue
            sight = look(self._workspace, said.path, candidate.session.cwd)
            if sight.text is not None:
                found = self._lines(candidate, said, lines or said.lines, meta, sight)
                return self._target(candidate, sight, found)
            unshown = unshown or Unshown(sight.path, sight.reason)
        return unshown or Unshown("", NOT_A_FILE)

    def absolute(self, path: str, session: Session) -> str | None:
        """The real path that an agent means; `None` if that is no file of this machine."""
        said = said_place(path, session.cwd, self._home)
        return None if said is None else self._workspace.resolve(said.path)

    def of_entry(self, entry: TrailEntry, cwd: str) -> Target | Unshown:
        """A place of the trail, as far as it is still there."""
        sight = look(self._workspace, entry.path, cwd)
        if sight.text is None:
            return Unshown(sight.path, sight.reason)
        lines = clamped(entry.lines or self.last(sight.path), sight.lines)
        return Target(
            entry.session,
            entry.agent,
            sight.path,
            lines,
            span_of(lines, sight.lines),
            Basis.LOCATION.value if entry.lines else Basis.LAST.value,
            entry.kind,
            entry.title,
            entry.call,
        )

    def last(self, path: str) -> LineRange:
        """The lines last shown in a file, else its top."""
        return self._last.get(path, TOP)

    def edited(self, path: str, edits: Iterable[Edit]) -> None:
        if path in self._last:
            self._last[path] = drifted(self._last[path], edits)

    def renamed(self, rename: Callable[[str], str | None]) -> None:
        for path in list(self._last):
            new = rename(path)
            if new is not None:
                self._last[new] = self._last.pop(path)

    def _remember(self, path: str, lines: LineRange) -> None:
        self._last.pop(path, None)
        self._last[path] = lines
        if len(self._last) > FILES_REMEMBERED:
            del self._last[next(iter(self._last))]

    def _lines(
        self,
        candidate: Candidate,
        said: Said,
        lines: LineRange | None,
        meta: Any,
        sight: Sight,
    ) -> Found:
        if lines is None:
            lines = range_in(meta)
        elif lines.start == lines.end:
            lines = LineRange(lines.start, max(lines.start, end_in(meta, lines.start) or 0))

        def same(path: str) -> bool:
            other = said_place(path, candidate.session.cwd, self._home)
            return other is not None and other.path == said.path

        found = work_in(candidate.call, self._hints(candidate, same), sight, lines, same)
        if found is not None:
            return found
        basis = Basis.LAST if sight.path in self._last else Basis.TOP
        return Found(clamped(self.last(sight.path), sight.lines), basis)

    def _hints(self, candidate: Candidate, same: Callable[[str], bool]) -> Hints:
        """What `rawInput` and file accesses say about this file."""
        hints = candidate.hints
        if hints.path is not None and not same(hints.path):
            hints = NO_HINTS
        access = candidate.access
        if access is not None and hints.lines is None and same(access[0]):
            hints = replace(hints, lines=access[1])
        return hints

    def _target(self, candidate: Candidate, sight: Sight, found: Found) -> Target:
        if found.basis is not Basis.TOP:
            self._remember(sight.path, found.lines)
        call, session = candidate.call, candidate.session
        return Target(
            session.key,
            session.agent,
            sight.path,
            found.lines,
            span_of(found.lines, sight.lines),
            found.basis.value,
            call.kind,
            title_of(call),
            call.tool_call_id or None,
        )
