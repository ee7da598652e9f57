"""Tool calls: what an agent does, where, and what it changes (ACP v2 "Tool Calls")."""

from __future__ import annotations

from typing import Annotated, Any, Literal

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
from acp_sidecar.session.content import ContentBlock


class ContentItem(AcpModel):
    """A content block as an item of a tool call (ACP v2 `Content`)."""

    type: Literal["content"] = "content"
    content: ContentBlock
    meta: Meta = None


class PathChange(AcpModel):
    """A file that is added, deleted or modified (ACP v2 `DiffChange`).

    `old_text` and `new_text` are not ACP v2's: the v1 adapter keeps there the two texts of a v1
    diff, which may be whole files or fragments. `old_text` is `None` for a new file.
    """

    operation: Literal["add", "delete", "modify"]
    path: str
    file_type: Annotated[str | None, FORGIVE] = None
    mime_type: Annotated[str | None, FORGIVE] = None
    old_text: str | None = None
    new_text: str | None = None
    meta: Meta = None


class PathPairChange(AcpModel):
    """A file that is moved or copied from `old_path` to `path` (ACP v2 `DiffChange`)."""

    operation: Literal["move", "copy"]
    old_path: str
    path: str
    file_type: Annotated[str | None, FORGIVE] = None
    mime_type: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class UnknownChange(UnknownVariant):
    """A change with an operation that this version of the protocol does not name."""

    operation: str


DiffChange = Annotated[
    Annotated[PathChange, Tag("add")]
    | Annotated[PathChange, Tag("delete")]
    | Annotated[PathChange, Tag("modify")]
    | Annotated[PathPairChange, Tag("move")]
    | Annotated[PathPairChange, Tag("copy")]
    | Annotated[UnknownChange, Tag(type_of_unknown)],
    tagged("operation", frozenset({"add", "delete", "modify", "move", "copy"})),
]


class DiffPatch(AcpModel):
    """Renderable text for some or all of a diff's changes; `format` is "git_patch" so far."""

    format: str
    text: str
    meta: Meta = None


class Diff(AcpModel):
    """File modifications: `changes` says what is touched, `patch` helps to show it."""

    type: Literal["diff"] = "diff"
    changes: Annotated[list[DiffChange], SKIP_ITEMS]
    patch: Annotated[DiffPatch | None, FORGIVE] = None
    meta: Meta = None


class TerminalItem(AcpModel):
    """A place to show a terminal (ACP v2 `Terminal`); its state comes by `terminal_update`."""

    type: Literal["terminal"] = "terminal"
    terminal_id: str
    meta: Meta = None


ToolCallContent = Annotated[
    Annotated[ContentItem, Tag("content")]
    | Annotated[Diff, Tag("diff")]
    | Annotated[TerminalItem, Tag("terminal")]
    | Annotated[UnknownByType, Tag(type_of_unknown)],
    tagged("type", frozenset({"content", "diff", "terminal"})),
]


class ToolCallLocation(AcpModel):
    """A place that a tool call works on. `line` is 1-based; 0 and `None` mean no line."""

    path: str
    line: Annotated[Annotated[int, Field(ge=0)] | None, FORGIVE] = None
    meta: Meta = None


class CancelCapability(AcpModel):
    meta: Meta = None


class ToolCallCapabilities(AcpModel):
    """What the client may ask of a call; `cancel` is there if `tool_call/cancel` is accepted."""

    cancel: Annotated[CancelCapability | None, FORGIVE] = None
    meta: Meta = None


class ToolCallUpdate(AcpModel):
    """Create or patch the call `tool_call_id`; arrays replace the whole stored array."""

    tool_call_id: str
    name: Annotated[str | None, FORGIVE] = None
    title: Annotated[str | None, FORGIVE] = None
    kind: Annotated[str | None, FORGIVE] = None
    status: Annotated[str | None, FORGIVE] = None
    content: Annotated[list[ToolCallContent] | None, FORGIVE, SKIP_ITEMS] = None
    locations: Annotated[list[ToolCallLocation] | None, FORGIVE, SKIP_ITEMS] = None
    raw_input: Annotated[Any, FORGIVE] = None
    raw_output: Annotated[Any, FORGIVE] = None
    capabilities: Annotated[ToolCallCapabilities | None, FORGIVE] = None
    meta: Meta = None


class ToolCallContentChunk(AcpModel):
    """Append one item to the content of a call; its `meta` is the chunk's own, never stored."""

    tool_call_id: str
    content: ToolCallContent
    meta: Meta = None


FINISHED: frozenset[str] = frozenset({"completed", "failed", "cancelled"})
"""Statuses after which a call does no more."""
