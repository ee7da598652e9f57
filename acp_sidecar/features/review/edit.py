"""From a selection of hunks and files to one edit of ours, forward or back.

Texts are computed by `changes`; here it is decided what may be done to a file as a whole:
created, deleted, moved and copied only if nothing of the user's is lost by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.changes.edits import Edits, apply_edits, edits_to
from acp_sidecar.changes.file_state import created_as
from acp_sidecar.changes.hunks import Hunk, Side
from acp_sidecar.changes.merge import merge
from acp_sidecar.changes.positions import edits_between
from acp_sidecar.changes.texts import split_lines
from acp_sidecar.changes.views import Likeness, keys
from acp_sidecar.features.ports import Abilities, Workspace, WorkspaceChange
from acp_sidecar.features.review.items import ReviewFile, ReviewSet
from acp_sidecar.features.review.overlay import Overlay
from acp_sidecar.features.review.tracking import places_in

KnownText = Callable[[ReviewSet, ReviewFile], str | None]
"""The text of a file before the agent touched it, if somebody remembers."""


@dataclass(slots=True)
class Target:
    """What to bring to a side: hunks of a file, and the operation on the file itself or not."""

    review: ReviewSet
    index: int
    file: ReviewFile
    side: Side
    hunks: list[int]
    whole: bool

    @property
    def all_hunks(self) -> bool:
        return len(self.hunks) == len(self.file.change.hunks)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why nothing was done for a hunk (`None`: for the file)."""

    change_set: str
    file: int
    hunk: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Made:
    """What an edit of ours has done to one file: its text before and after; `None` is no file.

    `parts` are the targets and hunks for which it was done.
    """

    path: str
    before: str | None
    after: str | None
    parts: tuple[tuple[Target, int | None], ...]


@dataclass(slots=True)
class Plan:
    """An edit of ours: the change, what the files should be after it, and who is in it.

    `moved` and `done` are (target, hunk); the hunk is `None` for the file operation. `before` and
    `expected` have the texts of the files that change. `restored` are those for which an edit
    of ours is taken back.
    """

    change: WorkspaceChange
    before: dict[str, str | None] = field(default_factory=dict)
    expected: dict[str, str | None] = field(default_factory=dict)
    restored: list[Made] = field(default_factory=list)
    moved: list[tuple[Target, int | None]] = field(default_factory=list)
    done: list[tuple[Target, int | None]] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)


def plan(
    targets: Sequence[Target],
    workspace: Workspace,
    abilities: Abilities,
    known_text: KnownText,
    label: str,
    *,
    made: Sequence[Made] = (),
) -> Plan:
    """The edit that brings all targets to their sides, one after the other in this order.

    Before that, what earlier edits of ours have `made` is taken back.
    """
    planner = _Planner(workspace, abilities, known_text)
    for each in made:
        planner.restore(each)
    for target in targets:
        planner.add(target)
    return planner.result(label)


_NO_ABILITY: Final = {
    "create": "This editor cannot create files for a server.",
    "delete": "This editor cannot delete files for a server.",
    "rename": "This editor cannot rename files for a server.",
}
_NOT_THERE: Final = "The text before is not known."


