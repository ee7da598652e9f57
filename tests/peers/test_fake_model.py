"""The fake model over HTTP, in the form of each service."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.peers.fake_model import FakeModel
from tests.peers.fake_model.script import SCENARIOS, Called, Said, Step, next_step

Json = dict[str, Any]

READ_SCHEMA = {"type": "object", "properties": {"file_path": {}, "offset": {}, "limit": {}}}


@pytest.fixture
def model(tmp_path: Path) -> Iterator[FakeModel]:
    with FakeModel(tmp_path) as model:
        yield model


def post(url: str, body: Json) -> str:
    request = Request(url, json.dumps(body).encode(), {"content-type": "application/json"})  # noqa: S310
    with urlopen(request, timeout=10) as response:  # noqa: S310 - always http on the loopback
        text: str = response.read().decode()
    return text


@dataclass(frozen=True)
class Form:
    """One service: where it is, a prompt with one tool in its form, and where the call is."""

    path: str
    stream_path: str
    prompt: Json
    call: Callable[[Json], tuple[str, Json]]  # the call in a whole answer
    streamed: Callable[[list[Json]], tuple[str, Json]]  # the call in the events of a stream


def messages_call(answer: Json) -> tuple[str, Json]:
    block = answer["content"][-1]
    return block["name"], block["input"]


def chat_call(answer: Json) -> tuple[str, Json]:
    function = answer["choices"][0]["message"]["tool_calls"][0]["function"]
    return function["name"], json.loads(function["arguments"])


def responses_call(answer: Json) -> tuple[str, Json]:
    item = answer["output"][-1]
    return item["name"], json.loads(item["arguments"])


def gemini_call(answer: Json) -> tuple[str, Json]:
    call = answer["candidates"][0]["content"]["parts"][-1]["functionCall"]
    return call["name"], call["args"]


def messages_streamed(events: list[Json]) -> tuple[str, Json]:
    starts = [event["content_block"] for event in events if event["type"] == "content_block_start"]
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    assert "".join(delta.get("text", "") for delta in deltas) == "Reading."
    text = "".join(delta.get("partial_json", "") for delta in deltas)
    return starts[-1]["name"], json.loads(text)


def chat_streamed(events: list[Json]) -> tuple[str, Json]:
    deltas = [event["choices"][0]["delta"] for event in events if event["choices"]]
    assert "".join(delta.get("content", "") for delta in deltas) == "Reading."
    functions = [call["function"] for delta in deltas for call in delta.get("tool_calls", [])]
    text = "".join(function["arguments"] for function in functions)
    return functions[0]["name"], json.loads(text)


def responses_streamed(events: list[Json]) -> tuple[str, Json]:
    def joined(kind: str) -> str:
        return "".join(event["delta"] for event in events if event["type"] == kind)

    assert joined("response.output_text.delta") == "Reading."
    text = joined("response.function_call_arguments.delta")
    return events[-1]["response"]["output"][-1]["name"], json.loads(text)


def gemini_streamed(events: list[Json]) -> tuple[str, Json]:
    parts = [part for e in events for part in e["candidates"][0]["content"]["parts"]]
    assert "".join(part.get("text", "") for part in parts) == "Reading."
    return gemini_call(events[-1])


PROMPT = "please [[peer:read]]"
FORMS = {
    "messages": Form(
        "/v1/messages",
        "/v1/messages?beta=true",
        {
            "messages": [{"role": "user", "content": [{"type": "text", "text": PROMPT}]}],
            "tools": [{"name": "Read", "input_schema": READ_SCHEMA}],
        },
        messages_call,
        messages_streamed,
    ),
    "chat": Form(
        "/v1/chat/completions",
        "/v1/chat/completions",
        {
            "messages": [{"role": "user", "content": PROMPT}],
            "tools": [
                {"type": "function", "function": {"name": "read", "parameters": READ_SCHEMA}}
            ],
        },
        chat_call,
        chat_streamed,
    ),
    "responses": Form(
        "/v1/responses",
        "/v1/responses",
        {
            "input": [{"role": "user", "content": [{"type": "input_text", "text": PROMPT}]}],
            "tools": [{"type": "function", "name": "read", "parameters": READ_SCHEMA}],
        },
        responses_call,
        responses_streamed,
    ),
    "gemini": Form(
        "/v1beta/models/any:generateContent",
        "/v1beta/models/any:streamGenerateContent?alt=sse",
        {
            "contents": [{"role": "user", "parts": [{"text": PROMPT}]}],
            "tools": [
                {
                    "functionDeclarations": [
                        {"name": "read_file", "parametersJsonSchema": READ_SCHEMA}
                    ]
                }
            ],
        },
        gemini_call,
        gemini_streamed,
    ),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_scripted_call_fits_the_offered_tool(
    model: FakeModel, form: Form, tmp_path: Path
) -> None:
    tool, arguments = form.call(json.loads(post(model.url + form.path, form.prompt)))
    assert tool in {"Read", "read", "read_file"}
    assert arguments == {"file_path": str(tmp_path / "numbers.txt"), "offset": 40, "limit": 5}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_stream_says_the_same_in_pieces(model: FakeModel, form: Form, tmp_path: Path) -> None:
    text = post(model.url + form.stream_path, {**form.prompt, "stream": True})
    data = [line.removeprefix("data: ") for line in text.split("\n") if line.startswith("data: ")]
    tool, arguments = form.streamed([json.loads(line) for line in data if line != "[DONE]"])
    assert tool in {"Read", "read", "read_file"}
    assert arguments == {"file_path": str(tmp_path / "numbers.txt"), "offset": 40, "limit": 5}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_request_without_tools_gets_a_title(model: FakeModel, form: Form) -> None:
    body = {name: value for name, value in form.prompt.items() if name != "tools"}
    assert "A scripted title" in post(model.url + form.path, body)


def test_unknown_paths_are_noted(model: FakeModel) -> None:
    with pytest.raises(HTTPError, match="404") as failed:
        post(model.url + "/telemetry", {})
    failed.value.close()
    assert model.unknown_paths() == ["POST /telemetry"]


def test_the_script_goes_on_with_each_call() -> None:
    conversation: list[Any] = [Said("[[peer:edit]]")]
    steps = [next_step(conversation)]
    while steps[-1].actions:
        conversation += [Called("tool")] * len(steps[-1].actions)
        steps.append(next_step(conversation))
    assert steps == list(SCENARIOS["edit"])


def test_only_the_last_prompt_counts() -> None:
    assert (
        next_step([Said("[[peer:edit]]"), Called("tool"), Said("[[peer:hello]]")])
        == SCENARIOS["hello"][0]
    )


def test_a_prompt_without_a_marker_is_answered() -> None:
    assert next_step([Said("hello")]) == Step("I know no scenario for this.")
