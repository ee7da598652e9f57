"""A session as plain JSON, in ACP v2's names: what `acp.state` shows.

Complete on purpose; whoever wants little asks for little. Terminal output is text here; clients
with a terminal emulator get the bytes by another way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from acp_sidecar.session.content import ContentBlock
from acp_sidecar.session.queue import queue_view
from acp_sidecar.session.state import Compaction, Message, Session, Terminal, ToolCall
from acp_sidecar.session.text import TextRun

Json = Any


def plain(model: BaseModel) -> Json:
    """A value of the vocabulary as JSON, without what was never said."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _maybe(model: BaseModel | None) -> Json:
    return None if model is None else plain(model)


def _blocks(content: list[TextRun | ContentBlock]) -> list[Json]:
    return [
        {"type": "text", "text": str(block)} if isinstance(block, TextRun) else plain(block)
        for block in content
    ]


def message_view(message: Message) -> Json:
    """A message; text that came in pieces is one block."""
    return {
        "messageId": message.message_id,
        "role": message.role,
        "content": _blocks(message.content),
        "_meta": message.meta,
    }


def tool_call_view(call: ToolCall) -> Json:
    """A tool call with everything it has now."""
    return {
        "toolCallId": call.tool_call_id,
        "name": call.name,
        "title": call.title,
        "kind": call.kind,
        "status": call.status,
        "content": [plain(item) for item in call.content],
        "locations": [plain(location) for location in call.locations],
        "rawInput": call.raw_input,
        "rawOutput": call.raw_output,
        "capabilities": _maybe(call.capabilities),
        "_meta": call.meta,
    }


def raw_text(terminal: Terminal) -> str:
    """The kept output with its escapes; bytes that are no UTF-8 become U+FFFD."""
    return terminal.output.kept().decode("utf-8", "replace")


def terminal_view(terminal: Terminal, text: Callable[[Terminal], str] = raw_text) -> Json:
    """A terminal, its output as `text` says; `truncated` if earlier output is not kept."""
    return {
        "terminalId": terminal.terminal_id,
        "command": terminal.command,
        "cwd": terminal.cwd,
        "output": text(terminal),
        "truncated": terminal.output.dropped > 0,
        "exitStatus": _maybe(terminal.exit_status),
        "size": _maybe(terminal.size),
        "capabilities": _maybe(terminal.capabilities),
        "_meta": terminal.meta,
    }


def _compaction_view(compaction: Compaction) -> Json:
    return {
        "compactionId": compaction.compaction_id,
        "status": compaction.status,
        "summary": _blocks(compaction.summary),
        "error": compaction.error,
        "_meta": compaction.meta,
    }


def session_view(session: Session, text: Callable[[Terminal], str] = raw_text) -> Json:
    """Everything that is so in the session; `text` makes text of a terminal's bytes."""
    return {
        "sessionId": session.key,
        "agent": session.agent,
        "cwd": session.cwd,
        "additionalDirectories": session.additional_directories,
        "protocolVersion": session.protocol_version,
        "state": session.state,
        "stopReason": session.stop_reason,
        "error": _maybe(session.error),
        "busy": session.busy,
        "cancelling": session.cancelling,
        "replaying": session.replaying,
        "closed": session.closed,
        "queued": queue_view(session),
        "background": [plain(work) for work in session.background],
        "title": session.title,
        "updatedAt": session.updated_at,
        "messages": [message_view(message) for message in session.messages.values()],
        "toolCalls": [tool_call_view(call) for call in session.tool_calls.values()],
        "terminals": [terminal_view(terminal, text) for terminal in session.terminals.values()],
        "plans": [plain(plan) for plan in session.plans.values()],
        "configOptions": [plain(option) for option in session.config_options],
        "availableCommands": [plain(command) for command in session.available_commands],
        "usage": _maybe(session.usage),
        "notices": [plain(notice) for _, notice in session.notices],
        "compactions": [_compaction_view(each) for each in session.compactions.values()],
        "unknownUpdates": [update.raw() for update in session.unknown_updates],
        "timeline": [{"kind": kind, "id": entry_id} for kind, entry_id in session.timeline],
        "_meta": session.meta,
    }
