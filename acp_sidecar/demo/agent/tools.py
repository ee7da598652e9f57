"""The agent's tools: they read, search, change and run for real, and tell it as tool calls."""

from __future__ import annotations

import asyncio
import shlex
from typing import Final

from acp_sidecar.demo.agent import client_terminal
from acp_sidecar.demo.agent.dialect import Question
from acp_sidecar.demo.agent.events import (
    Location,
    OwnTerminal,
    TerminalExited,
    TerminalOutput,
    TerminalStarted,
    Text,
)
from acp_sidecar.demo.agent.file_changes import (
    ChangedMeanwhile,
    FileChange,
    first_changed_line,
    hunks_text,
    lines_of,
    write,
)
from acp_sidecar.demo.agent.processes import Process
from acp_sidecar.demo.agent.turn import BadExit, NotAllowed, ToolCall, Turn

_MAX_HITS: Final = 20
_VERBS: Final = {"add": "Create", "modify": "Edit", "move": "Rename"}


async def read_file(turn: Turn, name: str, first: int | None, last: int | None) -> str | None:
    """Read a file, or its lines `first` to `last` (1-based, inclusive); None if that failed."""
    found: list[str] = []

    async def work(call: ToolCall) -> None:
        path = turn.session.workspace.resolve(name)
        call.update(status="in_progress", locations=(Location(path, first),))
        await turn.pause()
        lines = lines_of(turn.session.workspace.read(path))[(first or 1) - 1 : last]
        found.append("".join(lines))
        turn.session.characters += len(found[0])
        call.update(content=(Text(found[0]),), raw_output={"lines": len(lines)})

    wanted: dict[str, object] = {"path": name}
    if first is not None:
        wanted["offset"] = first
    if first is not None and last is not None:
        wanted["limit"] = last - first + 1
    title = f"Read {name}" + (f" (lines {first}-{last})" if first and last else "")
    done = await turn.call(work, name="read_file", title=title, kind="read", raw_input=wanted)
    return found[0] if done else None


async def search_text(turn: Turn, needle: str) -> list[Location]:
    """Find a text in the project; every place is a location of the call."""
    places: list[Location] = []

    async def work(call: ToolCall) -> None:
        call.update(status="in_progress")
        await turn.pause()
        shown = []
        for path in turn.session.workspace.text_files():
            for number, line in enumerate(lines_of(turn.session.workspace.read(path)), start=1):
                if needle in line and len(places) < _MAX_HITS:
                    places.append(Location(path, number))
                    shown.append(f"{turn.session.workspace.shown(path)}:{number}: {line.strip()}")
            await asyncio.sleep(0)  # a large project must not keep a cancellation out
        text = "\n".join(shown) or "Nothing found."
        turn.session.characters += len(text)
        call.update(locations=tuple(places), content=(Text(text),))

    title = f"Search for {needle!r}"
    raw_input = {"pattern": needle}
    await turn.call(work, name="search", title=title, kind="search", raw_input=raw_input)
    return places


async def change_file(turn: Turn, change: FileChange) -> bool:
    """Ask, then write; True if it is on disk. A file that changed meanwhile is left alone."""
    shown = turn.session.workspace.shown(change.path)
    verb = _VERBS[change.operation]
    source = turn.session.workspace.shown(change.source)
    title = f"{verb} {source} to {shown}" if change.operation == "move" else f"{verb} {shown}"
    kind = "move" if change.operation == "move" else "edit"
    location = Location(change.source, first_changed_line(change))

    async def work(call: ToolCall) -> None:
        await turn.pause()
        fields = {"content": (change,), "locations": (location,)}
        question = Question(
            call.tool_call_id,
            kind,
            f"{title}?",
            _described(change),
            {"title": title, **fields},  # type: ignore[typeddict-item]
        )
        if not await turn.permitted(question):
            raise NotAllowed("You rejected it; nothing was written.")
        call.update(status="in_progress")
        await turn.pause()
        _write(call, change)
        call.update(locations=(Location(change.path, location.line),))

    return await turn.call(
        work,
        name="rename_file" if kind == "move" else "edit_file",
        title=title,
        kind=kind,
        content=(change,),
        locations=(location,),
        raw_input={"path": str(change.path)},
    )


def _write(call: ToolCall, change: FileChange) -> None:
    # Once more: what the path leads to may have changed while the question was open.
    call.turn.session.workspace.resolve(change.path)
    try:
        write(change)
    except ChangedMeanwhile as failure:
        raise call.fail_with(f"{failure}; nothing was written.") from failure
    except OSError as error:
        raise call.fail_with(f"Could not write: {error.strerror}.") from error
    call.turn.session.characters += len(change.after)


def _described(change: FileChange) -> str:
    hunks = hunks_text(change).count("\n@@ ") + 1
    return f"{hunks} hunk{'s' if hunks > 1 else ''}, to be written by me once you allow it."


async def run_command(turn: Turn, arguments: list[str]) -> int | None:
    """Ask, then run, with the output as it comes; the exit code, None if it has none."""
    command = shlex.join(arguments)
    codes: list[int | None] = []

    async def work(call: ToolCall) -> None:
        await turn.pause()
        terminal_id = turn.session.new_id("term")
        question = Question(
            call.tool_call_id,
            "execute",
            f"Run {command}?",
            None,
            {"title": command, "kind": "execute"},
            command,
            terminal_id,
        )
        if not await turn.permitted(question):
            raise NotAllowed("You rejected it; nothing was run.")
        call.update(status="in_progress")
        if turn.client.dialect.runs_commands_at_client:
            code = await client_terminal.run(call, arguments)
        else:
            code = await _run_here(call, arguments, terminal_id, command)
        codes.append(code)
        call.update(raw_output={"exitCode": code})
        if code != 0:
            ended = "was ended by a signal" if code is None else f"ended with exit code {code}"
            raise BadExit(f"It {ended}.")

    await turn.call(
        work,
        name="run_command",
        title=command,
        kind="execute",
        raw_input={"command": command, "cwd": str(turn.session.cwd)},
    )
    return codes[0] if codes else None


async def _run_here(
    call: ToolCall, arguments: list[str], terminal_id: str, command: str
) -> int | None:
    session = call.turn.session
    call.turn.emit(TerminalStarted(terminal_id, call.tool_call_id, command, session.cwd))
    call.update(content=(OwnTerminal(terminal_id),))
    code: int | None = None
    signal: str | None = None
    try:
        process = session.terminals[terminal_id] = await _started(call, arguments)
        try:
            async for data in process.output():
                session.characters += len(data)
                call.turn.emit(TerminalOutput(terminal_id, data))
                await call.turn.client.drained()
            await process.wait()
        finally:
            await process.stop()
            code, signal = await process.wait()
    finally:
        session.terminals.pop(terminal_id, None)
        call.turn.emit(TerminalExited(terminal_id, code, signal))
    return code


async def _started(call: ToolCall, arguments: list[str]) -> Process:
    starting = asyncio.ensure_future(Process.start(arguments, call.turn.session.cwd))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        # A process half started must still be ended.
        await (await starting).stop()
        raise
    except OSError as error:
        raise call.fail_with(f"{arguments[0]} cannot be started: {error.strerror}.") from error
