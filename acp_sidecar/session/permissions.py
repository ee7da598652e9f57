"""What an agent asks the user: permission and elicitation (ACP v2)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from acp_sidecar.session.base import (
    FORGIVE,
    AcpModel,
    Meta,
    Tag,
    UnknownByType,
    UnknownVariant,
    tagged,
    type_of_unknown,
)
from acp_sidecar.session.tool_calls import ToolCallUpdate


class ServedCall(ToolCallUpdate):
    """Stands for something that the agent has the client do, and for no call of the session.

    Made by the client alone, so that it can be asked about like a tool call; whatever call of the
    agent's has the same id has nothing to do with it.
    """


class ToolCallSubject(AcpModel):
    """Permission for a tool call; the call may be announced by this patch alone."""

    type: Literal["tool_call"] = "tool_call"
    tool_call: ToolCallUpdate
    meta: Meta = None


class CommandSubject(AcpModel):
    """Permission for a command that the agent will run itself; `cwd` is absolute."""

    type: Literal["command"] = "command"
    command: str
    cwd: str
    tool_call_id: Annotated[str | None, FORGIVE] = None
    terminal_id: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


PermissionSubject = Annotated[
    Annotated[ToolCallSubject, Tag("tool_call")]
    | Annotated[CommandSubject, Tag("command")]
    | Annotated[UnknownByType, Tag(type_of_unknown)],
    tagged("type", frozenset({"tool_call", "command"})),
]


class PermissionOption(AcpModel):
    """`kind` is allow_once, allow_always, reject_once, reject_always or a future kind."""

    option_id: str
    name: str
    kind: str
    meta: Meta = None


class PermissionRequest(AcpModel):
    """`session/request_permission`."""

    session_id: str
    title: str
    description: Annotated[str | None, FORGIVE] = None
    subject: PermissionSubject | None = None
    options: list[PermissionOption]
    meta: Meta = None


class FormElicitation(AcpModel):
    """A form; `requested_schema` is the JSON Schema subset of ACP, read by the feature."""

    mode: Literal["form"] = "form"
    message: str
    requested_schema: dict[str, Any]
    session_id: str | None = None
    request_id: int | str | None = None
    tool_call_id: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class UrlElicitation(AcpModel):
    """A page to open in a browser, never without consent."""

    mode: Literal["url"] = "url"
    message: str
    elicitation_id: str
    url: str
    session_id: str | None = None
    request_id: int | str | None = None
    tool_call_id: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class UnknownElicitation(UnknownVariant):
    """A way of asking that this version of the protocol does not name; it is declined."""

    mode: str
    message: str


ElicitationRequest = Annotated[
    Annotated[FormElicitation, Tag("form")]
    | Annotated[UrlElicitation, Tag("url")]
    | Annotated[UnknownElicitation, Tag(type_of_unknown)],
    tagged("mode", frozenset({"form", "url"})),
]
