"""What an agent says of itself and of its sessions: answers to our requests (ACP v2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from acp_sidecar.session.base import (
    FORGIVE,
    SKIP_ITEMS,
    AcpModel,
    Meta,
    Tag,
    UnknownVariant,
    tagged,
    type_of_unknown,
)
from acp_sidecar.session.options import AvailableCommand, SessionConfigOption


class Implementation(AcpModel):
    name: str
    title: Annotated[str | None, FORGIVE] = None
    version: str
    meta: Meta = None


class Ability(AcpModel):
    """An empty object that says "yes" by being there."""

    meta: Meta = None


class PromptCapabilities(AcpModel):
    image: Annotated[Ability | None, FORGIVE] = None
    audio: Annotated[Ability | None, FORGIVE] = None
    embedded_context: Annotated[Ability | None, FORGIVE] = None
    meta: Meta = None


class McpCapabilities(AcpModel):
    stdio: Annotated[Ability | None, FORGIVE] = None
    http: Annotated[Ability | None, FORGIVE] = None
    meta: Meta = None


class SessionCapabilities(AcpModel):
    """What sessions can do. `list`, `resume`, `load` and `close` are v1's; v2 has them always."""

    prompt: Annotated[PromptCapabilities | None, FORGIVE] = None
    mcp: Annotated[McpCapabilities | None, FORGIVE] = None
    delete: Annotated[Ability | None, FORGIVE] = None
    additional_directories: Annotated[Ability | None, FORGIVE] = None
    list: Annotated[Ability | None, FORGIVE] = None
    resume: Annotated[Ability | None, FORGIVE] = None
    load: Annotated[Ability | None, FORGIVE] = None
    close: Annotated[Ability | None, FORGIVE] = None
    meta: Meta = None


class AuthCapabilities(AcpModel):
    """v2 offers `auth/logout` where this is there; v1 says so by `logout`."""

    logout: Annotated[Ability | None, FORGIVE] = None
    meta: Meta = None


class AgentCapabilities(AcpModel):
    session: Annotated[SessionCapabilities | None, FORGIVE] = None
    auth: Annotated[AuthCapabilities | None, FORGIVE] = None
    meta: Meta = None


class EnvVariable(AcpModel):
    name: str
    value: str
    meta: Meta = None


class TerminalAuthMethod(AcpModel):
    """Sign in by running the agent's program with `args` and `env` in a terminal."""

    type: Literal["terminal"] = "terminal"
    method_id: str
    name: str
    description: Annotated[str | None, FORGIVE] = None
    args: list[str] | None = None
    env: list[EnvVariable] | None = None
    meta: Meta = None


class AgentAuthMethod(AcpModel):
    """Sign in by `auth/login`; the agent does the rest."""

    type: Literal["agent"] = "agent"
    method_id: str
    name: str
    description: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class UnknownAuthMethod(UnknownVariant):
    """A way to sign in that this version of the protocol does not name."""

    type: str
    method_id: Annotated[str, Field(alias="methodId")]
    name: str


AuthMethod = Annotated[
    Annotated[TerminalAuthMethod, Tag("terminal")]
    | Annotated[AgentAuthMethod, Tag("agent")]
    | Annotated[UnknownAuthMethod, Tag(type_of_unknown)],
    tagged("type", frozenset({"terminal", "agent"})),
]


class InitializeResult(AcpModel):
    protocol_version: Annotated[int, Field(ge=0, le=0xFFFF)]
    info: Implementation
    capabilities: Annotated[AgentCapabilities, FORGIVE] = AgentCapabilities()
    auth_methods: Annotated[list[AuthMethod], FORGIVE, SKIP_ITEMS] = Field(default_factory=list)
    meta: Meta = None


class SessionOpened(AcpModel):
    """Answer to `session/new` (with `session_id`) and `session/resume` (without)."""

    session_id: str | None = None
    config_options: Annotated[list[SessionConfigOption] | None, FORGIVE, SKIP_ITEMS] = None
    available_commands: Annotated[list[AvailableCommand] | None, FORGIVE, SKIP_ITEMS] = None
    meta: Meta = None


class SessionInfo(AcpModel):
    """A session that the agent remembers; `updated_at` is ISO 8601."""

    session_id: str
    cwd: str
    additional_directories: list[str] | None = None
    title: Annotated[str | None, FORGIVE] = None
    updated_at: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class SessionList(AcpModel):
    """One page of `session/list`; `next_cursor` asks for the next."""

    sessions: Annotated[list[SessionInfo], FORGIVE, SKIP_ITEMS] = Field(default_factory=list)
    next_cursor: str | None = None
    meta: Meta = None


class ConfigOptionsSet(AcpModel):
    """Answer to `session/set_config_option`: all options as they are now."""

    config_options: Annotated[list[SessionConfigOption], SKIP_ITEMS]
    meta: Meta = None
