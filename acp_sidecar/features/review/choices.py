"""The user's choices: what each one means for the text, and how the last one is taken back.

While the agent is still to write, a choice is only recorded, and answers the open permission once
all is decided. Where the text has the agent's change already, or the agent will not make it, the
choice is carried out by an edit of ours.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.changes.hunks import HunkState, SetState, Side
from acp_sidecar.features.review.edit import Made, Target
from acp_sidecar.features.review.items import Choice, Item, ReviewFile, ReviewSet
from acp_sidecar.features.review.selection import Chosen

JOURNAL: Final = 100
"""Choices that can be taken back, one after the other."""


@dataclass(slots=True)
class Record:
    """One item's part in a choice: what it was before, and whether an edit of ours followed."""

    review: ReviewSet
    index: int
    file: ReviewFile
    hunk: int | None
    item: Item
    before: Choice
    after: Choice

    @property
    def counts(self) -> bool:
        """Whether it is told of: a file that has hunks is chosen about by them."""
        return self.hunk is not None or not self.file.hunks


@dataclass(slots=True)
class Entry:
    """One choice of the user, over any number of items, and what an edit of ours made for it."""

    records: list[Record] = field(default_factory=list)
    made: list[Made] = field(default_factory=list)


class Journal:
    """The user's choices, newest last."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=JOURNAL)

    def add(self, entry: Entry) -> None:
        if entry.records:
            self._entries.append(entry)

    def pop(self) -> Entry | None:
        return self._entries.pop() if self._entries else None

    def forget(self, reviews: Iterable[ReviewSet]) -> None:
        """Sets that are gone cannot be chosen about any more."""
        gone = {id(review) for review in reviews}
        for entry in self._entries:
            entry.records = [each for each in entry.records if id(each.review) not in gone]
        self._entries = deque((each for each in self._entries if each.records), maxlen=JOURNAL)


def record(chosen: Sequence[Chosen], choice: Choice) -> Entry:
    """Mark all chosen items, remembering what they were."""
    entry = Entry()
    for each in chosen:
        for hunk, item in each.items():
            entry.records.append(
                Record(each.review, each.index, each.file, hunk, item, item.choice, choice)
            )
            item.choice = choice
    return entry


def revert(entry: Entry) -> None:
    """Unmark what a choice has marked."""
    for each in entry.records:
        each.item.choice = each.before


def targets(chosen: Sequence[Chosen], choice: Choice, agents: Container[str]) -> list[Target]:
    """What has to be edited by us, now, for a choice; newest set first when going back.

    `agents` are the ids of the sets that the agent was to write when the choice was made.
    """
    side = Side.NEW if choice is Choice.ACCEPTED else Side.OLD
    made: list[Target] = []
    for each in chosen:
        hunks = [at for at in each.hunks if _needs_edit(each, at, side, each.review.id in agents)]
        whole = each.whole and _file_needs_edit(each, side, each.review.id in agents)
        if hunks or whole:
            made.append(Target(each.review, each.index, each.file, side, hunks, whole))
    return made if side is Side.NEW else made[::-1]


def _needs_edit(chosen: Chosen, at: int, side: Side, waits: bool) -> bool:
    """Whether a hunk has to be brought to a side by us; `waits`: the agent is still to write."""
    file = chosen.file
    state = file.places[at].state if at < len(file.places) else HunkState.UNANCHORED
    if state is HunkState.UNANCHORED:
        # Before the write that is only to be marked; after it, the planner says why not.
        return not waits and side is Side.OLD
    if state is HunkState.CONFLICT:
        was = file.places[at].side
        return was is Side.NEW if side is Side.OLD else was is Side.OLD and not waits
    if side is Side.OLD:
        return state is HunkState.APPLIED
    return state is HunkState.PROPOSED and not waits


def _file_needs_edit(chosen: Chosen, side: Side, waits: bool) -> bool:
    file = chosen.file
    if file.change.operation == "modify":
        # A change of which nothing is known: the planner says so.
        return not file.change.hunks and side is Side.OLD and not waits
    state = file.state()
    if side is Side.OLD:
        return state in (SetState.APPLIED, SetState.MIXED, SetState.CONFLICTING)
    return state in (SetState.PROPOSED, SetState.MIXED) and not waits


def undo_targets(entry: Entry) -> list[Target]:
    """The edits that take a choice back, after `revert`: only what an edit of ours has moved.

    What was made by the choice itself is taken back by its texts instead.
    """
    grouped: dict[tuple[int, int, Side], Target] = {}
    told = {(id(target.file), hunk) for made in entry.made for target, hunk in made.parts}
    for each in entry.records:
        ours = each.item.ours
        if (id(each.file), each.hunk) in told or ours is None or _agrees(each.item.choice, ours):
            continue
        side = ours.other
        key = id(each.review), each.index, side
        target = grouped.get(key)
        if target is None:
            target = grouped[key] = Target(each.review, each.index, each.file, side, [], False)
        if each.hunk is None:
            target.whole = True
        else:
            target.hunks.append(each.hunk)
    return list(grouped.values())


def _agrees(choice: Choice, ours: Side) -> bool:
    """Whether a choice leaves what an edit of ours did: taking back an acceptance restores."""
    return choice is (Choice.REJECTED if ours is Side.OLD else Choice.ACCEPTED)


def decided(review: ReviewSet) -> bool:
    """Whether everything in a set has been chosen about."""
    items = [item for file in review.files for item in file.items]
    return bool(items) and all(item.choice is not Choice.OPEN for item in items)


def refused(review: ReviewSet) -> list[tuple[int, ReviewFile, Item, int | None]]:
    """What the user does not want of a set."""
    return [
        (index, file, item, at)
        for index, file in enumerate(review.files)
        for at, item in parts(file)
        if item.choice is Choice.REJECTED
    ]


def parts(file: ReviewFile) -> list[tuple[int | None, Item]]:
    """The items of a file with their hunks."""
    return list(enumerate(file.hunks)) if file.hunks else [(None, file.whole)]
