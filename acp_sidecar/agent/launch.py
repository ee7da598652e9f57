"""What to start, and what to tell a person when it cannot be started."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from acp_sidecar.errors import AgentExited


@dataclass(frozen=True, slots=True)
class Launch:
    """What to start.

    Attributes:
        name: The agent's name in the settings, for messages.
        command: The program and its arguments; no shell is involved.
        cwd: The directory to start it in. A relative program path is relative to it.
        env: What differs from our own environment; None removes a variable.
    """

    name: str
    command: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str | None] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """The whole environment of the agent."""
        merged: dict[str, str | None] = {**os.environ, **self.env}
        return {name: value for name, value in merged.items() if value is not None}


def resolve(launch: Launch) -> list[str]:
    """The command as the operating system wants it: the program found, its `.cmd` included.

    Raises:
        AgentExited: It cannot be started; says why and what to do.
    """
    if not launch.command or not launch.command[0]:
        raise _failure(launch, "no command is configured", _set_command(launch))
    if not launch.cwd.is_dir():
        text = f"its working directory {launch.cwd} does not exist"
        raise _failure(launch, text, "Open an existing folder, or correct the session's `cwd`.")
    program = launch.command[0]
    if Path(program).name != program:
        program = str(launch.cwd / program)
        if sys.platform != "win32":
            _check_path(launch, Path(program))
    found = shutil.which(program, path=launch.environment().get("PATH"))
    if found is None:
        raise _failure(launch, f"{program} is not on PATH", f"Install it, or {_set(launch)}.")
    return [found, *launch.command[1:]]


def start_failure(launch: Launch, error: OSError) -> AgentExited:
    """The error for a person when the operating system refused to start a resolved command."""
    program = launch.command[0]
    if error.errno == errno.ENOEXEC:
        text = f"{program} is not a program of this machine, and has no #! line"
        return _failure(launch, text, _set_command(launch))
    if error.errno == errno.ENOENT:
        text = f"the interpreter named in the #! line of {program} does not exist"
        return _failure(launch, text, "Install the interpreter, or reinstall the agent.")
    if error.errno == errno.E2BIG:
        return _failure(launch, "its command line is too long", _set_command(launch))
    reason = error.strerror or type(error).__name__
    return _failure(launch, f"{program}: {reason}", _set_command(launch))


def _check_path(launch: Launch, path: Path) -> None:
    if not path.exists():
        raise _failure(launch, f"{path} does not exist", f"Install it, or {_set(launch)}.")
    if path.is_dir():
        raise _failure(launch, f"{path} is a directory", _set_command(launch))
    if not os.access(path, os.X_OK):
        raise _failure(launch, f"{path} is not executable", f"Run `chmod +x {path}`.")


def _failure(launch: Launch, reason: str, advice: str) -> AgentExited:
    return AgentExited(f"{launch.name} could not be started: {reason}.", advice=advice)


def _set(launch: Launch) -> str:
    return f"set agents.{launch.name}.command"


def _set_command(launch: Launch) -> str:
    return f"S{_set(launch)[1:]} to the agent's command line, as a list."
