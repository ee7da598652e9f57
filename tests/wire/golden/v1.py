"""ACP v1, and what it means in v2's words."""

from __future__ import annotations

from typing import Any

from acp_sidecar.session.handshake import AgentAuthMethod
from tests.wire.golden.case import SESSION, Answered, Said, update
from tests.wire.golden.parts import BLOCKS, FORM, KINDS, LOCATIONS, META, OPTIONS, TEXT

Json = Any

_ROLES = {
    "user_message_chunk": "user",
    "agent_message_chunk": "agent",
    "agent_thought_chunk": "thought",
}


def _chunk(role: str, message_id: str, content: Json, **more: Json) -> Json:
    return {"is": "MessageChunk", "role": role, "messageId": message_id, "content": content, **more}


def _told(told: Json) -> tuple[str, Json]:
    return "session/update", {"sessionId": SESSION, "update": told}


_A = {"type": "text", "text": "a"}
MESSAGES = [
    *(
        update(
            f"{kind} with an id",
            {"sessionUpdate": kind, "messageId": "m1", "content": TEXT, "_meta": META},
            _chunk(role, "m1", TEXT, _meta=META),
        )
        for kind, role in _ROLES.items()
    ),
    *(
        update(
            f"{kind} without an id is given one",
            {"sessionUpdate": kind, "content": _A},
            _chunk(role, f"{role}-1", _A),
        )
        for kind, role in _ROLES.items()
    ),
    update(
        "the next chunk of the same role joins the message",
        {"sessionUpdate": "agent_message_chunk", "content": _A},
        _chunk("agent", "agent-1", _A),
        before=(_told({"sessionUpdate": "agent_message_chunk", "content": _A}),),
    ),
    update(
        "after a tool call a new message begins",
        {"sessionUpdate": "agent_message_chunk", "content": _A},
        _chunk("agent", "agent-2", _A),
        before=(
            _told({"sessionUpdate": "agent_message_chunk", "content": _A}),
            _told({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "T"}),
        ),
    ),
    update(
        "a null id is none",
        {"sessionUpdate": "agent_message_chunk", "messageId": None, "content": _A},
        _chunk("agent", "agent-1", _A),
    ),
    *(
        update(
            f"chunk of {block['type']}",
            {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": block},
            _chunk("agent", "m", block),
        )
        for block in BLOCKS
    ),
]

_DIFF = {"type": "diff", "path": "/p/a.py", "oldText": "x\n", "newText": "y\n", "_meta": META}
_NEW = {"type": "diff", "path": "/p/b.py", "oldText": None, "newText": "z\n"}
CONTENT: list[Json] = [
    *({"type": "content", "content": block} for block in BLOCKS),
    _DIFF,
    _NEW,
    {"type": "terminal", "terminalId": "term-1", "_meta": META},
]
MEANT_CONTENT: list[Json] = [
    *CONTENT[: len(BLOCKS)],
    {
        "type": "diff",
        "changes": [
            {
                "operation": "modify",
                "path": "/p/a.py",
                "fileType": "text",
                "oldText": "x\n",
                "newText": "y\n",
            }
        ],
        "_meta": META,
    },
    {
        "type": "diff",
        "changes": [
            {
                "operation": "add",
                "path": "/p/b.py",
                "fileType": "text",
                "oldText": None,
                "newText": "z\n",
            }
        ],
    },
    CONTENT[-1],
]
_CALL: Json = {
    "toolCallId": "call-1",
    "title": "Edit",
    "name": "edit_file",
    "kind": "edit",
    "status": "pending",
    "locations": LOCATIONS,
    "rawInput": {"path": "a.py"},
    "rawOutput": [None],
    "_meta": META,
}


def _call(**fields: Json) -> Json:
    return {"is": "ToolCallUpdate", "toolCallId": "call-1", **fields}


TOOL_CALLS = [
    *(
        update(
            f"{kind} with everything",
            {"sessionUpdate": kind, **_CALL, "content": CONTENT},
            {"is": "ToolCallUpdate", **_CALL, "content": MEANT_CONTENT},
        )
        for kind in ("tool_call", "tool_call_update")
    ),
    update(
        "null means the same as omitted",
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "call-1",
            "title": None,
            "name": None,
            "kind": None,
            "status": None,
            "content": None,
            "locations": None,
            "rawInput": None,
            "rawOutput": None,
            "_meta": None,
        },
        _call(),
    ),
    update(
        "empty arrays clear",
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "call-1",
            "content": [],
            "locations": [],
        },
        _call(content=[], locations=[]),
    ),
    *(
        update(
            f"kind {kind}",
            {"sessionUpdate": "tool_call", "toolCallId": "call-1", "title": "T", "kind": kind},
            _call(title="T", kind=kind),
        )
        for kind in (*KINDS, "other")
    ),
    *(
        update(
            f"status {status}",
            {"sessionUpdate": "tool_call_update", "toolCallId": "call-1", "status": status},
            _call(status=status),
        )
        for status in ("in_progress", "completed", "failed")
    ),
    update(
        "a terminal that is shown by `_meta`",
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "call-1",
            "_meta": {
                "terminal_info": {"terminal_id": "t", "cwd": "/p"},
                "terminal_output": {"terminal_id": "t", "data": "hé\n"},
                "terminal_exit": {"terminal_id": "t", "exit_code": 1, "signal": None},
            },
        },
        {"is": "TerminalUpdate", "terminalId": "t", "cwd": "/p"},
        {"is": "TerminalOutputChunk", "terminalId": "t", "data": "aMOpCg=="},
        {
            "is": "TerminalUpdate",
            "terminalId": "t",
            "exitStatus": {"exitCode": 1, "signal": None},
        },
        _call(
            _meta={
                "terminal_info": {"terminal_id": "t", "cwd": "/p"},
                "terminal_output": {"terminal_id": "t", "data": "hé\n"},
                "terminal_exit": {"terminal_id": "t", "exit_code": 1, "signal": None},
            }
        ),
    ),
]

