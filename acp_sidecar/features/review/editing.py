"""Edits of ours: planned on fresh places, applied in order, and judged by the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from acp_sidecar.changes.hunks import SetState, Side
from acp_sidecar.features.ports import Editor
from acp_sidecar.features.review.applying import Applier, Job
from acp_sidecar.features.review.edit import Failure, KnownText, Plan, Target, plan
from acp_sidecar.features.review.reading import Reading
from acp_sidecar.features.review.shelf import Shelf
from acp_sidecar.features.review.tracking import refresh

Done = Callable[[float, list[Failure]], None]
"""`done(now, failed)`: what an edit has not done, by the text."""


class Editing:
    """Makes edits; each item that one has moved remembers where to."""

    def __init__(
        self, editor: Editor, reading: Reading, shelf: Shelf, known_text: KnownText
    ) -> None:
        self._editor = editor
        self._reading = reading
        self._shelf = shelf
        self._known_text = known_text
        self.applier = Applier(editor, reading.workspace, self._shows)

    def plan(self, targets: Sequence[Target], label: str) -> Plan:
        """The edit for these targets, on the texts of now."""
        return plan(
            targets, self._reading.workspace, self._editor.abilities, self._known_text, label
        )

    def make(self, now: float, targets: Sequence[Target], label: str, done: Done) -> None:
        """Carry out the edit for these targets when all before it are settled."""

        def prepare() -> Plan:
            for review in {id(each.review): each.review for each in targets}.values():
                self._shelf.refresh(review)
            planned = self.plan(targets, label)
            _expect(planned)
            for target, _ in planned.moved:
                if planned.expected.get(target.file.path, "") is None:
                    target.file.removed_text = target.file.text
            return planned

        def settled(at: float, planned: Plan, reason: str) -> None:
            done(at, self._failures(planned, reason))

        self.applier.add(now, Job(prepare, settled))

    def _failures(self, planned: Plan, reason: str) -> list[Failure]:
        failed = list(planned.failed)
        for target, hunk in planned.moved:
            item = target.file.whole if hunk is None else target.file.hunks[hunk]
            if reason and not self._is_at(target, hunk):
                failed.append(Failure(target.review.id, target.index, hunk, reason))
            else:
                item.ours = target.side
        return failed

    def _shows(self, planned: Plan) -> bool:
        """Whether the text has every hunk of a plan at its side, whatever else it has."""
        return all(self._is_at(target, hunk) for target, hunk in planned.moved)

    def _is_at(self, target: Target, hunk: int | None) -> bool:
        file = target.file
        refresh(file, self._reading, target.side)
        if hunk is not None and hunk < len(file.places):
            return file.side_of(hunk) is target.side
        wanted = SetState.APPLIED if target.side is Side.NEW else SetState.PROPOSED
        return file.state() is wanted


def _expect(planned: Plan) -> None:
    """Note at which sides the hunks of each file will be if the edit happens as planned."""
    for file in {id(target.file): target.file for target, _ in planned.moved}.values():
        sides = [file.side_of(at) for at in range(len(file.places))]
        for target, hunk in planned.moved:
            if target.file is file and hunk is not None:
                sides[hunk] = target.side
        file.hoped = tuple(side for side in sides if side is not None)
