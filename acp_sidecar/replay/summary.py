"""One line for a person about one ACP message. Anything may be missing or of a wrong shape."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from typing import Any, Final

SHORT: Final = 100
_LONGEST_ID: Final = 14
_EMPTY: Final[tuple[Any, ...]] = (None, {}, [], "")


def clipped(text: str, limit: int | None = SHORT) -> str:
    """`text` on one line and printable, cut to `limit` characters; None cuts nothing."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return shown if limit is None or len(shown) <= limit else shown[: limit - 1] + "…"


def short_id(value: Any) -> str:
    """An id that can be told from others at a glance: its end, if it is long."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _LONGEST_ID else "…" + text[-6:]


def of_call(method: str, params: Any) -> str:
    """What a request or a notification says."""
    if method == "session/update":
        return of_update(at(params, "update"))
    tell = _CALLS.get(method)
    return tell(params) if tell else _plain(params)


def of_result(method: str, result: Any) -> str:
    """What an answer to `method` says."""
    tell = _RESULTS.get(method)
    return tell(result) if tell else _plain(result)


def of_update(update: Any) -> str:
    """What a `session/update` says."""
    kind = text_at(update, "sessionUpdate")
    tell = _UPDATES.get(kind)
    if tell is None:
        rest = {k: v for k, v in update.items() if k != "sessionUpdate"} if update else {}
        return f"{kind or 'an update without a kind'} {_plain(rest)}".rstrip()
    return f"{kind} {tell(update)}".rstrip()


def chunk_of(update: Any) -> tuple[str, bytes] | None:
    """For an update that is a piece of a longer text: what it is a piece of, and the piece.

    Pieces are bytes, because terminal output may be cut in the middle of a character.
    """
    kind = text_at(update, "sessionUpdate")
    if kind in {"agent_message_chunk", "agent_thought_chunk", "user_message_chunk"}:
        piece = _content(at(update, "content")).encode("utf-8", "replace")
        return f"{kind} {short_id(at(update, 'messageId') or '')}", piece
    if kind == "terminal_output_chunk":
        return f"{kind} {short_id(at(update, 'terminalId'))}", _bytes(text_at(update, "data"))
    return None


def at(value: Any, *path: str) -> Any:
    """The member at `path`, or None where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def text_at(value: Any, *path: str) -> str:
    """The string at `path`, or ""."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def _items(value: Any, *path: str) -> list[Any]:
    found = at(value, *path)
    return found if isinstance(found, list) else []


def _plain(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _content(block: Any) -> str:
    kind = text_at(block, "type")
    if kind == "text":
        return text_at(block, "text")
    if kind == "content":
        return _content(at(block, "content"))
    if kind == "diff":
        return f"[diff of {_diff_paths(block)}]"
    if kind == "terminal":
        return f"[terminal {short_id(at(block, 'terminalId'))}]"
    name = text_at(block, "uri") or text_at(block, "resource", "uri") or text_at(block, "name")
    return f"[{kind or 'no type'}{' ' + name if name else ''}]"


def _diff_paths(block: Any) -> str:
    changes = [
        f"{text_at(change, 'operation')} {text_at(change, 'path')}".strip()
        for change in _items(block, "changes")
    ]
    return ", ".join(changes) or text_at(block, "path")


def _contents(blocks: list[Any]) -> str:
    return " ".join(map(_content, blocks))


def _bytes(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return data.encode("utf-8", "replace")


def _peer(value: Any) -> str:
    info = at(value, "info") or at(value, "agentInfo") or at(value, "clientInfo")
    return f"{text_at(info, 'name')} {text_at(info, 'version')}".strip() or "unnamed"


def _initialize(params: Any) -> str:
    return f"offers protocol {at(params, 'protocolVersion')} as {_peer(params)}"


def _initialized(result: Any) -> str:
    methods = [text_at(m, "name") or short_id(at(m, "id")) for m in _items(result, "authMethods")]
    login = f", login by {', '.join(methods)}" if methods else ""
    return f"protocol {at(result, 'protocolVersion')}, {_peer(result)}{login}"


def _in_directory(params: Any) -> str:
    session = at(params, "sessionId")
    return f"{short_id(session) + ' ' if session else ''}in {text_at(params, 'cwd') or 'nowhere'}"


def _session(value: Any) -> str:
    return short_id(at(value, "sessionId"))


def _options(value: Any) -> str:
    options = [
        f"{at(option, 'configId') or at(option, 'id')}={_plain(at(option, 'currentValue'))}"
        for option in _items(value, "configOptions")
    ]
    mode = text_at(value, "modes", "currentModeId")
    return " ".join(options + ([f"mode {mode}"] if mode else []))


def _opened(result: Any) -> str:
    session = at(result, "sessionId")
    return f"{short_id(session) if session else ''} {_options(result)}".strip()


def _prompted(result: Any) -> str:
    stop, message = text_at(result, "stopReason"), at(result, "messageId")
    return f"stop reason {stop}" if stop else f"accepted as {short_id(message)}"


def _set_option(params: Any) -> str:
    return f"{at(params, 'configId')} = {_plain(at(params, 'value'))}"


def _permission(params: Any) -> str:
    call = at(params, "toolCall") or at(params, "subject", "toolCall")
    title = text_at(params, "title") or text_at(call, "title") or text_at(params, "subject", "type")
    names = [f"{text_at(o, 'name')} ({text_at(o, 'kind')})" for o in _items(params, "options")]
    return f'asks "{title}": {" / ".join(names)}'


def _decision(result: Any) -> str:
    chosen = at(result, "outcome", "optionId")
    return text_at(result, "outcome", "outcome") + (f" {chosen}" if chosen is not None else "")


def _listed(result: Any) -> str:
    return f"{len(_items(result, 'sessions'))} sessions"


def _path(params: Any) -> str:
    line, limit = at(params, "line"), at(params, "limit")
    text = text_at(params, "path")
    text += f" from line {line}" if line is not None else ""
    return text + (f", {limit} lines" if limit is not None else "")


def _size(value: Any) -> str:
    return f"{len(text_at(value, 'content'))} characters"


def _command(params: Any) -> str:
    return " ".join([text_at(params, "command"), *map(str, _items(params, "args"))])


def _message(update: Any) -> str:
    return (
        f"{short_id(at(update, 'messageId') or '')} {_contents(_items(update, 'content'))}".strip()
    )


def _chunk(update: Any) -> str:
    return f"{short_id(at(update, 'messageId') or '')} {_content(at(update, 'content'))}".strip()


def _tool_call(update: Any) -> str:
    parts = [short_id(at(update, "toolCallId"))]
    parts += [str(update[key]) for key in ("status", "kind") if isinstance(update.get(key), str)]
    if title := text_at(update, "title"):
        parts.append(f'"{title}"')
    parts += [f"at {_location(location)}" for location in _items(update, "locations")]
    if content := _contents(_items(update, "content")):
        parts.append(content)
    quiet = [f"+{key}" for key in ("rawInput", "rawOutput") if update.get(key) not in _EMPTY]
    cleared = [f"{key}={json.dumps(value)}" for key, value in update.items() if value in (None, [])]
    return " ".join(parts + quiet + cleared)


def _location(location: Any) -> str:
    line = at(location, "line")
    return text_at(location, "path") + (f":{line}" if line is not None else "")


def _tool_call_chunk(update: Any) -> str:
    return f"{short_id(at(update, 'toolCallId'))} {_content(at(update, 'content'))}"


def _state(update: Any) -> str:
    stop = text_at(update, "stopReason")
    return text_at(update, "state") + (f", stop reason {stop}" if stop else "")


def _terminal(update: Any) -> str:
    parts = [short_id(at(update, "terminalId"))]
    if command := text_at(update, "command"):
        parts.append(f"$ {command}")
    if "output" in update:
        shown = _bytes(text_at(update, "output", "data")).decode("utf-8", "replace")
        parts.append(f"shows {shown!r}")
    if (status := at(update, "exitStatus")) is not None:
        parts.append(f"exited {_plain(status)}")
    return " ".join(parts)


def _terminal_chunk(update: Any) -> str:
    shown = _bytes(text_at(update, "data")).decode("utf-8", "replace")
    return f"{short_id(at(update, 'terminalId'))} {shown!r}"


def _plan(update: Any) -> str:
    plan = at(update, "plan") if isinstance(at(update, "plan"), dict) else update
    entries = [
        f"[{text_at(entry, 'status')}] {text_at(entry, 'content')}"
        for entry in _items(plan, "entries")
    ]
    return " ".join(entries) or _plain(plan if plan is not update else None)


def _commands(update: Any) -> str:
    names = [text_at(command, "name") for command in _items(update, "availableCommands")]
    return f"{len(names)}: {', '.join(names)}"


def _usage(update: Any) -> str:
    cost = at(update, "cost", "amount")
    spent = f", {cost} {text_at(update, 'cost', 'currency')}" if cost is not None else ""
    return f"{at(update, 'used')} of {at(update, 'size')} tokens{spent}"


def _notice(update: Any) -> str:
    said = f"{text_at(update, 'title')} {text_at(update, 'description')}".strip()
    return f"{text_at(update, 'severity')}: {said}"


def _compaction(update: Any) -> str:
    summary = _contents(_items(update, "summary"))
    return f"{short_id(at(update, 'compactionId'))} {text_at(update, 'status')} {summary}".rstrip()


def _compaction_chunk(update: Any) -> str:
    return f"{short_id(at(update, 'compactionId'))} {_content(at(update, 'content'))}"


_Tell = Callable[[Any], str]

_CALLS: Final[dict[str, _Tell]] = {
    "initialize": _initialize,
    "session/new": _in_directory,
    "session/load": _in_directory,
    "session/resume": _in_directory,
    "session/close": _session,
    "session/delete": _session,
    "session/cancel": _session,
    "session/prompt": lambda params: _contents(_items(params, "prompt")),
    "session/set_mode": lambda params: text_at(params, "modeId"),
    "session/set_config_option": _set_option,
    "session/request_permission": _permission,
    "fs/read_text_file": _path,
    "fs/write_text_file": lambda params: f"{text_at(params, 'path')}, {_size(params)}",
    "terminal/create": _command,
    "$/cancel_request": lambda params: f"of request #{short_id(at(params, 'requestId'))}",
}

_RESULTS: Final[dict[str, _Tell]] = {
    "initialize": _initialized,
    "session/new": _opened,
    "session/load": _options,
    "session/resume": _options,
    "session/set_config_option": _options,
    "session/prompt": _prompted,
    "session/list": _listed,
    "session/request_permission": _decision,
    "fs/read_text_file": _size,
    "terminal/create": lambda result: short_id(at(result, "terminalId")),
}

_UPDATES: Final[dict[str, _Tell]] = {
    "user_message": _message,
    "agent_message": _message,
    "agent_thought": _message,
    "user_message_chunk": _chunk,
    "agent_message_chunk": _chunk,
    "agent_thought_chunk": _chunk,
    "tool_call": _tool_call,
    "tool_call_update": _tool_call,
    "tool_call_content_chunk": _tool_call_chunk,
    "state_update": _state,
    "terminal_update": _terminal,
    "terminal_output_chunk": _terminal_chunk,
    "plan": _plan,
    "plan_update": _plan,
    "available_commands_update": _commands,
    "config_option_update": _options,
    "current_mode_update": lambda update: text_at(update, "currentModeId"),
    "session_info_update": lambda update: text_at(update, "title"),
    "usage_update": _usage,
    "notice": _notice,
    "compaction_update": _compaction,
    "compaction_summary_chunk": _compaction_chunk,
}
