"""What the agent is told in its next prompt: which of its changes were refused or undone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from acp_sidecar.changes.hunks import Side
from acp_sidecar.features.review.choices import parts
from acp_sidecar.features.review.items import Choice, Item, ReviewFile, ReviewSet
from acp_sidecar.features.review.views import hunk_lines

MAX_LINES: Final = 60
"""Lines of one hunk that are quoted."""

MAX_NOTE: Final = 20_000
"""Characters of a note; what is over is counted."""


def note(reviews: Iterable[ReviewSet], *, tell_undone: bool) -> str | None:
    """The note for the next prompt, once: what it says counts as told.

    `tell_undone` is the user's setting; the choices of a set whose permission was denied for them
    are told in any case, as the agent cannot know of them.
    """
    told: list[str] = []
    for review in reviews:
        for file in review.files:
            for at, item in parts(file):
                word = _word(review, item) if tell_undone or review.tell_all else ""
                if word:
                    told.append(_quoted(word, file, at))
                    item.told = item.choice
        review.tell_all = False
    return _limited(told) if told else None


def _word(review: ReviewSet, item: Item) -> str:
    if review.tell_all:
        return {Choice.ACCEPTED: "Wanted", Choice.REJECTED: "Refused"}.get(item.choice, "")
    if item.choice is Choice.REJECTED and item.told is not Choice.REJECTED:
        return "Undone" if item.ours is Side.OLD else ""
    if item.told is Choice.REJECTED and item.choice is not Choice.REJECTED:
        return "Restored"
    return ""


def _quoted(word: str, file: ReviewFile, at: int | None) -> str:
    path = file.change.path
    if at is None:
        return f"{word}: {file.change.operation} {path}\n"
    hunk = file.change.hunks[at]
    lines = hunk_lines(hunk)
    more = [f"({len(lines) - MAX_LINES} more lines)"] if len(lines) > MAX_LINES else []
    body = "\n".join([*lines[:MAX_LINES], *more])
    return f"{word} in {path}:{hunk.new_start + hunk.before}\n```diff\n{body}\n```\n"


def _limited(told: list[str]) -> str:
    head = "The user reviewed your changes. Do not make again what was undone or refused.\n"
    kept: list[str] = [head]
    size = len(head)
    for index, text in enumerate(told):
        size += len(text)
        if size > MAX_NOTE:
            kept.append(f"({len(told) - index} more changes are not quoted.)\n")
            break
        kept.append(text)
    return "\n".join(kept)
