"""What an agent takes in prompts beside text and links.

https://agentclientprotocol.com section "Initialization", "Prompt capabilities".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from acp_sidecar.session.handshake import AgentCapabilities

MediaKind = Literal["image", "audio"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """Whether an agent takes the texts of files as embedded resources, images and sounds."""

    embedded: bool = False
    image: bool = False
    audio: bool = False

    def takes(self, kind: MediaKind) -> bool:
        """Whether it takes such media."""
        return self.image if kind == "image" else self.audio


def accepted(capabilities: AgentCapabilities | None) -> Accepted:
    """What an agent says that it takes; nothing before it has said so."""
    session = capabilities.session if capabilities is not None else None
    prompt = session.prompt if session is not None else None
    if prompt is None:
        return Accepted()
    return Accepted(
        embedded=prompt.embedded_context is not None,
        image=prompt.image is not None,
        audio=prompt.audio is not None,
    )
