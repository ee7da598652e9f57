"""Puts the actions of the script into calls of the tools that an agent offers.

Agents name their tools and parameters differently; a tool is recognised by its name, and its
parameters by theirs in the schema that the agent sends along. An agent without a tool for an
action gets it as a shell command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from tests.peers.fake_model.script import Action, Edit, Read, Run, Write

Json = dict[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool that the agent offers. A freeform one takes a text instead of named parameters."""

    name: str
    schema: Json = field(default_factory=dict)
    freeform: bool = False
    namespace: str | None = None


@dataclass(frozen=True)
class Call:
    """A call of a tool; `arguments` is a text for a freeform tool."""

    tool: str
    arguments: Json | str
    namespace: str | None = None


# Best name first. `apply_patch` edits and writes too, in its own format.
_NAMES: Mapping[type[Action], tuple[str, ...]] = {
    Read: ("Read", "read_file", "read"),
    Edit: ("Edit", "replace", "edit", "apply_patch"),
    Write: ("Write", "write_file", "write", "apply_patch"),
    Run: ("Bash", "bash", "run_shell_command", "exec_command", "shell_command", "shell"),
}
_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "path": ("file_path", "filePath", "absolute_path", "path"),
    "offset": ("offset", "start_line"),
    "limit": ("limit",),
    "end": ("end_line",),
    "old": ("old_string", "oldString"),
    "new": ("new_string", "newString"),
    "content": ("content",),
    "command": ("command", "cmd"),
    "patch": ("input", "patch", "patchText"),
    # Asked for by some agents, of no consequence.
    "description": ("description", "instruction"),
}


def call_for(action: Action, tools: Mapping[str, Tool], root: PurePath) -> Call:
    """Return the call that does the action in the project at `root`."""
    tool = _find(_NAMES[type(action)], tools)
    if tool is None and not isinstance(action, Run):
        return call_for(Run(_as_command(action)), tools, root)
    if tool is None:
        return Call("no_such_tool", {})
    if _base_name(tool.name) == "apply_patch" and isinstance(action, Edit | Write):
        patch = _as_patch(action)
        arguments = patch if tool.freeform else _fill(tool, {"patch": patch})
        return Call(tool.name, arguments, tool.namespace)
    return Call(tool.name, _fill(tool, _values(action, root)), tool.namespace)


def _base_name(name: str) -> str:
    """Leave out the server or namespace in names such as `mcp__acp__Read`."""
    return re.split(r"__|[.:/]", name)[-1]


def _find(names: tuple[str, ...], tools: Mapping[str, Tool]) -> Tool | None:
    by_base_name = {_base_name(tool.name): tool for tool in tools.values()}
    return next((by_base_name[name] for name in names if name in by_base_name), None)


def _values(action: Action, root: PurePath) -> Json:
    described: Json = {"description": "A scripted step"}
    if isinstance(action, Run):
        return {**described, "command": action.command}
    path = str(root / action.path)
    if isinstance(action, Edit):
        return {**described, "path": path, "old": action.old, "new": action.new}
    if isinstance(action, Write):
        return {**described, "path": path, "content": action.content}
    if action.offset is None or action.limit is None:
        return {"path": path}
    last = action.offset + action.limit - 1
    return {"path": path, "offset": action.offset, "limit": action.limit, "end": last}


def _fill(tool: Tool, values: Json) -> Json:
    properties: Json = tool.schema.get("properties") or {}
    arguments: Json = {}
    for meaning, value in values.items():
        name = next((name for name in _PARAMETERS[meaning] if name in properties), None)
        if name is None:
            continue
        is_list = properties[name].get("type") == "array"
        arguments[name] = ["bash", "-c", value] if is_list else value
    return arguments


def _as_patch(action: Edit | Write) -> str:
    """The action in the patch format of `apply_patch`; paths are relative to the session."""
    if isinstance(action, Write):
        body = [f"*** Add File: {action.path}", *_prefixed("+", action.content)]
    else:
        changed = [*_prefixed("-", action.old), *_prefixed("+", action.new)]
        body = [f"*** Update File: {action.path}", "@@", *changed]
    return "\n".join(["*** Begin Patch", *body, "*** End Patch", ""])


def _prefixed(sign: str, text: str) -> list[str]:
    return [sign + line for line in text.removesuffix("\n").split("\n")]


def _as_command(action: Read | Edit | Write) -> str:
    if isinstance(action, Read):
        first, count = action.offset or 1, action.limit
        return (
            f"sed -n '{first},{first + count - 1}p' {action.path}"
            if count
            else f"cat {action.path}"
        )
    return f"apply_patch <<'PATCH'\n{_as_patch(action)}PATCH"