ENTRIES = [
    {"content": "Read", "priority": "high", "status": "completed", "_meta": META},
    {"content": "Edit", "priority": "medium", "status": "in_progress"},
    {"content": "Test", "priority": "low", "status": "pending"},
]
MODES: Json = {
    "currentModeId": "ask",
    "availableModes": [
        {"id": "ask", "name": "Ask", "description": "First", "_meta": META},
        {"id": "code", "name": "Code"},
    ],
    "_meta": META,
}


def _mode_option(current: str) -> Json:
    return {
        "type": "select",
        "configId": "mode",
        "name": "Mode",
        "category": "mode",
        "currentValue": current,
        "options": [
            {"value": "ask", "name": "Ask", "description": "First"},
            {"value": "code", "name": "Code", "description": None},
        ],
    }


CONFIG: list[Json] = [
    {
        "type": "select",
        "id": "model",
        "name": "Model",
        "description": "Which",
        "category": "model",
        "currentValue": "m1",
        "options": [
            {
                "group": "g",
                "name": "G",
                "options": [{"value": "m1", "name": "M", "description": "D"}],
                "_meta": META,
            }
        ],
        "_meta": META,
    },
    {"type": "boolean", "id": "v", "name": "V", "category": "thought_level", "currentValue": True},
    {"type": "boolean", "id": "w", "name": "W", "category": "model_config", "currentValue": False},
    {
        "type": "select",
        "id": "m",
        "name": "Mode",
        "category": "mode",
        "currentValue": "ask",
        "options": [{"value": "ask", "name": "Ask"}],
    },
]
MEANT_CONFIG: list[Json] = [
    {
        "type": "select",
        "configId": "model",
        "name": "Model",
        "description": "Which",
        "category": "model",
        "currentValue": "m1",
        "options": [
            {
                "groupId": "g",
                "name": "G",
                "options": [{"value": "m1", "name": "M", "description": "D"}],
                "_meta": META,
            }
        ],
        "_meta": META,
    },
    *({**{("configId" if k == "id" else k): v for k, v in o.items()}} for o in CONFIG[1:]),
]
THE_REST = [
    update(
        "plan",
        {"sessionUpdate": "plan", "entries": ENTRIES, "_meta": META},
        {"is": "PlanUpdate", "plan": {"type": "items", "planId": "plan", "entries": ENTRIES}},
    ),
    update(
        "commands",
        {
            "sessionUpdate": "available_commands_update",
            "availableCommands": [
                {
                    "name": "plan",
                    "description": "Plan",
                    "input": {"hint": "what", "_meta": META},
                    "_meta": META,
                },
                {"name": "ping", "description": "Ping", "input": None},
            ],
            "_meta": META,
        },
        {
            "is": "AvailableCommandsUpdate",
            "availableCommands": [
                {
                    "type": "command",
                    "name": "plan",
                    "description": "Plan",
                    "input": {"type": "text", "hint": "what", "_meta": META},
                    "_meta": META,
                },
                {"type": "command", "name": "ping", "description": "Ping", "input": None},
            ],
            "_meta": META,
        },
    ),
    update(
        "a mode whose list was never told",
        {"sessionUpdate": "current_mode_update", "currentModeId": "code", "_meta": META},
        {
            "is": "ConfigOptionUpdate",
            "configOptions": [{**_mode_option("code"), "options": []}],
        },
    ),
    update(
        "options",
        {"sessionUpdate": "config_option_update", "configOptions": CONFIG, "_meta": META},
        {"is": "ConfigOptionUpdate", "configOptions": MEANT_CONFIG},
    ),
    update(
        "title",
        {"sessionUpdate": "session_info_update", "title": "T", "updatedAt": None, "_meta": META},
        {"is": "SessionInfoUpdate", "title": "T", "updatedAt": None, "_meta": META},
    ),
    update(
        "usage",
        {
            "sessionUpdate": "usage_update",
            "used": 1,
            "size": 2,
            "cost": {"amount": 1, "currency": "USD", "_meta": META},
            "_meta": META,
        },
        {
            "is": "UsageUpdate",
            "used": 1,
            "size": 2,
            "cost": {"amount": 1, "currency": "USD", "_meta": META},
            "_meta": META,
        },
    ),
    *(
        update(
            f"notice: {severity}",
            {"sessionUpdate": "notice", "severity": severity, "title": "T", "description": "D"},
            {"is": "Notice", "severity": severity, "title": "T", "description": "D"},
        )
        for severity in ("info", "warning", "error")
    ),
    *(
        update(
            f"compaction {status}",
            {"sessionUpdate": "compaction_update", "compactionId": "c", "status": status},
            {"is": "CompactionUpdate", "compactionId": "c", "status": status},
        )
        for status in ("in_progress", "completed", "cancelled")
    ),
    update(
        "compaction with everything",
        {
            "sessionUpdate": "compaction_update",
            "compactionId": "c",
            "status": "failed",
            "summary": [TEXT],
            "error": "long",
            "_meta": META,
        },
        {
            "is": "CompactionUpdate",
            "compactionId": "c",
            "status": "failed",
            "summary": [TEXT],
            "error": "long",
            "_meta": META,
        },
    ),
    update(
        "summary",
        {"sessionUpdate": "compaction_summary_chunk", "compactionId": "c", "content": _A},
        {"is": "CompactionSummaryChunk", "compactionId": "c", "content": _A},
    ),
    update(
        "an unknown update is kept whole",
        {"sessionUpdate": "_vendor.mood", "mood": 3},
        {"is": "UnknownUpdate", "sessionUpdate": "_vendor.mood", "mood": 3},
        valid=False,
    ),
]

