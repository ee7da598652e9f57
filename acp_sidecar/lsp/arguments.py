"""What each command takes: one JSON object, as a model that documents and checks it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag
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


class MediaItem(Arguments):
    """An image or a sound that goes with a prompt, where the agent takes such."""

    type: Literal["image", "audio"]
    uri: Annotated[str | None, Field(description="A file that holds it.")] = None
    data: Annotated[str | None, Field(description="Its bytes in base64, instead of a file.")] = None
    mime_type: Annotated[
        str | None,
        Field(description="Such as `image/png`; may be left out where the file's name tells."),
    ] = None


def _kind_of_context(value: Any) -> str:
    kind = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
    return "media" if kind in {"image", "audio"} else "code"


PromptContext = Annotated[
    Annotated[MediaItem, Tag("media")] | Annotated[ContextItem, Tag("code")],
    Discriminator(_kind_of_context),
]


class NoArguments(Arguments):
    """Nothing needs to be said."""


class StateArguments(Arguments):
    session_id: Annotated[
        str | None, Field(description="Only this session; without it, everything.")
    ] = None


class PromptArguments(Arguments):
    session_id: SessionId = None
    agent: AgentName = None
    text: Annotated[str, Field(description="What the user says; may be empty if there is context.")]
    context: Annotated[
        list[PromptContext], Field(description="What the prompt is about, and what goes with it.")
    ] = Field(default_factory=list)
    mentions: Annotated[
        bool,
        Field(
            description="Files and folders of the workspace that the text names as `@path` or "
            '`@"path with blanks"` go with it: their text, image or sound where the agent takes '
            "that, else as links. What names no file is left alone."
        ),
    ] = True
    queue: Annotated[
        bool,
        Field(
            description="Wait for the end of a running turn, even if the agent takes prompts "
            "meanwhile."
        ),
    ] = False


class UnqueueArguments(Arguments):
    prompt_id: Annotated[str, Field(description="As in `queued` of the session.")]


class SessionArguments(Arguments):
    session_id: SessionId = None


class NewSessionArguments(Arguments):
    agent: AgentName = None
    cwd: Annotated[
        str | None,
        Field(
            description="Absolute; without it, the workspace folder of `document`, else the first."
        ),
    ] = None
    document: Annotated[
        str | None, Field(description="Address of the document that the user is in.")
    ] = None


class ListSessionsArguments(Arguments):
    agent: AgentName = None
    cwd: Annotated[str | None, Field(description="Only sessions of this folder.")] = None
    cursor: Annotated[
        str | None, Field(description="`nextCursor` of the page before; null is the first page.")
    ] = None


class ResumeArguments(Arguments):
    session_id: Annotated[
        str | None,
        Field(
            description="The session; without it, of those that are remembered here and not open, "
            "the one used last."
        ),
    ] = None
    agent: Annotated[
        str | None,
        Field(description="Its agent; without it, the one it is remembered with, or the default."),
    ] = None
    cwd: Annotated[
        str | None, Field(description="Its folder; without it, the one it is remembered with.")
    ] = None
    replay: Annotated[
        bool,
        Field(description="Have the agent tell the past again, if it can."),
    ] = True


class DeleteSessionArguments(Arguments):
    session_id: str
    agent: AgentName = None


class ForgetSessionArguments(Arguments):
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
