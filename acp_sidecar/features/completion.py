"""What can be written next in a prompt: the agent's commands, and files of the workspace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Final, Literal

from acp_sidecar.features.mentions import mention
from acp_sidecar.features.sanitize import visible_line
from acp_sidecar.session.options import AvailableCommand, Command, TextCommandInput

MOST_CHOICES: Final = 100
RANKED: Final = 5_000
"""Names that are compared with each other."""

LONGEST_LINE: Final = 2_000
"""Characters before the cursor that are looked at."""

_COMMAND: Final = re.compile(r"\s*/(\S*)")
_MENTION: Final = re.compile(r'(?:^|(?<=[\s(\["\'`]))@("[^"\n]*|[^\s"]*)$')


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user has begun to write.

    Attributes:
        query: What of it there is, without the character that begins it.
        start: Where that character is, as an offset in the text.
    """

    kind: Literal["command", "file"]
    query: str
    start: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can stand there.

    Attributes:
        text: What is written.
        label: What is shown.
        detail: A short addition, such as a hint of what a command takes.
        about: What it is, for who looks closer.
    """

    text: str
    label: str
    kind: Literal["command", "file", "folder"]
    detail: str = ""
    about: str = ""


def wanted(text: str, offset: int) -> Wanted | None:
    """What is being written at an offset of a prompt; None if there is nothing to offer.

    A command is the first word of the whole prompt, a file is named anywhere.
    """
    command = _COMMAND.fullmatch(text[: min(offset, LONGEST_LINE)])
    if command is not None and offset <= LONGEST_LINE:
        return Wanted("command", command[1], command.start(1) - 1)
    begin = max(0, offset - LONGEST_LINE, text.rfind("\n", 0, offset) + 1)
    mentioned = _MENTION.search(text[begin:offset])
    if mentioned is None:
        return None
    return Wanted("file", mentioned[1].removeprefix('"'), begin + mentioned.start())


def commands(available: Iterable[AvailableCommand], query: str) -> list[Choice]:
    """The commands of a session that fit, those that begin so first."""
    begun = query.casefold()
    fitting = [each for each in available if begun in each.name.casefold()]
    fitting.sort(key=lambda each: not each.name.casefold().startswith(begun))
    return [_command(each) for each in fitting]


def _command(command: AvailableCommand) -> Choice:
    # What is of a kind that is not known may take input, too: there is only no hint of it.
    bare = isinstance(command, Command) and command.input is None
    return Choice(
        text=f"/{command.name}{'' if bare else ' '}",
        label=visible_line(f"/{command.name}"),
        kind="command",
        detail=visible_line(_hint(command)),
        about=visible_line(command.description),
    )


def _hint(command: AvailableCommand) -> str:
    if isinstance(command, Command) and isinstance(command.input, TextCommandInput):
        return command.input.hint
    return ""


def files(names: Sequence[str], query: str, first: Sequence[str] = ()) -> tuple[list[Choice], bool]:
    """The files and folders that fit, the best first, and whether these are all.

    Args:
        names: Relative paths with slashes; folders end with one.
        query: Part of the path, in any case.
        first: Names to be told first where they fit as well as others, such as those of open files.
    """
    begun = query.casefold().replace("\\", "/")
    fitting = [name for name in names if begun in name.casefold()] if begun else list(names)
    early = {name: place for place, name in enumerate(first)}
    best = _best(_shortlist(fitting, early), begun, early)
    return [_file(name) for name in best], len(best) == len(fitting)


def _shortlist(names: list[str], early: dict[str, int]) -> list[str]:
    """Of very many the short ones: ranking all would be felt, and the user is about to say more."""
    if len(names) <= RANKED:
        return names
    return [
        *(name for name in names if name in early),
        *(name for name in sorted(names, key=len)[:RANKED] if name not in early),
    ]


def _best(names: list[str], begun: str, early: dict[str, int]) -> list[str]:
    def rank(name: str) -> tuple[int, int, int, int, str]:
        folded = name.casefold()
        last = folded.rstrip("/").rpartition("/")[2]
        how = 0 if last.startswith(begun) else 1 if begun in last else 2
        if folded.startswith(begun):
            how = 0
        return how, early.get(name, len(early)), name.count("/"), len(name), name

    return nsmallest(MOST_CHOICES, names, key=rank)


def _file(name: str) -> Choice:
    kind: Literal["file", "folder"] = "folder" if name.endswith("/") else "file"
    return Choice(mention(name), visible_line(name), kind)
