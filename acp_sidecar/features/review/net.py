"""The net change of a session: what became of each file since an agent first touched it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from acp_sidecar.changes.compare import net_change
from acp_sidecar.changes.hunks import FileChange, SetState, Side
from acp_sidecar.errors import Fault, Problem
from acp_sidecar.features.ports import FileText
from acp_sidecar.features.review.baseline import Baseline, Baselines
from acp_sidecar.features.review.build import MAX_FILES, diffs_of
from acp_sidecar.features.review.items import Item, ReviewFile, ReviewSet
from acp_sidecar.features.review.reading import Reading
from acp_sidecar.features.review.shelf import Shelf
from acp_sidecar.features.review.tracking import carried, refresh
from acp_sidecar.features.review.views import both_texts
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session, ToolCall
from acp_sidecar.session.tool_calls import PathChange, PathPairChange

MAX_LOCATIONS: Final = 100
"""Locations of one call that are looked at: a search may name very many."""


class NetReview:
    """Keeps the baselines of all sessions, and their net change sets on the shelf."""

    def __init__(self, reading: Reading, shelf: Shelf) -> None:
        self._reading = reading
        self._shelf = shelf
        self._baselines: dict[str, Baselines] = {}
        self._stale: dict[str, set[str]] = {}
        # Files whose calls are over, to be read once when the net change is computed, within a
        # frame of the review, and not once for each call.
        self._written: dict[str, set[str]] = {}
        # What calls have named in this turn, as they named it, and the real path. They name the
        # same files in update after update, and to resolve a path costs more than all else here.
        self._named: dict[str, dict[str, str | None]] = {}

    @staticmethod
    def id_of(session_key: str) -> str:
        return f"{session_key}/net"

    def touch(self, session: Session, paths: Iterable[str]) -> None:
        """An agent is about to work on files, named as agents name them."""
        baselines = self._of(session.key)
        for real in self._real(session, paths):
            baselines.touch(real)

    def edits(self, session: Session, real: str, text: str) -> None:
        """A buffer is about to become `text`, for an agent."""
        self._of(session.key).agent_edits(real, text)

    def wrote(self, session: Session, paths: Iterable[str]) -> None:
        """An agent's files have been written, by us."""
        for real in self._real(session, paths):
            self._written.setdefault(session.key, set()).add(real)
            self._stale.setdefault(session.key, set()).add(real)

    def call_changed(self, session: Session, call: ToolCall, effect: Effect) -> None:
        """Look at the files that a call names, before it is done and when it is done."""
        if call.replayed:
            return
        if not call.finished:
            if effect.created or not effect.fields or effect.fields & {"locations", "content"}:
                self._touch_new(session, _named(call))
        elif "status" in effect.fields:
            baselines = self._of(session.key)
            for real in self._reals(session, _named(call)):
                if real in baselines:
                    self._written.setdefault(session.key, set()).add(real)
                    self._stale.setdefault(session.key, set()).add(real)

    def turn_ended(self, session_key: str) -> None:
        """What paths lead to is looked up anew in the next turn."""
        self._named.pop(session_key, None)

    def _touch_new(self, session: Session, paths: list[str]) -> None:
        known = self._named.get(session.key, {})
        new = [path for path in paths if path not in known]
        if new:
            baselines = self._of(session.key)
            for real in self._reals(session, new):
                baselines.touch(real)

    def _reals(self, session: Session, paths: list[str]) -> list[str]:
        """The real paths of those that may be touched at all, as they were first named."""
        known = self._named.setdefault(session.key, {})
        for path in paths:
            if path not in known:
                known[path] = next(iter(self._real(session, [path])), None)
        return [real for path in paths if (real := known[path]) is not None]

    def _real(self, session: Session, paths: Iterable[str]) -> list[str]:
        """The real paths of those that may be touched at all."""
        named = [self._reading.real_path(path, session.cwd) for path in paths]
        return [real for real, blocked in named if not blocked]

    def learn(self, review: ReviewSet) -> None:
        """Diffs that came with or after the write tell what the files were."""
        baselines = self._of(review.session_key)
        for file in review.files:
            if file.blocked or not file.change.is_text or file.path in baselines:
                continue
            if file.state() is SetState.APPLIED and (file.change.hunks or file.old_path):
                _learn(baselines, file)

    def text_before(self, review: ReviewSet, file: ReviewFile) -> str | None:
        """What is known of a file that is gone: what we removed, or what the agent found."""
        if file.removed_text is not None:
            return file.removed_text
        baseline = self._of(review.session_key).get(file.path)
        return None if baseline is None else baseline.text

    def path_changed(self, real: str) -> list[str]:
        """A file has changed; the ids of the net change sets that it is in."""
        keys = [key for key, each in self._baselines.items() if each.changed(real)]
        for key in keys:
            self._stale.setdefault(key, set()).add(real)
        return [self.id_of(key) for key in keys]

    def forget(self, session_key: str) -> None:
        self._baselines.pop(session_key, None)
        self._stale.pop(session_key, None)
        self._written.pop(session_key, None)
        self._named.pop(session_key, None)

    def look_again(self, session_key: str | None) -> None:
        """Compute the net change of a session (`None`: of all) from all its files."""
        keys = list(self._baselines) if session_key is None else [session_key]
        for key in keys:
            if key in self._baselines:
                self._stale[key] = set(self._baselines[key].paths())
                self._refresh(key)

    def refresh(self) -> None:
        """Compute what is known to have changed."""
        for key in list(self._stale):
            self._refresh(key)

    def _refresh(self, session_key: str) -> None:
        stale = self._stale.pop(session_key, set())
        baselines = self._baselines[session_key]
        for path in self._written.pop(session_key, ()):
            baselines.agent_wrote(path)
        review = self._shelf.sets.get(self.id_of(session_key))
        known = {file.path: file for file in review.files} if review else {}
        before = list(known)
        for path in stale:
            change = _change(path, *baselines.now(path))
            if change is None:
                known.pop(path, None)
            elif path in known:
                self._update(known[path], change)
            else:
                known[path] = self._new_file(path, change)
        if review is None and known:
            key = self.id_of(session_key)
            review = ReviewSet(key, session_key, None, title="All changes", finished=True)
            self._shelf.add(review)
        if review is not None and list(known) != before:
            review.files = [known[path] for path in baselines.paths() if path in known]
            self._shelf.reordered()

    def _new_file(self, path: str, change: FileChange) -> ReviewFile:
        file = ReviewFile(change, change, path, settled=True)
        file.hunks = [Item() for _ in change.hunks]
        refresh(file, self._reading, Side.NEW)
        return file

    def _update(self, file: ReviewFile, change: FileChange) -> None:
        if file.change != change:
            file.hunks = carried(file.change.hunks, file.hunks, change.hunks)
            file.change = file.sent = change
            file.text, file.places, file.before, file.hoped = None, [], None, ()
            file.good = None
        refresh(file, self._reading, Side.NEW)

    def _of(self, session_key: str) -> Baselines:
        baselines = self._baselines.get(session_key)
        if baselines is None:
            baselines = self._baselines[session_key] = Baselines(self._reading.workspace)
        return baselines


