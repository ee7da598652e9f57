"""Code lenses and code actions: keep and undo at each hunk, in any LSP client."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from acp_sidecar.changes.hunks import HunkState
from acp_sidecar.features.ports import Span
from acp_sidecar.features.review.items import ReviewFile, ReviewSet
from acp_sidecar.features.review.open_items import stands, waits
from acp_sidecar.features.review.views import line_spans

ACCEPT: Final = "acp.review.accept"
REJECT: Final = "acp.review.reject"
PREVIEW: Final = "acp.review.preview"

MAX_LENSES: Final = 400


@dataclass(frozen=True, slots=True)
class Lens:
    """A command at a 0-based line."""

    line: int
    title: str
    command: str
    argument: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Offer:
    """A hunk that waits for a choice, and where it is (0-based lines, `end` included)."""

    review: ReviewSet
    index: int
    file: ReviewFile
    hunk: int
    start: int
    end: int

    @property
    def argument(self) -> dict[str, Any]:
        return {"changeSet": self.review.id, "file": self.index, "hunk": self.hunk}

    @property
    def titles(self) -> tuple[str, str]:
        """What keeping and undoing is called: a change that is not made yet is not undone."""
        state = self.file.hunk_state(self.hunk)
        return ("Accept", "Refuse") if state is HunkState.PROPOSED else ("Keep", "Undo")


def lenses(files: Iterable[tuple[ReviewSet, int, ReviewFile]]) -> list[Lens]:
    """The lenses of one path: for each hunk that waits for a choice, two."""
    made: list[Lens] = []
    for offer in _offers(files):
        if not waits(offer.review, offer.file, offer.hunk):
            continue
        keep, undo = offer.titles
        one = offer.file.change.hunks[offer.hunk]
        counts = f"+{one.added} -{one.removed}"
        made.append(Lens(offer.start, f"{keep} ({counts})", ACCEPT, offer.argument))
        made.append(Lens(offer.start, undo, REJECT, offer.argument))
        if len(made) >= MAX_LENSES:
            break
    return sorted(made, key=lambda lens: lens.line)


def actions(files: Iterable[tuple[ReviewSet, int, ReviewFile]], span: Span) -> list[Lens]:
    """The code actions for a range: for its hunks, and for their files and change sets."""
    hit = [o for o in _offers(files) if o.start <= span.end_line and span.start_line <= o.end + 1]
    made: list[Lens] = []
    for offer in hit:
        keep, undo = offer.titles
        made.append(Lens(offer.start, f"{keep} this hunk of the agent", ACCEPT, offer.argument))
        made.append(Lens(offer.start, f"{undo} this hunk of the agent", REJECT, offer.argument))
    seen: set[str] = set()
    for offer in hit:
        if offer.review.id not in seen:
            seen.add(offer.review.id)
            made += _wider(offer)
    return made


def _wider(offer: _Offer) -> list[Lens]:
    keep, undo = offer.titles
    file = {"changeSet": offer.review.id, "file": offer.index}
    made = [
        Lens(offer.start, f"{keep} all hunks in this file", ACCEPT, file),
        Lens(offer.start, f"{undo} all hunks in this file", REJECT, file),
    ]
    if len(offer.review.files) > 1:
        whole = {"changeSet": offer.review.id}
        files = f"all {len(offer.review.files)} files of this change"
        made.append(Lens(offer.start, f"{keep} {files}", ACCEPT, whole))
        made.append(Lens(offer.start, f"{undo} {files}", REJECT, whole))
    return made


def _offers(files: Iterable[tuple[ReviewSet, int, ReviewFile]]) -> Iterable[_Offer]:
    for review, index, file in files:
        if file.text is None:
            continue
        for at, span in enumerate(line_spans(file)):
            if not stands(review, file, at):
                continue
            if span is not None:
                start = span["startLine"] - 1
                yield _Offer(review, index, file, at, start, max(start, span["endLine"] - 1))
