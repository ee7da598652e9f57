"""What a person is asked and told when an agent wants a sign-in."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.features.sanitize import visible_command, visible_line
from acp_sidecar.features.sign_in.messages import RunInTerminalParams
from acp_sidecar.session.handshake import AuthMethod, TerminalAuthMethod, UnknownAuthMethod

NOT_NOW: Final = "Not now"
LABEL_LENGTH: Final = 60
TEXT_LENGTH: Final = 300


@dataclass(frozen=True, slots=True)
class Program:
    """What a way to sign in of type `terminal` runs: the agent's own program, told to sign in.

    Attributes:
        env: What the agent asks for; safe to show.
        settings_env: Of the user's settings, and possibly secret: passed on, never shown.
    """

    command: Sequence[str]
    cwd: str
    env: Mapping[str, str] = field(default_factory=dict)
    settings_env: Mapping[str, str] = field(default_factory=dict)

    def params(self, title: str) -> RunInTerminalParams:
        """For an editor that runs it."""
        return {
            "title": f"Sign in to {title}",
            "command": self.command[0],
            "args": list(self.command[1:]),
            "cwd": self.cwd,
            "env": {**self.settings_env, **self.env},
        }


def program_of(
    method: TerminalAuthMethod, command: Sequence[str], settings_env: Mapping[str, str], cwd: str
) -> Program:
    """The agent's command with what the method adds to it; the method cannot name a program."""
    env = {each.name: each.value for each in method.env or ()}
    return Program([*command, *(method.args or ())], cwd, env, settings_env)


def legacy_program(method: AuthMethod, settings_env: Mapping[str, str], cwd: str) -> Program | None:
    """What `_meta` of a method says to run, as agents did before there was the type `terminal`.

    They name the program themselves, so the user has to see it before it is run. Seen in the wild:
    `"terminal-auth": {"command": "...", "args": [...], "env": {...}, "label": "..."}`.
    """
    meta = method.raw().get("_meta") if isinstance(method, UnknownAuthMethod) else method.meta
    told = meta.get("terminal-auth") if isinstance(meta, dict) else None
    if not isinstance(told, dict) or not isinstance(told.get("command"), str):
        return None
    args, env = told.get("args"), told.get("env")
    words = [each for each in args if isinstance(each, str)] if isinstance(args, list) else []
    named = env.items() if isinstance(env, dict) else ()
    texts = {name: value for name, value in named if isinstance(value, str)}
    return Program([told["command"], *words], cwd, texts, settings_env)


def labels(methods: Sequence[AuthMethod]) -> list[str]:
    """Button labels, no two alike."""
    names = [visible_line(method.name, LABEL_LENGTH) or method.method_id for method in methods]
    count = Counter([*names, NOT_NOW])
    return [
        name if count[name] == 1 else f"{name} ({visible_line(method.method_id, LABEL_LENGTH)})"
        for name, method in zip(names, methods, strict=True)
    ]


def question(title: str, reason: str, methods: Sequence[AuthMethod]) -> str:
    """The text above the buttons."""
    lines = [visible_line(reason, TEXT_LENGTH) or f"How do you want to sign in to {title}?"]
    for name, method in zip(labels(methods), methods, strict=True):
        described = _description(method)
        if described:
            lines.append(f"{name}: {visible_line(described, TEXT_LENGTH)}")
    return "\n".join(lines)


def _description(method: AuthMethod) -> str:
    if isinstance(method, UnknownAuthMethod):
        told = method.raw().get("description")
        return told if isinstance(told, str) else ""
    return method.description or ""


def shall_it_run(title: str, program: Program) -> str:
    """Whether to run a program that the agent has named."""
    return f"{title} wants to run this in a terminal to sign you in:\n{_line(program)}"


def by_hand(title: str, program: Program) -> str:
    """What to do where the editor has no terminal for us."""
    text = f"To sign in to {title}, run this in a terminal, then choose Done:\n{_line(program)}"
    if program.settings_env:
        names = ", ".join(sorted(program.settings_env))
        text += f"\nIt needs the variables of its settings, too: {names}."
    return text


def _line(program: Program) -> str:
    """A program as one would type it."""
    words = [f"{name}={shlex.quote(value)}" for name, value in program.env.items()]
    return visible_command(" ".join([*words, shlex.join(program.command)]))
