"""Follow: where should the user's eyes be now? Decided from what agents do, at a bounded rate.

The first place is shown at once, later ones at most `rate` times a second and always the last.
What the user does in the followed view pauses it; what the editor does in answer to us never
does, because each move has a number that comes back with its effects. Time is a parameter:
`deadline` says when `tick` wants to be called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from acp_sidecar.config import FollowSettings
from acp_sidecar.features.candidates import Candidate, Candidates, concerns_places
from acp_sidecar.features.follow_messages import UserActivity
from acp_sidecar.features.guide import Guide
from acp_sidecar.features.lookup import Lookup
from acp_sidecar.features.places import Said
from acp_sidecar.features.ports import Edit, Editor, Workspace
from acp_sidecar.features.target import Target, Unshown, renaming, title_of
from acp_sidecar.features.trail import PASSED, TrailEntry
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session, ToolCall
from acp_sidecar.session.tool_calls import Diff, PathPairChange

Json = Any
Mode = Literal["on", "off", "pause", "resume"]

CALLS_TRIED: Final = 8
"""Calls of one instant that are looked up before the rest is given up."""


class Follow:
    """The decision machine. All methods return at once and never raise on agent input.

    Args:
        home: What `~` stands for in an agent's paths; empty if nothing.
    """

    def __init__(
        self, settings: FollowSettings, editor: Editor, workspace: Workspace, *, home: str = ""
    ) -> None:
        self._settings = settings
        self._lookup = Lookup(workspace, home)
        self._guide = Guide(editor, self._lookup, on=settings.enabled, trail=settings.trail)
        self._sessions: dict[str, Candidates] = {}
        self._order = 0
        self._next_look = 0.0
        self._last_activity = 0.0

    # What agents do

    def tool_call_changed(
        self, now: float, session: Session, call: ToolCall, effect: Effect
    ) -> None:
        """A tool call was updated; comes after the reducer."""
        if not concerns_places(call, effect):
            return
        self._order += 1
        candidates = self._candidates(session)
        candidate = candidates.update(call, effect, self._order)
        if call.finished:
            self._call_ended(now, candidates, call)
        if candidate is not None:
            self._came_up(now, candidates, candidate)
        self._look_if_due(now)

    def file_access(
        self,
        now: float,
        session: Session,
        path: str,
        line: int | None = None,
        limit: int | None = None,
        *,
        kind: Literal["read", "edit"],
    ) -> None:
        """The agent reads or writes a file through us (v1 `fs/*`).

        `line` counts from 1, `limit` is a number of lines.
        """
        if session.replaying:
            return
        self._order += 1
        candidates = self._candidates(session)
        candidate = candidates.access(path, line, limit, kind, self._order)
        if candidate is not None:
            self._came_up(now, candidates, candidate)
            self._look_if_due(now)

    def prompt_sent(self, now: float, session: Session) -> None:
        """The user talks to an agent: whatever paused follow is over, if the settings say so."""
        if self._guide.paused is not None and self._settings.resume_on_prompt:
            self._guide.resume()
            self._guide.announce(now)

    def turn_ended(self, now: float, session: Session) -> None:
        """The agent is idle, was cancelled, or its turn failed."""
        candidates = self._sessions.get(session.key)
        if candidates is not None:
            candidates.end()
        if self._guide.presences.clear(session.key):
            self._guide.announce(now)

    def agent_gone(self, now: float, agent: str) -> None:
        """The agent's process ended: none of its sessions works any more."""
        news = False
        for candidates in self._sessions.values():
            if candidates.session.agent == agent:
                candidates.end()
                news |= self._guide.presences.clear(candidates.session.key)
        if news:
            self._guide.announce(now)

    def session_closed(self, now: float, session: Session) -> None:
        """The session is closed or deleted; its colour may be used again."""
        self._sessions.pop(session.key, None)
        if self._guide.forget(session.key):
            self._guide.announce(now)

    # What the user does

    def user_activity(self, now: float, activity: UserActivity) -> None:
        """Something happened in the editor; what our own moves cause does not count."""
        if self._guide.caused(activity):
            return
        self._last_activity = now
        if self._guide.left_by(activity):
            self._guide.pause(now, activity.kind)

    def document_changed(self, now: float, path: str, edits: Sequence[Edit], by_us: bool) -> None:
        """A document was edited (`didChange`): what is remembered of it moves along.

        Args:
            path: Its real path.
            edits: Each in the coordinates that the one before it left.
            by_us: It is our own edit, or the editor read the file again; not the user.
        """
        if not by_us and not self._guide.rich:
            self.user_activity(now, UserActivity("typed", path))
        self._lookup.edited(path, edits)
        self._guide.edited(path, edits)

    def set_mode(self, now: float, mode: Mode, session: str | None = None) -> None:
        """The command `acp.follow`.

        "on" follows `session` alone, or all; "resume" keeps what is followed if it is `None`.
        """
        self._last_activity = now
        if mode == "pause":
            self._guide.pause(now, "command")
        elif mode == "off":
            self._guide.switch_off(now)
        else:
            if mode == "on" or session is not None:
                self._guide.only = session
            self._guide.switch_on()
            self._revive()
            self._show_live_end(now)

    def trail_move(self, now: float, move: Literal["back", "forward"]) -> bool:
        """The command `acp.trail`: walk; at the newest place follow goes on.

        Answers whether there was anywhere to go.
        """
        self._last_activity = now
        if move == "back":
            return self._guide.walk_back(now, self._cwd)
        if self._guide.trail.cursor is None:
            return False
        if not self._guide.walk_forward(now, self._cwd):
            self._guide.resume()
            self._show_live_end(now)
        return True

    # Time

    def deadline(self) -> float | None:
        """When `tick` is wanted at the latest; `None` if nothing is to be done."""
        times = [self._next_look] if self._to_look() else []
        resume = self._resume_time()
        return min(times if resume is None else [*times, resume], default=None)

    def tick(self, now: float) -> None:
        """Do what is due."""
        resume = self._resume_time()
        if resume is not None and now >= resume:
            self._guide.resume()
            self._guide.owed = self._is_live(self._guide.latest) or self._guide.unseen
            self._guide.announce(now)
        self._look_if_due(now)

    def configure(self, settings: FollowSettings) -> None:
        """New settings; `enabled` counts only at the start."""
        self._settings = settings
        self._guide.trail.resize(settings.trail)

    # What others show

    def view(self) -> Json:
        """For `acp.state`: lines count from 1."""
        return self._guide.view()

    def trail_view(self, now: float) -> list[Json]:
        """The trail for `acp.state`, oldest first; ages are in seconds."""
        return self._guide.trail.view(now)

    def presence_view(self, now: float) -> list[Json]:
        """Where agents work, for `acp.state`."""
        return self._guide.presences.view(now)

    def lens(self) -> tuple[str, int, str] | None:
        """For clients that cannot be sent anywhere: path, line (0-based) and title of a lens.

        `None` for all others, and while no agent works at the target.
        """
        return self._guide.lens()

    def status_line(self) -> str:
        """For progress messages: where the agent is, and why follow is paused."""
        return self._guide.status_line()

    # Deciding

    def _candidates(self, session: Session) -> Candidates:
        candidates = self._sessions.get(session.key)
        if candidates is None:
            candidates = self._sessions[session.key] = Candidates(session)
        return candidates

    def _cwd(self, session: str) -> str:
        candidates = self._sessions.get(session)
        return candidates.session.cwd if candidates is not None else ""

    def _came_up(self, now: float, candidates: Candidates, candidate: Candidate) -> None:
        """A call says a new place: it goes into the trail, and will be looked at."""
        said = self._lookup.said(candidate)
        call, session = candidate.call, candidate.session
        entry = TrailEntry(
            session.key,
            session.agent,
            said.path,
            said.lines if isinstance(said, Said) else None,
            call.kind,
            title_of(call),
            call.tool_call_id or None,
            now,
            PASSED if isinstance(said, Said) else said.reason,
            exact=isinstance(said, Said) and said.lines is not None,
        )
        candidate.entry = self._guide.trail.add(entry, candidate.entry)
        if not self._guide.somebody_looks:
            candidates.drop()

    def _call_ended(self, now: float, candidates: Candidates, call: ToolCall) -> None:
        candidate = candidates.calls.get(call.tool_call_id)
        if candidate is not None and not candidate.moved and call.status == "completed":
            candidate.moved = True
            self._files_moved(candidate)
        session = candidates.session
        if session.turn is None and self._guide.presences.clear(session.key, call.tool_call_id):
            self._guide.announce(now)

    def _files_moved(self, candidate: Candidate) -> None:
        changes = [
            change
            for item in candidate.call.content
            if isinstance(item, Diff)
            for change in item.changes
            if isinstance(change, PathPairChange) and change.operation == "move"
        ]
        for change in changes:
            old = self._lookup.absolute(change.old_path, candidate.session)
            new = self._lookup.absolute(change.path, candidate.session)
            if old is not None and new is not None:
                self._lookup.renamed(renaming(old, new))
                self._guide.renamed(renaming(old, new))

    def _to_look(self) -> bool:
        if self._guide.owed and self._guide.moving:
            return True
        return any(candidates.ready() for candidates in self._sessions.values())

    def _look_if_due(self, now: float) -> None:
        if now >= self._next_look and self._to_look():
            self._look(now)

    def _look(self, now: float) -> None:
        """Look up the best candidate of each session, and show the best of all."""
        self._next_look = now + 1 / self._settings.rate
        best: Candidate | None = None
        news = False
        for candidates in self._sessions.values():
            found = self._decide(now, candidates)
            if found is None:
                continue
            candidate, target = found
            news |= self._works(now, candidates, candidate, target)
            if self._guide.follows(target) and (best is None or candidate.rank > best.rank):
                best = candidate
                self._guide.arrived(target, candidate.entry)
        if self._guide.show_owed() or news:
            self._guide.announce(now)

    def _decide(self, now: float, candidates: Candidates) -> tuple[Candidate, Target] | None:
        """The best candidate of a session whose place can be shown and is new for it."""
        for candidate in candidates.take()[:CALLS_TRIED]:
            found = self._lookup.find(candidate)
            entry = candidate.entry
            if isinstance(found, Unshown):
                candidate.absent = found.reason == "missing"
                if entry is not None:
                    entry.path, entry.state = found.path, found.reason
                continue
            if entry is not None:
                candidate.entry = self._guide.trail.shown(entry, found.trail_entry(now))
            is_current = candidates.current is candidate
            if found.same_place(candidate.target) and not is_current:
                continue
            candidate.target = found = found.settled(candidate.target)
            candidates.current = candidate
            return candidate, found
        return None

    def _works(
        self, now: float, candidates: Candidates, candidate: Candidate, target: Target
    ) -> bool:
        """Somebody works at a place; a call that came and ended outside a turn leaves nobody."""
        in_turn = candidates.working and candidates.session.turn is not None
        if not in_turn and not candidate.goes_on:
            return False
        return self._guide.presences.put(target, now)

    def _show_live_end(self, now: float) -> None:
        """The user asks for the live end: go there now, wherever the editor is."""
        self._guide.owe_live_end()
        if self._to_look():
            self._look(now)
        else:
            self._guide.announce(now)

    def _revive(self) -> None:
        """What goes on and has not been looked at, because nobody did, may be shown."""
        for candidates in self._sessions.values():
            newest = candidates.newest_live()
            if newest is not None and newest.target is None:
                candidates.freshen(newest)

    def _is_live(self, target: Target | None) -> bool:
        if target is None or target.session not in self._sessions:
            return False
        call = self._sessions[target.session].calls.get(target.call or "")
        return call is not None and call.goes_on

    def _resume_time(self) -> float | None:
        after = self._settings.resume_after
        paused = self._guide.paused is not None
        return self._last_activity + after if paused and after is not None else None
