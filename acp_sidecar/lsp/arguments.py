"""What each command takes: one JSON object, as a model that documents and checks it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Arguments(BaseModel):
    """Base of all command arguments: one JSON object; unknown members are ignored."""

    model_config = ConfigDict(
        frozen=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        hide_input_in_errors=True,
    )


SessionId = Annotated[
    str | None, Field(description="A session; without it, the one last used (see `acp.state`).")
]
AgentName = Annotated[
    str | None, Field(description="A configured agent; without it, the default agent.")
]


class Position(Arguments):
    """An LSP position: 0-based, in the negotiated position encoding."""

    line: Annotated[int, Field(ge=0)]
    character: Annotated[int, Field(ge=0)]


class Range(Arguments):
    start: Position
    end: Position


class ContextItem(Arguments):
    """Something that a prompt is about: a file, a range of it, and what is wrong there."""

    uri: str
    range: Range | None = None
    text: Annotated[
        str | None, Field(description="The text; without it, what the editor has open or disk.")
    ] = None
    diagnostics: Annotated[
        list[dict[str, Any]], Field(description="LSP diagnostics that the prompt is about.")
    ] = Field(default_factory=list)


class NoArguments(Arguments):
    """Nothing needs to be said."""


class StateArguments(Arguments):
    session_id: Annotated[
        str | None, Field(description="Only this session; without it, everything.")
    ] = None


class PromptArguments(Arguments):
    session_id: SessionId = None
    agent: AgentName = None
    text: str
    context: list[ContextItem] = Field(default_factory=list)


class SessionArguments(Arguments):
    session_id: SessionId = None


class NewSessionArguments(Arguments):
    agent: AgentName = None
    cwd: Annotated[
        str | None, Field(description="Absolute; without it, the first workspace folder.")
    ] = None


class ListSessionsArguments(Arguments):
    agent: AgentName = None
    cwd: str | None = None
    cursor: str | None = None


class ResumeArguments(Arguments):
    session_id: str
    agent: AgentName = None
    cwd: str | None = None
    replay: Annotated[bool, Field(description="Have the agent tell the past again.")] = True


class DeleteSessionArguments(Arguments):
    session_id: str
    agent: AgentName = None


class SetOptionArguments(Arguments):
    session_id: SessionId = None
    option: Annotated[str, Field(description="The option's `configId`.")]
    value: str | bool


class AnswerArguments(Arguments):
    permission_id: str
    option_id: Annotated[
        str | None, Field(description="One of the request's options; null cancels it.")
    ]
    remember: Annotated[
        Any, Field(description="Make a rule of it: a `RememberPayload`, as for `acp/permission`.")
    ] = None


class RuleMatchArguments(Arguments):
    """What a rule applies to; all that is given must hold.

    Attributes:
        agent, kind, path, command, subject: As in the setting `permissions.rules`.
    """

    model_config = ConfigDict(extra="forbid")  # a misspelt member would make the rule wider

    agent: str | None = None
    kind: str | None = None
    path: str | None = None
    command: str | None = None
    subject: Literal["tool_call", "command"] | None = None


class AddRuleArguments(Arguments):
    """A permission rule, tried after those of the settings and before older ones."""

    model_config = ConfigDict(extra="forbid")

    match: RuleMatchArguments
    do: Literal["allow", "ask", "deny"]
    scope: Annotated[
        Literal["session", "workspace"],
        Field(description="Only for one session, or for all until the sidecar ends."),
    ] = "workspace"
    session_id: SessionId = None


class ForgetRuleArguments(Arguments):
    number: Annotated[int, Field(description="Its `number` in `rules` of `acp.state`.")]


class ElicitationAnswerArguments(Arguments):
    elicitation_id: str
    action: Literal["accept", "decline", "cancel"]
    content: Annotated[
        dict[str, Any] | None, Field(description="Values by name of field, to accept a form.")
    ] = None


class FollowArguments(Arguments):
    mode: Literal["on", "off", "pause", "resume"]
    session_id: SessionId = None


class TrailArguments(Arguments):
    move: Literal["back", "forward"]


class ReviewArguments(Arguments):
    """What a review command is about; what is left out means all of it."""

    change_set: str | None = None
    session_id: str | None = None
    file: Annotated[int | str | None, Field(description="Index in the set, or its path.")] = None
    hunk: Annotated[int | None, Field(description="Index in the file.")] = None


class ReviewTextsArguments(Arguments):
    change_set: str
    file: Annotated[int | str, Field(description="Index in the set, or its path.")]


class TerminalArguments(Arguments):
    session_id: SessionId = None
    terminal_id: str


class TerminalOutputArguments(TerminalArguments):
    offset: Annotated[
        int, Field(ge=0, description="Bytes already read: `next` of what was read last, or 0.")
    ] = 0


class ToolCallArguments(Arguments):
    session_id: SessionId = None
    tool_call_id: str


class AgentArguments(Arguments):
    agent: AgentName = None


class StartAgentArguments(Arguments):
    agent: AgentName = None
    allow_fetch: Annotated[
        bool,
        Field(description="The user agrees that npx or uvx fetch its package: nothing is asked."),
    ] = False


class LoginArguments(Arguments):
    agent: AgentName = None
    method_id: Annotated[
        str | None,
        Field(description="One of the agent's `authMethods`; null asks if there are several."),
    ] = None
