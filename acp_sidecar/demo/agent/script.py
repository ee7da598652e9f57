"""What the demo agent does: one script for each slash command, and the tour of all of them."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from acp_sidecar.demo.agent import proposals, tools
from acp_sidecar.demo.agent.events import Json
from acp_sidecar.demo.agent.file_changes import FileChange
from acp_sidecar.demo.agent.processes import PYTHON
from acp_sidecar.demo.agent.turn import Script, ToolCall, Turn, TurnFailed
from acp_sidecar.demo.agent.workspace import Unusable

CRASH_EXIT_STATUS: Final = 3
_DEFAULT_SLOW_SECONDS: Final = 10.0
_FORM: Final[Json] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name", "minLength": 1},
        "greeting": {"type": "string", "title": "Greeting", "enum": ["Hello", "Good day"]},
        "times": {"type": "integer", "title": "How often", "minimum": 1, "maximum": 3},
        "loud": {"type": "boolean", "title": "Loudly", "default": False},
    },
    "required": ["name", "greeting"],
}
_LINES: Final = re.compile(r"(.+?):(\d+)(?:-(\d+))?")
_COUNTDOWN: Final = "acp_sidecar.demo.countdown"


async def tour(turn: Turn) -> None:
    """Everything the demo can do, on the sample's task or on harmless ones elsewhere."""
    if proposals.is_unsolved_sample(turn.session.workspace):
        await _sample_tour(turn)
    else:
        await _foreign_tour(turn)


async def _sample_tour(turn: Turn) -> None:
    await turn.say(
        "I am a scripted demo: no model, but every read, edit and command is real. "
        "Some tests fail here; let me see why."
    )
    await turn.plan(
        "See which tests fail",
        "Find out why",
        "Count words whatever their case",
        "Add --min-length",
        "Rename the usage notes to Markdown",
        "Run the tests again",
    )
    await tools.run_command(turn, [PYTHON, "-m", "tests"])
    await turn.advance()
    await turn.think("`The` and `the` are counted apart, and a dash does not part words.")
    await tools.search_text(turn, "counts[")
    await tools.read_file(turn, "tally/words.py", 6, 23)
    await tools.read_file(turn, "tally/__main__.py", 10, 31)
    await turn.advance()
    await _edit(turn, proposals.COUNT_RIGHT)
    await turn.advance()
    await _edit(turn, proposals.ADD_THE_OPTION)
    if change := proposals.new_test(turn.session.workspace):
        await tools.change_file(turn, change)
    await turn.advance()
    await _edit(turn, proposals.RENAME_USAGE)
    await turn.advance()
    code = await tools.run_command(turn, [PYTHON, "-m", "tests"])
    await turn.advance()
    await _close(turn, "All tests pass now." if code == 0 else "The tests do not pass.")


async def _edit(turn: Turn, edit: proposals.Edit) -> None:
    change = proposals.prepared(turn.session.workspace, edit)
    if change is None:
        turn.left_out.append(f"{edit.name}: it is not as I knew it, so I left it alone.")
    else:
        await tools.change_file(turn, change)


async def _foreign_tour(turn: Turn) -> None:
    workspace = turn.session.workspace
    await turn.say(
        "I am a scripted demo without a model, and this is not my sample project, so I only "
        "look around, propose a note in a file or two, and run one harmless command."
    )
    await turn.plan("Look around", "Propose a note", "Run a harmless command")
    files = proposals.editable_files(workspace)[:2]
    for path in files:
        await tools.read_file(turn, workspace.shown(path), 1, 20)
    await turn.advance()
    for path in files:
        await tools.change_file(turn, proposals.note_in(workspace, path))
    if not files:
        turn.left_out.append("There is no text file here that I could put a note in.")
    await turn.advance()
    await tools.run_command(turn, _harmless_command(turn))
    await turn.advance()
    await _close(turn, "That was the tour.")


def _harmless_command(turn: Turn) -> list[str]:
    if (turn.session.cwd / ".git").exists():
        return ["git", "-c", "color.status=always", "status", "--short", "--branch"]
    return [PYTHON, "--version"]


async def _close(turn: Turn, verdict: str) -> None:
    """The last words tell what was not done, so that nobody must compare."""
    left_out = "".join(f"\n- {reason}" for reason in turn.left_out)
    await turn.say(f"{verdict} Not done or not well:{left_out}" if left_out else verdict)


async def plan_only(turn: Turn) -> None:
    """A plan of three entries, ticked off one by one."""
    await turn.plan("Think", "Think again", "Be done")
    for _ in turn.plan_entries:
        await turn.advance()
    await turn.say("The plan is done; it had no more to it.")


async def search(turn: Turn) -> None:
    """Search for what the prompt says, or for what is left to do."""
    places = await tools.search_text(turn, turn.prompt.argument or "TODO")
    await turn.say(f"Found in {len(places)} places.")


