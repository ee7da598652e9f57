"""The slash commands, and how a prompt is read as one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from acp_sidecar.demo.agent.events import Json


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command. `hint` says what may follow its name; None if nothing does."""

    name: str
    description: str
    hint: str | None = None


COMMANDS: Final = (
    Command("tour", "Everything in turn: plan, search, read, edit, rename, run"),
    Command("plan", "Only make a plan and tick it off"),
    Command("search", "Search the project for a text", "text"),
    Command("read", "Read a file, or some lines of it", "path[:first[-last]]"),
    Command("edit", "Propose the edits of the tour, or one in a file", "[path]"),
    Command("rename", "Propose to rename a file", "[path new-path]"),
    Command("run", "Run a command, or the tests of the project", "[command]"),
    Command("slow", "Run a command that takes its time, to try cancelling", "[seconds]"),
    Command("ask", "Ask you something with a form"),
    Command("fail", "Let something fail", "tool | turn | crash"),
)

_COMMAND_LINE: Final = re.compile(r"/([a-z]+)(?:\s+(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as read: the command's name ("" for free text), what follows it, and the text.

    Attributes:
        attachments: How many blocks came that are not text.
    """

    command: str
    argument: str
    text: str
    attachments: int


def read_prompt(blocks: list[Json]) -> Prompt:
    """Find the command in the text of a prompt; text that names no command of ours is free text."""
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    attachments = sum(block["type"] != "text" for block in blocks)
    found = _COMMAND_LINE.fullmatch(text.strip())
    if found and found[1] in {command.name for command in COMMANDS}:
        return Prompt(found[1], (found[2] or "").strip(), text, attachments)
    return Prompt("", "", text, attachments)
