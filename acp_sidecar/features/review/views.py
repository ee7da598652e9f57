"""Reviews as JSON (`messages`), and as texts to read: the unified diff, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from acp_sidecar.changes.edits import text_at
from acp_sidecar.changes.hunks import Hunk, LineKind, Side
from acp_sidecar.changes.render import patch_text
from acp_sidecar.changes.texts import LineIndex
from acp_sidecar.changes.words import changed_words
from acp_sidecar.errors import Problem
from acp_sidecar.features.review.items import Choice, Item, ReviewFile, ReviewSet
from acp_sidecar.features.review.messages import (
    Chosen,
    FileView,
    HunkView,
    LineSpan,
    ProblemView,
    SetView,
    Words,
)
from acp_sidecar.features.review.open_items import file_waits, waits

NO_NEWLINE: Final = "\\ No newline at end of file"


def set_view(review: ReviewSet, *, pending: bool, words: bool = False) -> SetView:
    """A change set, whole; `words` adds the changed words for editors that mark them."""
    files = [file_view(review, index, words=words) for index in range(len(review.files))]
    return {**set_head(review, pending=pending), "files": files}


def set_head(review: ReviewSet, *, pending: bool) -> SetView:
    """What is to be said of a change set as a whole, without its files."""
    return {
        "changeSet": review.id,
        "sessionId": review.session_key,
        "toolCallId": review.tool_call_id,
        "title": review.title,
        "state": review.state(),
        "pending": pending,
        "problems": _problems(review.problems),
        "files": [],
    }


def file_view(review: ReviewSet, index: int, *, words: bool = False) -> FileView:
    """One file of a change set."""
    file = review.files[index]
    change = file.change
    spans = line_spans(file)
    return {
        "file": index,
        "operation": change.operation,
        "path": file.path,
        "oldPath": file.old_path,
        "fileType": change.file_type,
        "state": file.state(),
        "choice": _choice(file.whole),
        "open": file_waits(review, file),
        "added": change.added,
        "removed": change.removed,
        "problems": _problems(change.problems),
        "hunks": [_hunk_view(review, file, at, span, words=words) for at, span in enumerate(spans)],
    }


def fingerprint(review: ReviewSet, file: ReviewFile) -> tuple[object, ...]:
    """Differs whenever `file_view` does, and costs less."""
    hunks = [
        (
            file.hunk_state(at),
            waits(review, file, at),
            file.places[at].reason,
            span and tuple(span.values()),
        )
        for at, span in enumerate(line_spans(file))
    ]
    choices = tuple(item.choice for item in (*file.hunks, file.whole))
    whole = file.state(), file_waits(review, file)
    return file.change, tuple(hunks), choices, whole, file.path, file.old_path


def _problems(problems: tuple[Problem, ...]) -> list[ProblemView]:
    return [{"code": each.code, "message": each.message} for each in problems]


def _choice(item: Item) -> Chosen | None:
    if item.choice is Choice.ACCEPTED:
        return "accepted"
    return "rejected" if item.choice is Choice.REJECTED else None


def _hunk_view(
    review: ReviewSet, file: ReviewFile, at: int, span: LineSpan | None, *, words: bool
) -> HunkView:
    hunk = file.change.hunks[at]
    view: HunkView = {
        "hunk": at,
        "state": file.hunk_state(at),
        "choice": _choice(file.hunks[at]),
        "open": waits(review, file, at),
        "reason": file.places[at].reason,
        "oldStart": hunk.old_start,
        "newStart": hunk.new_start,
        "lines": hunk_lines(hunk),
        "range": span,
    }
    if words:
        view["words"] = _words(hunk)
    return view


def hunk_lines(hunk: Hunk) -> list[str]:
    r"""The body of a hunk as a patch has it, one line an item, without the `\n` at their ends."""
    made: list[str] = []
    for line in hunk.lines:
        ended = line.text.endswith(("\n", "\r"))
        made.append(line.kind.value + line.text.removesuffix("\n"))
        if not ended:
            made.append(NO_NEWLINE)
    return made


def line_spans(file: ReviewFile) -> list[LineSpan | None]:
    """The lines of the present text where each hunk is, 1-based."""
    text = file.text
    if text is None:
        return [None] * len(file.places)
    anchored = [place for place in file.places if place.start >= 0]
    offsets = {place.start for place in anchored} | {place.end for place in anchored}
    lines = _lines_of(text, sorted(offsets))
    spans: list[LineSpan | None] = []
    for place in file.places:
        if place.start < 0:
            spans.append(None)
            continue
        start, end = lines[place.start], lines[place.end]
        is_inside = place.end > place.start and text[place.end - 1] not in "\r\n"
        spans.append({"startLine": start + 1, "endLine": max(start, end + is_inside)})
    return spans


def _lines_of(text: str, offsets: Sequence[int]) -> dict[int, int]:
    """The 0-based lines of sorted offsets."""
    if "\r" in text:
        index = LineIndex(text)
        return {offset: index.position(offset).line for offset in offsets}
    found: dict[int, int] = {}
    line = at = 0
    for offset in offsets:
        line += text.count("\n", at, offset)
        found[offset], at = line, offset
    return found


def _words(hunk: Hunk) -> list[Words]:
    """Changed words, as indexes into `hunk_lines`."""
    index: dict[tuple[Side, int], int] = {}
    old = new = at = 0
    for line in hunk.lines:
        if line.kind is not LineKind.ADDED:
            index[Side.OLD, old] = at
            old += 1
        if line.kind is not LineKind.REMOVED:
            index[Side.NEW, new] = at
            new += 1
        at += 1 if line.text.endswith(("\n", "\r")) else 2
    return [
        {"line": index[side, word.line], "start": word.start, "end": word.end}
        for side in Side
        for word in changed_words(hunk, side)
    ]


def both_texts(file: ReviewFile) -> tuple[str, str]:
    """The file before and after the change, as the present text tells it.

    Where the text is not to be had, the lines of the hunks stand for it.
    """
    if file.text is None or file.view is None:
        return _joined(file, Side.OLD), _joined(file, Side.NEW)
    hunks = file.change.hunks
    old, new = (text_at(side, hunks, file.places, file.view) for side in (Side.OLD, Side.NEW))
    return old, new


def _joined(file: ReviewFile, side: Side) -> str:
    return "".join(line for hunk in file.change.hunks for line in hunk.side(side))


def preview_text(review: ReviewSet) -> str:
    """A change set as a patch with its problems, for a document to read."""
    parts = [f"{problem.message}\n" for problem in review.problems]
    for file in review.files:
        parts += [f"{problem.message}\n" for problem in file.change.problems]
        parts += [patch_text(file.change), "\n"]
    return "".join(parts)