async def read(turn: Turn) -> None:
    """Read what the prompt names, or the first text file."""
    found = _LINES.fullmatch(turn.prompt.argument)
    name, first, last = turn.prompt.argument, None, None
    if found:
        name, first = found[1], max(1, int(found[2]))
        last = int(found[3]) if found[3] else first
    if not name:
        name = turn.session.workspace.shown(_first_file(turn))
    text = await tools.read_file(turn, name, first, last)
    await _close(turn, "Read." if text is not None else "That did not work.")


def _first_file(turn: Turn) -> Path:
    for path in turn.session.workspace.text_files():
        return path
    raise TurnFailed("There is no text file in this project.")


async def edit(turn: Turn) -> None:
    """The edits of the tour, or a note in the file that the prompt names."""
    workspace = turn.session.workspace
    changes: list[FileChange | None]
    if turn.prompt.argument:
        changes = [_note(turn, turn.prompt.argument)]
    elif proposals.is_unsolved_sample(workspace):
        changes = [
            proposals.prepared(workspace, proposals.COUNT_RIGHT),
            proposals.prepared(workspace, proposals.ADD_THE_OPTION),
        ]
    else:
        files = proposals.editable_files(workspace)[:1]
        changes = [proposals.note_in(workspace, path) for path in files]
    for change in changes:
        if change is not None:
            await tools.change_file(turn, change)
    await _close(turn, "Edited." if changes else "There is nothing here that I could edit.")


def _note(turn: Turn, name: str) -> FileChange:
    try:
        return proposals.note_in(turn.session.workspace, turn.session.workspace.resolve(name))
    except Unusable as error:
        raise TurnFailed(str(error)) from error


async def rename(turn: Turn) -> None:
    """Rename what the prompt names, or the sample's usage notes."""
    workspace = turn.session.workspace
    change = proposals.prepared(workspace, proposals.RENAME_USAGE)
    if turn.prompt.argument:
        names = _split(turn.prompt.argument)
        if len(names) != 2:
            raise TurnFailed("Say /rename OLD NEW.")
        try:
            change = proposals.renamed(workspace, *names)
        except Unusable as error:
            raise TurnFailed(str(error)) from error
    if change is None:
        raise TurnFailed("There is nothing to rename here. Say /rename OLD NEW.")
    await tools.change_file(turn, change)
    await _close(turn, "Renamed." if not turn.left_out else "Not renamed.")


async def run(turn: Turn) -> None:
    """Run what the prompt says, or what the tour would run."""
    is_sample = (turn.session.cwd / "tests" / "__main__.py").is_file()
    default = [PYTHON, "-m", "tests"] if is_sample else _harmless_command(turn)
    code = await tools.run_command(turn, _split(turn.prompt.argument) or default)
    await _close(turn, f"The exit code is {code}.")


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise TurnFailed(f"I cannot read this command: {error}.") from error


async def slow(turn: Turn) -> None:
    """A command that counts for the seconds that the prompt says."""
    try:
        seconds = float(turn.prompt.argument or _DEFAULT_SLOW_SECONDS)
    except ValueError as error:
        raise TurnFailed("Say /slow SECONDS.") from error
    await turn.say("This takes its time; cancel it whenever you like.")
    await tools.run_command(turn, [PYTHON, "-m", _COUNTDOWN, f"{seconds:g}"])
    await _close(turn, "It is over.")


async def ask(turn: Turn) -> None:
    """A form with a field of each common kind; the answer is said back."""
    answer = await turn.filled_in("What shall I greet you with?", _FORM)
    if answer is None:
        await turn.say("Then I greet nobody.")
    else:
        greetings = " ".join([str(answer.get("greeting", ""))] * int(answer.get("times", 1)))
        await turn.say(f"{greetings}, {answer.get('name')}{'!' if answer.get('loud') else '.'}")


async def fail(turn: Turn) -> None:
    """Fail as the prompt says: one tool call (also the default), the turn, or the process."""
    if turn.prompt.argument == "crash":
        await turn.say("I am about to crash, as you wished.")
        await turn.client.drained()
        await turn.pause()
        sys.stderr.write("demo agent: crashing on request\n")
        sys.stderr.flush()
        os._exit(CRASH_EXIT_STATUS)
    if turn.prompt.argument == "turn":
        raise TurnFailed("This turn fails on request.")

    async def work(call: ToolCall) -> None:
        call.update(status="in_progress")
        await turn.pause()
        raise call.fail_with("This tool call fails on request.")

    await turn.call(work, name="fail", title="Fail", kind="other")
    await _close(turn, "It failed, as it should.")


async def free_text(turn: Turn) -> None:
    """No model reads the text; say so, and give the tour."""
    if turn.prompt.attachments:
        await turn.say(f"Thank you for the {turn.prompt.attachments} attached; I cannot read them.")
    await tour(turn)


SCRIPTS: Final[Mapping[str, Script]] = {
    "": free_text,
    "tour": tour,
    "plan": plan_only,
    "search": search,
    "read": read,
    "edit": edit,
    "rename": rename,
    "run": run,
    "slow": slow,
    "ask": ask,
    "fail": fail,
}
