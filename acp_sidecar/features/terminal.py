"""Terminals for clients with an emulator: raw bytes in order (`acp/terminal`); text for others.

Bytes are counted from the last snapshot on, so that a client that comes late, or has missed
something, can ask for the rest, and learns when some of it is gone.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.features.frames import Frames
from acp_sidecar.features.messages import TERMINAL, TerminalParams
from acp_sidecar.features.plain_terminal import plain_text
from acp_sidecar.features.ports import Editor
from acp_sidecar.features.transcript.safe_markdown import visible
from acp_sidecar.session.reducer import Effect
from acp_sidecar.session.state import Session, Terminal
from acp_sidecar.session.updates import Update

MOST_BYTES: Final = 256 * 1024
"""Bytes in one message; the rest follows in the next."""

FIELDS: Final = frozenset({"command", "cwd", "size", "exit_status", "capabilities"})


def text(terminal: Terminal) -> str:
    """What is kept of the output as plain text: no escapes, nothing invisible.

    Says so at the top if the beginning is no longer kept.
    """
    kept = terminal.output.kept()
    gone = terminal.output.offset - len(kept)
    notice = f"… the first {gone:,} bytes are no longer kept …\n" if gone else ""
    return notice + visible(plain_text(kept))


@dataclass(slots=True)
class _Sent:
    """What the client has of one terminal."""

    session: Session
    terminal_id: str
    offset: int = 0
    reset: bool = True
    fields: set[str] = field(default_factory=set)


class Terminals:
    """Pushes what terminals write. Report updates by `changed`, then call `tick`."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._sent: dict[tuple[str, str], _Sent] = {}
        self._dirty: dict[tuple[str, str], _Sent] = {}
        self._frames = Frames()

    def changed(self, now: float, session: Session, update: Update, effect: Effect) -> None:
        """An update was applied. O(1)."""
        if effect.kind != "terminal" or "terminal" not in self._editor.abilities.rich:
            return
        key = (session.key, effect.id)
        sent = self._sent.get(key)
        if sent is None:
            sent = self._sent[key] = _Sent(session, effect.id, fields=set(FIELDS))
        if "output" in effect.fields:
            sent.reset = True
        sent.fields |= effect.fields & FIELDS
        self._dirty[key] = sent
        self._frames.mark(now)

    def forget(self, session: Session) -> None:
        """The session was deleted."""
        for key in [key for key in self._sent if key[0] == session.key]:
            del self._sent[key]
            self._dirty.pop(key, None)

    def deadline(self) -> float | None:
        """When `tick` has something to do."""
        return self._frames.deadline()

    def tick(self, now: float) -> None:
        """Push what was written, at most once a frame, and at most `MOST_BYTES` a terminal."""
        if not self._frames.due(now):
            return
        for key, sent in list(self._dirty.items()):
            if not self._push(sent):
                del self._dirty[key]
        if self._dirty:
            self._frames.mark(now)

    def _push(self, sent: _Sent) -> bool:
        """Push one terminal; True if there is more."""
        terminal = sent.session.terminals[sent.terminal_id]
        wanted = 0 if sent.reset else sent.offset
        params = rest(sent.session, terminal, wanted)
        more = params.pop("more")
        if sent.reset:
            params["reset"] = True
        elif not params["data"]:
            del params["data"], params["offset"], params["next"]
        _add_fields(params, terminal, sent.fields)
        sent.offset = params.get("next", sent.offset)
        sent.reset = False
        sent.fields.clear()
        self._editor.notify(TERMINAL, params)
        return more


def rest(
    session: Session, terminal: Terminal, offset: int, most: int = MOST_BYTES
) -> TerminalParams:
    """Bytes from `offset` on, at most `most` of them; `more` tells whether to ask again."""
    # An offset beyond what was written is from before a snapshot: begin at the beginning.
    wanted = offset if 0 <= offset <= terminal.output.offset else 0
    start, data = terminal.output.since(wanted)
    piece = data[:most]
    params: TerminalParams = {
        "sessionId": session.key,
        "terminalId": terminal.terminal_id,
        "offset": start,
        "data": base64.b64encode(piece).decode("ascii"),
        "next": start + len(piece),
        "more": len(piece) < len(data),
    }
    if wanted != offset:
        params["reset"] = True
    if start > wanted:
        params["skipped"] = start - wanted
    return params


def snapshot(session: Session, terminal: Terminal, offset: int = 0) -> TerminalParams:
    """Everything about a terminal for a client that comes late; bytes as in `rest`."""
    params = rest(session, terminal, offset)
    _add_fields(params, terminal, FIELDS)
    return params


def _add_fields(
    params: TerminalParams, terminal: Terminal, fields: set[str] | frozenset[str]
) -> None:
    if "command" in fields:
        params["command"] = terminal.command
    if "cwd" in fields:
        params["cwd"] = terminal.cwd
    if "size" in fields:
        size = terminal.size
        params["size"] = None if size is None else {"cols": size.cols, "rows": size.rows}
    if "exit_status" in fields:
        status = terminal.exit_status
        params["exitStatus"] = (
            None if status is None else {"exitCode": status.exit_code, "signal": status.signal}
        )
    if "capabilities" in fields:
        capabilities = terminal.capabilities
        params["cancellable"] = capabilities is not None and capabilities.cancel is not None
