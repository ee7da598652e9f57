"""What an adapter for one protocol version offers, and what both versions share.

Everything beyond `wire` works with `Adapter` and never asks which version it talks to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from acp_sidecar.errors import NotSupported, Problem
from acp_sidecar.session.client_requests import ClientRequest, ReadTextFile, WriteTextFile
from acp_sidecar.session.handshake import (
    AuthMethod,
    ConfigOptionsSet,
    InitializeResult,
    SessionList,
    SessionOpened,
)
from acp_sidecar.session.permissions import ElicitationRequest, PermissionRequest
from acp_sidecar.session.updates import Update
from acp_sidecar.wire.lenient import Decoded

T = TypeVar("T")
Json = Any

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
REQUEST_CANCELLED = -32800

ResumeKind = Literal["replay", "plain", "none"]
"""With the past told again, without, or not at all."""


@dataclass(frozen=True, slots=True)
class Outgoing(Generic[T]):
    """A request of ours and how its answer is understood.

    Attributes:
        replays: The agent will tell the session's past again before it answers.
    """

    method: str
    params: dict[str, Json]
    decode: Callable[[Json], Decoded[T]]
    replays: bool = False


@dataclass(frozen=True, slots=True)
class OutgoingNotification:
    method: str
    params: dict[str, Json]


class SessionUpdates(NamedTuple):
    """`session/update`; several updates where v1 says at once what v2 says apart."""

    session_id: str
    updates: Sequence[Update]


@dataclass(frozen=True, slots=True)
class ElicitationCompleted:
    """`elicitation/complete`: what was asked by url has been done elsewhere."""

    elicitation_id: str


@dataclass(frozen=True, slots=True)
class RequestCancelled:
    """`$/cancel_request`: the agent no longer wants an answer to this request of its."""

    request_id: int | str


@dataclass(frozen=True, slots=True)
class UnknownMethod:
    """A request or notification that this client does not serve."""

    method: str


AgentMessage = (
    SessionUpdates
    | PermissionRequest
    | ElicitationRequest
    | ClientRequest
    | ElicitationCompleted
    | RequestCancelled
    | UnknownMethod
)


@dataclass(frozen=True, slots=True)
class PromptAnswer:
    """Answer to `session/prompt`: the turn goes on (v2), or is over with a stop reason (v1)."""

    message_id: str | None = None
    ended: bool = False
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """Who we are, for `initialize`."""

    name: str
    title: str
    version: str

    def json(self) -> Json:
        return {"name": self.name, "title": self.title, "version": self.version}


@dataclass(frozen=True, slots=True)
class ClientOffer:
    """What agents of ACP v1 may have the client do; told in `initialize`."""

    read_files: bool = False
    write_files: bool = False
    terminals: bool = False

    def serves(self, request: ClientRequest) -> bool:
        """Whether the request is one of those that were offered."""
        match request:
            case ReadTextFile():
                return self.read_files
            case WriteTextFile():
                return self.write_files
            case _:
                return self.terminals


class Adapter(Protocol):
    """One connection's view of ACP. May hold what its version needs to be upgraded."""

    @property
    def version(self) -> int: ...

    @property
    def takes_prompts_while_busy(self) -> bool:
        """Whether a prompt may be sent before the last one's turn has ended."""
        ...

    @property
    def resumes(self) -> ResumeKind:
        """How sessions from before can be opened."""
        ...

    @property
    def resumes_in_place(self) -> bool:
        """Whether an open session can be resumed, without its past being told again."""
        ...

    @property
    def takes_directories(self) -> bool:
        """Whether sessions may have `additionalDirectories`."""
        ...

    def incoming(self, method: str, params: Json) -> Decoded[AgentMessage]:
        """Understand a request or notification of the agent's."""
        ...

    def authenticate(self, method: AuthMethod) -> Outgoing[None]:
        """Have the agent sign the user in.

        Raises:
            NotSupported: It is not done by the protocol, as a method of type `terminal`.
        """
        ...

    def logout(self) -> Outgoing[None]: ...

    def new_session(self, cwd: str, directories: Sequence[str]) -> Outgoing[SessionOpened]: ...

    def offering(
        self, opening: Outgoing[SessionOpened], servers: Sequence[Json]
    ) -> Outgoing[SessionOpened]:
        """A request that opens a session, with these MCP servers as ACP v2 describes them."""
        ...

    def list_sessions(self, cwd: str | None, cursor: str | None) -> Outgoing[SessionList]: ...

    def resume_session(
        self, session_id: str, cwd: str, directories: Sequence[str], *, replay: bool
    ) -> Outgoing[SessionOpened]: ...

    def close_session(self, session_id: str) -> Outgoing[None]: ...
    def delete_session(self, session_id: str) -> Outgoing[None]: ...

    def prompt(self, session_id: str, blocks: list[Json]) -> Outgoing[PromptAnswer]: ...

    def prompt_updates(self, session_id: str, blocks: list[Json]) -> list[Update]:
        """What this version's agents leave unsaid when a prompt is sent."""
        ...

    def cancel(self, session_id: str) -> OutgoingNotification: ...

    def set_option(
        self, session_id: str, config_id: str, value: str | bool
    ) -> Outgoing[ConfigOptionsSet]: ...

    def cancel_tool_call(self, session_id: str, tool_call_id: str) -> Outgoing[None]: ...
    def cancel_terminal(self, session_id: str, terminal_id: str) -> Outgoing[None]: ...


def permission_answer(option_id: str | None) -> Json:
    """Result of `session/request_permission`; `None` is cancelled. The same in both versions."""
    if option_id is None:
        return {"outcome": {"outcome": "cancelled"}}
    return {"outcome": {"outcome": "selected", "optionId": option_id}}


def elicitation_answer(action: str, content: Json = None) -> Json:
    """Result of `elicitation/create`: accept (with content for a form), decline or cancel."""
    if action == "accept" and content is not None:
        return {"action": "accept", "content": content}
    return {"action": action}


def decode_nothing(_result: Json) -> Decoded[None]:
    """Answers that only say that it is done; anything in them is `_meta` or the future."""
    return Decoded(None)


def not_by_protocol(method: AuthMethod) -> NotSupported:
    """A way to sign in that no request stands for."""
    return NotSupported(
        f'"{method.name}" is no way to sign in that can be asked of the agent.',
        advice="Choose another one, or sign in in its own program.",
    )


@dataclass(frozen=True, slots=True)
class Negotiated:
    """The outcome of `initialize`.

    Attributes:
        reconnect: The agent answered 2 in v1's words: start it again and offer 1.
    """

    result: InitializeResult | None
    problems: list[Problem]
    reconnect: bool = False
