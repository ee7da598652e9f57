"""What is new in a state: consecutive answers of `acp.state` become the events to be shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

_FINAL: Final = {"completed", "failed", "cancelled"}


@dataclass(frozen=True, slots=True)
class Said:
    """More of a message; `begins` if it is a new one."""

    role: str
    text: str
    begins: bool


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan as it is now."""

    entries: list[Json]


@dataclass(frozen=True, slots=True)
class Called:
    """A tool call that is new (`began`) or over."""

    call: Json
    began: bool


@dataclass(frozen=True, slots=True)
class Printed:
    """Whole lines of a command's output, with their colours; `command` at its first ones."""

    terminal_id: str
    text: str
    command: str | None


@dataclass(frozen=True, slots=True)
class Exited:
    """A command ended."""

    terminal_id: str
    status: Json


@dataclass(frozen=True, slots=True)
class Titled:
    title: str


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens of the context window in use, and of how many."""

    usage: Json


News: TypeAlias = Said | Planned | Called | Printed | Exited | Titled | Used


@dataclass(slots=True)
class Watch:
    """Remembers what was seen of one session; `news` tells what has come since."""

    _said: dict[tuple[str, str], int] = field(default_factory=dict)
    _plan: list[Json] | None = None
    _status: dict[str, str] = field(default_factory=dict)
    _printed: dict[str, int] = field(default_factory=dict)
    _exited: set[str] = field(default_factory=set)
    _title: str | None = None
    _usage: Json | None = None

    def news(self, session: Json) -> Iterator[News]:
        """What the session has that was not there before, roughly in the order of happening."""
        if session.get("title") and session["title"] != self._title:
            self._title = session["title"]
            yield Titled(session["title"])
        for entry in session["timeline"]:
            yield from self._of_entry(session, entry["kind"], entry["id"])
        yield from self._plans(session)
        if session.get("usage") and session["usage"] != self._usage:
            self._usage = session["usage"]
            yield Used(session["usage"])

    def _of_entry(self, session: Json, kind: str, entry_id: str) -> Iterator[News]:
        if kind in {"agent", "thought", "user"}:
            for message in session["messages"]:
                if (message["role"], message["messageId"]) == (kind, entry_id):
                    yield from self._message(message)
        elif kind == "tool_call":
            for call in session["toolCalls"]:
                if call["toolCallId"] == entry_id:
                    yield from self._call(session, call)

    def _message(self, message: Json) -> Iterator[News]:
        key = (message["role"], message["messageId"])
        text = "".join(block.get("text", "") for block in message["content"])
        seen = self._said.get(key, 0)
        if len(text) > seen:
            self._said[key] = len(text)
            yield Said(message["role"], text[seen:], begins=seen == 0)

    def _call(self, session: Json, call: Json) -> Iterator[News]:
        seen = self._status.get(call["toolCallId"])
        if seen is None:
            yield Called(call, began=True)
        for terminal_id in terminals_of(call):
            yield from self._terminal(session, terminal_id)
        self._status[call["toolCallId"]] = call["status"]
        if call["status"] in _FINAL and seen not in _FINAL:
            yield Called(call, began=False)

    def _terminal(self, session: Json, terminal_id: str) -> Iterator[News]:
        for terminal in session["terminals"]:
            if terminal["terminalId"] != terminal_id:
                continue
            over = terminal["exitStatus"] is not None
            output, seen = terminal["output"], self._printed.get(terminal_id)
            end = len(output) if over else output.rfind("\n") + 1
            if seen is None or end > seen:
                command = terminal["command"] if seen is None else None
                self._printed[terminal_id] = end
                yield Printed(terminal_id, output[seen or 0 : end], command)
            if over and terminal_id not in self._exited:
                self._exited.add(terminal_id)
                yield Exited(terminal_id, terminal["exitStatus"])

    def _plans(self, session: Json) -> Iterator[News]:
        for plan in session["plans"]:
            entries = plan.get("entries")
            if entries is not None and entries != self._plan:
                self._plan = entries
                yield Planned(entries)


def terminals_of(call: Json) -> list[str]:
    """The terminals that a tool call shows."""
    return [item["terminalId"] for item in call["content"] if item["type"] == "terminal"]