UPDATES = [*MESSAGES, *TOOL_CALLS, *THE_REST]

_SCOPE = {"sessionId": SESSION, "toolCallId": "call-1"}
_RUN: Json = {
    "args": ["-l"],
    "env": [{"name": "A", "value": "b", "_meta": META}],
    "cwd": "/p",
    "outputByteLimit": 1000,
}
QUESTIONS = [
    Said(
        "permission",
        "session/request_permission",
        {
            "sessionId": SESSION,
            "toolCall": {**_CALL, "content": CONTENT},
            "options": OPTIONS,
            "_meta": META,
        },
        {
            "is": "PermissionRequest",
            "sessionId": SESSION,
            "title": "Edit",
            "subject": {"type": "tool_call", "toolCall": {**_CALL, "content": MEANT_CONTENT}},
            "options": OPTIONS,
            "_meta": META,
        },
        id=0,
    ),
    Said(
        "permission for a call of which only the id is told",
        "session/request_permission",
        {"sessionId": SESSION, "toolCall": {"toolCallId": "call-1"}, "options": OPTIONS},
        {
            "is": "PermissionRequest",
            "sessionId": SESSION,
            "title": "",
            "subject": {"type": "tool_call", "toolCall": {"toolCallId": "call-1"}},
            "options": OPTIONS,
            "_meta": None,
        },
        id="uuid-1",
    ),
    Said(
        "permission for nothing",
        "session/request_permission",
        {"sessionId": SESSION, "options": OPTIONS},
        None,
        id=1,
        problems=("malformed",),
        valid=False,
    ),
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
        id=2,
    ),
    Said(
        "page",
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
        id=3,
    ),
    Said(
        "page done",
        "elicitation/complete",
        {"elicitationId": "e"},
        {"is": "ElicitationCompleted", "elicitation_id": "e"},
    ),
    Said(
        "withdrawn",
        "$/cancel_request",
        {"requestId": 3},
        {"is": "RequestCancelled", "request_id": 3},
    ),
    Said(
        "read",
        "fs/read_text_file",
        {"sessionId": "s", "path": "/a", "line": 1, "limit": 2, "_meta": META},
        {"is": "ReadTextFile", "sessionId": "s", "path": "/a", "line": 1, "limit": 2}
        | {"_meta": META},
        id=5,
    ),
    Said(
        "read all, told by null",
        "fs/read_text_file",
        {"sessionId": "s", "path": "/a", "line": None, "limit": None},
        {"is": "ReadTextFile", "sessionId": "s", "path": "/a", "line": None, "limit": None},
        id=5,
    ),
    Said(
        "read a line that is none",
        "fs/read_text_file",
        {"sessionId": "s", "path": "/a", "line": -1},
        None,
        id=5,
        problems=("malformed",),
        valid=False,
    ),
    Said(
        "write",
        "fs/write_text_file",
        {"sessionId": "s", "path": "/a", "content": "x\r\n", "_meta": META},
        {"is": "WriteTextFile", "sessionId": "s", "path": "/a", "content": "x\r\n"}
        | {"_meta": META},
        id=5,
    ),
    Said(
        "run",
        "terminal/create",
        {"sessionId": "s", "command": "ls", **_RUN, "_meta": META},
        {"is": "CreateTerminal", "sessionId": "s", "command": "ls", **_RUN, "_meta": META},
        id=5,
    ),
    Said(
        "run a line, the rest told by null",
        "terminal/create",
        {"sessionId": "s", "command": "ls -l", **dict.fromkeys(_RUN)},
        {"is": "CreateTerminal", "sessionId": "s", "command": "ls -l", **dict.fromkeys(_RUN)}
        | {"args": [], "env": []},
        id=5,
        valid=False,
    ),
    *(
        Said(
            f"terminal: {verb}",
            f"terminal/{verb}",
            {"sessionId": "s", "terminalId": "t", "_meta": META},
            {"is": "TerminalRequest", "sessionId": "s", "terminalId": "t", "verb": verb}
            | {"_meta": META},
            id=5,
        )
        for verb in ("output", "wait_for_exit", "kill", "release")
    ),
]

