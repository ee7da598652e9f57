"""What is under review: change sets, their files and hunks, and what the user chose of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from acp_sidecar.changes.anchor import Place
from acp_sidecar.changes.edits import TextEdit
from acp_sidecar.changes.file_state import Present, of_file
from acp_sidecar.changes.hunks import FileChange, HunkState, SetState, Side
from acp_sidecar.changes.views import TextView
from acp_sidecar.errors import Problem
from acp_sidecar.session.tool_calls import Diff


class Choice(StrEnum):
    """What the user said of a hunk, or of a file that has none."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(slots=True)
class Item:
    """One thing to choose about: a hunk, or a whole file operation.

    Attributes:
        choice: What the user said.
        told: The choice that the agent knows of.
        ours: The side to which an edit of ours has brought it, if any has.
    """

    choice: Choice = Choice.OPEN
    told: Choice = Choice.OPEN
    ours: Side | None = None


@dataclass(slots=True)
class ReviewFile:
    """One file of a change set.

    Attributes:
        change: What the agent wants, with hunks that fit the file's text once `settled`.
        sent: The same as the agent sent it, to recognise it when it comes again.
        path, old_path: Real paths of this machine.
        blocked: Why nothing may be applied to it, for a person; empty if it may.
        hunks: One item for each hunk of `change`.
        whole: The item for the operation on the file itself.
        places: Where the hunks are in `text`.
        text: The text that `places` are of; `None` if there is none to be had, for `reason`.
        pending: Edits of the editor since `text`; `None` if they are not known.
        present: Which of the two paths exist.
        settled: Whether line numbers and context are those of the file.
        first: The text when the change was first told of, if no hunks came with it.
        before: The whole text with all hunks at their old side, if it is known.
        hoped: The sides of the hunks after an edit of ours, if nothing else changes.
        good: The last text in which all hunks stood, and where.
        seen: Whether the new side of all hunks was ever in the text.
        removed_text: What an edit of ours deleted, so that it can come back.
    """

    change: FileChange
    sent: FileChange
    path: str
    old_path: str | None = None
    blocked: str = ""
    hunks: list[Item] = field(default_factory=list)
    whole: Item = field(default_factory=Item)
    places: list[Place] = field(default_factory=list)
    view: TextView | None = None
    text: str | None = None
    reason: str = ""
    pending: list[TextEdit] | None = None
    present: Present = field(default_factory=lambda: Present(exists=False))
    settled: bool = False
    first: str | None = None
    before: str | None = None
    hoped: tuple[Side, ...] = ()
    good: tuple[str, list[Place]] | None = None
    seen: bool = False
    removed_text: str | None = None

    @property
    def items(self) -> list[Item]:
        """What has to be chosen about; the file itself only if it has no hunks."""
        return self.hunks or [self.whole]

    @property
    def current_path(self) -> str:
        """Where the text is now: a move that has not happened has it at the old path."""
        if self.old_path is not None and not self.present.exists:
            return self.old_path
        return self.path

    def hunk_state(self, index: int) -> HunkState:
        """The state of a hunk: what the text says, and the user's choice where it came true."""
        state = self.places[index].state if index < len(self.places) else HunkState.UNANCHORED
        choice = self.hunks[index].choice
        if state is HunkState.APPLIED and choice is Choice.ACCEPTED:
            return HunkState.KEPT
        if (
            state is HunkState.PROPOSED
            and choice is Choice.REJECTED
            and (self.seen or self.hunks[index].ours is Side.OLD)
        ):
            return HunkState.UNDONE
        return state

    def state(self) -> SetState:
        """The state of the file's change, from its text or from what exists."""
        return of_file(self.change, self.present, self.places)

    def side_of(self, index: int) -> Side | None:
        """The side of a hunk that stands in the text, if exactly one does."""
        state = self.places[index].state
        if state is HunkState.PROPOSED:
            return Side.OLD
        return Side.NEW if state is HunkState.APPLIED else None

    def written(self) -> bool:
        """Whether the text shows the whole change."""
        if self.places:
            return all(place.state is HunkState.APPLIED for place in self.places)
        return self.state() is SetState.APPLIED


@dataclass(slots=True)
class ReviewSet:
    """The changes of one tool call, or the net change of a session.

    Attributes:
        id: `SESSION/TOOL_CALL_ID`, or `SESSION/net`.
        tool_call_id: `None` for the net change.
        finished: The call is over: completed, failed, cancelled or given up.
        completed: The agent says that it has done what it wanted.
        replayed: It was told again from the past of a resumed session.
        allowed: How its permission was answered; `None` if it was not asked or not answered.
        diffs: What `files` were made from.
        tell_all: The agent is told of accepted hunks too, because all was denied.
    """

    id: str
    session_key: str
    tool_call_id: str | None
    cwd: str = ""
    title: str = ""
    finished: bool = False
    completed: bool = False
    replayed: bool = False
    allowed: bool | None = None
    files: list[ReviewFile] = field(default_factory=list)
    problems: tuple[Problem, ...] = ()
    diffs: tuple[Diff, ...] = ()
    tell_all: bool = False

    @property
    def net(self) -> bool:
        return self.tool_call_id is None

    @property
    def agent_will_write(self) -> bool:
        """Whether the change may still come from the agent, so that it is not ours to make."""
        return not self.net and not self.finished and self.allowed is not False

    def touched(self) -> bool:
        """Whether anything of it was written or chosen."""
        return any(
            file.seen
            or file.whole.choice is not Choice.OPEN
            or any(item.choice is not Choice.OPEN for item in file.hunks)
            or HunkState.APPLIED in {place.state for place in file.places}
            for file in self.files
        )

    def state(self) -> SetState:
        """The state of all files together."""
        states = {file.state() for file in self.files}
        if SetState.CONFLICTING in states:
            return SetState.CONFLICTING
        states.discard(SetState.UNKNOWN)
        if not states:
            return SetState.UNKNOWN
        return states.pop() if len(states) == 1 else SetState.MIXED
