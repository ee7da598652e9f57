"""Content blocks: what messages, tool calls and prompts are made of (ACP v2 `ContentBlock`)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from acp_sidecar.session.base import (
    FORGIVE,
    SKIP_ITEMS,
    AcpModel,
    Meta,
    Tag,
    UnknownByType,
    tagged,
    type_of_unknown,
)


class Annotations(AcpModel):
    """Hints for showing a block (ACP v2 `Annotations`)."""

    audience: Annotated[list[str] | None, FORGIVE, SKIP_ITEMS] = None
    last_modified: Annotated[str | None, FORGIVE] = None
    priority: Annotated[float | None, FORGIVE] = None
    meta: Meta = None


class TextContent(AcpModel):
    type: Literal["text"] = "text"
    text: str
    annotations: Annotated[Annotations | None, FORGIVE] = None
    meta: Meta = None


class ImageContent(AcpModel):
    """An image; `data` is base64."""

    type: Literal["image"] = "image"
    data: str
    mime_type: str
    uri: Annotated[str | None, FORGIVE] = None
    annotations: Annotated[Annotations | None, FORGIVE] = None
    meta: Meta = None


class AudioContent(AcpModel):
    """A sound; `data` is base64."""

    type: Literal["audio"] = "audio"
    data: str
    mime_type: str
    annotations: Annotated[Annotations | None, FORGIVE] = None
    meta: Meta = None


class Icon(AcpModel):
    src: str
    mime_type: Annotated[str | None, FORGIVE] = None
    sizes: Annotated[list[str] | None, FORGIVE, SKIP_ITEMS] = None
    theme: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class ResourceLink(AcpModel):
    """A reference to something the reader can open; `size` is in bytes."""

    type: Literal["resource_link"] = "resource_link"
    name: str
    uri: str
    title: Annotated[str | None, FORGIVE] = None
    description: Annotated[str | None, FORGIVE] = None
    icons: Annotated[list[Icon] | None, FORGIVE, SKIP_ITEMS] = None
    mime_type: Annotated[str | None, FORGIVE] = None
    size: Annotated[int | None, FORGIVE] = None
    annotations: Annotated[Annotations | None, FORGIVE] = None
    meta: Meta = None


class TextResourceContents(AcpModel):
    text: str
    uri: str
    mime_type: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class BlobResourceContents(AcpModel):
    """Bytes of a resource; `blob` is base64."""

    blob: str
    uri: str
    mime_type: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class EmbeddedResource(AcpModel):
    type: Literal["resource"] = "resource"
    resource: TextResourceContents | BlobResourceContents
    annotations: Annotated[Annotations | None, FORGIVE] = None
    meta: Meta = None


ContentBlock = Annotated[
    Annotated[TextContent, Tag("text")]
    | Annotated[ImageContent, Tag("image")]
    | Annotated[AudioContent, Tag("audio")]
    | Annotated[ResourceLink, Tag("resource_link")]
    | Annotated[EmbeddedResource, Tag("resource")]
    | Annotated[UnknownByType, Tag(type_of_unknown)],
    tagged("type", frozenset({"text", "image", "audio", "resource_link", "resource"})),
]


def text_block(text: str) -> dict[str, Any]:
    """A text block as JSON, for prompts that we send."""
    return {"type": "text", "text": text}
