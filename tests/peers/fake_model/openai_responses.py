"""The Responses form of the OpenAI API."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from itertools import count
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
from tests.peers.fake_model.tools import Call, Tool

_CALLS = {"function_call", "custom_tool_call"}
_USAGE = {
    "input_tokens": INPUT_TOKENS,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": OUTPUT_TOKENS,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
}
# For each kind of item: the field that is streamed, and the event that carries a piece of it.
_STREAMED = {
    "function_call": ("arguments", "response.function_call_arguments"),
    "custom_tool_call": ("input", "response.custom_tool_call_input"),
}


class Responses:
    """`POST /v1/responses`."""

    @staticmethod
    def conversation(body: Json) -> list[Event]:
        items = body.get("input", [])
        if isinstance(items, str):
            return [Said(items)]
        events: list[Event] = []
        for item in items:
            if item.get("type", "message") == "message" and item.get("role") == "user":
                events.append(Said(texts(item.get("content"))))
            elif item.get("type") in _CALLS:
                events.append(Called(item.get("name", "")))
        return events

    @staticmethod
    def tools(body: Json) -> Mapping[str, Tool]:
        return {tool.name: tool for tool in _tools(body.get("tools") or [], None)}

    @staticmethod
    def whole(answer: Answer, body: Json) -> Json:
        return _response(unique("resp_"), body, _items(answer))

    @staticmethod
    def stream(answer: Answer, body: Json) -> Iterator[SseEvent]:
        numbers = count()
        for kind, fields in _events(answer, body):
            yield SseEvent({"type": kind, "sequence_number": next(numbers), **fields}, kind)


def _tools(offered: list[Json], namespace: str | None) -> Iterator[Tool]:
    for tool in offered:
        if tool.get("type") == "namespace":
            yield from _tools(tool.get("tools") or [], tool.get("name"))
        elif "name" in tool:
            freeform = tool.get("type") == "custom"
            yield Tool(tool["name"], tool.get("parameters") or {}, freeform, namespace)


def _response(number: str, body: Json, items: list[Json] | None) -> Json:
    """Return the response object; without items it is one in progress."""
    return {
        "id": number,
        "object": "response",
        "created_at": int(time.time()),
        "status": "in_progress" if items is None else "completed",
        "model": body.get("model", "fake-model"),
        "output": items or [],
        "usage": None if items is None else _USAGE,
    }


def _items(answer: Answer) -> list[Json]:
    items: list[Json] = []
    if answer.think:
        summary = [{"type": "summary_text", "text": answer.think}]
        items.append({"type": "reasoning", "id": unique("rs_"), "summary": summary})
    if answer.say:
        content = [{"type": "output_text", "text": answer.say, "annotations": []}]
        message = {"type": "message", "role": "assistant", "status": "completed"}
        items.append({**message, "id": unique("msg_"), "content": content})
    return [*items, *map(_call, answer.calls)]


def _call(call: Call) -> Json:
    shared = {"name": call.tool, "call_id": unique("call_"), "status": "completed"}
    if isinstance(call.arguments, str):
        item = {"type": "custom_tool_call", "id": unique("ctc_"), "input": call.arguments}
    else:
        arguments = json.dumps(call.arguments)
        item = {"type": "function_call", "id": unique("fc_"), "arguments": arguments}
    namespace = {"namespace": call.namespace} if call.namespace else {}
    return {**item, **shared, **namespace}


def _events(answer: Answer, body: Json) -> Iterator[tuple[str, Json]]:
    number, items = unique("resp_"), _items(answer)
    yield "response.created", {"response": _response(number, body, None)}
    for index, item in enumerate(items):
        yield from _item_events(index, item)
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield "response.completed", {"response": _response(number, body, items)}


def _item_events(index: int, item: Json) -> Iterator[tuple[str, Json]]:
    place = {"item_id": item["id"], "output_index": index}
    added = "response.output_item.added"
    if item["type"] == "message":
        yield added, {"output_index": index, "item": {**item, "content": []}}
        yield from _part_events(place, item["content"][0]["text"])
    elif item["type"] == "reasoning":
        yield added, {"output_index": index, "item": {**item, "summary": []}}
        yield from _summary_events(place, item["summary"][0]["text"])
    else:
        name, event = _STREAMED[item["type"]]
        yield added, {"output_index": index, "item": {**item, name: ""}}
        for piece in pieces(item[name]):
            yield f"{event}.delta", {**place, "delta": piece}
        yield f"{event}.done", {**place, name: item[name]}


def _part_events(place: Json, text: str) -> Iterator[tuple[str, Json]]:
    at: dict[str, Any] = {**place, "content_index": 0}
    empty = {"type": "output_text", "text": "", "annotations": []}
    yield "response.content_part.added", {**at, "part": empty}
    for piece in pieces(text):
        yield "response.output_text.delta", {**at, "delta": piece}
    yield "response.output_text.done", {**at, "text": text}
    yield "response.content_part.done", {**at, "part": {**empty, "text": text}}


def _summary_events(place: Json, text: str) -> Iterator[tuple[str, Json]]:
    at: dict[str, Any] = {**place, "summary_index": 0}
    part = {"type": "summary_text", "text": ""}
    yield "response.reasoning_summary_part.added", {**at, "part": part}
    for piece in pieces(text):
        yield "response.reasoning_summary_text.delta", {**at, "delta": piece}
    yield "response.reasoning_summary_text.done", {**at, "text": text}
    yield "response.reasoning_summary_part.done", {**at, "part": {**part, "text": text}}
