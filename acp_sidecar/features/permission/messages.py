"""`acp/permission` and its kin: what a client that offers `permission: true` gets and answers.

All texts for people are made safe to show (see `features.sanitize`) but for no markup language:
show them as text. Ids are opaque. Paths in `files` carry both what the agent wrote and what was
verified.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypedDict

PERMISSION: Final = "acp/permission"
PERMISSION_SETTLED: Final = "acp/permissionSettled"

Do = Literal["allow", "ask", "deny"]
By = Literal["user", "rule", "timeout", "session", "agent", "editor", "shutdown"]
Outcome = Literal["selected", "cancelled", "withdrawn", "closed"]


class OptionPayload(TypedDict):
    """An answer that the agent offers.

    Attributes:
        optionId: What to answer with.
        name: What to show.
        kind: allow_once, allow_always, reject_once, reject_always, or an unknown one, which is
            never to be treated as approval.
    """

    optionId: str
    name: str
    kind: str


class FilePayload(TypedDict):
    """A path touched.

    Attributes:
        path: As the agent wrote it.
        real: Absolute, symlinks followed; null if that cannot be told.
        outside: Not known to be inside the workspace; show it.
        operation: add, delete, modify, move, copy, or null if no diff says.
        end: "from" or "to" for the two paths of a move or a copy, else null.
    """

    path: str
    real: str | None
    outside: bool
    operation: str | None
    end: str | None


class CommandPayload(TypedDict):
    """A command that would run.

    Attributes:
        text: Exactly what would run, made safe to show.
        words: Its words, if it is one plain command; else null and `doubt` says why.
        doubt: Why it is not one plain command, for a person; else empty.
        cwdOutside: Its folder is not known to be inside the workspace; show it.
        cwd: Where it would run; null if that cannot be told.
    """

    text: str
    words: list[str] | None
    doubt: str
    cwd: str | None
    cwdOutside: bool


class FactsPayload(TypedDict):
    """What the sidecar verified about the operation; rules are decided on this alone.

    Attributes:
        kinds: What the operation does: read, edit, execute and so on.
        files: Paths that are named, with what they really are.
        command: The command that would run, if it is one.
        hasDiff: A review of the change can be shown beside the question.
        complete: Every path that is named could be verified, and at least one is named.
        outside: Something certainly lies outside the workspace.
    """

    kinds: list[str]
    files: list[FilePayload]
    complete: bool
    command: CommandPayload | None
    outside: bool
    hasDiff: bool


class SubjectPayload(TypedDict):
    """What the permission is about: "tool_call", "command", an unknown type, or null for none."""

    type: str | None
    toolCallId: str | None
    terminalId: str | None


class MatchPayload(TypedDict):
    """What a rule applies to; all that is given must hold.

    Attributes:
        agent, kind, path, command, subject: As in the setting `permissions.rules`.
    """

    agent: NotRequired[str]
    kind: NotRequired[str]
    path: NotRequired[str]
    command: NotRequired[str]
    subject: NotRequired[str]


class SuggestedRule(TypedDict):
    """A rule that would cover this request.

    Attributes:
        label: For a person.
        match: Goes into the answer.
    """

    label: str
    match: MatchPayload


class Question(TypedDict):
    """What prompts and `acp.state` share.

    Attributes:
        title: What the agent asks, in one line.
        description: More about it, or null.
        tool: Name of the tool, as the agent says, or null.
        warnings: What a person should look at first.
        reason: Which rule asked, or empty.
        suggestedRules: What may be remembered.
    """

    permissionId: str
    sessionId: str
    agent: str
    title: str
    description: str | None
    tool: str | None
    options: list[OptionPayload]
    facts: FactsPayload
    warnings: list[str]
    reason: str
    suggestedRules: list[SuggestedRule]


class PermissionParams(Question):
    """Params of the request `acp/permission`; several may be open, answer them in any order.

    Attributes:
        inert: Seconds after it appears for which a prompt must ignore keys and clicks. Never give
            it focus, never make an allowing option the default.
    """

    subject: SubjectPayload
    inert: float


class RememberPayload(TypedDict):
    """Make a rule of the answer: allow for an allowing option, deny for a rejecting one.

    Attributes:
        scope: For this session, or for all until the sidecar ends.
        match: One of the suggested, or edited from it; without it the first suggested is taken.
    """

    scope: Literal["session", "workspace"]
    match: NotRequired[MatchPayload]


class PermissionAnswer(TypedDict):
    """Result of `acp/permission`; null means dismissed, and the agent is answered "cancelled".

    Attributes:
        optionId: One of the options.
        remember: Make a rule of it.
    """

    optionId: str
    remember: NotRequired[RememberPayload]


class PermissionSettledParams(TypedDict):
    """Params of the notification `acp/permissionSettled`: it is over, close any view of it.

    Sent for every permission, also for one that a rule settled without a prompt. A prompt that is
    still open is withdrawn by `$/cancelRequest` as well.
    """

    permissionId: str
    sessionId: str
    agent: str
    title: str
    toolCallId: str | None
    outcome: Outcome
    optionId: str | None
    by: By
    reason: str


class PermissionView(Question):
    """An entry of `permissions` in `acp.state`.

    Attributes:
        subject: The agent's own, whole and unchanged: not made safe to show.
        asked: The editor shows it now; else it waits for its turn or for a command.
        age: Seconds since the agent asked.
    """

    subject: Any
    asked: bool
    age: float


class RememberedView(TypedDict):
    """A rule that the user has added, in `acp.state`.

    Attributes:
        number: For `acp.permission.forgetRule`.
        sessionId: The one session that it is for, or null for all.
        rule: As it would stand in the settings.
    """

    number: int
    sessionId: str | None
    rule: dict[str, Any]


class AuditEntry(TypedDict):
    """One decision, or one rule that was remembered or forgotten, in `acp.state`.

    Attributes:
        rule: What was remembered; null for the decision about a permission.
        age: Seconds since then.
    """

    permissionId: str | None
    sessionId: str | None
    agent: str
    title: str
    outcome: Outcome | Literal["remembered", "forgotten"]
    optionId: str | None
    optionKind: str | None
    by: By
    reason: str
    rule: dict[str, Any] | None
    age: float
