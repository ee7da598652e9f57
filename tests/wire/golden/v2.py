"""ACP v2. What an update says is what it means; a row gives a meaning only where it differs."""

from __future__ import annotations

from typing import Any

from acp_sidecar.session.handshake import AgentAuthMethod
from tests.wire.golden.case import SESSION, Answered, Said, update
from tests.wire.golden.parts import (
    ANNOTATIONS,
    BLOCKS,
    FORM,
    KINDS,
    LINK,
    LOCATIONS,
    META,
    OPTIONS,
    TEXT,
)

Json = Any

_TYPES = {
    "user_message": ("MessageUpdate", "user"),
    "agent_message": ("MessageUpdate", "agent"),
    "agent_thought": ("MessageUpdate", "thought"),
    "user_message_chunk": ("MessageChunk", "user"),
    "agent_message_chunk": ("MessageChunk", "agent"),
    "agent_thought_chunk": ("MessageChunk", "thought"),
    "tool_call_update": ("ToolCallUpdate", None),
    "tool_call_content_chunk": ("ToolCallContentChunk", None),
    "state_update": ("StateUpdate", None),
    "terminal_update": ("TerminalUpdate", None),
    "terminal_output_chunk": ("TerminalOutputChunk", None),
    "plan_update": ("PlanUpdate", None),
    "available_commands_update": ("AvailableCommandsUpdate", None),
    "config_option_update": ("ConfigOptionUpdate", None),
    "session_info_update": ("SessionInfoUpdate", None),
    "usage_update": ("UsageUpdate", None),
    "notice": ("Notice", None),
    "compaction_update": ("CompactionUpdate", None),
    "compaction_summary_chunk": ("CompactionSummaryChunk", None),
}


def said(name: str, kind: str, /, **fields: Json) -> Said:
    """An update that means all that it says."""
    type_name, role = _TYPES[kind]
    means = {"is": type_name, **fields} | ({} if role is None else {"role": role})
    return update(name, {"sessionUpdate": kind, **fields}, means)


def call(name: str, /, **fields: Json) -> Said:
    return said(name, "tool_call_update", toolCallId="call-1", **fields)


def changed(name: str, told: Json, means: Json, **more: Any) -> Said:
    """An update that means something else than it says."""
    type_name, role = _TYPES[told["sessionUpdate"]]
    meant = {"is": type_name, **means} | ({} if role is None else {"role": role})
    return update(name, told, meant, **more)


PATCH = {"format": "git_patch", "text": "diff --git a/b c/d\n", "_meta": META}
CHANGES = [
    {"operation": "add", "path": "/p/new", "fileType": "text", "mimeType": "text/plain"},
    {"operation": "delete", "path": "/p/old", "fileType": "directory"},
    {"operation": "modify", "path": "/p/logo", "fileType": "binary", "_meta": META},
    {"operation": "move", "oldPath": "/p/a", "path": "/p/b", "fileType": "symlink"},
    {"operation": "copy", "oldPath": "/p/a", "path": "/p/c", "mimeType": None},
    {"operation": "_vendor.encrypt", "path": "/p/d", "key": {"bits": 256}},
]
CONTENT: list[Json] = [
    *({"type": "content", "content": block} for block in BLOCKS),
    {"type": "content", "content": {"type": "_vendor.chart", "points": [1, None]}, "_meta": META},
    {"type": "diff", "changes": CHANGES, "patch": PATCH, "_meta": META},
    {"type": "diff", "changes": CHANGES[:1], "patch": None},
    {"type": "terminal", "terminalId": "term-1", "_meta": META},
    {"type": "_vendor.table", "rows": [[1, 2], []]},
]

MESSAGES = [
    *(
        said(f"whole {kind}", kind, messageId="m1", content=BLOCKS, _meta=META)
        for kind in ("user_message", "agent_message", "agent_thought")
    ),
    said("message, content omitted", "agent_message", messageId="m1"),
    said("message, content cleared", "agent_message", messageId="m1", content=None, _meta=None),
    said("message, content emptied", "agent_message", messageId="m1", content=[]),
    *(
        said(f"chunk {kind}", kind, messageId="m1", content=TEXT, _meta=META)
        for kind in ("user_message_chunk", "agent_message_chunk", "agent_thought_chunk")
    ),
    *(
        said(f"chunk of {block['type']}", "agent_message_chunk", messageId="m1", content=block)
        for block in BLOCKS
    ),
    changed(
        "annotations of a wrong shape count as omitted",
        {
            "sessionUpdate": "agent_message_chunk",
            "messageId": "m1",
            "content": {"type": "text", "text": "a", "annotations": "loud"},
        },
        {"messageId": "m1", "content": {"type": "text", "text": "a"}},
        problems=("invalid-value",),
        valid=False,
    ),
    said(
        "icons",
        "agent_message_chunk",
        messageId="m1",
        content={
            **LINK,
            "icons": [
                {"src": "a.svg", "mimeType": "image/svg+xml", "sizes": ["48x48"], "theme": "light"},
                {"src": "b.svg", "theme": "dark", "_meta": META},
            ],
            "annotations": ANNOTATIONS,
        },
    ),
]

