"""Pieces of a transcript as Markdown: heads of blocks, content, diffs, plans. Pure.

Everything an agent said goes through `inert`, `code_span`, `link` or `SafeMarkdown` here; nothing
else may put agent text into a transcript.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from acp_sidecar.changes.from_diff import file_changes
from acp_sidecar.changes.hunks import FileChange
from acp_sidecar.features.places import file_uri, from_wire_line, said_place, to_wire_line
from acp_sidecar.features.sanitize import visible_command, visible_line, visible_text
from acp_sidecar.features.transcript.safe_markdown import (
    SafeMarkdown,
    inert_text,
    visible,
)
from acp_sidecar.session.content import (
    AudioContent,
    BlobResourceContents,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)
from acp_sidecar.session.state import Session, Terminal, ToolCall
from acp_sidecar.session.tool_calls import (
    ContentItem,
    Diff,
    ToolCallContent,
    ToolCallLocation,
)
from acp_sidecar.session.updates import Notice, Plan, PlanItems

STATUS_MARKS: Final = {
    "pending": "○",
    "in_progress": "◐",
    "paused": "⏸",
    "completed": "✓",
    "failed": "✗",
    "cancelled": "⊘",
}
SEVERITY_MARKS: Final = {"info": "ℹ", "warning": "⚠", "error": "✗"}  # noqa: RUF001 - the sign is meant

RAW_KINDS: Final = frozenset({"read", "execute", "search"})
"""Kinds of tools whose output of several lines is shown as code, unless it has fences itself."""

FENCE: Final = "````"
"""Around output; a line of it that would close the fence is moved in."""

MAX_LOCATIONS: Final = 8
MAX_OUTPUT_LINES: Final = 24
MAX_OUTPUT: Final = 4000
"""Most lines and characters of one piece of a tool call's output; the call itself has the rest."""

_KEPT_PATH: Final = 300
"""Characters of a path whose link is remembered."""

_CLOSES: Final = re.compile(r"^( {0,3}`{4,}[ \t]*)$", re.MULTILINE)
_TICKS: Final = re.compile(r"`+")
_SAFE_URI: Final = re.compile(
    r"(?:https?://|mailto:|file:///(?![/\\]))[^\s()<>\\`]+\Z", re.IGNORECASE
)
_QUOTED_TITLE: Final = re.compile(r"`([^`]+)`\Z")


def inert(text: str) -> str:
    """Agent text on one line, as text."""
    return inert_text(visible_line(text))


@lru_cache(maxsize=64)
def words(name: str) -> str:
    """A protocol value such as `in_progress` as words."""
    return inert(name.replace("_", " ").strip())


def code_span(text: str) -> str:
    """Agent text on one line, as code."""
    shown = visible_line(text)
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(shown)), default=0))
    pad = " " if not shown or shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown or ' '}{pad}{fence}"


def link(label: str, uri: str) -> str:
    """A link if the address is harmless, else both as text."""
    if _SAFE_URI.match(uri):
        return f"[{inert(label) or 'link'}]({uri})"
    return f"{inert(label)} {code_span(uri)}".strip()


def place_link(session: Session, path: str, line: int | None = None) -> str:
    """A place in a file: named relative to the session's folder, linked to the file and line."""
    # Calls name the same places again and again; only long names are not worth keeping.
    write = _place_link if len(path) <= _KEPT_PATH else _place_link.__wrapped__
    return write(session.cwd, path, line)


@lru_cache(maxsize=512)
def _place_link(cwd: str, path: str, line: int | None) -> str:
    said = said_place(path, cwd)
    if said is None:
        return code_span(path)
    name = said.path.removeprefix(cwd.rstrip("/\\") + "/") or said.path
    start = from_wire_line(line)
    if start is None and said.lines is not None:
        start = said.lines.start
    if start is None:
        return f"[{inert(name)}]({_local_uri(said.path)})"
    number = to_wire_line(start)
    return f"[{inert(name)}:{number}]({_local_uri(said.path)}#L{number})"


def _local_uri(path: str) -> str:
    return file_uri(path).replace("~", "%7E")


def title_markdown(title: str) -> str:
    """A title; agents put a command between backticks, and that is shown as code."""
    quoted = _QUOTED_TITLE.match(title)
    return code_span(quoted[1]) if quoted else inert(title)


def session_head(session: Session) -> str:
    """The head of the whole document."""
    title = inert(session.title) if session.title else "Session"
    return f"# {title}\n\n{inert(session.agent)} · {code_span(session.cwd)}"


def message_head(session: Session, role: str) -> str:
    """Who speaks. A prompt begins a section of its own, so that turns can be folded."""
    if role == "user":
        return "## You"
    return "### Thought" if role == "thought" else f"### {inert(session.agent)}"


def tool_call_head(session: Session, call: ToolCall) -> str:
    """Status, title, kind and places of a call."""
    mark = STATUS_MARKS.get(call.status, "•")
    name = call.title or call.name or call.tool_call_id
    # What is executed is a command far more often than a sentence.
    title = code_span(name.strip("`")) if call.kind == "execute" else title_markdown(name)
    facts = [f"{words(call.kind)}, {words(call.status)}"]
    shown = dict.fromkeys(_place(session, each) for each in call.locations[:MAX_LOCATIONS])
    if len(call.locations) > MAX_LOCATIONS:
        shown[f"{len(call.locations) - MAX_LOCATIONS} more places"] = None
    return f"### {mark} {title}\n\n{' · '.join(facts + list(shown))}"


def _place(session: Session, location: ToolCallLocation) -> str:
    return place_link(session, location.path, location.line)


