"""What a review command is about: a hunk, a file, a set, a session, everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from acp_sidecar.changes.hunks import SetState, Side
from acp_sidecar.errors import EditorError
from acp_sidecar.features.review.items import Choice, Item, ReviewFile, ReviewSet
from acp_sidecar.features.review.open_items import unchosen


class Selection(Protocol):
    """The arguments of the review commands; what is `None` means all of it."""

    @property
    def change_set(self) -> str | None: ...
    @property
    def session_id(self) -> str | None: ...
    @property
    def file(self) -> int | str | None: ...
    @property
    def hunk(self) -> int | None: ...


@dataclass(slots=True)
class Chosen:
    """Hunks of one file, and whether the operation on the file itself is meant too."""

    review: ReviewSet
    index: int
    file: ReviewFile
    hunks: list[int]
    whole: bool

    def items(self) -> list[tuple[int | None, Item]]:
        """The items meant, by hunk; `None` is the file operation."""
        found: list[tuple[int | None, Item]] = [(at, self.file.hunks[at]) for at in self.hunks]
        if self.whole:
            found.append((None, self.file.whole))
        return found


def select(
    sets: Mapping[str, ReviewSet], selection: Selection, resolve: Callable[[str], str]
) -> list[Chosen]:
    """What is selected, oldest set first.

    Without a set, the net change counts only for files that no tool call has told of: the others
    would be meant twice.

    Raises:
        EditorError: There is no such set, file or hunk, or the selection is not clear.
    """
    chosen: list[Chosen] = []
    for review in _sets(sets, selection):
        chosen += _files(review, selection, resolve)
    if selection.change_set is None:
        told = {path for each in chosen if not each.review.net for path in _told(each.file)}
        chosen = [each for each in chosen if not each.review.net or each.file.path not in told]
    if not chosen and selection.file is not None:
        raise EditorError(f"There is no file {selection.file} in the review.")
    if selection.hunk is None:
        return chosen
    if len(chosen) != 1:
        raise EditorError("A hunk is chosen in one file of one change set.")
    return [_hunk(chosen[0], selection.hunk)]


def _told(file: ReviewFile) -> list[str]:
    """The paths that a file's change accounts for: a move also for the one that is no more."""
    is_move = file.old_path is not None and file.change.operation == "move"
    return [file.path, file.old_path or ""] if is_move else [file.path]


def undecided(chosen: Iterable[Chosen]) -> list[Chosen]:
    """What of a selection that names no set is still open.

    To keep or undo everything is not to revise earlier choices, nor to take up proposals that were
    refused or whose call has failed, nor the past of a session that was resumed.
    """
    kept: list[Chosen] = []
    for each in chosen:
        if each.review.replayed:
            continue
        file = each.file
        over = not (each.review.agent_will_write or each.review.completed or each.review.net)
        hunks = [
            at
            for at in each.hunks
            if unchosen(file, at) and not (over and file.side_of(at) is Side.OLD)
        ]
        whole = each.whole and file.whole.choice is Choice.OPEN and len(hunks) == len(file.hunks)
        if over and file.state() is SetState.PROPOSED:
            whole = False
        if hunks or whole:
            kept.append(Chosen(each.review, each.index, file, hunks, whole))
    return kept


def _sets(sets: Mapping[str, ReviewSet], selection: Selection) -> Iterable[ReviewSet]:
    if selection.change_set is not None:
        review = sets.get(selection.change_set)
        if review is None:
            raise EditorError(f"There is no change set {selection.change_set}.")
        return [review]
    if isinstance(selection.file, int):
        raise EditorError("The index of a file needs its change set.")
    session = selection.session_id
    return [each for each in sets.values() if session is None or each.session_key == session]


def _files(
    review: ReviewSet, selection: Selection, resolve: Callable[[str], str]
) -> Iterable[Chosen]:
    wanted = selection.file
    if isinstance(wanted, int) and not 0 <= wanted < len(review.files):
        raise EditorError(f"The change set {review.id} has no file {wanted}.")
    real = resolve(wanted) if isinstance(wanted, str) else ""
    for index, file in enumerate(review.files):
        if wanted is None or wanted == index or (real and _is_named(file, str(wanted), real)):
            yield Chosen(review, index, file, list(range(len(file.hunks))), whole=True)


def _is_named(file: ReviewFile, name: str, real: str) -> bool:
    return name in (file.change.path, file.path, file.old_path) or real == file.path


def _hunk(chosen: Chosen, hunk: int) -> Chosen:
    if not 0 <= hunk < len(chosen.file.hunks):
        raise EditorError(f"There is no hunk {hunk} in {chosen.file.path}.")
    return Chosen(chosen.review, chosen.index, chosen.file, [hunk], whole=False)
