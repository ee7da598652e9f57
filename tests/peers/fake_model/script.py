"""The scenarios, in words that no model service or agent has: what to read, edit, write and run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.peers.project import NUMBERS


@dataclass(frozen=True)
class Read:
    """Read a file, or `limit` lines of it from the 1-based line `offset`."""

    path: str
    offset: int | None = None
    limit: int | None = None


@dataclass(frozen=True)
class Edit:
    """Replace `old` in a file by `new`."""

    path: str
    old: str
    new: str


@dataclass(frozen=True)
class Write:
    """Write a whole file, new or not."""

    path: str
    content: str


@dataclass(frozen=True)
class Run:
    """Run a shell command."""

    command: str


Action = Read | Edit | Write | Run


@dataclass(frozen=True)
class Step:
    """One answer of the model: what it thinks, says and does, or the HTTP error it fails with."""

    say: str = ""
    actions: tuple[Action, ...] = ()
    think: str = ""
    http_error: int = 0


@dataclass(frozen=True)
class Said:
    """A message of the user in the conversation so far."""

    text: str


@dataclass(frozen=True)
class Called:
    """A tool call that the model has made in the conversation so far."""

    tool: str


Event = Said | Called

COLOURED = r"printf '\033[32mone\033[0m\n'; sleep 0.2; printf 'two\n' >&2; exit 3"
# Leaves a mark, as not every agent says that a command has started.
TICKING = "touch started; for n in 1 2 3 4 5 6 7 8 9; do echo tick $n; sleep 1; done"
OVERWRITTEN = 'print("overwritten")\n'
SPELLED = {"line 10\n": "line ten\n", "line 90\n": "line ninety\n"}
NUMBERED_ANEW = "".join(SPELLED.get(line, line) for line in NUMBERS.splitlines(keepends=True))
NEW_FILE = "# Notes\n\n- one\n- two\n"

_LOOK = Step("Let me look.", (Read("greet.py"),))
_EDIT = Edit(
    "greet.py",
    '    return "Hello, " + name\n',
    '    greeting = "Howdy"\n    return f"{greeting}, {name}"\n',
)

SCENARIOS: Mapping[str, Sequence[Step]] = {
    "hello": (Step("Hello from the scripted model.", think="A greeting will do."),),
    "read": (Step("Reading.", (Read("numbers.txt", 40, 5),)), Step("I read lines 40 to 44.")),
    "edit": (_LOOK, Step("Now the edit.", (_EDIT,)), Step("It is written.")),
    "bad_edit": (
        _LOOK,
        Step("", (Edit("greet.py", "NO SUCH TEXT IN THE FILE\n", "x\n"),)),
        Step("That did not work."),
    ),
    "new_file": (Step("", (Write("notes.md", NEW_FILE),)), Step("It is written.")),
    "overwrite": (_LOOK, Step("", (Write("greet.py", OVERWRITTEN),)), Step("It is written.")),
    "two_hunks": (
        Step("Let me look.", (Read("numbers.txt"),)),
        Step("", (Write("numbers.txt", NUMBERED_ANEW),)),
        Step("Both lines are spelled out."),
    ),
    "command": (Step("", (Run(COLOURED),)), Step("The command exited with 3.")),
    "slow": (Step("", (Run(TICKING),)), Step("It took a while.")),
    "parallel": (
        Step("Both at once.", (Read("greet.py"), Read("numbers.txt", 1, 3))),
        Step("I read both."),
    ),
    "error": (Step(http_error=400),),  # 500 would be tried again for a minute
}

_MARKER = re.compile(r"\[\[peer:(\w+)\]\]")


def next_step(conversation: Sequence[Event]) -> Step:
    """Return what the model does next: the first step whose actions have not all been called."""
    marked = [
        (index, match[1])
        for index, event in enumerate(conversation)
        if isinstance(event, Said)
        for match in _MARKER.finditer(event.text)
    ]
    if not marked:
        return Step("I know no scenario for this.")
    start, name = marked[-1]
    called = sum(isinstance(event, Called) for event in conversation[start:])
    for step in SCENARIOS.get(name, ()):
        if called < len(step.actions) or not step.actions:
            return step
        called -= len(step.actions)
    return Step(f"The scenario {name} is over.")
