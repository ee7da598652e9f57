"""A readable account of a trace: who spoke, in which protocol, what was said, what went wrong."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from acp_sidecar.errors import Problem
from acp_sidecar.replay.summary import (
    SHORT,
    at,
    chunk_of,
    clipped,
    of_call,
    of_result,
    short_id,
    text_at,
)
from acp_sidecar.wire.trace import Direction, TraceLine

_WHO: Final = {
    Direction.IN: "agent",
    Direction.OUT: "client",
    Direction.ERR: "stderr",
    Direction.NOISE: "noise",
    Direction.EOF: "eof",
    Direction.END: "end",
}
_FINISHED: Final = frozenset({"completed", "failed", "cancelled"})


class Entry(NamedTuple):
    """One line of the account. `chunk` is what a piece of text belongs to, and the text."""

    line: TraceLine
    what: str
    says: str
    chunk: tuple[str, bytes] | None = None


@dataclass(slots=True)
class Reading:
    """What has been understood of a trace so far."""

    entries: list[Entry] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    open_requests: dict[tuple[Direction, str], tuple[TraceLine, str]] = field(default_factory=dict)
    initialize: Any = None
    initialized: Any = None
    refusal: str = ""
    sessions: dict[str, str] = field(default_factory=dict)
    tool_calls: dict[str, str] = field(default_factory=dict)


def account(
    lines: list[TraceLine], problems: Iterable[Problem] = (), *, whole: bool = False
) -> Iterator[str]:
    """The account, line by line.

    Args:
        lines: The trace.
        problems: What `read_trace` could not read of it.
        whole: Shorten no text and join no chunks.
    """
    reading = Reading()
    for line in lines:
        _read(reading, line)
    yield from _head(reading, lines)
    yield ""
    yield from _body(reading.entries, whole=whole)
    yield ""
    yield from _trouble(reading, problems)


# --- reading ------------------------------------------------------------------------------------


def _read(reading: Reading, line: TraceLine) -> None:
    if line.dir not in (Direction.IN, Direction.OUT):
        reading.counts[_WHO[line.dir]] += 1
        reading.entries.append(Entry(line, "", line.text))
        return
    for message in line.msg if isinstance(line.msg, list) else [line.msg]:
        if isinstance(message, dict):
            _read_message(reading, line, message)
        else:
            reading.faults.append(f"line {line.number}: JSON that is no message")


def _read_message(reading: Reading, line: TraceLine, message: dict[str, Any]) -> None:
    method = message.get("method")
    if isinstance(method, str):
        _read_call(reading, line, method, message)
    elif "id" in message:
        _read_answer(reading, line, message)
    else:
        reading.faults.append(f"line {line.number}: an object that is no message")


def _read_call(reading: Reading, line: TraceLine, method: str, message: dict[str, Any]) -> None:
    params = message.get("params")
    what = method
    if "id" in message:
        what = f"{method} #{short_id(message['id'])}"
        key = (line.dir, repr(message["id"]))
        if key in reading.open_requests:
            reading.faults.append(f"line {line.number}: {what} uses the id of an open request")
        reading.open_requests[key] = (line, method)
        if method == "initialize":
            reading.initialize = params
    update = at(params, "update") if method == "session/update" else None
    if update is not None:
        what = "update"
        _read_update(reading, update)
    else:
        reading.counts[method] += 1
    reading.entries.append(Entry(line, what, of_call(method, params), chunk_of(update)))


def _read_update(reading: Reading, update: Any) -> None:
    kind = text_at(update, "sessionUpdate")
    reading.counts[kind or "session/update without a kind"] += 1
    if kind in {"tool_call", "tool_call_update"}:
        status = text_at(update, "status")
        call = short_id(at(update, "toolCallId"))
        reading.tool_calls[call] = status or reading.tool_calls.get(call, "pending")


def _read_answer(reading: Reading, line: TraceLine, message: dict[str, Any]) -> None:
    asker = Direction.OUT if line.dir is Direction.IN else Direction.IN
    asked = reading.open_requests.pop((asker, repr(message["id"])), None)
    if asked is None:
        reading.faults.append(
            f"line {line.number}: an answer to #{short_id(message['id'])}, which is not open"
        )
        reading.entries.append(Entry(line, f"answer #{short_id(message['id'])}", ""))
        return
    request, method = asked
    what = f"{method} #{short_id(message['id'])} answered"
    error = message.get("error")
    if error is None:
        says = of_result(method, message.get("result"))
        _learn(reading, method, message.get("result"), request)
    else:
        says = f"error {at(error, 'code')}: {text_at(error, 'message')}"
        reading.faults.append(f"line {line.number}: {method} failed: {clipped(says)}")
        if method == "initialize":
            reading.refusal = f"refused initialize: {clipped(says)}"
    reading.entries.append(Entry(line, what, f"({line.t - request.t:.3f} s) {says}"))


def _learn(reading: Reading, method: str, result: Any, request: TraceLine) -> None:
    if method == "initialize":
        reading.initialized = result
    if method == "session/new":
        reading.sessions[text_at(result, "sessionId")] = text_at(request.msg, "params", "cwd")


# --- writing ------------------------------------------------------------------------------------


def _head(reading: Reading, lines: list[TraceLine]) -> Iterator[str]:
    offered = at(reading.initialize, "protocolVersion")
    answered = at(reading.initialized, "protocolVersion")
    agent = reading.refusal or _named(reading.initialized, "agentInfo")
    yield f"agent     {agent or 'did not answer initialize'}"
    yield f"client    {_named(reading.initialize, 'clientInfo') or 'did not initialize'}"
    yield f"protocol  offered {_or_nothing(offered)}, answered {_or_nothing(answered)}"
    for session, cwd in reading.sessions.items():
        yield f"session   {clipped(session)} in {clipped(cwd)}"
    yield f"length    {len(lines)} lines, {lines[-1].t - lines[0].t:.1f} s"
    counted = sorted(reading.counts.items(), key=lambda pair: (-pair[1], pair[0]))
    # A count must not be torn from what it counts.
    counts = ", ".join(f"{count}\u00a0{clipped(what)}" for what, count in counted)
    wrapped = textwrap.wrap(counts, 90, break_on_hyphens=False)
    for number, text in enumerate(wrapped):
        yield f"{'' if number else 'counts':9} {text}".replace("\u00a0", " ")


def _named(value: Any, v1_key: str) -> str:
    info = at(value, "info") or at(value, v1_key)
    name, title = text_at(info, "name"), text_at(info, "title")
    if not name:
        return "" if value is None else "unnamed"
    return clipped(f"{name} {text_at(info, 'version')}{f' ({title})' if title else ''}")


def _or_nothing(version: Any) -> str:
    return "nothing" if version is None else str(version)


def _body(entries: list[Entry], *, whole: bool) -> Iterator[str]:
    yield f"{'line':>6} {'time':>9}  who     what"
    for entry, count, text in _joined(entries, join=not whole):
        who = _WHO[entry.line.dir]
        says = f"{entry.chunk[0]} (x{count}) {text}" if entry.chunk and count > 1 else entry.says
        what = f"{entry.what}  {says}" if entry.what else says
        shown = clipped(what.rstrip(), None if whole else 2 * SHORT)
        yield f"{entry.line.number:6} {entry.line.t:9.3f}  {who:6}  {shown}"


def _joined(entries: list[Entry], *, join: bool) -> Iterator[tuple[Entry, int, str]]:
    """Entries with how many they stand for: pieces of one text that follow each other are one."""
    first: Entry | None = None
    texts: list[bytes] = []
    for entry in entries:
        if first and entry.chunk and first.chunk and join and entry.chunk[0] == first.chunk[0]:
            texts.append(entry.chunk[1])
            continue
        if first:
            yield first, len(texts), b"".join(texts).decode("utf-8", "replace")
        first, texts = entry, [entry.chunk[1] if entry.chunk else b""]
    if first:
        yield first, len(texts), b"".join(texts).decode("utf-8", "replace")


def _trouble(reading: Reading, problems: Iterable[Problem]) -> Iterator[str]:
    faults = [problem.message for problem in problems] + reading.faults
    for (_asker, shown), (line, method) in reading.open_requests.items():
        faults.append(f"line {line.number}: {method} #{clipped(shown, 20)} was never answered")
    for call, status in reading.tool_calls.items():
        if status not in _FINISHED:
            faults.append(f"tool call {call} was left {status}")
    if not faults:
        yield "problems  none"
    for number, fault in enumerate(faults):
        yield f"{'problems' if not number else '':9} {clipped(fault, 2 * SHORT)}"
