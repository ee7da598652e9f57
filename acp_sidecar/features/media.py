"""Images and sounds that go with a prompt: only where the agent takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acp_sidecar.errors import NotSupported
from acp_sidecar.features.accepted import Accepted, MediaKind

Json = Any


@dataclass(frozen=True, slots=True)
class Media:
    """An image or a sound; `data` is base64, `uri` the file it is from."""

    kind: MediaKind
    mime_type: str
    data: str
    uri: str | None = None


def media_block(media: Media, taken: Accepted) -> Json:
    """The content block.

    Raises:
        NotSupported: The agent takes no such content.
    """
    if not taken.takes(media.kind):
        what = "images" if media.kind == "image" else "sounds"
        raise NotSupported(
            f"This agent takes no {what} in prompts.", advice="Send the prompt without, or a link."
        )
    block = {"type": media.kind, "mimeType": media.mime_type, "data": media.data}
    return {**block, "uri": media.uri} if media.kind == "image" and media.uri else block