class _Planner:
    def __init__(self, workspace: Workspace, abilities: Abilities, known_text: KnownText) -> None:
        self._overlay = Overlay(workspace)
        self._abilities = abilities
        self._known_text = known_text
        self._annotations: dict[str, str] = {}
        self._moved: list[tuple[Target, int | None]] = []
        self._done: list[tuple[Target, int | None]] = []
        self._failed: list[Failure] = []
        self._restored: list[Made] = []

    def restore(self, made: Made) -> None:
        """Take back what an edit of ours has made of a file, whatever the user did since."""
        now = self._overlay.text(made.path)
        wanted = made.before if now == made.after else _taken_back(made, now)
        if wanted is None and not (now == made.after and made.before is None):
            for target, hunk in made.parts:
                reason = "The text was changed since where it would have to be changed back."
                self._failed.append(self._failure(target, hunk, reason))
            return
        note = self._note(made.parts[0][0], None)
        if wanted is None:
            self._overlay.delete(made.path, note)
        elif now is None:
            self._overlay.create(made.path, wanted, note)
        else:
            edits = [(edit, note) for edit in edits_between(now, wanted)]
            self._overlay.edit(made.path, edits)
        self._restored.append(made)

    def add(self, target: Target) -> None:
        if target.file.blocked:
            self._fail(target, target.file.blocked)
        elif not target.file.change.is_text:
            self._not_text(target)
        else:
            operation = target.file.change.operation
            operations = {
                "add": self._add,
                "delete": self._remove,
                "move": self._move,
                "copy": self._copy,
            }
            operations.get(operation, self._modify)(target)

    def result(self, label: str) -> Plan:
        steps = self._overlay.steps()
        used = {getattr(step, "annotation", "") for step in steps}
        used |= {edit.annotation for step in steps for edit in getattr(step, "edits", ())}
        notes = {key: text for key, text in self._annotations.items() if key in used}
        change = WorkspaceChange(label, steps, notes)
        return Plan(
            change,
            self._overlay.before(),
            self._overlay.expected(),
            self._restored,
            self._moved,
            self._done,
            self._failed,
        )

    # --- what is done to text ---------------------------------------------------------------------

    def _modify(self, target: Target, path: str = "") -> None:
        file = target.file
        path = path or file.current_path
        text = self._overlay.text(path)
        if text is None:
            self._fail(target, "There is no such file." if self._overlay.missing(path) else "")
            return
        if not file.change.hunks:
            self._fail(target, _NOT_THERE)
            return
        places, view = places_in(file, text)
        made = edits_to(target.side, file.change.hunks, places, view, chosen=target.hunks)
        self._failed += [self._failure(target, at, why) for at, why in made.failed]
        self._done += [(target, at) for at in made.done]
        if not _encodable("".join(edit.new_text for edit in made.edits)):
            for at in made.changed:
                reason = "Its text is not valid Unicode, which an editor cannot be sent."
                self._failed.append(self._failure(target, at, reason))
            return
        edits = []
        for at in made.changed:
            one = edits_to(target.side, file.change.hunks, places, view, chosen=[at])
            note = self._note(target, at)
            edits += [(edit, note) for edit in one.edits]
        self._overlay.edit(path, edits)
        self._moved += [(target, at) for at in made.changed]

    # --- what is done to files --------------------------------------------------------------------

    def _add(self, target: Target) -> None:
        path = target.file.path
        missing = self._overlay.missing(path)
        wanted = _side_text(target.file, Side.NEW)
        if target.side is Side.NEW and missing and target.all_hunks:
            self._create(
                target,
                path,
                wanted if target.file.removed_text is None else target.file.removed_text,
            )
        elif target.side is Side.OLD and missing:
            self._all_done(target)
        elif target.side is Side.OLD and target.all_hunks and self._is_created(target.file):
            self._delete(target, path)
        elif target.side is Side.NEW and not target.file.change.hunks:
            self._all_done(target)
        elif target.side is Side.OLD and target.review.net:
            self._fail(target, "Something of yours is in this new file; delete it yourself.")
        else:
            self._modify(target, path)

    def _is_created(self, file: ReviewFile) -> bool:
        text = self._overlay.text(file.path)
        return text is not None and created_as(file.change, text)

    def _remove(self, target: Target) -> None:
        """The operation "delete"."""
        path = target.file.path
        text = self._overlay.text(path)
        missing = self._overlay.missing(path)
        before = _side_text(target.file, Side.OLD) if target.file.change.hunks else None
        if target.side is Side.OLD and missing:
            known = self._known_text(target.review, target.file)
            self._create(target, path, before if known is None else known)
        elif self._overlay.gone(path) and target.side is Side.OLD:
            self._fail(target, "The file is deleted, but open here: save it to have it back.")
        elif target.side is Side.OLD or self._overlay.gone(path):
            self._all_done(target)
        elif text is not None and before is not None and _alike(text, before):
            self._delete(target, path)
        else:
            self._fail(target, "The file is not as it was when its deletion was proposed.")

    def _move(self, target: Target) -> None:
        file = target.file
        here, there = file.path, file.old_path or file.path
        moved = not self._overlay.gone(here) and self._overlay.gone(there)
        waiting = self._overlay.gone(here) and not self._overlay.gone(there)
        if file.change.hunks:
            self._modify(target, here if moved else there)
        if not target.whole:
            return
        source, aim = (there, here) if target.side is Side.NEW else (here, there)
        if (target.side is Side.NEW and moved) or (target.side is Side.OLD and waiting):
            self._done.append((target, None))
        elif not (moved or waiting):
            self._failed.append(self._failure(target, None, "Both files are there, or none."))
        elif self._can(target, "rename"):
            self._overlay.rename(source, aim, self._note(target, None))
            self._moved.append((target, None))

    def _copy(self, target: Target) -> None:
        file = target.file
        source = self._overlay.text(file.old_path) if file.old_path else None
        copy = self._overlay.text(file.path)
        missing = self._overlay.missing(file.path)
        wanted = None if source is None else _with_hunks(file, source)
        if not target.whole and not missing:
            self._modify(target, file.path)
        elif target.side is Side.NEW and missing:
            self._create(target, file.path, wanted)
        elif target.side is Side.NEW or missing:
            self._all_done(target)
        elif wanted is not None and copy is not None and _alike(copy, wanted):
            self._delete(target, file.path)
        else:
            self._fail(target, "The copy is not as it was made; something of yours may be in it.")

    def _create(self, target: Target, path: str, text: str | None) -> None:
        if text is None or not _encodable(text):
            self._fail(target, _NOT_THERE)
        elif self._can(target, "create"):
            self._overlay.create(path, text, self._note(target, None))
            self._all_moved(target)

    def _delete(self, target: Target, path: str) -> None:
        if self._can(target, "delete"):
            self._overlay.delete(path, self._note(target, None))
            self._all_moved(target)

    def _not_text(self, target: Target) -> None:
        kind = target.file.change.file_type
        self._fail(target, f"This is not text ({kind}); only the agent can change it.")

    def _can(self, target: Target, operation: str) -> bool:
        if operation in self._abilities.resource_operations:
            return True
        self._fail(target, _NO_ABILITY[operation])
        return False

    # --- who is in it -----------------------------------------------------------------------------

    def _all_moved(self, target: Target) -> None:
        self._moved += [(target, at) for at in _parts(target)]

    def _all_done(self, target: Target) -> None:
        self._done += [(target, at) for at in _parts(target)]

    def _fail(self, target: Target, reason: str) -> None:
        reason = reason or "The file cannot be read as text."
        self._failed += [self._failure(target, at, reason) for at in _parts(target)]

    def _failure(self, target: Target, hunk: int | None, reason: str) -> Failure:
        return Failure(target.review.id, target.index, hunk, reason)

    def _note(self, target: Target, hunk: int | None) -> str:
        """The annotation of a hunk or a file operation."""
        file = target.file
        name = file.path.replace("\\", "/").rsplit("/", 1)[-1]
        key = f"{target.review.id}#{target.index}"
        if hunk is None:
            self._annotations[key] = f"{_verb(target)} {name}"
            return key
        one = file.change.hunks[hunk]
        verb = "Undo" if target.side is Side.OLD else "Apply"
        key = f"{key}.{hunk}"
        counts = f"+{one.added} -{one.removed}"
        self._annotations[key] = f"{verb} hunk {hunk + 1} of {name} ({counts})"
        return key


