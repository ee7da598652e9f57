"""Apply updates to a session, exactly as ACP v2 says (sections "Tool Calls", "Prompt Turn").

`apply` is total: whatever the update, the session stays sound. Patches have three states:
omitted fields (not in `model_fields_set`) stay, `None` clears to the protocol's default, a value
replaces. Costs are proportional to the size of the update, never to that of the session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from acp_sidecar.session.base import AcpModel
from acp_sidecar.session.content import ContentBlock, TextContent
from acp_sidecar.session.state import (
    Compaction,
    Message,
    Meta,
    Session,
    Terminal,
    ToolCall,
    Turn,
)
from acp_sidecar.session.terminals import TerminalOutputChunk, TerminalUpdate
from acp_sidecar.session.text import OutputBuffer, TextRun
from acp_sidecar.session.tool_calls import ToolCallContentChunk, ToolCallUpdate
from acp_sidecar.session.updates import (
    AvailableCommandsUpdate,
    CompactionSummaryChunk,
    CompactionUpdate,
    ConfigOptionUpdate,
    MessageChunk,
    MessageUpdate,
    Notice,
    PlanUpdate,
    SessionInfoUpdate,
    StateUpdate,
    UnknownUpdate,
    Update,
    UsageUpdate,
)


class Effect(NamedTuple):
    """What an update changed. A tuple, because one is made for every update.

    Attributes:
        kind: "user", "agent" or "thought" for messages, else "tool_call", "terminal", "plan",
            "commands", "options", "info", "usage", "notice", "compaction", "state", "unknown".
        id: Of the message, call, terminal, plan, notice or compaction; else empty.
        created: It was not there before.
        fields: Names of what was replaced or cleared; empty for an append.
    """

    kind: str
    id: str = ""
    created: bool = False
    fields: frozenset[str] = frozenset()


def apply(session: Session, update: Update) -> Effect:
    """Apply one update, in the order of arrival, and say what it changed."""
    return _APPLY[type(update)](session, update)


def prompt_sent(session: Session) -> None:
    """A prompt is on its way: the session is busy from now on."""
    session.turn = session.turn or Turn()
    session.stop_reason = None
    session.error = None
    session.cancelling = False


def prompt_accepted(session: Session) -> None:
    """v2: the agent has taken the prompt; the turn goes on until it is idle."""
    if session.turn is not None:
        session.turn.accepted = True


def turn_ended(session: Session, stop_reason: str | None) -> None:
    """The turn is over without a word from the agent: refused, failed, or the agent is gone."""
    session.turn = None
    session.cancelling = False
    session.state = "idle"
    session.stop_reason = stop_reason


def cancel_sent(session: Session) -> None:
    """`session/cancel` is on its way; permissions asked from now on are cancelled too."""
    session.cancelling = session.turn is not None


def unfinished(session: Session) -> list[ToolCall]:
    """The calls that are to be shown as cancelled once the turn is; later updates still count."""
    return [call for call in session.tool_calls.values() if not call.finished]


def patched_meta(stored: Meta, patch: Meta) -> Meta:
    """`_meta`: `None` clears; an object is patched by top-level key, a `None` key is removed."""
    if patch is None:
        return None
    merged = {**(stored or {}), **patch}
    return {key: value for key, value in merged.items() if value is not None}


def _patch(target: object, update: AcpModel, defaults: dict[str, Any]) -> frozenset[str]:
    """Set on `target` every field of `defaults` that the update names; `None` means the default."""
    named = update.model_fields_set & defaults.keys()
    for name in named:
        value = getattr(update, name)
        setattr(target, name, _fresh(defaults[name]) if value is None else _own(value))
    if "meta" in update.model_fields_set:
        target.meta = patched_meta(target.meta, update.meta)  # type: ignore[attr-defined]  # all states have it
    return frozenset(named)


def _fresh(default: Any) -> Any:
    return [] if default == [] else default


def _own(value: Any) -> Any:
    """Lists are copied: the update is frozen, and later chunks append to ours."""
    return list(value) if type(value) is list else value


_TOOL_CALL_DEFAULTS: Final[dict[str, Any]] = {
    "name": None,
    "title": None,
    "kind": "other",
    "status": "pending",
    "content": [],
    "locations": [],
    "raw_input": None,
    "raw_output": None,
    "capabilities": None,
}
_TERMINAL_DEFAULTS: Final[dict[str, Any]] = {
    "command": None,
    "cwd": None,
    "exit_status": None,
    "size": None,
    "capabilities": None,
}


def _tool_call(session: Session, tool_call_id: str) -> tuple[ToolCall, bool]:
    call = session.tool_calls.get(tool_call_id)
    if call is not None:
        return call, False
    call = ToolCall(tool_call_id, replayed=session.replaying)
    session.tool_calls[tool_call_id] = call
    session.timeline.append(("tool_call", tool_call_id))
    return call, True


def _apply_tool_call(session: Session, update: ToolCallUpdate) -> Effect:
    call, created = _tool_call(session, update.tool_call_id)
    call.replayed = session.replaying
    fields = _patch(call, update, _TOOL_CALL_DEFAULTS)
    return Effect("tool_call", update.tool_call_id, created, fields)


def _apply_tool_call_chunk(session: Session, update: ToolCallContentChunk) -> Effect:
    call, created = _tool_call(session, update.tool_call_id)
    call.content.append(update.content)
    return Effect("tool_call", update.tool_call_id, created)


def _terminal(session: Session, terminal_id: str) -> tuple[Terminal, bool]:
    terminal = session.terminals.get(terminal_id)
    if terminal is not None:
        return terminal, False
    terminal = Terminal(terminal_id, OutputBuffer(session.output_limit))
    session.terminals[terminal_id] = terminal
    session.timeline.append(("terminal", terminal_id))
    return terminal, True


def _apply_terminal(session: Session, update: TerminalUpdate) -> Effect:
    terminal, created = _terminal(session, update.terminal_id)
    fields = _patch(terminal, update, _TERMINAL_DEFAULTS)
    if "output" in update.model_fields_set:
        terminal.output.replace(b"" if update.output is None else update.output.data)
        fields |= {"output"}
    return Effect("terminal", update.terminal_id, created, fields)


def _apply_terminal_chunk(session: Session, update: TerminalOutputChunk) -> Effect:
    terminal, created = _terminal(session, update.terminal_id)
    terminal.output.append(update.data)
    return Effect("terminal", update.terminal_id, created)


def _message(session: Session, update: MessageUpdate | MessageChunk) -> tuple[Message, bool]:
    key = (update.role, update.message_id)
    message = session.messages.get(key)
    if message is not None:
        return message, False
    message = Message(update.role, update.message_id, replayed=session.replaying)
    session.messages[key] = message
    session.timeline.append(key)
    return message, True


def append_block(content: list[TextRun | ContentBlock], block: ContentBlock) -> None:
    """Append a block; plain text joins the run of plain text before it."""
    if type(block) is not TextContent or block.annotations or block.meta:
        content.append(block)
    elif content and type(content[-1]) is TextRun:
        content[-1].append(block.text)
    else:
        content.append(TextRun(block.text))


def _blocks(blocks: list[ContentBlock] | None) -> list[TextRun | ContentBlock]:
    content: list[TextRun | ContentBlock] = []
    for block in blocks or ():
        append_block(content, block)
    return content


def _apply_message(session: Session, update: MessageUpdate) -> Effect:
    message, created = _message(session, update)
    if "content" in update.model_fields_set:
        message.content = _blocks(update.content)
    if "meta" in update.model_fields_set:
        message.meta = patched_meta(message.meta, update.meta)
    return Effect(update.role, update.message_id, created, frozenset({"content"}))


def _apply_message_chunk(session: Session, update: MessageChunk) -> Effect:
    message, created = _message(session, update)
    append_block(message.content, update.content)
    return Effect(update.role, update.message_id, created)


def _apply_state(session: Session, update: StateUpdate) -> Effect:
    session.state = update.state
    session.stop_reason = update.stop_reason
    session.error = update.error
    session.background = list(update.background or ())
    turn = session.turn
    if turn is not None:
        if update.state != "idle":
            turn.running_seen = True
        elif turn.accepted or turn.running_seen or update.stop_reason is not None:
            # An idle that was on its way before the agent saw our prompt ends nothing.
            session.turn = None
            session.cancelling = False
    return Effect("state")


def _apply_plan(session: Session, update: PlanUpdate) -> Effect:
    plan_id = update.plan.plan_id
    created = plan_id not in session.plans
    session.plans[plan_id] = update.plan
    if created:
        session.timeline.append(("plan", plan_id))
    return Effect("plan", plan_id, created, frozenset({"entries"}))


def _apply_commands(session: Session, update: AvailableCommandsUpdate) -> Effect:
    session.available_commands = list(update.available_commands)
    return Effect("commands")


def _apply_options(session: Session, update: ConfigOptionUpdate) -> Effect:
    session.config_options = list(update.config_options)
    return Effect("options")


def _apply_info(session: Session, update: SessionInfoUpdate) -> Effect:
    fields = _patch(session, update, {"title": None, "updated_at": None})
    return Effect("info", fields=fields)


def _apply_usage(session: Session, update: UsageUpdate) -> Effect:
    session.usage = update
    return Effect("usage")


def _apply_notice(session: Session, update: Notice) -> Effect:
    notice_id = f"notice-{len(session.timeline)}"
    session.notices.append((notice_id, update))
    session.timeline.append(("notice", notice_id))
    return Effect("notice", notice_id, created=True)


def _compaction(session: Session, compaction_id: str, status: str) -> tuple[Compaction, bool]:
    compaction = session.compactions.get(compaction_id)
    if compaction is not None:
        return compaction, False
    compaction = Compaction(compaction_id, status)
    session.compactions[compaction_id] = compaction
    session.timeline.append(("compaction", compaction_id))
    return compaction, True


def _apply_compaction(session: Session, update: CompactionUpdate) -> Effect:
    compaction, created = _compaction(session, update.compaction_id, update.status)
    compaction.status = update.status
    if "summary" in update.model_fields_set:
        compaction.summary = _blocks(update.summary)
    fields = _patch(compaction, update, {"error": None})
    return Effect("compaction", update.compaction_id, created, fields | {"status"})


def _apply_compaction_chunk(session: Session, update: CompactionSummaryChunk) -> Effect:
    compaction, created = _compaction(session, update.compaction_id, "in_progress")
    append_block(compaction.summary, update.content)
    return Effect("compaction", update.compaction_id, created)


def _apply_unknown(session: Session, update: UnknownUpdate) -> Effect:
    session.unknown_updates.append(update)
    return Effect("unknown", update.session_update)


_APPLY: Final[dict[type, Callable[[Session, Any], Effect]]] = {
    ToolCallUpdate: _apply_tool_call,
    ToolCallContentChunk: _apply_tool_call_chunk,
    TerminalUpdate: _apply_terminal,
    TerminalOutputChunk: _apply_terminal_chunk,
    MessageUpdate: _apply_message,
    MessageChunk: _apply_message_chunk,
    StateUpdate: _apply_state,
    PlanUpdate: _apply_plan,
    AvailableCommandsUpdate: _apply_commands,
    ConfigOptionUpdate: _apply_options,
    SessionInfoUpdate: _apply_info,
    UsageUpdate: _apply_usage,
    Notice: _apply_notice,
    CompactionUpdate: _apply_compaction,
    CompactionSummaryChunk: _apply_compaction_chunk,
    UnknownUpdate: _apply_unknown,
}
