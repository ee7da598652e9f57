"""What a prompt about some code carries: the range, its text as the user sees it, diagnostics.

Unsaved text is what the agent gets: embedded as a resource where the agent takes that
(`promptCapabilities.embeddedContext`), else quoted beside a link. https://agentclientprotocol.com
section "Content".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from acp_sidecar.changes.texts import split_lines
from acp_sidecar.features.accepted import Accepted
from acp_sidecar.features.media import Media, media_block
from acp_sidecar.features.places import file_uri, to_wire_line
from acp_sidecar.features.ports import Span
from acp_sidecar.session.content import text_block

Json = Any

MAX_TEXT: Final = 200_000
"""Characters of code in one piece of context."""

_TICKS: Final = re.compile(r"`{3,}")


class Severity(StrEnum):
    """Of a diagnostic (LSP `DiagnosticSeverity`)."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A problem that the editor shows, with where it comes from ("pyright") and its code."""

    span: Span
    message: str
    severity: Severity = Severity.ERROR
    source: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class CodeContext:
    """Code that a prompt is about.

    Attributes:
        path: The absolute path of the file.
        text: The whole text of the file as the user sees it, saved or not; None if unknown.
        span: The selection; None for the whole file. An empty one means its line.
        diagnostics: What is wrong there.
        unsaved: Whether `text` differs from the file on disk.
        language: LSP's language id, for quoting.
    """

    path: str
    text: str | None = None
    span: Span | None = None
    diagnostics: Sequence[Diagnostic] = ()
    unsaved: bool = False
    language: str = ""


def prompt_blocks(
    text: str, contexts: Sequence[CodeContext | Media], taken: Accepted
) -> list[Json]:
    """A prompt as content blocks: what the user says first, then what it is about.

    Raises:
        NotSupported: The agent takes no such images or sounds.
    """
    blocks: list[Json] = [text_block(text)]
    for context in contexts:
        if isinstance(context, Media):
            blocks.append(media_block(context, taken))
        else:
            blocks += context_blocks(context, embedded=taken.embedded)
    return blocks


def fix_prompt(context: CodeContext) -> str:
    """The words of "Fix with agent"."""
    count = len(context.diagnostics)
    what = "this problem" if count == 1 else f"these {count} problems" if count else "this code"
    return f"Fix {what} in {_place(context)}."


def ask_prompt(context: CodeContext, question: str) -> str:
    """The words of "Ask agent about this"."""
    return question.strip() or f"Explain {_place(context)}."


def context_blocks(context: CodeContext, *, embedded: bool) -> list[Json]:
    """What one piece of context adds to a prompt."""
    code = selected_text(context)
    uri = context_uri(context)
    if code is None:
        blocks = [_link(context, uri)]
    elif embedded:
        resource: Json = {"uri": uri, "text": code, "mimeType": "text/plain"}
        blocks = [{"type": "resource", "resource": resource}]
    else:
        blocks = [_link(context, uri), text_block(_quoted(context, code))]
    if context.diagnostics:
        blocks.append(text_block(_diagnostics(context)))
    return blocks


def context_uri(context: CodeContext) -> str:
    """The file's URI; a selection as a fragment, `#L3` or `#L3-L7`, lines counted from 1."""
    uri = file_uri(context.path)
    lines = _lines(context)
    if lines is None:
        return uri
    first, last = to_wire_line(lines[0]), to_wire_line(lines[1])
    return f"{uri}#L{first}" if first == last else f"{uri}#L{first}-L{last}"


def selected_text(context: CodeContext) -> str | None:
    """The whole lines of the selection, or the whole file; shortened if it is very long."""
    if context.text is None:
        return None
    lines = _lines(context)
    text = context.text
    if lines is not None:
        kept = split_lines(text)[lines[0] : lines[1] + 1]
        text = "".join(kept)
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:MAX_TEXT]}\n[{len(text) - MAX_TEXT} more characters]"


def _lines(context: CodeContext) -> tuple[int, int] | None:
    """First and last line of the selection; one that ends before a line's start leaves it out."""
    span = context.span
    if span is None:
        return None
    last = span.end_line
    if span.end_column == 0 and last > span.start_line:
        last -= 1
    return span.start_line, last


def _place(context: CodeContext) -> str:
    name = re.split(r"[/\\]", context.path.rstrip("/\\"))[-1]
    lines = _lines(context)
    if lines is None:
        return name
    first, last = to_wire_line(lines[0]), to_wire_line(lines[1])
    return f"{name}, line {first}" if first == last else f"{name}, lines {first}-{last}"


def _link(context: CodeContext, uri: str) -> Json:
    return {"type": "resource_link", "name": _place(context), "uri": uri}


def _quoted(context: CodeContext, code: str) -> str:
    longest = max((len(run) for run in _TICKS.findall(code)), default=2)
    fence = "`" * (longest + 1)
    saved = " (not saved yet; this is the text in the editor)" if context.unsaved else ""
    end = "" if code.endswith("\n") else "\n"
    return f"{_place(context)}{saved}:\n\n{fence}{context.language}\n{code}{end}{fence}"


def _diagnostics(context: CodeContext) -> str:
    lines = [f"Problems that the editor shows in {_place(context)}:"]
    for each in context.diagnostics:
        origin = " ".join(part for part in (each.source, each.code) if part)
        suffix = f" ({origin})" if origin else ""
        number = to_wire_line(each.span.start_line)
        column = each.span.start_column + 1
        lines.append(f"- line {number}, column {column}: {each.severity}: {each.message}{suffix}")
    return "\n".join(lines)
