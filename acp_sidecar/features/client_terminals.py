"""`terminal/*` of ACP v1: commands that agents have the client run, from create to release.

What a command writes goes two ways: into the session, where the user sees it live and keeps it when
the agent has released the terminal; and into a buffer of the size that the agent asked for.
"""

from __future__ import annotations

import codecs
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from acp_sidecar.features.permission.access import Access
from acp_sidecar.features.permission.globs import is_absolute, is_windows
from acp_sidecar.features.ports import Workspace
from acp_sidecar.features.served import Caller, Refusal
from acp_sidecar.session.client_requests import CreateTerminal
from acp_sidecar.session.state import Session
from acp_sidecar.session.terminals import (
    TerminalCapabilities,
    TerminalExitStatus,
    TerminalOutputChunk,
    TerminalUpdate,
)
from acp_sidecar.session.text import OutputBuffer
from acp_sidecar.session.tool_calls import CancelCapability
from acp_sidecar.session.updates import Update

T = TypeVar("T")

MOST_BYTES: Final = 8 * 1024 * 1024
"""The most output kept for an agent, however much it asks for."""

MOST_TERMINALS: Final = 64
"""Terminals of one agent that are not released; each may be a running program."""


@dataclass(frozen=True, slots=True)
class Command:
    """What to run.

    Attributes:
        line: A command line for the shell; `None` if `words` are to be run as they are.
        words: A program and its arguments; after `line`, arguments to add to it.
        env: Variables on top of our own environment.
    """

    line: str | None
    words: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]


class Events(Protocol):
    """What a command tells, in order: `started` or `failed`, then output, then `ended`."""

    def started(self) -> None: ...
    def failed(self, reason: str) -> None: ...
    def output(self, data: bytes) -> None: ...
    def ended(self, exit_code: int | None, signal: str | None) -> None: ...


class Running(Protocol):
    """A command that runs, or has ended and left others behind."""

    def kill(self) -> None:
        """End it and everything that it started; `ended` follows if it has not come yet."""
        ...


class Runner(Protocol):
    """Runs commands, each in a process group of its own."""

    def finds(self, program: str, cwd: str, env: Mapping[str, str]) -> bool:
        """Whether this is the name or the path of a program, as it stands."""
        ...

    def run(self, command: Command, events: Events) -> Running:
        """Start a command; `events` hear how it goes, never from within this call."""
        ...


@dataclass(frozen=True, slots=True)
class Output:
    """What an agent is told of a terminal's output."""

    text: str
    truncated: bool
    status: TerminalExitStatus | None


class ClientTerminals:
    """All terminals that agents have created."""

    def __init__(
        self,
        workspace: Workspace,
        access: Access,
        runner: Runner,
        *,
        tell: Callable[[Session, Update], None],
        new_id: Callable[[], str],
        kept: int,
    ) -> None:
        """Args: `tell` applies an update to a session; `kept` bytes are the default limit."""
        self._workspace = workspace
        self._access = access
        self._runner = runner
        self._tell = tell
        self._new_id = new_id
        self.kept = kept
        self._terminals: dict[str, _Terminal] = {}

    def create(self, session: Session, request: CreateTerminal, caller: Caller[str]) -> None:
        """Run a command; answers with the terminal's id as soon as it runs."""
        cwd = request.cwd or session.cwd
        trouble = self._trouble(session, request, cwd)
        if trouble is not None:
            caller.refuse(*trouble)
            return
        command = self._command(request, cwd)
        words = _shown(command)

        def go() -> None:
            if session.closed:
                caller.refuse(Refusal.NOT_FOUND, "The session is closed")
            else:
                self._start(session, request, command, caller)

        self._access.to_run(session, words, cwd, caller, go)

    def output(self, session: Session, terminal_id: str, caller: Caller[Output]) -> None:
        """What was written so far, and how the command ended if it has."""
        terminal = self._find(session, terminal_id, caller)
        if terminal is not None:
            caller.done(terminal.told())

    def wait(self, session: Session, terminal_id: str, caller: Caller[TerminalExitStatus]) -> None:
        """Answers when the command has ended."""
        terminal = self._find(session, terminal_id, caller)
        if terminal is not None:
            terminal.when_ended(caller.done)

    def kill(self, session: Session, terminal_id: str, caller: Caller[None]) -> None:
        """End the command, and all that it started; answers when it has ended."""
        terminal = self._find(session, terminal_id, caller)
        if terminal is not None:
            terminal.kill()
            terminal.when_ended(lambda _status: caller.done(None))

    def release(self, session: Session, terminal_id: str, caller: Caller[None]) -> None:
        """End the command and forget the terminal; the user keeps its output."""
        terminal = self._find(session, terminal_id, caller)
        if terminal is not None:
            self._release(terminal)
            caller.done(None)

    def stop(self, session: Session, terminal_id: str) -> bool:
        """The user ends a command; whether it was one of these."""
        terminal = self._terminals.get(terminal_id)
        if terminal is None or terminal.session is not session:
            return False
        terminal.kill()
        return True

    def session_closed(self, session: Session) -> None:
        """End what still runs of a session."""
        self._release_all(lambda each: each.session is session)

    def agent_gone(self, agent: str) -> None:
        """End what still runs of an agent: nobody is left to release it."""
        self._release_all(lambda each: each.session.agent == agent)

    def _release_all(self, wanted: Callable[[_Terminal], bool]) -> None:
        for terminal in [each for each in self._terminals.values() if wanted(each)]:
            self._release(terminal)

    def _release(self, terminal: _Terminal) -> None:
        del self._terminals[terminal.terminal_id]
        terminal.kill()

    def _find(self, session: Session, terminal_id: str, caller: Caller[T]) -> _Terminal | None:
        terminal = self._terminals.get(terminal_id)
        if terminal is None or terminal.session is not session:
            text = f"There is no terminal {terminal_id[:200]} in this session, or it is released"
            caller.refuse(Refusal.NOT_FOUND, text)
            return None
        return terminal

    # --- starting ---------------------------------------------------------------------------------

    def _trouble(
        self, session: Session, request: CreateTerminal, cwd: str
    ) -> tuple[Refusal, str] | None:
        """What is wrong with a request, before anybody is asked about it."""
        here = self._workspace.resolve(session.cwd)
        if not is_absolute(cwd) or is_windows(cwd) is not is_windows(here):
            return Refusal.INVALID, f"cwd must be an absolute path of this machine: {cwd[:500]}"
        if not request.command.strip():
            return Refusal.INVALID, "The command is empty"
        said = [request.command, *request.args, cwd]
        said += [part for each in request.env for part in (each.name, each.value)]
        if any("\0" in each for each in said):
            return Refusal.INVALID, "A command cannot have NUL characters in it"
        if any(not each.name or "=" in each.name for each in request.env):
            return Refusal.INVALID, "A name in env is empty or has a = in it"
        mine = [each for each in self._terminals.values() if each.session.agent == session.agent]
        if len(mine) >= MOST_TERMINALS:
            text = f"{len(mine)} terminals are open: release some first"
            return Refusal.FAILED, text
        return None

    def _command(self, request: CreateTerminal, cwd: str) -> Command:
        env = {each.name: each.value for each in request.env}
        is_program = self._runner.finds(request.command, cwd, env)
        words = tuple(request.args)
        plain = not any(char.isspace() for char in request.command)
        if is_program or (words and plain):
            return Command(None, (request.command, *words), cwd, env)
        # A whole command line: many agents put it there, some with more arguments beside it.
        return Command(request.command, words, cwd, env)

    def _start(
        self, session: Session, request: CreateTerminal, command: Command, caller: Caller[str]
    ) -> None:
        limit = self.kept if request.output_byte_limit is None else request.output_byte_limit
        terminal_id = self._new_id()
        terminal = _Terminal(
            session, terminal_id, min(limit, MOST_BYTES), command, caller, self._tell
        )
        self._terminals[terminal_id] = terminal
        terminal.gone = lambda: self._terminals.pop(terminal_id, None)
        terminal.running = self._runner.run(command, terminal)


