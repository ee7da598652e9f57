"""What is told of reviews: `changeSets` of `acp.state`, and `acp/review`.

Lines are 1-based, as in ACP. Names and enum values of operations are ACP v2's.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from acp_sidecar.changes.hunks import HunkState, SetState

Chosen = Literal["accepted", "rejected"]
"""What the user said."""


class LineSpan(TypedDict):
    """Lines of the present text that a hunk has changed or would change, both included.

    A hunk that has no lines there (a deletion that was made) names the line before which it
    stood, and `endLine` is one less than `startLine`.
    """

    startLine: int
    endLine: int


class Words(TypedDict):
    """Changed characters of one line of a hunk.

    Attributes:
        line: An index into `lines` of the hunk.
        start: First column, from 0, in code points behind the first character of the line.
        end: Column after the last.
    """

    line: int
    start: int
    end: int


class HunkView(TypedDict):
    """A hunk.

    Attributes:
        hunk: Its index in the file.
        state: "proposed" (the text has the old side), "applied" (it has the new side), "kept" or
            "undone" (the user said so, and the text shows it), "conflict" (the user has changed
            it), or "unanchored" (it was not found; it is shown and never applied).
        choice: What the user said, also while the text does not show it yet; or null.
        open: It waits for the user's choice. What was refused with its permission, failed, or is
            of the past of a resumed session does not; what the editor's own undo has taken back
            does so again. In the net change, only count files that no tool call's set tells of.
        reason: Why it is in conflict or unanchored, for a person; may be empty.
        oldStart, newStart: First line on each side, from 1.
        lines: As in a patch: the first character is a blank, `-` or `+`; the line that says that
            there is no newline at the end is one of them.
        range: Where it is in the present text, or null.
        words: What has changed within lines; for rich clients.
    """

    hunk: int
    state: HunkState
    choice: Chosen | None
    open: bool
    reason: str
    oldStart: int
    newStart: int
    lines: list[str]
    range: LineSpan | None
    words: NotRequired[list[Words]]


class ProblemView(TypedDict):
    code: str
    message: str


class FileView(TypedDict):
    """A file of a change set.

    Attributes:
        file: Its index in the set.
        operation: add, delete, modify, move, copy, or the agent's own.
        path: Absolute.
        oldPath: Where it came from, if it is moved or copied.
        fileType: text, binary, directory, symlink, or the agent's own.
        state: By the present text.
        choice: What the user said of the file as a whole, or null.
        open: One of its hunks waits for the user's choice; without hunks, the file itself.
        added, removed: Lines.
        problems: Where the agent's account of the change does not add up.
    """

    file: int
    operation: str
    path: str
    oldPath: str | None
    fileType: str | None
    state: SetState
    choice: Chosen | None
    open: bool
    added: int
    removed: int
    problems: list[ProblemView]
    hunks: list[HunkView]


class SetView(TypedDict):
    """A change set, whole (`acp.state`).

    Attributes:
        toolCallId: Null for the net change of a whole session.
        state: By the present text.
        pending: Its permission is open.
    """

    changeSet: str
    sessionId: str
    toolCallId: str | None
    title: str
    state: SetState
    pending: bool
    problems: list[ProblemView]
    files: list[FileView]


class SetDelta(SetView):
    """A change set that is new or has changed: `files` has only those that have changed.

    Attributes:
        files: They replace those of the same index.
        fileCount: How many files there are; those from there on are no more.
    """

    fileCount: int


class ReviewDelta(TypedDict):
    """Params of `acp/review`.

    Attributes:
        changeSets: New or changed.
        removed: Ids of sets that are gone.
    """

    changeSets: list[SetDelta]
    removed: list[str]


class FailureView(TypedDict):
    """Why nothing was done for a hunk (`null`: for the file itself). `reason` is for a person."""

    changeSet: str
    file: int
    hunk: int | None
    reason: str


class ChoiceResult(TypedDict):
    """What became of a choice, told when the text shows it.

    Attributes:
        changed: How many hunks, and files without hunks, are as the user wants them.
    """

    changed: int
    failed: list[FailureView]


class PreviewResult(TypedDict):
    """The edit that a selection stands for; it was not made.

    Attributes:
        changeSet: As asked for.
        direction: "forward" to what the agent wants, "back" to what was there before.
        edit: A `WorkspaceEdit` of LSP, versioned, with a change annotation for each hunk.
    """

    changeSet: str | None
    direction: Literal["forward", "back"]
    edit: dict[str, Any]
    failed: list[FailureView]


class DocumentText(TypedDict):
    """A virtual document. Its `uri` answers `workspace/textDocumentContent` as well."""

    uri: str
    text: str


class ReviewTexts(TypedDict):
    """A file before and after a change set, for a diff view."""

    changeSet: str
    file: int
    path: str
    before: DocumentText
    after: DocumentText
