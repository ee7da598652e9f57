"""Moves the editor: where it was sent, whether it may be sent on, and what it is told.

Knows whether follow is on or paused, the live end, and the user's walk along the trail. Which
place is the live end is decided by `follow`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from acp_sidecar.features.follow_messages import (
    FOLLOW,
    FollowPayload,
    FollowTarget,
    PauseReason,
    TrailPosition,
    UserActivity,
)
from acp_sidecar.features.lookup import Lookup
from acp_sidecar.features.places import to_wire_line
from acp_sidecar.features.ports import Edit, Editor
from acp_sidecar.features.presence import Presences
from acp_sidecar.features.target import Target, Unshown
from acp_sidecar.features.trail import SHOWN, Trail, TrailEntry

Json = Any
FindCwd = Callable[[str], str]
"""The working directory of a session, by its key."""


class Guide:
    """Where the editor is and where it is to be.

    Attributes:
        on: Whether agents are followed at all.
        paused: Why they are not followed just now.
        only: The key of the only session that is followed; `None` is all.
        target: Where the editor was sent last.
        latest: The live end: where the followed agents were last.
        owed: The live end is still to be shown.
        unseen: The live end is not where the editor was sent last.
    """

    def __init__(self, editor: Editor, lookup: Lookup, *, on: bool, trail: int) -> None:
        self._editor = editor
        self._lookup = lookup
        self.trail = Trail(trail)
        self.presences = Presences()
        self.on = on
        self.paused: PauseReason | None = None
        self.only: str | None = None
        self.target: Target | None = None
        self.latest: Target | None = None
        self.owed = False
        self.unseen = False
        self._latest_entry: TrailEntry | None = None
        self._moves = 0
        # Whether the editor is still where it was sent, as far as we know.
        self._there = False

    @property
    def rich(self) -> bool:
        return "follow" in self._editor.abilities.rich

    @property
    def _needs_lens(self) -> bool:
        return not (self.rich or self._editor.abilities.show_document)

    @property
    def moving(self) -> bool:
        return self.on and self.paused is None

    @property
    def somebody_looks(self) -> bool:
        """Whether places matter at all now; presence is for rich clients, also while off."""
        return self.on or self.rich

    def follows(self, target: Target) -> bool:
        return self.only is None or self.only == target.session

    # The live end

    def arrived(self, target: Target, entry: TrailEntry | None) -> None:
        """The followed agents are at a new place."""
        self.latest, self._latest_entry = target, entry
        self.owed = self.unseen = True

    def owe_live_end(self) -> None:
        """The live end is to be shown, if it is one of a session that is followed."""
        self.owed = self.latest is not None and self.follows(self.latest)

    def show_owed(self) -> bool:
        """Go to the live end if that is due; answers whether there is anything to announce."""
        target = self.latest
        if not self.owed or not self.moving or target is None:
            return False
        self.owed = self.unseen = False
        if self._there and target.same_place(self.target):
            news, self.target = target != self.target, target
            return news
        self._go(target)
        return True

    def _go(self, target: Target) -> None:
        self._moves += 1
        self.target, self._there = target, True
        if self._editor.abilities.show_document and not self.rich:
            self._editor.show_document(target.path, target.span)

    # The user

    def caused(self, activity: UserActivity) -> bool:
        """Whether one of our moves caused it."""
        return activity.move is not None and 0 < activity.move <= self._moves

    def left_by(self, activity: UserActivity) -> bool:
        """Whether the user takes over in the followed view, or goes elsewhere."""
        if self.target is None or not self.moving:
            return False
        same = activity.path == self.target.path
        return not same if activity.kind == "switched" else same

    def pause(self, now: float, reason: PauseReason) -> None:
        """Stop moving until `resume`; the first reason stays."""
        if self.moving:
            self.paused, self._there = reason, False
            self.announce(now)

    def resume(self) -> None:
        """Move again, to the next place; the walk along the trail is over."""
        self.paused, self._there, self.trail.cursor = None, False, None
        self.owed = False

    def switch_on(self) -> None:
        self.on = True
        self.resume()

    def switch_off(self, now: float) -> None:
        self.resume()
        self.on = False
        self.announce(now)

    def walk_back(self, now: float, cwd: FindCwd) -> bool:
        """Show the place before; answers whether there is one."""
        return self._walk(now, self.trail.before(self.trail.cursor or self._latest_entry), cwd)

    def walk_forward(self, now: float, cwd: FindCwd) -> bool:
        """Show the next place before the live end; answers whether there is one."""
        if self.trail.cursor is None:
            return False
        later = list(self.trail.after(self.trail.cursor))
        if self._latest_entry in later:
            later = later[: later.index(self._latest_entry)]
        return self._walk(now, iter(later), cwd)

    def _walk(self, now: float, entries: Iterator[TrailEntry], cwd: FindCwd) -> bool:
        """Go to the first entry that is still there and is not where the editor is."""
        for entry in entries:
            target = self._entry_target(entry, cwd)
            if target is None or target.same_place(self.target):
                continue
            self.trail.cursor = entry
            self.paused = "trail" if self.on else None
            self._go(target)
            self.announce(now)
            return True
        return False

    def _entry_target(self, entry: TrailEntry, cwd: FindCwd) -> Target | None:
        if self.only is not None and entry.session != self.only:
            return None
        found = self._lookup.of_entry(entry, cwd(entry.session))
        if isinstance(found, Unshown):
            entry.state = found.reason
            return None
        entry.path, entry.lines, entry.state = found.path, found.lines, SHOWN
        return found

    # What is remembered

    def edited(self, path: str, edits: Sequence[Edit]) -> None:
        """A document was edited: places in it move along."""
        self.trail.edited(path, edits)
        self.presences.edited(path, edits)
        if self.target is not None:
            self.target = self.target.edited(path, edits)
        if self.latest is not None:
            self.latest = self.latest.edited(path, edits)

    def renamed(self, rename: Callable[[str], str | None]) -> None:
        """Files moved: places in them move along, and the editor's views with them."""
        self.trail.renamed(rename)
        self.presences.renamed(rename)
        if self.latest is not None:
            self.latest = self.latest.renamed(rename)

    def forget(self, session: str) -> bool:
        """A session is gone; answers whether that is news for the editor."""
        news = self.presences.forget(session)
        if self.only == session:
            self.only, news = None, True
        return news

    # What the editor is told

    def announce(self, now: float) -> None:
        """Tell a rich client the whole state of following, and others that lenses changed."""
        if not self.rich:
            if self._needs_lens and self._editor.abilities.code_lens_refresh:
                self._editor.refresh()
            return
        payload: FollowPayload = {
            "mode": "on" if self.on else "off",
            "paused": self.paused,
            "session": self.only,
            "target": self._target_payload(),
            "trail": self._trail_position(),
            "presence": self.presences.payload(now),
        }
        self._editor.notify(FOLLOW, payload)

    def _target_payload(self) -> FollowTarget | None:
        if self.target is None:
            return None
        colour = self.presences.colour(self.target.session)
        return {**self.target.payload(colour), "move": self._moves}

    def _trail_position(self) -> TrailPosition | None:
        walk = self.trail.position()
        return None if walk is None else {"position": walk[0], "length": walk[1]}

    def view(self) -> Json:
        """For `acp.state`: lines count from 1."""
        target = None if self.target is None else {**self.target.view(), "move": self._moves}
        return {
            "mode": "on" if self.on else "off",
            "paused": self.paused,
            "session": self.only,
            "target": target,
            "trail": self._trail_position(),
        }

    def lens(self) -> tuple[str, int, str] | None:
        """Path, line (0-based) and title of a code lens where an agent works."""
        if self.target is None or not self.on or not self._needs_lens:
            return None
        if not self.presences.present(self.target.session):
            return None
        return (
            self.target.path,
            self.target.lines.start,
            f"{self.target.agent}: {self.target.title}",
        )

    def status_line(self) -> str:
        """Where the followed agents are, and why they are not followed."""
        where = ""
        if self.latest is not None:
            name = self.latest.path.replace("\\", "/").rpartition("/")[2]
            line = to_wire_line(self.latest.lines.start)
            where = f"{self.latest.title} ({name}:{line})"
        if self.on and self.paused is not None:
            return f"{where} [follow paused: {self.paused}]".strip()
        return where
