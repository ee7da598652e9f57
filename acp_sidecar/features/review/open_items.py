"""What still waits for the user's choice: the one rule for lenses, views and wide selections."""

from __future__ import annotations

from acp_sidecar.changes.hunks import HunkState, SetState, Side
from acp_sidecar.features.review.items import Choice, ReviewFile, ReviewSet


def unchosen(file: ReviewFile, index: int) -> bool:
    """Whether nothing is chosen of a hunk, or what was done for the choice is no more.

    The editor's own undo takes an edit of ours back without telling us; the text tells it.
    """
    item = file.hunks[index]
    if item.choice is Choice.OPEN:
        return True
    wanted = Side.NEW if item.choice is Choice.ACCEPTED else Side.OLD
    return item.ours is wanted and file.side_of(index) is wanted.other


def stands(review: ReviewSet, file: ReviewFile, index: int) -> bool:
    """Whether there is something to choose: a proposal of a call that is over is history."""
    if not unchosen(file, index):
        return False
    state = file.hunk_state(index)
    if state is not HunkState.PROPOSED:
        return state in (HunkState.APPLIED, HunkState.CONFLICT)
    return review.agent_will_write or not file.seen or _is_taken_back(file, index)


def waits(review: ReviewSet, file: ReviewFile, index: int) -> bool:
    """Whether the user is likely to want to choose about a hunk.

    Not about the past of a resumed session, what was refused with its permission, or what the
    agent failed to do.
    """
    if review.replayed or not unchosen(file, index):
        return False
    if review.agent_will_write:
        return True
    if file.hunk_state(index) is not HunkState.PROPOSED or _is_taken_back(file, index):
        return stands(review, file, index)
    return _is_offered(review, file)


def file_waits(review: ReviewSet, file: ReviewFile) -> bool:
    """Whether anything of a file waits: one of its hunks, or without any the file itself."""
    if file.hunks:
        return any(waits(review, file, at) for at in range(len(file.hunks)))
    if review.replayed or file.whole.choice is not Choice.OPEN:
        return False
    if review.agent_will_write:
        return True
    # Nothing can be done about what is not text, or not to be touched, once it is written.
    if file.blocked or not file.change.is_text:
        return False
    state = file.state()
    if state is SetState.PROPOSED:
        return _is_offered(review, file)
    return state is not SetState.UNKNOWN


def _is_offered(review: ReviewSet, file: ReviewFile) -> bool:
    """Whether what is not in the text is ours to make: its call ended well, nobody refused it."""
    return not file.seen and review.allowed is not False and (review.completed or review.net)


def _is_taken_back(file: ReviewFile, index: int) -> bool:
    """Whether the editor's undo took back a proposal that an edit of ours had made."""
    return file.hunks[index].choice is Choice.ACCEPTED and unchosen(file, index)