def _taken_back(made: Made, now: str | None) -> str | None:
    """The present text without what the edit has made; `None` if that cannot be told."""
    if made.before is None or made.after is None or now is None:
        return None
    base, mine, theirs = (split_lines(text) for text in (made.after, now, made.before))
    merged = merge(base, mine, theirs)
    return None if merged is None else "".join(merged)


def _parts(target: Target) -> list[int | None]:
    return list(target.hunks) or [None]


def _verb(target: Target) -> str:
    back = target.side is Side.OLD
    words = {
        "add": ("Create", "Delete"),
        "delete": ("Delete", "Restore"),
        "copy": ("Copy", "Delete"),
    }
    return words.get(target.file.change.operation, ("Move", "Move back"))[back]


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _side_text(file: ReviewFile, side: Side) -> str | None:
    """All of a file's text on one side, if the hunks are all of it."""
    hunks: Sequence[Hunk] = file.change.hunks
    other = [line for hunk in hunks for line in hunk.side(side.other)]
    if not file.change.whole or other:
        return None
    return "".join(line for hunk in hunks for line in hunk.side(side))


def _alike(one: str, other: str) -> bool:
    """Whether two texts are the same, endings aside."""
    first, second = (keys(split_lines(text), Likeness.FINAL_NEWLINE) for text in (one, other))
    return first == second


def _with_hunks(file: ReviewFile, source: str) -> str | None:
    """The source of a copy with the copy's hunks applied."""
    if not file.change.hunks:
        return source
    places, view = places_in(ReviewFile(file.change, file.sent, file.path), source)
    made: Edits = edits_to(Side.NEW, file.change.hunks, places, view)
    return None if made.failed else apply_edits(source, made.edits)
