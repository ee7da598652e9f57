"""What a diff says, as values: hunks, file changes, change sets.

Line numbers are 1-based, as in patches. Lines keep their endings; a line without one is the last
line of a file without a final newline.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from acp_sidecar.changes.texts import BOM, LineBreak, ending_of, split_lines
from acp_sidecar.errors import Problem


class LineKind(StrEnum):
    """The first character of a hunk's line in a patch."""

    CONTEXT = " "
    REMOVED = "-"
    ADDED = "+"


class Side(StrEnum):
    """The two sides of a diff: the text before and the text after."""

    OLD = "old"
    NEW = "new"

    @property
    def other(self) -> Side:
        return Side.NEW if self is Side.OLD else Side.OLD


class HunkState(StrEnum):
    """Where a hunk stands.

    `kept` and `undone` are the user's choices, which a feature records; the others are computed
    from the text (`anchor`).
    """

    PROPOSED = "proposed"
    APPLIED = "applied"
    KEPT = "kept"
    UNDONE = "undone"
    CONFLICT = "conflict"
    UNANCHORED = "unanchored"


class SetState(StrEnum):
    """Where a file's change or a change set stands, from the states of its hunks."""

    PROPOSED = "proposed"
    APPLIED = "applied"
    MIXED = "mixed"
    CONFLICTING = "conflicting"
    UNKNOWN = "unknown"


class HunkLine(NamedTuple):
    """One line of a hunk; `text` includes the line's ending, if it has one."""

    kind: LineKind
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """A run of changed lines in a hunk: `old_lines[old_lo:old_hi]` became `new_lines[...]`."""

    old_lo: int
    old_hi: int
    new_lo: int
    new_hi: int

    def span(self, side: Side) -> tuple[int, int]:
        """The run's lines on one side, as a half-open range into that side's lines."""
        old = side is Side.OLD
        return (self.old_lo, self.old_hi) if old else (self.new_lo, self.new_hi)


@dataclass(frozen=True)
class Hunk:
    r"""A piece of a diff: context lines and one or more runs of changed lines.

    Attributes:
        old_start: 1-based line where the old side begins. Where git counts from the line before
            (a side with no lines), this is the line that the side would begin at.
        new_start: The same for the new side.
        lines: The body, in the order of the patch.
        section: What follows the second `@@`: usually the enclosing function.
        line_break: What ends a line, in `lines` and in the line numbers.
        numbered: Whether the line numbers mean anything in the file. Those of a snippet do not.
    """

    old_start: int
    new_start: int
    lines: tuple[HunkLine, ...]
    section: str = ""
    line_break: LineBreak = "\n"
    numbered: bool = True

    @cached_property
    def old_lines(self) -> tuple[str, ...]:
        """The old side: context and removed lines."""
        return tuple(line.text for line in self.lines if line.kind is not LineKind.ADDED)

    @cached_property
    def new_lines(self) -> tuple[str, ...]:
        """The new side: context and added lines."""
        return tuple(line.text for line in self.lines if line.kind is not LineKind.REMOVED)

    def side(self, side: Side) -> tuple[str, ...]:
        """The lines of one side."""
        return self.old_lines if side is Side.OLD else self.new_lines

    def start(self, side: Side) -> int:
        """The 1-based line where a side begins."""
        return self.old_start if side is Side.OLD else self.new_start

    @cached_property
    def before(self) -> int:
        """How many context lines come before the first changed line."""
        for count, line in enumerate(self.lines):
            if line.kind is not LineKind.CONTEXT:
                return count
        return len(self.lines)

    @cached_property
    def after(self) -> int:
        """How many context lines come after the last changed line."""
        for count, line in enumerate(reversed(self.lines)):
            if line.kind is not LineKind.CONTEXT:
                return count
        return 0

    @cached_property
    def added(self) -> int:
        return sum(line.kind is LineKind.ADDED for line in self.lines)

    @cached_property
    def removed(self) -> int:
        return sum(line.kind is LineKind.REMOVED for line in self.lines)

    @cached_property
    def is_plain(self) -> bool:
        r"""Whether no line has an ending but `\n`, and none begins with a byte order mark."""
        return not any("\r" in line.text or line.text.startswith(BOM) for line in self.lines)

    @cached_property
    def is_ended(self) -> bool:
        """Whether the last line of each side has an ending."""
        return all(ending_of(line) for side in Side for line in self.side(side)[-1:])

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The runs of changed lines, in order."""
        groups: list[Group] = []
        old = new = 0
        start: tuple[int, int] | None = None
        for line in self.lines:
            if line.kind is LineKind.CONTEXT:
                if start is not None:
                    groups.append(Group(start[0], old, start[1], new))
                    start = None
            elif start is None:
                start = (old, new)
            old += line.kind is not LineKind.ADDED
            new += line.kind is not LineKind.REMOVED
        if start is not None:
            groups.append(Group(start[0], old, start[1], new))
        return tuple(groups)

    @cached_property
    def any_break(self) -> Hunk:
        r"""The same hunk in an editor's lines, where a lone `\r` ends a line too."""
        lines = tuple(
            HunkLine(line.kind, part) for line in self.lines for part in split_lines(line.text)
        )
        return Hunk(self.old_start, self.new_start, lines, self.section, "any", self.numbered)


