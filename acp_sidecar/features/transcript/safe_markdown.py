"""An agent's Markdown, made harmless line by line while it streams.

What comes out has no raw HTML, no images, no links but to the web, to mail and to files, no
headings of the first three levels, and leaves no construct open. Renderers must not be able to
read it another way than this file does: where CommonMark's answer depends on more context than
one line, the text is rewritten so that every reading is harmless (fences are moved to a known
indentation, unmatched backticks become entities, `<` outside of code always does).
https://spec.commonmark.org/0.31.2/ and https://github.github.com/gfm/ (tables).
"""

from __future__ import annotations

import copy
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

from acp_sidecar.features.sanitize import visible_text

MAX_LINE: Final = 4096
"""Characters; a longer line is shown as text without markup, in pieces of this size."""

DEMOTED_BY: Final = 3
"""Levels by which headings sink: the first three are the transcript's own."""

_FENCE: Final = re.compile(r"([ \t]*)(`{3,}(?=[^`]*\Z)|~{3,})[ \t]*([\w+#.-]*)")
_ITEM: Final = re.compile(r"[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)+")
_QUOTE: Final = re.compile(r"([ \t]*)>(?: {0,4}>)* ?")
_HEADING: Final = re.compile(r"[ \t]*(#{1,6})(?=[ \t]|\Z)")
_DASHES: Final = re.compile(r"([ \t]*)(-+)[ \t]*\Z")
_EQUALS: Final = re.compile(r"[ \t]*=+[ \t]*\Z")
_MATH: Final = re.compile(r"[ \t]*\$\$")
_DELIMITER: Final = re.compile(r"[ \t]*[|:]?[-:| \t]*-[-:| \t]*\Z")
_ACTIVE: Final = re.compile(r"[\\`<!\]~]")
_INLINE: Final = re.compile(r"\\.|`+|<|!+\[\]?|\]\(|\]:|~{3,}")
_TICKS: Final = re.compile(r"`+")
_BARE_PIPE: Final = re.compile(r"(?<!\\)\|")
_SAFE_TARGET: Final = re.compile(
    r"""[ \t]*(?:
      https?://(?![\s)]) | mailto:[^\s:]+@ | file:///(?![/\\]) | \# | \)
      | [\w.-]+:\d+(?::\d+)?\)                      # file.py:12
      | (?:\.{1,2})?/(?![/\\])                      # ./a, ../a, /a, never //host
      | (?!\.*/)[\w.~%+@=,-]+(?:[/\#?)]|[ \t]+["')]) # a, a/b, a#L1: no scheme before the slash
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_NO_BREAKS: Final = {ord("\n"): None, ord("\t"): None}
_PLAIN: Final = re.compile(
    r"[\t\n -~\u00a1-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2070-\u20cf"
    r"\u2100-\u27bf\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uac00-\ud7a3]*\Z"
)
"""Blocks without combining or invisible characters: most text, told apart quickly."""

_MARKUP: Final = re.compile(r"[\\`<\[\]~|$*]|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w])")


def inert_text(text: str) -> str:
    """Text inside a line in which nothing is markup. Invisible characters are the caller's."""
    return _MARKUP.sub(r"\\\g<0>", text)


@dataclass(frozen=True, slots=True)
class _Fence:
    mark: str
    prefix: str
    depth: int
    indent: int
    strip: int

    @property
    def line(self) -> str:
        """The closing fence."""
        return f"{self.prefix}{' ' * self.indent}{self.mark}"


class SafeMarkdown:
    """Feed text as it comes; what `feed` returns is final, `tail` is how it ends for now."""

    __slots__ = ("_in_long_line", "_lines", "_pending")

    def __init__(self) -> None:
        self._lines = _Lines()
        self._pending = ""
        self._in_long_line = False

    def feed(self, text: str) -> str:
        """Take text; returns what will not change any more. Costs O(text)."""
        done: list[str] = []
        *complete, rest = text.split("\n")
        for line in complete:
            whole, self._pending = self._pending + line, ""
            done += [self._whole_line(whole), "\n"]
        self._pending += rest
        done.append(self._long_pieces())
        return "".join(done)

    def tail(self) -> str:
        """How the text ends if nothing more comes, after all that `feed` returned."""
        lines = copy.copy(self._lines)
        end = self._end_of_line(lines, self._pending) if self._pending else ""
        if lines.fence is None:
            return end
        return f"{end}\n{lines.fence.line}" if self._pending else lines.fence.line

    def _whole_line(self, line: str) -> str:
        self._pending = line
        begun = self._long_pieces()
        end = self._end_of_line(self._lines, self._pending.removesuffix("\r"))
        self._pending = ""
        self._in_long_line = False
        return begun + end

    def _end_of_line(self, lines: _Lines, text: str) -> str:
        return lines.long_piece(text, first=False) if self._in_long_line else lines.line(text)

    def _long_pieces(self) -> str:
        """Take full pieces off a line that is too long to be kept whole."""
        if len(self._pending) <= MAX_LINE:
            return ""
        done = []
        while len(self._pending) > MAX_LINE:
            piece, self._pending = self._pending[:MAX_LINE], self._pending[MAX_LINE:]
            done.append(self._lines.long_piece(piece, first=not self._in_long_line))
            self._in_long_line = True
        return "".join(done)


class _Lines:
    """What is known of the lines so far; `line` makes the next one harmless."""

    __slots__ = ("_piped", "_table", "fence")

    def __init__(self) -> None:
        self.fence: _Fence | None = None
        self._table = False
        self._piped = False

    def line(self, text: str) -> str:
        """A whole line, without its line break; may become two."""
        return self._line(visible(text))

    def long_piece(self, text: str, *, first: bool) -> str:
        """A piece of a line that is too long for markup."""
        shown = visible(text)
        if self.fence is not None and not first:
            return shown
        inside = self._inside(self.fence, shown) if self.fence is not None else None
        if self.fence is not None and inside is not None:
            # Marks this far in close nothing, however many follow in the next pieces.
            start = len(self.fence.prefix)
            closes = inside[start:].lstrip(" \t").startswith(self.fence.mark)
            return f"{inside[:start]}    {inside[start:]}" if closes else inside
        shown = inert_text(shown)
        if first:
            self.fence = None
            self._table = self._piped = False
            if shown.lstrip()[:1] in "#>-+=":
                shown = f"&#8203;{shown.lstrip()}"
        return shown

    def _line(self, text: str) -> str:
        if self.fence is not None:
            inside = self._in_fence(self.fence, text)
            if inside is not None:
                return inside
            self.fence = None
        if not text.strip():
            self._table = self._piped = False
            return ""
        quote = _QUOTE.match(text)
        if quote is None:
            return self._body("", 0, text)
        indent = min(_width(quote[1]), 3)
        depth = quote.group().count(">")
        return self._body(" " * indent + "> " * depth, depth, text[quote.end() :])

    def _in_fence(self, fence: _Fence, text: str) -> str | None:
        inside = self._inside(fence, text)
        if inside is None:
            return None
        content = inside[len(fence.prefix) :].strip(" \t")
        if len(content) >= len(fence.mark) and not content.strip(fence.mark[0]):
            self.fence = None
            return fence.line
        return inside

    def _inside(self, fence: _Fence, text: str) -> str | None:
        """The line as a line of the fenced block, or None if it cannot belong to it."""
        if fence.depth:
            quote = re.match(r"[ \t]*>(?: {0,4}>){%d} ?" % (fence.depth - 1), text)  # noqa: UP031 - braces
            if quote is None:
                return None
            text = text[quote.end() :]
        content = text.lstrip(" \t")
        if not content:
            return fence.prefix.rstrip()
        space = text[: len(text) - len(content)]
        width = _width(space)
        if fence.strip or width < fence.indent:
            space = " " * max(width - fence.strip, fence.indent)
        return f"{fence.prefix}{space}{content}"

    def _body(self, prefix: str, depth: int, text: str) -> str:
        opener = _FENCE.match(text)
        if opener is not None:
            return self._open(prefix, depth, opener)
        item = _ITEM.match(text)
        if item is not None and not _DASHES.match(text):
            rest = text[item.end() :]
            opener = _FENCE.match(rest)
            if opener is not None:
                # The fence gets a line of its own, where its indentation is certain.
                begun = f"{prefix}{item.group().rstrip()} &#8203;"
                return f"{begun}\n{self._open(prefix, depth, opener, 2)}"
            if rest.startswith(">"):
                rest = f"&gt;{rest[1:]}"
            return f"{prefix}{item.group()}{self._inline(self._block_start(rest))}"
        content = text.lstrip(" \t")
        if content.startswith(">"):
            # A quote or code, depending on where tabs end: neither.
            text = f"{text[: len(text) - len(content)]}&gt;{content[1:]}"
        return prefix + self._inline(self._block_start(text))

    def _open(self, prefix: str, depth: int, opener: re.Match[str], at_least: int = 0) -> str:
        width = _width(opener[1])
        indent = min(max(width, at_least), 3)
        self.fence = _Fence(opener[2], prefix, depth, indent, max(0, width - indent))
        return self.fence.line + opener[3]

    def _block_start(self, text: str) -> str:
        """Take away what the beginning of a line could do beyond its own line."""
        heading = _HEADING.match(text)
        if heading is not None:
            level = min(6, len(heading[1]) + DEMOTED_BY)
            return f"{'#' * level}{text[heading.end() :]}"
        dashes = _DASHES.match(text)
        if dashes is not None:
            return f"{dashes[1]}***" if len(dashes[2]) > 2 else f"{dashes[1]}\\{dashes[2]}"
        if _EQUALS.match(text) or _MATH.match(text):
            start = len(text) - len(text.lstrip())
            return f"{text[:start]}\\{text[start:]}"
        if _DELIMITER.match(text) and ("|" in text or ":" in text):
            if self._piped:
                return "\\" + text.lstrip()
            self._table = True
        return text

    def _inline(self, text: str) -> str:
        self._piped = False
        if _ACTIVE.search(text) is None:
            return text
        done: list[str] = []
        position = 0
        runs = _runs(text)
        while (found := _INLINE.search(text, position)) is not None:
            done.append(text[position : found.start()])
            safe, position = self._token(text, found, runs)
            done.append(safe)
        done.append(text[position:])
        return "".join(done)

    def _token(
        self, text: str, found: re.Match[str], runs: dict[int, list[int]]
    ) -> tuple[str, int]:
        sign, end = found.group(), found.end()
        match sign[0]:
            case "`":
                return self._code(text, found.start(), end, runs)
            case "<":
                return "&lt;", end
            case "!":
                return ("[image" if sign.endswith("]") else "["), end - sign.endswith("]")
            case "~":
                return "&#126;" * len(sign), end
            case "]" if sign == "](":
                safe = _SAFE_TARGET.match(text, end) is not None
                return (sign if safe else "]\\("), end
            case "]":
                return "]\\:", end
            case _:
                return ("&lt;" if sign == "\\<" else sign), end

    def _code(self, text: str, start: int, end: int, runs: dict[int, list[int]]) -> tuple[str, int]:
        """A code span as it is, or entities where no run of the same length closes it."""
        length = end - start
        starts = runs.get(length, [])
        index = bisect_left(starts, end)
        if index == len(starts):
            return "&#96;" * length, end
        stop = starts[index] + length
        span = text[start:stop]
        if "|" in span:
            self._piped = True
            # In a table a pipe ends the cell even inside of code.
            span = _BARE_PIPE.sub(r"\\|", span) if self._table else span
        return span, stop


def _runs(text: str) -> dict[int, list[int]]:
    """Where the runs of backticks start, by length."""
    runs: dict[int, list[int]] = {}
    for run in _TICKS.finditer(text):
        runs.setdefault(run.end() - run.start(), []).append(run.start())
    return runs


def visible(text: str) -> str:
    """The text with what cannot be seen made visible, and nothing else changed."""
    if _PLAIN.match(text) and text.translate(_NO_BREAKS).isprintable():
        return text
    # The breaking of links is for messages; here links are judged one by one.
    return "](".join(visible_text(part, len(part)) for part in text.split("]("))


def _width(space: str) -> int:
    return len(space.expandtabs(4))