SAID = [*UPDATES, *QUESTIONS]

_YES: Json = {}
INITIALIZED: Json = {
    "protocolVersion": 1,
    "agentInfo": {"name": "agent", "title": "Agent", "version": "1", "_meta": META},
    "agentCapabilities": {
        "loadSession": True,
        "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
        "mcpCapabilities": {"http": True, "sse": False},
        "sessionCapabilities": {
            "list": {},
            "delete": {},
            "additionalDirectories": {},
            "resume": {},
            "close": None,
        },
        "auth": {"logout": {}},
        "_meta": META,
    },
    "authMethods": [
        {
            "type": "terminal",
            "id": "t",
            "name": "In a terminal",
            "description": "D",
            "args": ["--login"],
            "env": {"A": "b"},
        },
        {"id": "a", "name": "By itself", "_meta": META},
    ],
    "_meta": META,
}
MEANT_INITIALIZED: Json = {
    "is": "InitializeResult",
    "protocolVersion": 1,
    "info": INITIALIZED["agentInfo"],
    "capabilities": {
        "session": {
            "list": {},
            "delete": {},
            "additionalDirectories": {},
            "resume": {},
            "close": None,
            "load": {},
            "prompt": {"image": {}, "audio": None, "embeddedContext": {}},
            "mcp": {"stdio": {}, "http": {}},
        },
        "auth": {"logout": {}},
        "_meta": META,
    },
    "authMethods": [
        {
            "type": "terminal",
            "methodId": "t",
            "name": "In a terminal",
            "description": "D",
            "args": ["--login"],
            "env": [{"name": "A", "value": "b"}],
        },
        {"type": "agent", "methodId": "a", "name": "By itself", "_meta": META},
    ],
    "_meta": META,
}

