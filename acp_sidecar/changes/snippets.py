r"""ACP v1 diffs: two texts that may be whole files or pieces; only the file's text can tell.

`settle` looks the pieces up in the file's present text and replaces the provisional hunks of a
change by ones with line numbers and context. A piece that is there twice is not settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from acp_sidecar.changes.compare import hunks_between
from acp_sidecar.changes.hunks import FileChange, Hunk, Side, Snippet
from acp_sidecar.changes.texts import BOM, ending_of
from acp_sidecar.errors import Fault, Problem


def provisional(snippets: Sequence[Snippet]) -> tuple[Hunk, ...]:
    """The hunks of snippets that no text has been compared with: they have no line numbers."""
    return tuple(
        hunk
        for snippet in snippets
        for hunk in hunks_between(snippet.old or "", snippet.new, numbered=False)
    )


def settle(change: FileChange, text: str | None, *, prefer: Side | None = None) -> FileChange:
    """The change with hunks that fit the file's present text (`None`: there is no such file).

    Changes without snippets are answered as they are. Call it when the diff arrives: later the
    user's own edits may have made the pieces unfindable. `prefer` says what to believe where the
    text allows both (a piece that is still part of its replacement): OLD while the call waits,
    NEW when it is done.
    """
    snippets = change.snippets or _whole_file(change)
    if not snippets:
        return change
    old, new, lost = _both_texts(snippets, text, prefer)
    if not change.snippets and (text is None or old == new or lost):
        return change
    hunks = hunks_between(old, new) + provisional(lost)
    kept = tuple(item for item in change.problems if item.code != _LOST)
    if lost:
        message = f"{len(lost)} of {len(snippets)} pieces are not in the file exactly once."
        kept += (Problem(Fault.AGENT, _LOST, message, change.path),)
    operation = change.operation
    if operation == "add" and text is not None and old:
        operation = "modify"
    return replace(change, operation=operation, hunks=hunks, problems=kept)


def _whole_file(change: FileChange) -> tuple[Snippet, ...]:
    """An added file as a snippet: agents also call it "add" when they overwrite a file."""
    if change.operation != "add" or len(change.hunks) != 1 or change.hunks[0].old_lines:
        return ()
    return (Snippet(None, "".join(change.hunks[0].new_lines)),)


_LOST = "snippet-not-found"


def _both_texts(
    snippets: Sequence[Snippet], text: str | None, prefer: Side | None
) -> tuple[str, str, list[Snippet]]:
    """The file before and after all snippets, as far as its present text tells, and the rest."""
    present = text or ""
    new = present
    pending: list[Snippet] = []
    for snippet in snippets:
        found = _find_old(snippet, new, text is None, prefer)
        if found is None:
            pending.append(snippet)
        else:
            new = found.replace(new)
    old = present
    lost: list[Snippet] = []
    for snippet in reversed(pending):
        found = _find_new(snippet, old)
        if found is None:
            lost.append(snippet)
        else:
            old = found.replace(old)
    return old, new, [snippet for snippet in reversed(lost) if not _is_said(snippet, old, new)]


def _is_said(snippet: Snippet, old: str, new: str) -> bool:
    """Whether the other pieces say the same already: a whole file, and its hunk again."""
    before = _find_old(snippet, old, False, Side.OLD)
    return bool(snippet.old) and before is not None and _find_new(snippet, new) is not None


class _Found(NamedTuple):
    start: int
    end: int
    other: str

    def replace(self, text: str) -> str:
        return text[: self.start] + self.other + text[self.end :]


def _find_old(snippet: Snippet, text: str, missing: bool, prefer: Side | None) -> _Found | None:
    """Where the snippet can be applied to `text`."""
    if not snippet.old:
        return _creation(snippet, text, missing, prefer)
    for old, new in _spellings(snippet.old, snippet.new, text):
        places = _places(text, old)
        if len(places) > 1:
            return None
        if places and (prefer is Side.OLD or not _is_part(places[0], old, new, text)):
            return _Found(places[0], places[0] + len(old), new)
    return None


def _creation(snippet: Snippet, text: str, missing: bool, prefer: Side | None) -> _Found | None:
    """A new file, or one that is overwritten: believed only if the call still waits."""
    if missing or (not text and snippet.new):
        return _Found(0, len(text), snippet.new)
    is_same = any(text == new for _, new in _spellings("", snippet.new, text))
    return _Found(0, len(text), snippet.new) if prefer is Side.OLD and not is_same else None


def _is_part(at: int, old: str, new: str, text: str) -> bool:
    """Whether the old piece stands there only as a part of the new one."""
    if old not in new:
        return False
    first = max(0, at + len(old) - len(new))
    return text.find(new, first, at + len(new)) >= 0


def _find_new(snippet: Snippet, text: str) -> _Found | None:
    """Where the snippet has been applied in `text` already."""
    # While the old piece is there, only the new one's own spelling may count as being there too.
    strict = bool(snippet.old) and (snippet.old or "") in text
    for new, old in _spellings(snippet.new, snippet.old or "", text, strict=strict):
        if not snippet.old and text == new:
            return _Found(0, len(text), "")
        if snippet.old and new:
            places = _places(text, new)
            if len(places) == 1:
                return _Found(places[0], places[0] + len(new), old)
            if places:
                return None
    return _emptied(snippet, text)


def _emptied(snippet: Snippet, text: str) -> _Found | None:
    """A file that was a whole and is empty now."""
    return _Found(0, 0, snippet.old) if snippet.old and not snippet.new and not text else None


def _spellings(
    wanted: str, other: str, text: str, *, strict: bool = False
) -> Iterator[tuple[str, str]]:
    r"""How agents may have spelt the text: as it is, with `\n` for `\r\n`, with a final newline.

    Yields the wanted piece and its counterpart in the text's own spelling.
    """
    yield wanted, other
    if "\r\n" in text and "\r" not in wanted:
        wanted, other = wanted.replace("\n", "\r\n"), other.replace("\n", "\r\n")
        yield wanted, other
    if strict:
        return
    bare = wanted.removesuffix("\n").removesuffix("\r")
    if bare and bare != wanted and text.endswith(bare) and not ending_of(text[-2:]):
        tail = other.removesuffix("\n").removesuffix("\r")
        start = len(text) - len(bare)
        if text.find(bare) == start:
            yield bare, tail
    if text.startswith(BOM) and text[1:] == wanted:
        yield text, BOM + other


def _places(text: str, piece: str) -> list[int]:
    """Where `piece` stands, overlapping ones included; at most two, as one is asked for."""
    first = text.find(piece)
    if first < 0:
        return []
    second = text.find(piece, first + 1)
    return [first] if second < 0 else [first, second]