TOOL_CALLS = [
    call("call, only its id"),
    call(
        "call with everything",
        name="edit_file",
        title="Edit",
        kind="other",
        status="pending",
        content=CONTENT,
        locations=LOCATIONS,
        rawInput={"path": "a.py", "deep": [{"x": None}]},
        rawOutput="text",
        capabilities={"cancel": {"_meta": META}, "_meta": META},
        _meta=META,
    ),
    call(
        "call, everything cleared",
        name=None,
        title=None,
        kind=None,
        status=None,
        content=None,
        locations=None,
        rawInput=None,
        rawOutput=None,
        capabilities=None,
        _meta=None,
    ),
    call("call, arrays emptied", content=[], locations=[]),
    *(call(f"kind {kind}", kind=kind) for kind in (*KINDS, "_vendor.plot", "future")),
    *(
        call(f"status {status}", status=status)
        for status in ("in_progress", "paused", "completed", "failed", "cancelled", "_vendor.odd")
    ),
    *(
        said(
            f"chunk of a call: {item['type']}",
            "tool_call_content_chunk",
            toolCallId="call-1",
            content=item,
            _meta=META,
        )
        for item in CONTENT
    ),
    changed(
        "a bad item is left out, a bad value counts as omitted",
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "call-1",
            "title": 5,
            "status": "failed",
            "locations": [{"line": 1}, {"path": "/a", "line": -1}, {"path": "/b", "line": 2}],
        },
        {
            "toolCallId": "call-1",
            "status": "failed",
            "locations": [{"path": "/a"}, {"path": "/b", "line": 2}],
        },
        problems=("invalid-value", "invalid-item", "invalid-value"),
        valid=False,
    ),
    changed(
        "unknown fields are ignored",
        {"sessionUpdate": "tool_call_update", "toolCallId": "call-1", "futureField": 1},
        {"toolCallId": "call-1"},
    ),
]

