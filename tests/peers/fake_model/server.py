"""The HTTP server: finds the service by the path, asks the script, writes the answer."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.peers.fake_model.answers import INPUT_TOKENS, Answer, Json, Service, SseEvent
from tests.peers.fake_model.anthropic import Messages
from tests.peers.fake_model.gemini import GenerateContent
from tests.peers.fake_model.openai_chat import ChatCompletions
from tests.peers.fake_model.openai_responses import Responses
from tests.peers.fake_model.script import Step, next_step
from tests.peers.fake_model.tools import call_for

_SERVICES: dict[str, type[Service]] = {
    "/messages": Messages,
    "/chat/completions": ChatCompletions,
    "/responses": Responses,
    ":generateContent": GenerateContent,
    ":streamGenerateContent": GenerateContent,
}
_MODELS = ("fake-model", "fake-small")
# Agents make side requests without tools: for a title, a summary, whether a topic is new. Those
# that want JSON find the field they look for among these.
_SIDE_TEXT = "A scripted title"
_SIDE_JSON = json.dumps(
    {"title": _SIDE_TEXT, "isNewTopic": False, "next_speaker": "user", "reasoning": "scripted"}
)


@dataclass(frozen=True)
class Request:
    """A request that the server has answered: for assertions and for finding out what went on."""

    path: str
    tools: tuple[str, ...]
    step: Step | None


class FakeModel:
    """Runs the server for the time of a `with` block, for agents that work in `root`.

    `url` is where it listens, `requests` what it was asked.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.requests: list[Request] = []
        self._server = _Server(self)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def unknown_paths(self) -> list[str]:
        """Return the paths that were asked for and that this server does not know."""
        return [request.path for request in self.requests if request.step is None]

    def answer(self, service: type[Service], path: str, body: Json) -> tuple[Step, Answer]:
        """Return what to answer to a request, and note it."""
        tools = service.tools(body)
        step = next_step(service.conversation(body)) if tools else Step(_side_answer(body))
        calls = tuple(call_for(action, tools, self.root) for action in step.actions)
        self.requests.append(Request(path, tuple(tools), step))
        return step, Answer(step.think, step.say, calls)


def _side_answer(body: Json) -> str:
    wants_json = (
        "response_format" in body
        or "output_config" in body
        or "json" in str((body.get("generationConfig") or {}).get("responseMimeType"))
    )
    return _SIDE_JSON if wants_json else _SIDE_TEXT


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: FakeModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay silent when an agent hangs up in the middle, as it does when it is cancelled."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Keep the tests' output clean; `FakeModel.requests` has what was asked."""

    def do_HEAD(self) -> None:
        self._send_json({})

    def do_GET(self) -> None:
        if self._path().endswith("/models"):
            listed = [{"id": name, "name": f"models/{name}", "object": "model"} for name in _MODELS]
            self._send_json({"object": "list", "data": listed, "models": listed})
        else:
            self._send_unknown()

    def do_POST(self) -> None:
        raw = self._body()
        path = self._path()
        if path.endswith(("count_tokens", ":countTokens")):
            self._send_json({"input_tokens": INPUT_TOKENS, "totalTokens": INPUT_TOKENS})
            return
        service = next((s for end, s in _SERVICES.items() if path.endswith(end)), None)
        if service is None:
            self._send_unknown()
            return
        body: Json = json.loads(raw or b"{}")
        step, answer = self.server.model.answer(service, path, body)
        if step.http_error:
            failure = {
                "type": "invalid_request_error",
                "code": step.http_error,
                "message": "scripted failure",
            }
            self._send_json({"type": "error", "error": failure}, step.http_error)
        elif body.get("stream") or path.endswith(":streamGenerateContent"):
            self._send_events(service.stream(answer, body))
        else:
            self._send_json(service.whole(answer, body))

    def _path(self) -> str:
        return self.path.split("?")[0]

    def _body(self) -> bytes:
        length = self.headers.get("content-length")
        raw = self.rfile.read(int(length)) if length is not None else b"".join(self._chunks())
        return gzip.decompress(raw) if self.headers.get("content-encoding") == "gzip" else raw

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _send_unknown(self) -> None:
        self.server.model.requests.append(Request(f"{self.command} {self._path()}", (), None))
        self._send_json({"error": {"type": "not_found_error", "message": "not found"}}, 404)

    def _send_json(self, content: Json, status: int = 200) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_events(self, events: Iterator[SseEvent]) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            name = f"event: {event.name}\n" if event.name else ""
            data = event.data if isinstance(event.data, str) else json.dumps(event.data)
            self.wfile.write(f"{name}data: {data}\n\n".encode())
            self.wfile.flush()
