"""An agent that does nothing but send updates, for the benchmarks. Standard library only.

    agent.py --protocol 2              answers as an ACP agent; each prompt's text is a plan
    agent.py --now '{"count": 100}'    carries one plan out at once, for relays that speak no ACP

A plan is JSON: `kind`, `count` of updates, and maybe `rate` (updates a second; none means as fast
as possible), `size` (bytes of one) and `first` (the number of the first).
"""

from __future__ import annotations

import base64
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

Json = dict[str, Any]

SESSION: Final = "bench"
HERE: Final = Path.cwd()
CALLS: Final = 20
LINES: Final = 200
"""Lines of each file that calls look at."""

TERMINALS: Final = 8
MESSAGE_CHUNKS: Final = 200
"""Chunks of one message where messages are kept, so that there are many messages too."""

BLOB: Final = 100
"""Updates in one write: agents in a hurry write faster than they are read."""


def mixed_v2(index: int, _size: int) -> Json:
    """Two pieces of a message, a call that begins, its result, and a line of a terminal."""
    turn, kind = divmod(index, 5)
    call = f"call-{turn % CALLS}"
    match kind:
        case 0 | 1:
            return _chunk(f"message-{turn // 500}", "some words of text ")
        case 2:
            return _begin("tool_call_update", call, turn)
        case 3:
            data = base64.b64encode(b"a line of output, number %d\r\n" % index).decode()
            return {"sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": data}
        case _:
            return _result(call)


def mixed_v1(index: int, _size: int) -> Json:
    """The same in v1, where terminal output comes in `_meta` of the call that it belongs to."""
    turn, kind = divmod(index, 5)
    call = f"call-{turn % CALLS}"
    match kind:
        case 0 | 1:
            content = {"type": "text", "text": "some words of text "}
            return {"sessionUpdate": "agent_message_chunk", "content": content}
        case 2:
            return _begin("tool_call", call, turn)
        case 3:
            output = {"terminal_id": "t", "data": f"a line of output, number {index}\r\n"}
            update = {"sessionUpdate": "tool_call_update", "toolCallId": call}
            return {**update, "_meta": {"terminal_output": output}}
        case _:
            return _result(call)


def tool_calls(index: int, size: int) -> Json:
    """Calls whose content is replaced again and again."""
    text = f"result {index} ".ljust(size, "x")
    content = [{"type": "content", "content": {"type": "text", "text": text}}]
    update = {"sessionUpdate": "tool_call_update", "toolCallId": f"call-{index % CALLS}"}
    return {**update, "title": f"Look at {index}", "status": "in_progress", "content": content}


def terminal_output(index: int, size: int) -> Json:
    """Output of a few terminals, in lines of 80 characters."""
    line = b"%08d " % index + b"o" * 70 + b"\n"
    data = base64.b64encode((line * (size // len(line) + 1))[:size]).decode()
    terminal = f"terminal-{index % TERMINALS}"
    return {"sessionUpdate": "terminal_output_chunk", "terminalId": terminal, "data": data}


def messages(index: int, size: int) -> Json:
    """Messages, which are kept."""
    text = f"word {index} ".ljust(size - 1, "m") + "\n"
    return _chunk(f"kept-{index // MESSAGE_CHUNKS}", text)


def stamps(index: int, _size: int) -> Json:
    """Lines of a message that say when they were sent, in nanoseconds of the monotonic clock."""
    return _chunk(f"stamped-{index // 1000}", f"t{time.monotonic_ns()} \n")


def _chunk(message_id: str, text: str) -> Json:
    content = {"type": "text", "text": text}
    return {"sessionUpdate": "agent_message_chunk", "messageId": message_id, "content": content}


def _begin(update: str, call: str, turn: int) -> Json:
    locations = [{"path": f"{HERE}/{file_name(turn)}", "line": turn % LINES + 1}]
    head = {"sessionUpdate": update, "toolCallId": call, "title": "Read a file", "kind": "read"}
    return {**head, "status": "in_progress", "locations": locations}


def file_name(turn: int) -> str:
    """The file that a call of `mixed` looks at, in the agent's working directory."""
    return f"file_{turn % CALLS}.py"


def _result(call: str) -> Json:
    content = [{"type": "content", "content": {"type": "text", "text": "a line of the result"}}]
    update = {"sessionUpdate": "tool_call_update", "toolCallId": call}
    return {**update, "status": "completed", "content": content}


KINDS: Final[dict[tuple[str, int], Callable[[int, int], Json]]] = {
    ("mixed", 1): mixed_v1,
    ("mixed", 2): mixed_v2,
    ("tool calls", 2): tool_calls,
    ("terminal output", 2): terminal_output,
    ("messages", 2): messages,
    ("stamps", 2): stamps,
}


def write(message: Json) -> None:
    sys.stdout.buffer.write(_line(message))
    sys.stdout.buffer.flush()


def _line(message: Json) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode() + b"\n"


def carry_out(plan: Json, protocol: int) -> None:
    """Send what the plan says."""
    lines = _lines(plan, protocol)
    rate = plan.get("rate")
    if rate is None:
        _flood(lines)
        return
    started = time.monotonic()
    for number, line in enumerate(lines, start=1):
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        time.sleep(max(0.0, started + number / rate - time.monotonic()))


def _flood(lines: Iterator[bytes]) -> None:
    blob = []
    for line in lines:
        blob.append(line)
        if len(blob) == BLOB:
            sys.stdout.buffer.write(b"".join(blob))
            blob.clear()
    sys.stdout.buffer.write(b"".join(blob))
    sys.stdout.buffer.flush()


def _lines(plan: Json, protocol: int) -> Iterator[bytes]:
    make = KINDS[plan["kind"], protocol]
    first = plan.get("first", 0)
    for index in range(first, first + plan["count"]):
        update = make(index, plan.get("size", 0))
        params = {"sessionId": SESSION, "update": update}
        yield _line({"method": "session/update", "params": params})


def serve(protocol: int) -> None:
    """Answer a client until the end of input."""
    for text in sys.stdin:
        message = json.loads(text)
        method, request = message.get("method"), message.get("id")
        if method == "session/prompt":
            _prompt(request, message["params"]["prompt"], protocol)
        elif method == "initialize":
            info = {"name": "bench", "version": "1"}
            name = "info" if protocol == 2 else "agentInfo"
            write({"id": request, "result": {"protocolVersion": protocol, name: info}})
        elif method == "session/new":
            write({"id": request, "result": {"sessionId": SESSION}})
        elif method is not None and request is not None:
            write({"id": request, "error": {"code": -32601, "message": "not here"}})


def _prompt(request: int, blocks: list[Json], protocol: int) -> None:
    plan = json.loads(blocks[0]["text"])
    if protocol == 1:
        carry_out(plan, protocol)
        write({"id": request, "result": {"stopReason": "end_turn"}})
        return
    write({"id": request, "result": {"messageId": f"prompt-{time.monotonic_ns()}"}})
    _state(state="running")
    carry_out(plan, protocol)
    _state(state="idle", stopReason="end_turn")


def _state(**fields: str) -> None:
    update = {"sessionUpdate": "state_update", **fields}
    write({"method": "session/update", "params": {"sessionId": SESSION, "update": update}})


if __name__ == "__main__":
    option, value = sys.argv[1:]
    if option == "--now":
        carry_out(json.loads(value), 2)
    else:
        serve(int(value))
