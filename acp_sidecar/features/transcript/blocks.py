"""A session as an ordered list of blocks, one per entry of its timeline, and how each is written.

A block's Markdown is `head`, a blank line, `text` and `tail`. `text` only ever grows while a block
is appended to; `tail` is its end, which the next piece may change (an incomplete line, a closing
fence, the exit status). A writer makes the same block whether it gets the content at once or
piece by piece, so a document can be pushed in deltas and still be a pure function of the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, cast

from acp_sidecar.features.messages import BlockKind, TranscriptBlock
from acp_sidecar.features.plain_terminal import PlainTerminal
from acp_sidecar.features.transcript import markdown
from acp_sidecar.features.transcript.safe_markdown import SafeMarkdown, visible
from acp_sidecar.session.content import ContentBlock, TextContent
from acp_sidecar.session.state import Session, Terminal, TimelineEntry
from acp_sidecar.session.text import TextRun
from acp_sidecar.session.tool_calls import ToolCallContent
from acp_sidecar.session.updates import Notice

TERMINAL_WINDOW: Final = 16 * 1024
"""Bytes; a transcript shows the last one to two windows of a terminal's output."""

_SKIP: Final = 4096
"""Bytes at the start of a later window in which the first whole line is looked for."""

_OPENING: Final = f"{markdown.FENCE}console\n"


@dataclass(frozen=True, slots=True)
class Note:
    """Something of ours in a transcript: `kind` is "error", "permission", "stop" or "info"."""

    note_id: str
    kind: str
    text: str
    anchor: int
    """How many entries the timeline had before it."""


@dataclass(frozen=True, slots=True)
class Block:
    """One block as it is now."""

    id: str
    kind: str
    head: str
    text: str = ""
    tail: str = ""
    status: str = ""

    def markdown(self) -> str:
        body = self.text + self.tail
        return f"{self.head}\n\n{body}" if self.head and body else self.head + body


class Writer(Protocol):
    """Writes a block's body. `take` gives what is new in `text`, `tail` its present end."""

    def take(self) -> str: ...
    def tail(self) -> str: ...


class Body:
    """Running text and other pieces, appended; quoted if it is to be folded."""

    __slots__ = ("_at_line_start", "_done", "_empty", "_quoted", "_run")

    def __init__(self, *, quoted: bool = False) -> None:
        self._quoted = quoted
        self._done: list[str] = []
        self._run: SafeMarkdown | None = None
        self._empty = True
        self._at_line_start = True

    def text(self, text: str) -> None:
        """Append running Markdown of an agent."""
        if not text:
            return
        if self._run is None:
            self._separate()
            self._run = SafeMarkdown()
            self._empty = False
        self._write(self._run.feed(text))

    def piece(self, safe: str) -> None:
        """Append a piece that is safe already, as a paragraph of its own."""
        if not safe:
            return
        self._separate()
        self._write(safe)
        self._empty = False

    def take(self) -> str:
        new = "".join(self._done)
        self._done.clear()
        return new

    def tail(self) -> str:
        if self._run is None:
            return ""
        return self._prefixed(self._run.tail())[0]

    def _separate(self) -> None:
        """End the run of text and leave a blank line."""
        if self._run is not None:
            self._write(self._run.tail())
            self._run = None
        if not self._empty:
            self._write("\n\n" if not self._at_line_start else "\n")

    def _write(self, text: str) -> None:
        if text:
            shown, self._at_line_start = self._prefixed(text)
            self._done.append(shown)

    def _prefixed(self, text: str) -> tuple[str, bool]:
        at_start = text.endswith("\n") if text else self._at_line_start
        if not self._quoted or not text:
            return text, at_start
        inner = text[:-1] if at_start else text
        shown = ("> " if self._at_line_start else "") + inner.replace("\n", "\n> ")
        return shown + "\n" * at_start, at_start


class TerminalBody:
    """The last output of a terminal as fenced code."""

    __slots__ = ("_done", "_ended", "_opened", "_plain", "_read", "start")

    def __init__(self, terminal: Terminal) -> None:
        self.start = window_start(terminal)
        self._plain = PlainTerminal()
        self._done: list[str] = []
        self._opened = False
        self._ended = ""
        self._read = self.start
        if self.start:
            self._write(f"… the first {self.start:,} bytes are not shown here …\n")
            _, begun = terminal.output.since(self.start)
            self._read += begun.find(b"\n", 0, min(_SKIP, window(terminal))) + 1
        self.more(terminal)

    def more(self, terminal: Terminal) -> None:
        """Read on. Start anew if `window_start` has moved or the output was replaced."""
        start, data = terminal.output.since(self._read)
        self._read = start + len(data)
        self._plain.feed(data)
        self._write(_code(self._plain.take_final()))
        self._ended = markdown.exit_markdown(terminal)

    def take(self) -> str:
        new = "".join(self._done)
        self._done.clear()
        return new

    def tail(self) -> str:
        live = _code(self._plain.live())
        end = "\n" if live and not live.endswith("\n") else ""
        if not self._opened and not live:
            return self._ended
        opening = "" if self._opened else _OPENING
        after = f"\n\n{self._ended}" if self._ended else ""
        return f"{opening}{live}{end}{markdown.FENCE}{after}"

    def _write(self, code: str) -> None:
        if code and not self._opened:
            self._opened = True
            self._done.append(_OPENING)
        self._done.append(code)


