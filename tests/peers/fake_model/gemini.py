"""The generateContent form of the Gemini API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tests.peers.fake_model.answers import (
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    Answer,
    Json,
    SseEvent,
    pieces,
    unique,
)
from tests.peers.fake_model.script import Called, Event, Said
from tests.peers.fake_model.tools import Tool


class GenerateContent:
    """`POST /v1beta/models/MODEL:generateContent` and `:streamGenerateContent`."""

    @staticmethod
    def conversation(body: Json) -> list[Event]:
        events: list[Event] = []
        for content in body.get("contents", []):
            for part in content.get("parts", []):
                if "functionCall" in part:
                    events.append(Called(part["functionCall"]["name"]))
                elif "text" in part and content.get("role", "user") == "user":
                    events.append(Said(part["text"]))
        return events

    @staticmethod
    def tools(body: Json) -> Mapping[str, Tool]:
        groups = [tool.get("functionDeclarations") or [] for tool in body.get("tools") or []]
        declared = [declaration for group in groups for declaration in group]
        return {d["name"]: Tool(d["name"], _schema(d)) for d in declared}

    @staticmethod
    def whole(answer: Answer, _body: Json) -> Json:
        texts = [*_thoughts([answer.think]), *_said([answer.say])]
        return _candidate([*texts, *_calls(answer)], finished=True)

    @staticmethod
    def stream(answer: Answer, _body: Json) -> Iterator[SseEvent]:
        for part in [*_thoughts(pieces(answer.think)), *_said(pieces(answer.say))]:
            yield SseEvent(_candidate([part], finished=False))
        yield SseEvent(_candidate(_calls(answer) or [{"text": ""}], finished=True))


def _schema(declaration: Json) -> Json:
    schema: Json = declaration.get("parametersJsonSchema") or declaration.get("parameters") or {}
    return schema


def _thoughts(texts: Sequence[str]) -> list[Json]:
    return [{"text": text, "thought": True} for text in texts if text]


def _said(texts: Sequence[str]) -> list[Json]:
    return [{"text": text} for text in texts if text]


def _calls(answer: Answer) -> list[Json]:
    return [{"functionCall": {"name": call.tool, "args": call.arguments}} for call in answer.calls]


def _candidate(parts: list[Json], *, finished: bool) -> Json:
    candidate: Json = {"index": 0, "content": {"role": "model", "parts": parts}}
    if finished:
        candidate["finishReason"] = "STOP"
    return {
        "candidates": [candidate],
        "modelVersion": "fake-model",
        "responseId": unique("response-"),
        "usageMetadata": {
            "promptTokenCount": INPUT_TOKENS,
            "candidatesTokenCount": OUTPUT_TOKENS,
            "totalTokenCount": INPUT_TOKENS + OUTPUT_TOKENS,
        },
    }