_PAST = {"is": "SessionOpened", "sessionId": "s", "configOptions": [_mode_option("ask")]}
LISTED: Json = {
    "sessions": [
        {
            "sessionId": "s1",
            "cwd": "/p",
            "additionalDirectories": ["/o"],
            "title": "T",
            "updatedAt": "2026-01-02T03:04:05Z",
            "_meta": META,
        }
    ],
    "nextCursor": "next",
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
        "new, with modes",
        lambda a: a.new_session("/p", []),
        {"sessionId": "s", "modes": MODES, "_meta": META},
        {**_PAST, "_meta": META},
    ),
    Answered(
        "new, with options of which one is the mode",
        lambda a: a.new_session("/p", []),
        {"sessionId": "s", "modes": MODES, "configOptions": CONFIG},
        {"is": "SessionOpened", "sessionId": "s", "configOptions": MEANT_CONFIG, "_meta": None},
    ),
    Answered(
        "new, with the models that many agents send",
        lambda a: a.new_session("/p", []),
        {
            "sessionId": "s",
            "models": {
                "currentModelId": "m1",
                "availableModels": [{"modelId": "m1", "name": "M", "description": "D"}],
            },
        },
        {
            "is": "SessionOpened",
            "sessionId": "s",
            "configOptions": [
                {
                    "type": "select",
                    "configId": "model",
                    "name": "Model",
                    "category": "model",
                    "currentValue": "m1",
                    "options": [{"value": "m1", "name": "M", "description": "D"}],
                }
            ],
            "_meta": None,
        },
    ),
    Answered(
        "new without an id",
        lambda a: a.new_session("/p", []),
        {},
        None,
        problems=("malformed",),
        valid=False,
    ),
    Answered(
        "list", lambda a: a.list_sessions(None, None), LISTED, {"is": "SessionList", **LISTED}
    ),
    Answered(
        "load",
        lambda a: a.resume_session("s", "/p", [], replay=True),
        {"modes": MODES, "configOptions": None, "_meta": META},
        {**_PAST, "_meta": META},
    ),
    Answered(
        "load, answered null",
        lambda a: a.resume_session("s", "/p", [], replay=True),
        None,
        {"is": "SessionOpened", "sessionId": "s", "configOptions": [], "_meta": None},
        valid=False,
    ),
    Answered(
        "resume",
        lambda a: a.resume_session("s", "/p", [], replay=False),
        {"modes": MODES, "_meta": META},
        {**_PAST, "_meta": META},
    ),
    Answered("close", lambda a: a.close_session("s"), {}, None),
    Answered("delete", lambda a: a.delete_session("s"), {}, None),
    Answered(
        "option set",
        lambda a: a.set_option("s", "model", "m1"),
        {"configOptions": CONFIG, "_meta": META},
        {"is": "ConfigOptionsSet", "configOptions": MEANT_CONFIG},
    ),
    *(
        Answered(
            f"prompt over: {reason}",
            lambda a: a.prompt("s", []),
            {"stopReason": reason},
            {"is": "PromptAnswer", "message_id": None, "ended": True, "stop_reason": reason},
        )
        for reason in ("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled")
    ),
    Answered(
        "prompt over, no reason",
        lambda a: a.prompt("s", []),
        None,
        {"is": "PromptAnswer", "message_id": None, "ended": True, "stop_reason": None},
        problems=("malformed",),
        valid=False,
    ),
]