def _shown(command: Command) -> str | list[str]:
    """A command as rules and people read it: a line, or words."""
    if command.line is None:
        return list(command.words)
    return " ".join([command.line, *map(shlex.quote, command.words)])


@dataclass(eq=False, slots=True)
class _Terminal:
    """One terminal; hears of its command (`Events`)."""

    session: Session
    terminal_id: str
    limit: int
    command: Command
    caller: Caller[str]
    tell: Callable[[Session, Update], None]
    running: Running | None = None
    status: TerminalExitStatus | None = None
    gone: Callable[[], object] = lambda: None
    kept: OutputBuffer = field(init=False)
    waiting: list[Callable[[TerminalExitStatus], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.kept = OutputBuffer(self.limit)

    def kill(self) -> None:
        if self.running is not None:
            self.running.kill()

    def when_ended(self, done: Callable[[TerminalExitStatus], None]) -> None:
        if self.status is not None:
            done(self.status)
        else:
            self.waiting.append(done)

    def told(self) -> Output:
        data = self.kept.kept()
        cut = self.kept.offset > len(data)
        text, shortened = tail_text(data, self.limit, cut=cut, ended=self.status is not None)
        return Output(text, cut or shortened, self.status)

    # --- `Events` ---------------------------------------------------------------------------------

    def started(self) -> None:
        shown = _shown(self.command)
        update = TerminalUpdate(
            terminal_id=self.terminal_id,
            command=shown if isinstance(shown, str) else shlex.join(shown),
            cwd=self.command.cwd,
            capabilities=TerminalCapabilities(cancel=CancelCapability()),
        )
        self.tell(self.session, update)
        self.caller.done(self.terminal_id)

    def failed(self, reason: str) -> None:
        self.gone()
        self.caller.refuse(Refusal.FAILED, reason)

    def output(self, data: bytes) -> None:
        self.kept.append(data)
        self.tell(self.session, TerminalOutputChunk(terminal_id=self.terminal_id, data=data))

    def ended(self, exit_code: int | None, signal: str | None) -> None:
        self.status = TerminalExitStatus(exit_code=exit_code, signal=signal)
        update = TerminalUpdate(
            terminal_id=self.terminal_id, exit_status=self.status, capabilities=None
        )
        self.tell(self.session, update)
        waiting, self.waiting = self.waiting, []
        for done in waiting:
            done(self.status)


def tail_text(data: bytes, limit: int, *, cut: bool, ended: bool) -> tuple[str, bool]:
    """The end of an output as text of at most `limit` bytes of UTF-8, and whether it was cut.

    Bytes that are no UTF-8 become U+FFFD, which is longer than they were. An unfinished character
    at the end is left out while the command may go on with it.

    Args:
        data: The bytes.
        limit: As the agent has set it.
        cut: The beginning is missing, perhaps in the middle of a character.
        ended: Nothing more will come.
    """
    if cut:
        data = _from_a_character(data)
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(data, final=ended)
    encoded = text.encode("utf-8")
    if len(encoded) <= limit:
        return text, False
    kept = encoded[len(encoded) - limit :]
    return _from_a_character(kept).decode("utf-8"), True


def _from_a_character(data: bytes) -> bytes:
    """Without the rest of a character at the beginning, which is at most three bytes."""
    start = 0
    while start < min(3, len(data)) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:]