def tool_call_item(session: Session, kind: str, item: ToolCallContent) -> str:
    """One item of a call's content; empty for a terminal that has a block of its own."""
    if isinstance(item, ContentItem):
        if isinstance(item.content, TextContent):
            text = item.content.text
            return output_code(text) if _is_raw(kind, text) else output_text(text)
        return content_block(item.content)
    if isinstance(item, Diff):
        changes, _ = file_changes(item)
        return "\n".join(f"- {_change(session, change)}" for change in changes)
    if item.type == "terminal":
        terminal_id = str(getattr(item, "terminal_id", ""))
        return "" if terminal_id in session.terminals else "*Terminal without output*"
    return f"*{inert(item.type)}*"


def _change(session: Session, change: FileChange) -> str:
    where = place_link(session, change.path)
    if change.old_path is not None:
        where = f"{place_link(session, change.old_path)} → {where}"
    operation = "" if change.operation == "modify" else f"{inert(change.operation)} "
    if change.hunks:
        return f"{operation}{where} +{change.added} −{change.removed}"  # noqa: RUF001 - a minus sign
    kind = f" ({inert(change.file_type)})" if change.file_type not in (None, "text") else ""
    return f"{operation}{where}{kind}"


def _is_raw(kind: str, text: str) -> bool:
    """Whether a tool's output is text of a file or a program, where the agent does not say."""
    return kind in RAW_KINDS and "\n" in text.strip("\n") and "```" not in text


def output_text(text: str) -> str:
    """A tool's output as Markdown, which it is by convention, shortened."""
    kept, left_out = _shortened(text)
    safe = SafeMarkdown()
    return (safe.feed(kept) + safe.tail()).strip("\n") + left_out


def output_code(text: str) -> str:
    """A tool's output as code, shortened."""
    kept, left_out = _shortened(text)
    return f"{FENCE}\n{fenced(visible(kept))}\n{FENCE}{left_out}"


def _shortened(text: str) -> tuple[str, str]:
    """The first lines, and a line about the rest."""
    text = text.replace("\r\n", "\n").strip("\n")
    lines = text[:MAX_OUTPUT].split("\n", MAX_OUTPUT_LINES)
    kept = "\n".join(lines[:MAX_OUTPUT_LINES])
    left_out = len(text) - len(kept)
    return kept, f"\n\n*… {left_out:,} more characters*" if left_out else ""


def fenced(text: str) -> str:
    """Text that stands within `FENCE` and does not end it."""
    return _CLOSES.sub(r"    \1", text)


def content_block(block: ContentBlock) -> str:
    """A block that is not running text, in a line or two."""
    match block:
        case TextContent():
            safe = SafeMarkdown()
            return (safe.feed(block.text) + safe.tail()).strip("\n")
        case ImageContent():
            where = f" {link('source', block.uri)}" if block.uri else ""
            return f"*Image ({inert(block.mime_type)}, {_size(block.data)})*{where}"
        case AudioContent():
            return f"*Sound ({inert(block.mime_type)}, {_size(block.data)})*"
        case ResourceLink():
            return f"*Attached:* {link(block.title or block.name, block.uri)}"
        case EmbeddedResource():
            resource = block.resource
            text = isinstance(resource, BlobResourceContents)
            size = _size(resource.blob) if text else _count(resource.text)  # type: ignore[union-attr]  # told apart above
            return f"*Attached:* {link(_name(resource.uri), resource.uri)} ({size})"
        case _:
            return f"*{inert(block.type)}*"


def _name(uri: str) -> str:
    return uri.rstrip("/").rpartition("/")[2] or uri


def _size(base64_text: str) -> str:
    return f"{len(base64_text) * 3 // 4:,} bytes"


def _count(text: str) -> str:
    return f"{text.count(chr(10)) + 1:,} lines"


def plan_markdown(plan: Plan) -> str:
    """A plan as a task list."""
    if not isinstance(plan, PlanItems):
        return f"*A plan of type {inert(plan.type)}*"
    lines = []
    for entry in plan.entries:
        box = "x" if entry.status == "completed" else " "
        notes = [entry.status] if entry.status not in ("completed", "pending") else []
        notes += [f"{entry.priority} priority"] if entry.priority == "high" else []
        suffix = f" *({words(', '.join(notes))})*" if notes else ""
        lines.append(f"- [{box}] {inert(entry.content)}{suffix}")
    return "\n".join(lines)


def notice_markdown(notice: Notice) -> str:
    """A notice of the agent, or of ours."""
    mark = SEVERITY_MARKS.get(notice.severity, "•")
    head = f"### {mark} {inert(notice.title)}"
    if not notice.description:
        return head
    return f"{head}\n\n{output_text(visible_text(notice.description))}"


def terminal_head(session: Session, terminal: Terminal) -> str:
    """What runs in the terminal, as far as anybody said."""
    command = terminal.command
    if command is None:
        call = session.tool_calls.get(terminal.terminal_id)
        title = title_markdown(call.title) if call is not None and call.title else ""
        return f"### Terminal {title}".rstrip()
    if "\n" in command or len(command) > 120:
        return "### Terminal\n\n" + indented_code(command)
    return f"### Terminal {code_span(command)}"


def indented_code(text: str) -> str:
    """Several lines as code that no content can end."""
    shown = visible_command(text).replace("␊\n", "\n")
    return "\n".join(f"    {line}" for line in shown.split("\n"))


def exit_markdown(terminal: Terminal) -> str:
    """How the program ended; empty while it runs."""
    status = terminal.exit_status
    if status is None:
        return ""
    if status.signal:
        return f"*Ended by signal {inert(status.signal)}*"
    return "*Ended*" if status.exit_code is None else f"*Exit code {status.exit_code}*"
