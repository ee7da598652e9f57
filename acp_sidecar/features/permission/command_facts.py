"""The command of an operation: its exact text, its words if it is plain, and where it would run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from acp_sidecar.features.permission.globs import is_inside, is_windows
from acp_sidecar.features.permission.plain_command import Reading, read_line, read_list, script_of
from acp_sidecar.session.state import Session, ToolCall
from acp_sidecar.session.tool_calls import TerminalItem

Locate = Callable[[str], str | None]

_COMMAND_KEYS: Final = ("command", "cmd", "commandLine", "command_line", "script", "argv")
_CWD_KEYS: Final = ("cwd", "workdir", "working_directory", "workingDirectory", "directory", "dir")


@dataclass(frozen=True, slots=True)
class CommandFact:
    """A command that would run.

    Attributes:
        text: What would run, exactly.
        words: Its words if it is one plain command whose words are certain.
        doubt: Why it is not known to be plain; empty if it is.
        cwd: Where it would run, as a real path; `None` if that cannot be told.
        cwd_outside: `cwd` is outside the workspace, or cannot be told.
    """

    text: str
    words: tuple[str, ...] | None
    doubt: str
    cwd: str | None
    cwd_outside: bool


def one_command(
    commands: Sequence[str | list[str]], cwd: str, real_cwd: str | None, roots: Sequence[str]
) -> CommandFact:
    """The fact of one command, told in one or several ways that must agree."""
    windows = is_windows(cwd)
    readings = [_read(command, windows=windows) for command in commands]
    texts = list(dict.fromkeys(map(_text, commands)))
    reading = readings[0]
    if any(other.words != reading.words for other in readings) or (
        reading.words is None and len(texts) > 1
    ):
        reading = Reading(None, "the agent names more than one command")
    outside = real_cwd is None or not any(is_inside(real_cwd, root) for root in roots)
    return CommandFact("\n".join(texts), reading.words, reading.doubt, real_cwd, outside)


def command_of_call(
    session: Session, call: ToolCall, locate: Locate, roots: Sequence[str]
) -> CommandFact | None:
    """The command that a tool call would run, from its raw input and the terminals it shows.

    A title is never taken for a command: it is only what the agent says.
    """
    raw = call.raw_input if isinstance(call.raw_input, dict) else {}
    commands = [found for key in _COMMAND_KEYS if (found := _command(raw.get(key))) is not None]
    if commands and _command(raw.get("args")) is not None:
        commands = [_with_arguments(command, raw["args"]) for command in commands]
    terminals = [
        terminal
        for item in call.content
        if isinstance(item, TerminalItem)
        and (terminal := session.terminals.get(item.terminal_id)) is not None
    ]
    commands += [terminal.command for terminal in terminals if terminal.command]
    if not commands:
        return None
    places = [raw[key] for key in _CWD_KEYS if isinstance(raw.get(key), str)]
    places += [terminal.cwd for terminal in terminals if terminal.cwd]
    return _placed(commands, places or [session.cwd], locate, roots)


def _placed(
    commands: list[str | list[str]], places: list[str], locate: Locate, roots: Sequence[str]
) -> CommandFact:
    reals = {locate(place) for place in places}
    real = reals.pop() if len(reals) == 1 else None
    return one_command(commands, places[0], real, roots)


def _command(value: Any) -> str | list[str] | None:
    if isinstance(value, str) and value:
        return value
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        return value
    return None


def _with_arguments(command: str | list[str], arguments: Any) -> str | list[str]:
    """A program and its arguments told apart; a line with arguments is read as one line."""
    if isinstance(command, list):
        return [*command, *([arguments] if isinstance(arguments, str) else arguments)]
    if isinstance(arguments, str):
        return f"{command} {arguments}"
    return [command, *arguments]


def _read(command: str | list[str], *, windows: bool) -> Reading:
    if isinstance(command, str):
        return read_line(command, windows=windows)
    return read_list(command, windows=windows)


def _text(command: str | list[str]) -> str:
    if isinstance(command, str):
        return command
    script = script_of(command)
    return shlex.join(command) if script is None else script
