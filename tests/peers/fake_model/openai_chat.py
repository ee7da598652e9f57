"""The Chat Completions form of the OpenAI API."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping

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

_USAGE = {
    "prompt_tokens": INPUT_TOKENS,
    "completion_tokens": OUTPUT_TOKENS,
    "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
}


class ChatCompletions:
    """`POST /v1/chat/completions`."""

    @staticmethod
    def conversation(body: Json) -> list[Event]:
        events: list[Event] = []
        for message in body.get("messages", []):
            if message.get("role") == "user":
                events.append(Said(texts(message.get("content"))))
            calls = message.get("tool_calls") or []
            events += [Called(call["function"]["name"]) for call in calls]
        return events

    @staticmethod
    def tools(body: Json) -> Mapping[str, Tool]:
        functions = [tool["function"] for tool in body.get("tools") or []]
        return {f["name"]: Tool(f["name"], f.get("parameters") or {}) for f in functions}

    @staticmethod
    def whole(answer: Answer, body: Json) -> Json:
        message: Json = {"role": "assistant", "content": answer.say or None}
        if answer.calls:
            message["tool_calls"] = [_call(call) for call in answer.calls]
        choice = {"index": 0, "message": message, "finish_reason": _reason(answer)}
        return {**_frame("chat.completion", body), "choices": [choice], "usage": _USAGE}

    @staticmethod
    def stream(answer: Answer, body: Json) -> Iterator[SseEvent]:
        frame = _frame("chat.completion.chunk", body)
        for delta in _deltas(answer):
            choice: Json = {"index": 0, "delta": delta, "finish_reason": None}
            yield SseEvent({**frame, "choices": [choice]})
        last = {"index": 0, "delta": {}, "finish_reason": _reason(answer)}
        yield SseEvent({**frame, "choices": [last]})
        yield SseEvent({**frame, "choices": [], "usage": _USAGE})
        yield SseEvent("[DONE]")


def _frame(kind: str, body: Json) -> Json:
    model = body.get("model", "fake-model")
    return {"id": unique("chatcmpl-"), "object": kind, "created": int(time.time()), "model": model}


def _reason(answer: Answer) -> str:
    return "tool_calls" if answer.calls else "stop"


def _call(call: Call) -> Json:
    function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
    return {"id": unique("call_"), "type": "function", "function": function}


def _deltas(answer: Answer) -> Iterator[Json]:
    yield {"role": "assistant", "content": ""}
    yield from ({"reasoning_content": piece} for piece in pieces(answer.think))
    yield from ({"content": piece} for piece in pieces(answer.say))
    for index, call in enumerate(map(_call, answer.calls)):
        function = call["function"]
        empty = {**call, "index": index, "function": {**function, "arguments": ""}}
        yield {"tool_calls": [empty]}
        for piece in pieces(function["arguments"]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