def _change(path: str, baseline: Baseline, now: FileText) -> FileChange | None:
    gone = now.text is None and now.reason == "missing"
    known_before = baseline.text is not None or baseline.missing
    if known_before and (now.text is not None or gone):
        change = net_change(path, baseline.text, now.text)
        if change is None or not baseline.missing:
            return change
        # Only a file that is as the agent left it may be deleted when it is rejected.
        return replace(change, whole=now.text == baseline.agent_text)
    if baseline.missing == gone:
        return None
    reason = now.reason if gone is False else baseline.reason
    message = f"The file is not shown ({reason})."
    problem = Problem(Fault.ENVIRONMENT, f"file-{reason}", message, path)
    operation = "delete" if gone else "add"
    return FileChange(operation, path, file_type=reason, whole=False, problems=(problem,))


def _learn(baselines: Baselines, file: ReviewFile) -> None:
    change = file.change
    if change.operation == "add":
        baselines.learn(file.path, None)
    elif change.operation in ("move", "copy") and file.old_path is not None:
        baselines.learn(file.path, None)
        if change.operation == "move":
            baselines.learn(file.old_path, both_texts(file)[0])
    elif change.operation != "delete" or change.whole:
        baselines.learn(file.path, both_texts(file)[0])


def _named(call: ToolCall) -> list[str]:
    """The paths that a call names: of its locations, and of its diffs."""
    paths = [location.path for location in call.locations[:MAX_LOCATIONS]]
    for diff in diffs_of(call.content):
        for change in diff.changes:
            if isinstance(change, PathChange | PathPairChange):
                paths.append(change.path)
            if isinstance(change, PathPairChange):
                paths.append(change.old_path)
    return list(dict.fromkeys(paths))[:MAX_FILES]
