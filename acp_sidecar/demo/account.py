"""The account at the end: what was reported, what is on disk, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from rich.table import Table
from rich.text import Text

from acp_sidecar.demo.project import FileOnDisk, Snapshot, changes

Json: TypeAlias = dict[str, Any]
Touched: TypeAlias = tuple[str, str, str]
"""An operation, the path, and the path before or an empty string."""

_BAR_WIDTH: Final = 20


@dataclass(frozen=True, slots=True)
class Seen:
    """What the demo itself counted while it played the editor."""

    follow_moves: int
    follow_misses: int
    permissions_asked: int
    permissions_allowed: int


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the account, and whether it is as it should be."""

    name: str
    value: str
    right: bool


@dataclass(frozen=True, slots=True)
class Account:
    files: list[FileOnDisk]
    facts: list[Fact]

    @property
    def right(self) -> bool:
        """Whether everything is as it should be."""
        return all(fact.right for fact in self.facts)


@dataclass(frozen=True, slots=True)
class Disk:
    """The project on disk.

    Attributes:
        root: Where it is.
        before: Its files at the start.
        after: Its files now.
        wanted: What they must have become; None if that depends.
    """

    root: Path
    before: Snapshot
    after: Snapshot
    wanted: Snapshot | None


def account(state: Json, session: Json, seen: Seen, disk: Disk) -> Account:
    """Hold the sidecar's state against the disk.

    Args:
        state: The last answer of `acp.state`.
        session: The session of the demo in it.
        seen: What was counted on the way.
        disk: The project on disk.
    """
    files = changes(disk.before, disk.after)
    reported = list(_reported(state, session, disk.root))
    facts = [
        _turn(session),
        _agreement(reported, files, session["protocolVersion"]),
        Fact("hunks on disk", str(sum(each.hunks for each in files)), right=True),
        Fact(
            "places followed",
            f"{seen.follow_moves} moves",
            seen.follow_misses == 0 and bool(seen.follow_moves or not _has_places(session)),
        ),
        _permissions(state, seen),
        *_commands(session),
        _open_calls(session),
    ]
    if disk.wanted is not None:
        right = dict(disk.after) == dict(disk.wanted)
        text = "as the task wants it" if right else "not what the task wants"
        facts.append(Fact("the project", text, right))
    return Account(files, facts)


def _has_places(session: Json) -> bool:
    return any(call["locations"] for call in session["toolCalls"])


def _turn(session: Json) -> Fact:
    ended = session["state"] == "idle" and not session["busy"]
    return Fact("the turn", f"{session['state']}, {session['stopReason']}", ended)


def _reported(state: Json, session: Json, project: Path) -> Iterable[Touched]:
    """The files of completed edits, as the sidecar's change sets name them."""
    done = {call["toolCallId"] for call in session["toolCalls"] if call["status"] == "completed"}
    for change_set in state["changeSets"]:
        if change_set["toolCallId"] in done and change_set["sessionId"] == session["sessionId"]:
            for file in change_set["files"]:
                old = file.get("oldPath")
                shown = _relative(old, project) if old else ""
                yield file["operation"], _relative(file["path"], project), shown


def _agreement(reported: list[Touched], files: list[FileOnDisk], protocol_version: int) -> Fact:
    """Whether the change sets are what is on disk. v1 has no words for moves: only paths count."""
    found = [(each.operation, each.path, each.old_path or "") for each in files]
    if protocol_version == 1:
        reported, found = _paths(reported), _paths(found)
    text = f"{len(reported)} reported, {len(found)} on disk"
    return Fact("files changed", text, sorted(reported) == sorted(found))


def _paths(touched: list[Touched]) -> list[Touched]:
    names = {name for _, path, old_path in touched for name in (path, old_path) if name}
    return [("change", name, "") for name in names]


def _relative(path: str, project: Path) -> str:
    return Path(path).relative_to(project).as_posix()


def _permissions(state: Json, seen: Seen) -> Fact:
    refused = seen.permissions_asked - seen.permissions_allowed
    text = f"{seen.permissions_asked} asked, {seen.permissions_allowed} allowed"
    if refused:
        text += f", {refused} not"
    return Fact("permissions", text, not state["permissions"])


def _commands(session: Json) -> Iterable[Fact]:
    runs = [call for call in session["toolCalls"] if call["kind"] == "execute"]
    if runs:
        last = runs[-1]
        yield Fact("the last command", f"{last['title']}: {last['status']}", right=True)


def _open_calls(session: Json) -> Fact:
    final = {"completed", "failed", "cancelled"}
    still = [call for call in session["toolCalls"] if call["status"] not in final]
    return Fact("tool calls", f"{len(session['toolCalls'])}, {len(still)} unfinished", not still)


def files_table(files: list[FileOnDisk]) -> Table:
    """The files that changed on disk, in the manner of `git diff --stat`."""
    table = Table.grid(padding=(0, 2))
    most = max((each.added + each.removed for each in files), default=1)
    for each in files:
        name = f"{each.old_path} → {each.path}" if each.old_path else each.path
        scale = min(1.0, _BAR_WIDTH / max(1, most))
        bar = Text("+" * round(each.added * scale), style="green")
        bar.append("-" * round(each.removed * scale), style="red")
        hunks = f"{each.hunks} hunk{'s' if each.hunks != 1 else ''}"
        counts = f"+{each.added} -{each.removed}"
        table.add_row(Text(each.operation, style="dim"), Text(name), hunks, counts, bar)
    if not files:
        table.add_row(Text("no file has changed on disk", style="dim"))
    return table


def facts_table(facts: list[Fact]) -> Table:
    """The facts, each with its mark."""
    table = Table.grid(padding=(0, 2))
    for fact in facts:
        mark = Text("✔", style="green") if fact.right else Text("✘", style="red bold")
        value = Text(fact.value).append("" if fact.right else " (wrong)", style="red bold")
        table.add_row(mark, Text(fact.name, style="dim"), value)
    return table
