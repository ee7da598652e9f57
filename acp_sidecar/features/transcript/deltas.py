"""What to push of transcripts: blocks by id, appended text as appends (`acp/transcript`).

`changed` only notes what an update touched; `tick` renders that and nothing else, so a chunk costs
what the chunk is long, whatever the length of its message. Clients without a transcript view cost
nothing: their document is rendered when they ask for it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.features.frames import Frames
from acp_sidecar.features.messages import TRANSCRIPT, TranscriptBlock, TranscriptParams
from acp_sidecar.features.ports import Editor
from acp_sidecar.features.transcript import blocks
from acp_sidecar.features.transcript.blocks import Body, Note, TerminalBody, Writer
from acp_sidecar.session.content import ContentBlock
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import KEPT_NOTICES, Session
from acp_sidecar.session.tool_calls import (
    TerminalItem,
    ToolCallContent,
    ToolCallContentChunk,
    ToolCallUpdate,
)
from acp_sidecar.session.updates import (
    CompactionSummaryChunk,
    CompactionUpdate,
    MessageChunk,
    Update,
)

MESSAGES: Final = frozenset({"user", "agent", "thought"})
SILENT: Final = frozenset({"commands", "options", "usage", "unknown", "state"})


@dataclass(slots=True)
class _Dirty:
    """What of one block has changed since the last push."""

    kind: str
    entry_id: str
    whole: bool = False
    head: bool = False
    pieces: list[ContentBlock] = field(default_factory=list)
    items: list[ToolCallContent] = field(default_factory=list)


@dataclass(slots=True)
class _Known:
    """A block that the client has: its writer goes on where it stopped."""

    writer: Writer
    tail: str


@dataclass(slots=True)
class _Track:
    """What the client has of one session."""

    session: Session
    known: dict[str, _Known] = field(default_factory=dict)
    dirty: dict[str, _Dirty] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    notices: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_NOTICES))
    shown_in: dict[str, set[str]] = field(default_factory=dict)
    """Terminals and the tool calls that show them."""
    placed: int = 0
    placed_notes: int = 0
    """How much of the timeline and of the notes the client has."""

    def start(self) -> None:
        """Everything that is there already is new to the client."""
        self.mark("session", self.session.key)
        for entry in blocks.entries(self.session, self.notes):
            self.mark(*(("note", entry.note_id) if isinstance(entry, Note) else entry))

    def in_order(self) -> list[tuple[str, _Dirty]]:
        """What is dirty: known blocks first, then the new ones as they stand in the document."""
        notes = self.notes[self.placed_notes :]
        new = [blocks.id_of(entry) for entry in blocks.entries(self.session, notes, self.placed)]
        self.placed = len(self.session.timeline)
        self.placed_notes = len(self.notes)
        added = [(key, self.dirty.pop(key)) for key in new if key in self.dirty]
        return [*self.dirty.items(), *added]

    def mark(self, kind: str, entry_id: str) -> _Dirty:
        key = blocks.block_id(kind, entry_id)
        dirty = self.dirty.get(key)
        if dirty is None:
            dirty = self.dirty[key] = _Dirty(kind, entry_id)
            dirty.whole = key not in self.known
        return dirty


class Transcripts:
    """Transcripts of all sessions.

    Report everything that one event brought by `changed`, `note` and the like, then call `tick`.
    """

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._notes: dict[str, list[Note]] = {}
        self._tracks: dict[str, _Track] = {}
        self._frames = Frames()

    def opened(self, now: float, session: Session) -> None:
        """There is a session; its transcript begins with a head."""
        if self._rich:
            self._track(session)
            self._frames.mark(now)

    def changed(self, now: float, session: Session, update: Update, effect: Effect) -> None:
        """An update was applied. O(size of the update)."""
        if effect.kind == "state" and session.state == "idle" and session.stop_reason is not None:
            self.stopped(now, session)
        if not self._rich or effect.kind in SILENT:
            return
        _mark(self._track(session), update, effect)
        self._frames.mark(now)

    def stopped(self, now: float, session: Session) -> None:
        """A turn has ended: say why. Call it for ends that no update of the agent has told."""
        reason = session.stop_reason
        if session.error is not None:
            self.note(now, session, "error", f"The turn failed: {session.error.message}")
        elif reason is not None:
            self.note(now, session, "stop", _STOPPED.get(reason, f"The turn ended: {reason}"))

    def note(self, now: float, session: Session, kind: str, text: str) -> None:
        """Put a line of ours into the transcript: "error", "permission", "stop" or "info"."""
        notes = self._notes.setdefault(session.key, [])
        place = len(session.timeline)
        if kind == "stop" and notes and (notes[-1].text, notes[-1].anchor) == (text, place):
            return  # agents may say twice that they are idle
        notes.append(Note(str(len(notes)), kind, text, place))
        if self._rich:
            self._track(session).mark("note", notes[-1].note_id)
            self._frames.mark(now)

    def forget(self, session: Session) -> None:
        """The session was deleted."""
        self._notes.pop(session.key, None)
        self._tracks.pop(session.key, None)

    def deadline(self) -> float | None:
        """When `tick` has something to do."""
        return self._frames.deadline()

    def tick(self, now: float) -> None:
        """Push what has changed, at most once a frame."""
        if self._frames.due(now):
            for track in self._tracks.values():
                self._push(track)

    def markdown(self, session: Session) -> str:
        """The whole transcript as one document."""
        return blocks.document(session, self._notes.get(session.key, ()))

    def blocks_view(self, session: Session) -> TranscriptParams:
        """The whole transcript for a client that has nothing of it yet.

        What was waiting is pushed first, so that later deltas continue from this view.
        """
        track = self._tracks.get(session.key)
        if track is not None:
            self._push(track)
        whole = blocks.blocks(session, self._notes.get(session.key, ()))
        views = [blocks.block_view(block) for block in whole]
        return {"sessionId": session.key, "reset": True, "blocks": views}

    @property
    def _rich(self) -> bool:
        return "transcript" in self._editor.abilities.rich

    def _track(self, session: Session) -> _Track:
        track = self._tracks.get(session.key)
        if track is None:
            notes = self._notes.setdefault(session.key, [])
            track = self._tracks[session.key] = _Track(session, notes=notes)
            track.start()
        return track

    def _push(self, track: _Track) -> None:
        if not track.dirty:
            return
        first = not track.known
        deltas = [
            delta
            for key, dirty in track.in_order()
            if len(delta := _delta(track, key, dirty)) > len(("id", "kind"))
        ]
        track.dirty.clear()
        if not deltas:
            return
        params: TranscriptParams = {"sessionId": track.session.key, "blocks": deltas}
        if first:
            params["reset"] = True
        self._editor.notify(TRANSCRIPT, params)


_STOPPED: Final = {
    "end_turn": "Done",
    "cancelled": "Cancelled",
    "max_tokens": "Stopped: the answer reached its longest",
    "max_turn_requests": "Stopped: the turn reached its largest number of requests",
    "refusal": "The agent refused to go on",
    "error": "The turn failed",
}


def _mark(track: _Track, update: Update, effect: Effect) -> None:
    match effect.kind:
        case "info":
            track.mark("session", track.session.key).head = True
        case "tool_call":
            _mark_tool_call(track, update, effect)
        case "terminal":
            _mark_terminal(track, effect)
        case "notice":
            _mark_notice(track, effect)
        case _:
            dirty = track.mark(effect.kind, effect.id)
            if isinstance(update, MessageChunk | CompactionSummaryChunk):
                dirty.pieces.append(update.content)
            elif isinstance(update, CompactionUpdate):
                dirty.head = True
                dirty.whole |= "summary" in update.model_fields_set
            else:
                dirty.whole = True


_HEAD: Final = frozenset({"name", "title", "kind", "status", "locations"})
_BODY: Final = frozenset({"content", "kind"})


def _mark_tool_call(track: _Track, update: Update, effect: Effect) -> None:
    if not effect.created and isinstance(update, ToolCallUpdate) and not effect.fields:
        return  # nothing but `_meta`
    dirty = track.mark("tool_call", effect.id)
    if isinstance(update, ToolCallContentChunk):
        dirty.items.append(update.content)
        items = [update.content]
    else:
        dirty.head |= not effect.fields.isdisjoint(_HEAD)
        dirty.whole |= not effect.fields.isdisjoint(_BODY)
        items = list(update.content or ()) if isinstance(update, ToolCallUpdate) else []
    for item in items:
        if isinstance(item, TerminalItem):
            track.shown_in.setdefault(item.terminal_id, set()).add(effect.id)
    if "title" in effect.fields and effect.id in track.session.terminals:
        track.mark("terminal", effect.id).head = True


def _mark_terminal(track: _Track, effect: Effect) -> None:
    dirty = track.mark("terminal", effect.id)
    dirty.whole |= "output" in effect.fields
    dirty.head |= "command" in effect.fields
    if effect.created:
        for tool_call_id in track.shown_in.get(effect.id, ()):
            track.mark("tool_call", tool_call_id).whole = True


def _mark_notice(track: _Track, effect: Effect) -> None:
    if len(track.notices) == KEPT_NOTICES:
        track.mark("notice", track.notices[0]).head = True
    track.notices.append(effect.id)
    track.mark("notice", effect.id)


def _delta(track: _Track, key: str, dirty: _Dirty) -> TranscriptBlock:
    if dirty.kind == "note":
        return _note_delta(track, key, dirty)
    known = track.known.get(key)
    if dirty.whole or known is None or _moved(track, dirty, known):
        return _whole(track, key, dirty)
    delta: TranscriptBlock = {"id": key, "kind": blocks.block_kind(dirty.kind)}
    if dirty.head:
        delta["head"], delta["status"] = blocks.head_of(track.session, dirty.kind, dirty.entry_id)
    writer = known.writer
    if isinstance(writer, TerminalBody):
        writer.more(track.session.terminals[dirty.entry_id])
    elif isinstance(writer, Body):
        blocks.append(writer, dirty.pieces)
        if dirty.items:
            kind = track.session.tool_calls[dirty.entry_id].kind
            blocks.append_items(track.session, writer, kind, dirty.items)
    if new := writer.take():
        delta["append"] = new
    if (tail := writer.tail()) != known.tail:
        delta["tail"] = known.tail = tail
    return delta


def _moved(track: _Track, dirty: _Dirty, known: _Known) -> bool:
    if not isinstance(known.writer, TerminalBody):
        return False
    return known.writer.start != blocks.window_start(track.session.terminals[dirty.entry_id])


def _whole(track: _Track, key: str, dirty: _Dirty) -> TranscriptBlock:
    writer = blocks.body_of(track.session, dirty.kind, dirty.entry_id)
    head, status = blocks.head_of(track.session, dirty.kind, dirty.entry_id)
    text, tail = writer.take(), writer.tail()
    track.known[key] = _Known(writer, tail)
    return {
        "id": key,
        "kind": blocks.block_kind(dirty.kind),
        "status": status,
        "head": head,
        "text": text,
        "tail": tail,
    }


def _note_delta(track: _Track, key: str, dirty: _Dirty) -> TranscriptBlock:
    track.known[key] = _Known(Body(), "")
    return blocks.block_view(blocks.note_block(track.notes[int(dirty.entry_id)]))
