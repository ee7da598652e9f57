"""The editor protocol beyond LSP, written once: commands and their arguments, `acp/*` messages.

`docs/editor-protocol.md` and the editors' types are generated from here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from acp_sidecar.errors import EditorError

Json = Any


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
        Any, Field(description="Make a rule of it: see `PermissionAnswer` of `acp/permission`.")
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
    hunk: int | None = None


class TerminalArguments(Arguments):
    session_id: SessionId = None
    terminal_id: str


class ToolCallArguments(Arguments):
    session_id: SessionId = None
    tool_call_id: str


class AgentArguments(Arguments):
    agent: AgentName = None


class LoginArguments(Arguments):
    agent: AgentName = None
    method_id: Annotated[
        str | None, Field(description="One of the agent's `authMethods`; null is its first.")
    ] = None


ARGUMENTS: dict[str, type[Arguments]] = {
    "acp.state": StateArguments,
    "acp.prompt": PromptArguments,
    "acp.cancel": SessionArguments,
    "acp.session.new": NewSessionArguments,
    "acp.session.list": ListSessionsArguments,
    "acp.session.resume": ResumeArguments,
    "acp.session.close": SessionArguments,
    "acp.session.delete": DeleteSessionArguments,
    "acp.session.setOption": SetOptionArguments,
    "acp.permission.answer": AnswerArguments,
    "acp.follow": FollowArguments,
    "acp.trail": TrailArguments,
    "acp.review.preview": ReviewArguments,
    "acp.review.accept": ReviewArguments,
    "acp.review.reject": ReviewArguments,
    "acp.review.undo": ReviewArguments,
    "acp.terminal.stop": TerminalArguments,
    "acp.toolCall.stop": ToolCallArguments,
    "acp.transcript.open": SessionArguments,
    "acp.agent.start": AgentArguments,
    "acp.agent.stop": AgentArguments,
    "acp.agent.restart": AgentArguments,
    "acp.agent.login": LoginArguments,
    "acp.agent.logout": AgentArguments,
}


def arguments_of(command: str, raw: Json) -> Arguments:
    """The arguments of a command.

    Raises:
        EditorError: There is no such command, or its argument is not what it takes.
    """
    model = ARGUMENTS.get(command)
    if model is None:
        raise EditorError(f"There is no command {command}.")
    try:
        return model.model_validate({} if raw is None else raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the argument"
        raise EditorError(f"{command}: {where}: {first['msg']}.") from error
