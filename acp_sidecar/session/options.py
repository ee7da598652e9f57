"""What a session can be told: config options and slash commands (ACP v2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from acp_sidecar.session.base import (
    FORGIVE,
    SKIP_ITEMS,
    AcpModel,
    Meta,
    Tag,
    UnknownByType,
    UnknownVariant,
    tagged,
    type_of_unknown,
)


class SelectOption(AcpModel):
    value: str
    name: str
    description: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class SelectGroup(AcpModel):
    group_id: str
    name: str
    options: Annotated[list[SelectOption], FORGIVE, SKIP_ITEMS] = Field(default_factory=list)
    meta: Meta = None


class SelectConfigOption(AcpModel):
    """A choice of one value; `options` are all plain or all grouped."""

    type: Literal["select"] = "select"
    config_id: str
    name: str
    description: Annotated[str | None, FORGIVE] = None
    category: Annotated[str | None, FORGIVE] = None
    current_value: str
    options: list[SelectOption] | list[SelectGroup]
    meta: Meta = None


class BooleanConfigOption(AcpModel):
    type: Literal["boolean"] = "boolean"
    config_id: str
    name: str
    description: Annotated[str | None, FORGIVE] = None
    category: Annotated[str | None, FORGIVE] = None
    current_value: bool
    meta: Meta = None


class UnknownConfigOption(UnknownVariant):
    """An option of a type that this version of the protocol does not name; shown, not set."""

    type: str
    config_id: Annotated[str, Field(alias="configId")]
    name: str


SessionConfigOption = Annotated[
    Annotated[SelectConfigOption, Tag("select")]
    | Annotated[BooleanConfigOption, Tag("boolean")]
    | Annotated[UnknownConfigOption, Tag(type_of_unknown)],
    tagged("type", frozenset({"select", "boolean"})),
]


class TextCommandInput(AcpModel):
    """Free text after the command's name; `hint` is shown while it is empty."""

    type: Literal["text"] = "text"
    hint: str
    meta: Meta = None


CommandInput = Annotated[
    Annotated[TextCommandInput, Tag("text")] | Annotated[UnknownByType, Tag(type_of_unknown)],
    tagged("type", frozenset({"text"})),
]


class Command(AcpModel):
    """A slash command of the agent; `name` is without the slash."""

    type: Literal["command"] = "command"
    name: str
    description: str
    input: Annotated[CommandInput | None, FORGIVE] = None
    meta: Meta = None


class UnknownCommand(UnknownVariant):
    """A command of a type that this version of the protocol does not name."""

    type: str
    name: str
    description: str


AvailableCommand = Annotated[
    Annotated[Command, Tag("command")] | Annotated[UnknownCommand, Tag(type_of_unknown)],
    tagged("type", frozenset({"command"})),
]