WORK = [
    {"type": "terminal", "terminalId": "term-1", "_meta": META},
    {"type": "tool_call", "toolCallId": "call-1"},
    {"type": "_vendor.job", "job": 7},
]
STATES = [
    said("running", "state_update", state="running", background=[]),
    said("requires action", "state_update", state="requires_action", background=None, _meta=META),
    said("idle, nothing said", "state_update", state="idle"),
    said("idle, null", "state_update", state="idle", stopReason=None, background=WORK),
    *(
        said(f"idle, {reason}", "state_update", state="idle", stopReason=reason)
        for reason in (
            *("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "error"),
            "_vendor.bored",
        )
    ),
    said(
        "idle with an error",
        "state_update",
        state="idle",
        stopReason="error",
        error={"code": -32603, "message": "model down", "data": {"retry": False}},
    ),
    said("a state of the future", "state_update", state="hibernating"),
]

TERMINALS = [
    said("terminal, only its id", "terminal_update", terminalId="term-1"),
    said(
        "terminal with everything",
        "terminal_update",
        terminalId="term-1",
        command="cargo test",
        cwd="/project",
        output={"data": "AP+A4oI=", "_meta": META},
        exitStatus={"exitCode": 1, "signal": None, "_meta": META},
        size={"cols": 80, "rows": 24, "_meta": META},
        capabilities={"cancel": {}, "_meta": META},
        _meta=META,
    ),
    said(
        "terminal, everything cleared",
        "terminal_update",
        terminalId="term-1",
        command=None,
        cwd=None,
        output=None,
        exitStatus=None,
        size=None,
        capabilities=None,
        _meta=None,
    ),
    said("terminal ended, nobody knows how", "terminal_update", terminalId="t", exitStatus={}),
    said("terminal killed", "terminal_update", terminalId="t", exitStatus={"signal": "SIGTERM"}),
    said("output", "terminal_output_chunk", terminalId="t", data="4oI=", _meta=META),
    changed(
        "a snapshot that is no base64 counts as omitted",
        {"sessionUpdate": "terminal_update", "terminalId": "t", "output": {"data": "%%"}},
        {"terminalId": "t"},
        problems=("invalid-value",),
    ),
]

ENTRIES = [
    {"content": "Read", "priority": "high", "status": "completed", "_meta": META},
    {"content": "Edit", "priority": "medium", "status": "in_progress"},
    {"content": "Test", "priority": "low", "status": "pending"},
    {"content": "Ship", "priority": "_vendor.someday", "status": "cancelled"},
]
SELECT = {
    "type": "select",
    "configId": "mode",
    "name": "Mode",
    "description": "How to ask",
    "category": "mode",
    "currentValue": "ask",
    "options": [{"value": "ask", "name": "Ask", "description": "First", "_meta": META}],
    "_meta": META,
}
GROUPED = {
    "type": "select",
    "configId": "model",
    "name": "Model",
    "category": "model",
    "currentValue": "m1",
    "options": [
        {"groupId": "g", "name": "G", "options": [{"value": "m1", "name": "M"}], "_meta": META}
    ],
}
CONFIG: list[Json] = [
    SELECT,
    GROUPED,
    {
        "type": "boolean",
        "configId": "v",
        "name": "V",
        "category": "thought_level",
        "currentValue": True,
    },
    {
        "type": "boolean",
        "configId": "w",
        "name": "W",
        "category": "model_config",
        "currentValue": False,
    },
    {"type": "_vendor.slider", "configId": "s", "name": "S", "min": 0, "max": 9},
]
COMMANDS: list[Json] = [
    {
        "type": "command",
        "name": "plan",
        "description": "Plan",
        "input": {"type": "text", "hint": "what", "_meta": META},
        "_meta": META,
    },
    {"type": "command", "name": "ping", "description": "Ping", "input": None},
    {"type": "command", "name": "file", "description": "F", "input": {"type": "_vendor.file"}},
    {"type": "_vendor.macro", "name": "odd", "description": "Odd", "keys": ["x"]},
]

THE_REST = [
    said(
        "plan",
        "plan_update",
        plan={"type": "items", "planId": "p1", "entries": ENTRIES, "_meta": META},
        _meta=META,
    ),
    said(
        "plan of another kind", "plan_update", plan={"type": "_vendor.gantt", "planId": "p", "x": 1}
    ),
    said("commands", "available_commands_update", availableCommands=COMMANDS, _meta=META),
    said("options", "config_option_update", configOptions=CONFIG, _meta=META),
    said("title", "session_info_update", title="Greeting", updatedAt="2026-01-02T03:04:05Z"),
    said("no title", "session_info_update", title=None, updatedAt=None, _meta=META),
    said(
        "usage",
        "usage_update",
        used=1000,
        size=200000,
        cost={"amount": 0.5, "currency": "EUR", "_meta": META},
        _meta=META,
    ),
    *(
        said(f"notice: {severity}", "notice", severity=severity, title="T", description="D")
        for severity in ("info", "warning", "error", "_vendor.shout")
    ),
    *(
        said(f"compaction {status}", "compaction_update", compactionId="c", status=status)
        for status in ("in_progress", "completed", "failed", "cancelled")
    ),
    said(
        "compaction with everything",
        "compaction_update",
        compactionId="c",
        status="failed",
        summary=[TEXT],
        error="too long",
        _meta=META,
    ),
    said("summary", "compaction_summary_chunk", compactionId="c", content=TEXT, _meta=META),
    update(
        "an unknown update is kept whole",
        {"sessionUpdate": "_vendor.mood", "mood": {"level": 3}, "_meta": META},
        {
            "is": "UnknownUpdate",
            "sessionUpdate": "_vendor.mood",
            "mood": {"level": 3},
            "_meta": META,
        },
    ),
]

DRAFTS = [
    changed(
        "an older draft's options and groups",
        {
            "sessionUpdate": "config_option_update",
            "configOptions": [
                {
                    "type": "select",
                    "id": "model",
                    "name": "Model",
                    "currentValue": "m1",
                    "options": [
                        {"group": "g", "name": "G", "options": [{"value": "m1", "name": "M"}]}
                    ],
                }
            ],
        },
        {
            "configOptions": [
                {
                    "type": "select",
                    "configId": "model",
                    "name": "Model",
                    "currentValue": "m1",
                    "options": [
                        {"groupId": "g", "name": "G", "options": [{"value": "m1", "name": "M"}]}
                    ],
                }
            ]
        },
        valid=False,
    ),
    changed(
        "an older draft's commands",
        {
            "sessionUpdate": "available_commands_update",
            "availableCommands": [{"name": "a", "description": "A", "input": {"hint": "h"}}],
        },
        {
            "availableCommands": [
                {
                    "type": "command",
                    "name": "a",
                    "description": "A",
                    "input": {"type": "text", "hint": "h"},
                }
            ]
        },
        valid=False,
    ),
]

UPDATES = [*MESSAGES, *TOOL_CALLS, *STATES, *TERMINALS, *THE_REST, *DRAFTS]

_NOTHING = {"sessionId": SESSION, "title": "Go on?", "options": OPTIONS}


def _asks(name: str, *, understood: Json = None, **fields: Json) -> Said:
    params = {**_NOTHING, **fields}
    means = {"is": "PermissionRequest", **params, **(understood or {})}
    return Said(name, "session/request_permission", params, means, id="p-1")


_SCOPE = {"sessionId": SESSION, "toolCallId": "call-1"}
QUESTIONS = [
    _asks("permission without a subject"),
    _asks("permission about null", subject=None, description=None),
    _asks(
        "permission for a call",
        description="Edit a.py",
        subject={
            "type": "tool_call",
            "toolCall": {"toolCallId": "call-1", "kind": "edit", "content": CONTENT},
            "_meta": META,
        },
        _meta=META,
    ),
    _asks(
        "permission for a command",
        subject={
            "type": "command",
            "command": "cargo test",
            "cwd": "/project",
            "toolCallId": "call-1",
            "terminalId": "term-1",
            "_meta": META,
        },
    ),
    _asks(
        "permission for a command, ids null",
        subject={
            "type": "command",
            "command": "ls",
            "cwd": "/",
            "toolCallId": None,
            "terminalId": None,
        },
    ),
    _asks("permission for something unknown", subject={"type": "_vendor.pay", "amount": 5}),
    _asks("an option of an unknown kind", options=[{"optionId": "x", "name": "X", "kind": "_v.k"}]),
    Said(
        "form",
        "elicitation/create",
        {"mode": "form", "message": "Who?", "requestedSchema": FORM, **_SCOPE, "_meta": META},
        {
            "is": "FormElicitation",
            "mode": "form",
            "message": "Who?",
            "requestedSchema": FORM,
            **_SCOPE,
            "_meta": META,
        },
        id=7,
    ),
    Said(
        "page, for a request of ours",
        "elicitation/create",
        {"mode": "url", "message": "?", "elicitationId": "e", "url": "https://x.y", "requestId": 3},
        {
            "is": "UrlElicitation",
            "mode": "url",
            "message": "?",
            "elicitationId": "e",
            "url": "https://x.y",
            "requestId": 3,
        },
        id=8,
    ),
    Said(
        "asked in an unknown way",
        "elicitation/create",
        {"mode": "_vendor.voice", "message": "Say it", "sessionId": SESSION},
        {
            "is": "UnknownElicitation",
            "mode": "_vendor.voice",
            "message": "Say it",
            "sessionId": SESSION,
        },
        id=9,
    ),
    Said(
        "page done",
        "elicitation/complete",
        {"elicitationId": "e", "_meta": META},
        {"is": "ElicitationCompleted", "elicitation_id": "e"},
    ),
    *(
        Said(
            f"withdrawn {request_id!r}",
            "$/cancel_request",
            {"requestId": request_id, "_meta": META},
            {"is": "RequestCancelled", "request_id": request_id},
        )
        for request_id in (7, "p-1")
    ),
    Said(
        "a request that nobody knows",
        "_vendor/ask",
        {"x": 1},
        {"is": "UnknownMethod", "method": "_vendor/ask"},
        id=10,
        valid=False,
    ),
]

BROKEN = [
    Said("no params", "session/update", None, None, problems=("malformed",), valid=False),
    Said(
        "a known update without what it must have",
        "session/update",
        {"sessionId": SESSION, "update": {"sessionUpdate": "tool_call_update", "title": "?"}},
        None,
        problems=("malformed",),
        valid=False,
    ),
    Said(
        "a chunk that is no base64",
        "session/update",
        {
            "sessionId": SESSION,
            "update": {"sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": "%"},
        },
        None,
        problems=("malformed",),
    ),
    Said(
        "permission without options",
        "session/request_permission",
        {"sessionId": SESSION, "title": "?"},
        None,
        id=11,
        problems=("malformed",),
        valid=False,
    ),
]

SAID = [*UPDATES, *QUESTIONS, *BROKEN]

_INFO = {"name": "agent", "title": "Agent", "version": "1", "_meta": META}
INITIALIZED: Json = {
    "protocolVersion": 2,
    "info": _INFO,
    "capabilities": {
        "session": {
            "prompt": {"image": {}, "audio": {}, "embeddedContext": {"_meta": META}, "_meta": META},
            "mcp": {"stdio": {}, "http": {}, "_meta": META},
            "delete": {},
            "additionalDirectories": {},
            "_meta": META,
        },
        "auth": {"_meta": META},
        "_meta": META,
    },
    "authMethods": [
        {
            "type": "terminal",
            "methodId": "t",
            "name": "In a terminal",
            "description": "Opens one",
            "args": ["--login"],
            "env": [{"name": "A", "value": "b", "_meta": META}],
            "_meta": META,
        },
        {"type": "agent", "methodId": "a", "name": "By itself", "description": None, "_meta": META},
        {"type": "_vendor.key", "methodId": "k", "name": "Key", "vars": ["KEY"]},
    ],
    "_meta": META,
}
OPENED = {"configOptions": CONFIG, "availableCommands": COMMANDS, "_meta": META}
LISTED: Json = {
    "sessions": [
        {
            "sessionId": "s1",
            "cwd": "/project",
            "additionalDirectories": ["/other"],
            "title": "T",
            "updatedAt": "2026-01-02T03:04:05Z",
            "_meta": META,
        },
        {"sessionId": "s2", "cwd": "/project", "title": None, "updatedAt": None},
    ],
    "nextCursor": "next",
    "_meta": META,
}
ANSWERS = [
    Answered(
        "login",
        lambda a: a.authenticate(AgentAuthMethod(method_id="a", name="A")),
        {"_meta": META},
        None,
    ),
    Answered("logout", lambda a: a.logout(), {}, None),
    Answered(
        "new",
        lambda a: a.new_session("/p", []),
        {"sessionId": "s", **OPENED},
        {"is": "SessionOpened", "sessionId": "s", **OPENED},
    ),
    Answered(
        "list",
        lambda a: a.list_sessions(None, None),
        LISTED,
        {"is": "SessionList", **LISTED},
    ),
    Answered(
        "list, one bad",
        lambda a: a.list_sessions(None, None),
        {"sessions": [{"sessionId": "s1"}, {"sessionId": "s2", "cwd": "/"}]},
        {"is": "SessionList", "sessions": [{"sessionId": "s2", "cwd": "/"}]},
        problems=("invalid-item",),
        valid=False,
    ),
    Answered(
        "resume",
        lambda a: a.resume_session("s", "/p", [], replay=True),
        OPENED,
        {"is": "SessionOpened", **OPENED},
    ),
    Answered("close", lambda a: a.close_session("s"), {}, None),
    Answered("delete", lambda a: a.delete_session("s"), {}, None),
    Answered("cancel a call", lambda a: a.cancel_tool_call("s", "c"), {}, None),
    Answered("cancel a terminal", lambda a: a.cancel_terminal("s", "t"), {}, None),
    Answered(
        "option set",
        lambda a: a.set_option("s", "mode", "ask"),
        {"configOptions": CONFIG, "_meta": META},
        {"is": "ConfigOptionsSet", "configOptions": CONFIG, "_meta": META},
    ),
    Answered(
        "prompt taken",
        lambda a: a.prompt("s", []),
        {"messageId": "m1", "_meta": META},
        {"is": "PromptAnswer", "message_id": "m1", "ended": False, "stop_reason": None},
    ),
    Answered(
        "prompt of an older draft, over",
        lambda a: a.prompt("s", []),
        {"stopReason": "refusal"},
        {"is": "PromptAnswer", "message_id": None, "ended": True, "stop_reason": "refusal"},
        valid=False,
    ),
    Answered(
        "prompt, nothing said",
        lambda a: a.prompt("s", []),
        {},
        {"is": "PromptAnswer", "message_id": None, "ended": False, "stop_reason": None},
        problems=("malformed",),
        valid=False,
    ),
]
