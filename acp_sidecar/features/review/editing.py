"""Edits of ours: planned on fresh places, applied in order, and judged by the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from acp_sidecar.changes.hunks import SetState, Side
from acp_sidecar.changes.merge import merge
from acp_sidecar.changes.texts import split_lines
from acp_sidecar.features.ports import Editor, RenameFile
from acp_sidecar.features.review.applying import Applier, Job
from acp_sidecar.features.review.edit import Failure, KnownText, Made, Plan, Target, plan
from acp_sidecar.features.review.items import Item
from acp_sidecar.features.review.reading import Reading
from acp_sidecar.features.review.shelf import Shelf
from acp_sidecar.features.review.tracking import refresh

Done = Callable[[float, list[Made], list[Failure]], None]
"""`done(now, made, failed)`: what an edit has done to which files, and what not, by the text.

`made` is empty if the edit was not carried out as planned.
"""


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

    def plan(self, targets: Sequence[Target], label: str, made: Sequence[Made] = ()) -> Plan:
        """The edit for these targets, on the texts of now; first takes back what was `made`."""
        workspace, abilities = self._reading.workspace, self._editor.abilities
        return plan(targets, workspace, abilities, self._known_text, label, made=made)

    def make(
        self,
        now: float,
        wanted: Callable[[], Sequence[Target]],
        label: str,
        done: Done,
        *,
        made: Callable[[], Sequence[Made]] = list,
    ) -> None:
        """Carry out an edit when all before it are settled.

        What is `wanted`, and which edit is taken back (`made`), is asked only then.
        """

        def prepare() -> Plan:
            targets = wanted()
            for review in {id(each.review): each.review for each in targets}.values():
                self._shelf.refresh(review)
            planned = self.plan(targets, label, made())
            _expect(planned)
            for target, _ in planned.moved:
                if planned.expected.get(target.file.path, "") is None:
                    target.file.removed_text = target.file.text
            return planned

        def settled(at: float, planned: Plan, reason: str) -> None:
            failed = self._failures(planned, reason)
            done(at, [] if reason else _made(planned), failed)

        self.applier.add(now, Job(prepare, settled))

    def _failures(self, planned: Plan, reason: str) -> list[Failure]:
        failed = list(planned.failed)
        for target, hunk in planned.moved:
            item = _item(target, hunk)
            if reason and not self._is_at(target, hunk):
                failed.append(Failure(target.review.id, target.index, hunk, reason))
            else:
                item.ours = target.side
        for each in planned.restored:
            is_back = not reason or self._has(planned, each.path)
            for target, hunk in each.parts:
                if is_back:
                    _item(target, hunk).ours = target.side.other
                else:
                    failed.append(Failure(target.review.id, target.index, hunk, reason))
        return failed

    def _shows(self, planned: Plan) -> bool:
        """Whether the text has all that was planned, whatever else it has."""
        return all(self._is_at(target, hunk) for target, hunk in planned.moved) and all(
            self._has(planned, each.path) for each in planned.restored
        )

    def _has(self, planned: Plan, path: str) -> bool:
        """Whether all that was planned for a file is in its text: merging adds nothing."""
        before, wanted = planned.before[path], planned.expected[path]
        now = self._reading.read(path).text
        if before is None or wanted is None or now is None:
            return now == wanted
        base, mine, theirs = (split_lines(text) for text in (before, now, wanted))
        return merge(base, mine, theirs) == mine

    def _is_at(self, target: Target, hunk: int | None) -> bool:
        file = target.file
        refresh(file, self._reading, target.side)
        if hunk is not None and hunk < len(file.places):
            return file.side_of(hunk) is target.side
        wanted = SetState.APPLIED if target.side is Side.NEW else SetState.PROPOSED
        return file.state() is wanted


def _item(target: Target, hunk: int | None) -> Item:
    return target.file.whole if hunk is None else target.file.hunks[hunk]


def _made(planned: Plan) -> list[Made]:
    """What an edit that happened as planned has done; moves are not told by texts."""
    if any(isinstance(step, RenameFile) for step in planned.change.steps):
        return []
    parts: dict[str, list[tuple[Target, int | None]]] = {}
    for target, hunk in planned.moved:
        for path in {target.file.path, target.file.old_path or target.file.path}:
            parts.setdefault(path, []).append((target, hunk))
    return [
        Made(path, planned.before[path], text, tuple(parts[path]))
        for path, text in planned.expected.items()
        if path in parts
    ]


def _expect(planned: Plan) -> None:
    """Note at which sides the hunks of each file will be if the edit happens as planned."""
    moved: dict[int, list[tuple[Target, int | None]]] = {}
    for target, hunk in planned.moved:
        moved.setdefault(id(target.file), []).append((target, hunk))
    for parts in moved.values():
        file = parts[0][0].file
        sides = [file.side_of(at) for at in range(len(file.places))]
        for target, hunk in parts:
            if hunk is not None:
                sides[hunk] = target.side
        file.hoped = tuple(side for side in sides if side is not None)
