"""The Messages form of the Anthropic API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.peers.fake_model.answers import (
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    Answer,
    Json,
    SseEvent,
    pieces,
    texts,
    unique,
)
from tests.peers.fake_model.script import Called, Event, Said
from tests.peers.fake_model.tools import Tool

_SIGNATURE = "c2lnbmF0dXJl"


class Messages:
    """`POST /v1/messages`."""

    @staticmethod
    def conversation(body: Json) -> list[Event]:
        events: list[Event] = []
        for message in body.get("messages", []):
            content = message.get("content")
            if message.get("role") == "user":
                events.append(Said(texts(content)))
            elif isinstance(content, list):
                used = [block for block in content if block.get("type") == "tool_use"]
                events += [Called(block["name"]) for block in used]
        return events

    @staticmethod
    def tools(body: Json) -> Mapping[str, Tool]:
        offered = [
            Tool(tool["name"], tool.get("input_schema") or {}) for tool in body.get("tools") or []
        ]
        return {tool.name: tool for tool in offered}

    @staticmethod
    def whole(answer: Answer, body: Json) -> Json:
        return {
            "id": unique("msg_"),
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "fake-model"),
            "content": _blocks(answer),
            "stop_reason": "tool_use" if answer.calls else "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": INPUT_TOKENS,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "output_tokens": OUTPUT_TOKENS,
            },
        }

    @staticmethod
    def stream(answer: Answer, body: Json) -> Iterator[SseEvent]:
        whole = Messages.whole(answer, body)
        end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        yield _event("message_start", message={**whole, "content": [], "stop_reason": None})
        for index, block in enumerate(whole["content"]):
            empty, deltas = _in_pieces(block)
            yield _event("content_block_start", index=index, content_block=empty)
            for delta in deltas:
                yield _event("content_block_delta", index=index, delta=delta)
            yield _event("content_block_stop", index=index)
        yield _event("message_delta", delta=end, usage={"output_tokens": OUTPUT_TOKENS})
        yield _event("message_stop")


def _event(kind: str, **fields: Any) -> SseEvent:
    return SseEvent({"type": kind, **fields}, kind)


def _blocks(answer: Answer) -> list[Json]:
    blocks: list[Json] = []
    if answer.think:
        blocks.append({"type": "thinking", "thinking": answer.think, "signature": _SIGNATURE})
    if answer.say:
        blocks.append({"type": "text", "text": answer.say})
    for call in answer.calls:
        use = {"id": unique("toolu_"), "name": call.tool, "input": call.arguments}
        blocks.append({"type": "tool_use", **use})
    return blocks


def _in_pieces(block: Json) -> tuple[Json, list[Json]]:
    """Return the block as it starts, and what is then added to it."""
    kind = block["type"]
    if kind == "text":
        deltas = [{"type": "text_delta", "text": piece} for piece in pieces(block["text"])]
        return {**block, "text": ""}, deltas
    if kind == "thinking":
        thoughts = pieces(block["thinking"])
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in thoughts]
        signed = {"type": "signature_delta", "signature": block["signature"]}
        return {**block, "thinking": "", "signature": ""}, [*deltas, signed]
    parts = pieces(json.dumps(block["input"]))
    return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": p} for p in parts]
