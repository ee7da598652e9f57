"""What a person is shown before deciding: the whole of it, made safe, with warnings first."""

from __future__ import annotations

import re
from typing import Final

from acp_sidecar.features.permission.facts import Facts, PathFact, tool_call_of
from acp_sidecar.features.permission.messages import (
    CommandPayload,
    FactsPayload,
    FilePayload,
    OptionPayload,
    Question,
    SubjectPayload,
    SuggestedRule,
)
from acp_sidecar.features.sanitize import (
    TEXT_LIMIT,
    is_visible,
    visible_command,
    visible_line,
    visible_text,
)
from acp_sidecar.session.permissions import CommandSubject, PermissionRequest, ToolCallSubject
from acp_sidecar.session.state import Session

_LONG_BLANKS: Final = re.compile(r"\s{16}")

SHOWN_FILES: Final = 20
"""Files named in a plain message; a rich client gets up to `MOST_FILES`."""

MOST_FILES: Final = 500


def question_of(
    permission_id: str,
    session: Session,
    request: PermissionRequest,
    facts: Facts,
    *,
    reason: str,
    suggested: list[SuggestedRule],
) -> Question:
    """The whole question, but for what prompts and `acp.state` tell differently."""
    return {
        "permissionId": permission_id,
        "sessionId": session.key,
        "agent": session.agent,
        "title": title_of(session, request),
        "description": description_of(request),
        "tool": tool_of(session, request),
        "options": options_of(request),
        "facts": facts_of(facts),
        "warnings": warnings_of(request, facts),
        "reason": reason,
        "suggestedRules": suggested,
    }


def title_of(session: Session, request: PermissionRequest) -> str:
    """The prompt's title, else the tool call's, else its name: one safe line, never empty."""
    titles = [request.title]
    if isinstance(request.subject, ToolCallSubject):
        call = tool_call_of(session, request.subject.tool_call)
        titles += [call.title or "", call.name or ""]
    return next((line for each in titles if (line := visible_line(each).strip())), "Permission")


def description_of(request: PermissionRequest) -> str | None:
    """The prompt's own explanation."""
    return visible_text(request.description) if request.description else None


def tool_of(session: Session, request: PermissionRequest) -> str | None:
    """The tool's name, as the agent says."""
    if not isinstance(request.subject, ToolCallSubject):
        return None
    name = tool_call_of(session, request.subject.tool_call).name
    return visible_line(name) if name else None


def subject_of(request: PermissionRequest) -> SubjectPayload:
    """Which tool call, terminal or command it concerns."""
    match request.subject:
        case ToolCallSubject(tool_call=patch):
            return {"type": "tool_call", "toolCallId": patch.tool_call_id, "terminalId": None}
        case CommandSubject(tool_call_id=call_id, terminal_id=terminal_id):
            return {"type": "command", "toolCallId": call_id, "terminalId": terminal_id}
        case None:
            return {"type": None, "toolCallId": None, "terminalId": None}
        case unknown:
            kind = visible_line(unknown.type, 80)
            return {"type": kind, "toolCallId": None, "terminalId": None}


def options_of(request: PermissionRequest) -> list[OptionPayload]:
    """The agent's options in its order, names made safe."""
    return [
        {
            "optionId": option.option_id,
            "name": visible_line(option.name, 200),
            "kind": visible_line(option.kind, 80),
        }
        for option in request.options
    ]


def facts_of(facts: Facts) -> FactsPayload:
    """The facts as JSON."""
    return {
        "kinds": sorted(visible_line(kind, 80) for kind in facts.kinds),
        "files": [_file(fact) for fact in facts.paths[:MOST_FILES]],
        "complete": facts.complete,
        "command": _command(facts),
        "outside": facts.outside,
        "hasDiff": facts.has_diff,
    }


def warnings_of(request: PermissionRequest, facts: Facts) -> list[str]:
    """What a person should look at first; empty for the ordinary."""
    found = []
    if facts.subject is None:
        found.append("The agent does not say in a known way what it is about.")
    if facts.outside:
        found.append("Something lies outside the workspace.")
    if any(fact.real is None for fact in facts.paths):
        found.append("A path cannot be verified.")
    found += _command_warnings(facts)
    names = [option.option_id for option in request.options]
    if len(set(names)) < len(names):
        found.append("Several options mean the same to the agent.")
    return found


def _command_warnings(facts: Facts) -> list[str]:
    if facts.command is None:
        return []
    text = facts.command.text
    found = []
    if not all(map(is_visible, text.split("\n"))):
        found.append("The command contains characters that are not normally seen.")
    if _LONG_BLANKS.search(text):
        found.append("The command contains long blanks: look at its end.")
    if len(text) > TEXT_LIMIT:
        found.append("The command is too long to be shown whole.")
    return found


def message_of(session: Session, request: PermissionRequest, facts: Facts) -> str:
    """The whole prompt as plain text, for an editor that shows one message with buttons."""
    lines = [f"{visible_line(session.agent, 80)}: {title_of(session, request)}"]
    lines += [f"⚠ {warning}" for warning in warnings_of(request, facts)]
    description = description_of(request)
    lines += [description] if description else []
    lines += [_what(session, request, facts)]
    lines += _command_lines(facts)
    lines += [_file_line(fact) for fact in facts.paths[:SHOWN_FILES]]
    left_out = len(facts.paths) - SHOWN_FILES
    lines += [f"… and {left_out} more paths"] if left_out > 0 else []
    return "\n".join(line for line in lines if line)


def _what(session: Session, request: PermissionRequest, facts: Facts) -> str:
    tool = tool_of(session, request)
    kinds = ", ".join(sorted(visible_line(kind, 80) for kind in facts.kinds))
    told = [f"Tool: {tool}" if tool else "", f"Kind: {kinds}" if kinds else ""]
    return " · ".join(part for part in told if part)


def _command_lines(facts: Facts) -> list[str]:
    if facts.command is None:
        return []
    cwd = facts.command.cwd
    place = "in an unknown folder" if cwd is None else f"in {visible_line(cwd, 1000)}"
    mark = " (outside the workspace)" if facts.command.cwd_outside else ""
    return [f"$ {visible_command(facts.command.text)}", f"  {place}{mark}"]


def _file_line(fact: PathFact) -> str:
    shown = visible_line(fact.path, 1000)
    real = "" if fact.real in {None, fact.path} else f" → {visible_line(fact.real or '', 1000)}"
    mark = "" if fact.inside else " (outside the workspace)"
    mark = " (cannot be verified)" if fact.real is None else mark
    what = " ".join(part for part in (fact.operation or "path", fact.end) if part)
    return f"{what}: {shown}{real}{mark}"


def _file(fact: PathFact) -> FilePayload:
    return {
        "path": visible_line(fact.path, 4096),
        "real": None if fact.real is None else visible_line(fact.real, 4096),
        "outside": not fact.inside,
        "operation": fact.operation or None,
        "end": fact.end or None,
    }


def _command(facts: Facts) -> CommandPayload | None:
    command = facts.command
    if command is None:
        return None
    return {
        "text": visible_command(command.text, 32_768),
        "words": None if command.words is None else list(command.words),
        "doubt": command.doubt,
        "cwd": None if command.cwd is None else visible_line(command.cwd, 4096),
        "cwdOutside": command.cwd_outside,
    }