def _code(text: str) -> str:
    return markdown.fenced(visible(text))


def window(terminal: Terminal) -> int:
    """Bytes of a window: small enough that what is shown is still kept."""
    return max(1, min(TERMINAL_WINDOW, terminal.output.limit // 2))


def window_start(terminal: Terminal) -> int:
    """The offset from which output is shown: it moves by whole windows, so that it moves rarely."""
    size = window(terminal)
    offset = terminal.output.offset
    return 0 if offset < 2 * size else (offset // size - 1) * size


def id_of(entry: TimelineEntry | Note) -> str:
    """The stable id of a block."""
    return block_id("note", entry.note_id) if isinstance(entry, Note) else block_id(*entry)


def block_id(kind: str, entry_id: str) -> str:
    """The stable id of a timeline entry's block."""
    return f"{kind}:{entry_id}"


def head_of(session: Session, kind: str, entry_id: str) -> tuple[str, str]:
    """A block's head and status."""
    match kind:
        case "session":
            return markdown.session_head(session), ""
        case "tool_call":
            call = session.tool_calls[entry_id]
            return markdown.tool_call_head(session, call), call.status
        case "plan":
            return "### Plan", ""
        case "terminal":
            return markdown.terminal_head(session, session.terminals[entry_id]), ""
        case "compaction":
            compaction = session.compactions[entry_id]
            status = markdown.words(compaction.status)
            error = f": {markdown.inert(compaction.error)}" if compaction.error else ""
            return f"### Context shortened\n\n{status}{error}", compaction.status
        case "notice":
            return _notice(session, entry_id), ""
        case _:
            return markdown.message_head(session, kind), ""


def _notice(session: Session, notice_id: str) -> str:
    for known_id, notice in reversed(session.notices):
        if known_id == notice_id:
            return markdown.notice_markdown(notice)
    return "*An old notice is no longer kept*"


def body_of(session: Session, kind: str, entry_id: str) -> Writer:
    """A block's body as it is now, ready to be appended to."""
    match kind:
        case "terminal":
            return TerminalBody(session.terminals[entry_id])
        case "tool_call":
            call = session.tool_calls[entry_id]
            body = Body(quoted=True)
            append_items(session, body, call.kind, call.content)
        case "plan":
            body = Body()
            body.piece(markdown.plan_markdown(session.plans[entry_id]))
        case "compaction":
            body = Body(quoted=True)
            append(body, session.compactions[entry_id].summary)
        case "user" | "agent" | "thought":
            body = Body(quoted=kind == "thought")
            append(body, session.messages[kind, entry_id].content)
        case _:
            body = Body()
    return body


def append(body: Body, pieces: Sequence[TextRun | ContentBlock]) -> None:
    """Append pieces of a message or a summary."""
    for piece in pieces:
        if isinstance(piece, TextRun):
            body.text(str(piece))
        elif isinstance(piece, TextContent) and not piece.annotations and not piece.meta:
            body.text(piece.text)
        else:
            body.piece(markdown.content_block(piece))


def append_items(session: Session, body: Body, kind: str, items: Sequence[ToolCallContent]) -> None:
    """Append items of a tool call's content."""
    for item in items:
        body.piece(markdown.tool_call_item(session, kind, item))


def note_block(note: Note) -> Block:
    """A note of ours as a block."""
    if note.kind == "stop":
        head = f"*{markdown.inert(note.text)}*"
    else:
        severity = "info" if note.kind == "permission" else note.kind
        head = markdown.notice_markdown(Notice(severity=severity, title=note.text))
    return Block(block_id("note", note.note_id), "note", head)


def block_of(session: Session, kind: str, entry_id: str) -> Block:
    """The block of one timeline entry."""
    head, status = head_of(session, kind, entry_id)
    body = body_of(session, kind, entry_id)
    return Block(block_id(kind, entry_id), kind, head, body.take(), body.tail(), status)


def entries(
    session: Session, notes: Sequence[Note], since: int = 0
) -> Iterator[TimelineEntry | Note]:
    """The timeline from its entry `since` on, with these notes of ours in between."""
    waiting = iter(notes)
    note = next(waiting, None)
    for index in range(since, len(session.timeline)):
        while note is not None and note.anchor <= index:
            yield note
            note = next(waiting, None)
        yield session.timeline[index]
    while note is not None:
        yield note
        note = next(waiting, None)


def blocks(session: Session, notes: Sequence[Note] = ()) -> list[Block]:
    """The whole document, its head first. A pure function of what is so."""
    head = block_of(session, "session", session.key)
    return [head] + [
        note_block(entry) if isinstance(entry, Note) else block_of(session, *entry)
        for entry in entries(session, notes)
    ]


def document(session: Session, notes: Sequence[Note] = ()) -> str:
    """The whole document as Markdown."""
    return "\n\n".join(block.markdown().strip("\n") for block in blocks(session, notes)) + "\n"


def block_kind(kind: str) -> BlockKind:
    """The reducer writes no other kinds into the timeline than those of the contract."""
    return cast("BlockKind", kind)


def block_view(block: Block) -> TranscriptBlock:
    """A block as JSON: `TranscriptBlock` of the contract."""
    return {
        "id": block.id,
        "kind": block_kind(block.kind),
        "status": block.status,
        "head": block.head,
        "text": block.text,
        "tail": block.tail,
    }
