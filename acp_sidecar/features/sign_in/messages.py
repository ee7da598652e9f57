"""`acp/runInTerminal`: for a client that offers `runInTerminal: true`."""

from __future__ import annotations

from typing import Final, TypedDict

RUN_IN_TERMINAL: Final = "acp/runInTerminal"


class RunInTerminalParams(TypedDict):
    """A program for the user to talk to; what it says is not for the server.

    Attributes:
        title: Of the terminal, for a person.
        command: The program; no shell is involved.
        args: Its arguments.
        cwd: The directory to run it in.
        env: Environment variables besides the editor's own. They may be secret: keep them out of
            logs.
    """

    title: str
    command: str
    args: list[str]
    cwd: str
    env: dict[str, str]


class RunInTerminalResult(TypedDict):
    """How the program ended.

    Attributes:
        exitCode: Null if the terminal was closed, or the program ended by a signal.
    """

    exitCode: int | None
