"""What the model answers, before it is put into the form of one model service."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tests.peers.fake_model.script import Event
from tests.peers.fake_model.tools import Call, Tool

Json = dict[str, Any]

# Token counts are reported, because agents show and check them; they mean nothing.
INPUT_TOKENS = 1200
OUTPUT_TOKENS = 40


@dataclass(frozen=True)
class Answer:
    """One answer of the model."""

    think: str
    say: str
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class SseEvent:
    """One server-sent event; `data` is JSON or, for end marks, a plain text."""

    data: Json | str
    name: str | None = None


class Service(Protocol):
    """The form of one model service: how to read its requests and how to write its answers."""

    @staticmethod
    def conversation(body: Json) -> list[Event]:
        """Return what was said and called so far, in order."""

    @staticmethod
    def tools(body: Json) -> Mapping[str, Tool]:
        """Return the tools that the request offers, by name."""

    @staticmethod
    def whole(answer: Answer, body: Json) -> Json:
        """Return the answer as one JSON body."""

    @staticmethod
    def stream(answer: Answer, body: Json) -> Iterator[SseEvent]:
        """Return the answer as a stream of events, with its texts in several pieces."""


def unique(prefix: str) -> str:
    """Return an identifier such as the services give out."""
    return prefix + uuid.uuid4().hex[:20]


def pieces(text: str) -> Sequence[str]:
    """Cut a text into about three pieces, as streams do; nothing for an empty text."""
    size = max(1, -(-len(text) // 3))
    return [text[start : start + size] for start in range(0, len(text), size)]


def texts(content: Any) -> str:
    """Return the text in a content value: a text, or a list of blocks that may have one."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        block if isinstance(block, str) else block.get("text") or "" for block in blocks
    )