@dataclass(frozen=True, slots=True)
class Snippet:
    """An ACP v1 diff: a whole file or a piece of one, before and after; which, only a text tells.

    `old` is `None` for a new file (some agents also send "" for that).
    """

    old: str | None
    new: str


@dataclass(frozen=True)
class FileChange:
    """What a diff does to one file.

    Attributes:
        operation: "add", "delete", "modify", "move", "copy", or what the agent called it.
        path: The path after the operation (for "delete", the deleted path), as the agent gave it.
        old_path: The path before a "move" or "copy".
        file_type: "text", "binary", "directory", "symlink", "submodule" or another word; `None`
            if nothing says.
        hunks: What changes in the text; empty for anything that is not text, and if the agent
            sent no text.
        snippets: The ACP v1 texts that `hunks` were computed from; see `snippets.settle`.
        old_mode, new_mode: Git's file modes, where a patch names them.
        problems: What did not fit together, named.
        whole: Whether the hunks are known to be the whole change.
    """

    operation: str
    path: str
    old_path: str | None = None
    file_type: str | None = None
    mime_type: str | None = None
    hunks: tuple[Hunk, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    old_mode: str | None = None
    new_mode: str | None = None
    problems: tuple[Problem, ...] = ()
    whole: bool = True

    @property
    def source(self) -> str:
        """The path whose text the old side is from."""
        return self.old_path if self.old_path is not None else self.path

    @property
    def is_text(self) -> bool:
        """Whether the change can be reviewed as text."""
        return self.file_type in (None, "text")

    @cached_property
    def added(self) -> int:
        return sum(hunk.added for hunk in self.hunks)

    @cached_property
    def removed(self) -> int:
        return sum(hunk.removed for hunk in self.hunks)


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """The file changes of a tool call, in the order the agent gave them."""

    files: tuple[FileChange, ...] = ()
    problems: tuple[Problem, ...] = field(default=())


def combined_state(states: list[HunkState]) -> SetState:
    """The state of a whole from the states of its hunks.

    Hunks that cannot be placed say nothing unless there are no others; a kept hunk counts as
    applied, an undone one as proposed.
    """
    known = {_BASIC.get(state, state) for state in states}
    if HunkState.CONFLICT in known:
        return SetState.CONFLICTING
    known.discard(HunkState.UNANCHORED)
    if not known:
        return SetState.UNKNOWN
    if len(known) > 1:
        return SetState.MIXED
    return SetState(known.pop().value)


_BASIC = {HunkState.KEPT: HunkState.APPLIED, HunkState.UNDONE: HunkState.PROPOSED}
