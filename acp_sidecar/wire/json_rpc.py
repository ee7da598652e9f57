"""JSON-RPC 2.0 over lines, as an endpoint without IO: bytes in, messages out, and the reverse.

`Peer` keeps what the protocol needs kept: which requests are open in both directions, and which
batch an answer belongs to. It raises for our own mistakes only (`AlreadyAnswered`); whatever the
agent sends comes out as a message or as a `Problem`, in the order of arrival.

Where the specification wants an answer that nobody above could give (an id that is no id, an id
used twice), `Peer` writes it itself; `data_to_send` hands it out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from pydantic_core import from_json

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.wire.frames import DEFAULT_MAX_BYTES, LineDecoder, excerpt
from acp_sidecar.wire.json_text import dump, parse

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

_MAX_FORGOTTEN: Final = 1000

RequestId: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class RpcError:
    """The `error` member of an answer; `data` is None when absent."""

    code: int
    message: str
    data: Any = None


@dataclass(frozen=True, slots=True)
class Request:
    """The agent wants an answer, by `respond` or `respond_error`, exactly once."""

    id: RequestId
    method: str
    params: Any


class Notification(NamedTuple):
    """The agent tells something and wants no answer."""

    method: str
    params: Any


@dataclass(frozen=True, slots=True)
class Response:
    """The agent's result for our request `id`."""

    id: int
    result: Any


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """The agent's refusal of our request `id`; None if it could not tell which request."""

    id: int | None
    error: RpcError


Incoming: TypeAlias = Request | Notification | Response | ErrorResponse | Problem


class AlreadyAnswered(RuntimeError):
    """A bug of ours: an answer to a request that is not open (never was, or was answered)."""


@dataclass(slots=True)
class _Batch:
    """The requests of one batch array, until the last of them is answered."""

    waiting: int = 0
    answers: list[bytes] = field(default_factory=list)


class Peer:
    """Our end of one connection. Not to be shared between connections or restarted."""

    def __init__(self, max_line_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._lines = LineDecoder(max_line_bytes)
        self._next_id = 0
        self._outgoing: dict[int, str] = {}
        self._forgotten: dict[int, str] = {}
        self._incoming: dict[RequestId, str] = {}
        self._batches: dict[RequestId, _Batch] = {}
        self._to_send: list[bytes] = []
        self._version_seen_missing = False

    @property
    def outgoing_requests(self) -> dict[int, str]:
        """Our requests that the agent has not answered: id to method, oldest first."""
        return dict(self._outgoing)

    @property
    def incoming_requests(self) -> dict[RequestId, str]:
        """The agent's requests that we have not answered: id to method, oldest first."""
        return dict(self._incoming)

    # --- what the agent sends -------------------------------------------------------------------

    def receive(self, data: bytes) -> list[Incoming]:
        """Take bytes in any chunks; give the messages that they complete, in order."""
        incoming: list[Incoming] = []
        for line in self._lines.feed(data):
            incoming += [line] if isinstance(line, Problem) else self.receive_line(line)
        return incoming

    def receive_eof(self) -> list[Incoming]:
        """The stream has ended: give what a last line without newline holds."""
        incoming: list[Incoming] = []
        for line in self._lines.eof():
            incoming += [line] if isinstance(line, Problem) else self.receive_line(line)
        return incoming

    def receive_line(self, line: bytes) -> list[Incoming]:
        """Take one whole line, without its newline; give its messages and problems, in order."""
        try:
            value = from_json(line, allow_inf_nan=False)
        except ValueError:
            return self._receive_odd_line(line)
        if type(value) is dict:
            return self._receive_object(value)
        return self._receive_other(value, line)

    def data_to_send(self) -> bytes:
        """What `Peer` itself has to say to the agent since the last call; send it as it is."""
        if not self._to_send:
            return b""
        data = b"".join(self._to_send)
        self._to_send.clear()
        return data

    def _receive_odd_line(self, line: bytes) -> list[Incoming]:
        parsed = parse(line)
        incoming: list[Incoming] = list(parsed.problems)
        if not parsed.found:
            return incoming
        if parsed.damaged and _is_request(parsed.value):
            # Acting on a request with text lost could write the loss to a file of the user's.
            self._refuse(parsed.value["id"], PARSE_ERROR, "The request is not valid UTF-8.")
            return incoming
        if isinstance(parsed.value, dict):
            return incoming + self._receive_object(parsed.value)
        return incoming + self._receive_other(parsed.value, line)

    def _receive_other(self, value: Any, line: bytes) -> list[Incoming]:
        if isinstance(value, list) and value:
            return self._receive_batch(value)
        if isinstance(value, list):
            self._refuse(None, INVALID_REQUEST, "A batch must not be empty.")
        return [_not_json_rpc("neither an object nor a batch of objects", excerpt(line))]

    def _receive_batch(self, items: list[Any]) -> list[Incoming]:
        batch = _Batch()
        incoming: list[Incoming] = []
        # Counted up front, so that no answer given meanwhile can complete the batch early.
        batch.waiting = 1
        for item in items:
            if isinstance(item, dict):
                incoming += self._receive_object(item, batch)
            else:
                self._refuse(None, INVALID_REQUEST, "Not an object.", batch)
                incoming.append(_not_json_rpc("an item of a batch that is no object"))
        self._to_send.append(_collect(batch, None))
        return incoming

    def _receive_object(
        self, message: dict[str, Any], batch: _Batch | None = None
    ) -> list[Incoming]:
        method = message.get("method")
        if type(method) is str:
            if "id" in message:
                incoming = self._receive_request(message, method, batch)
            else:
                incoming = [Notification(method, message.get("params"))]
        elif method is None and ("result" in message or "error" in message or "id" in message):
            incoming = self._receive_answer(message)
        else:
            self._refuse_object(message, batch)
            incoming = [_not_json_rpc("neither a request nor an answer", _keys(message))]
        if message.get("jsonrpc") != "2.0" and not self._version_seen_missing:
            self._version_seen_missing = True
            text = 'The agent leaves out `"jsonrpc": "2.0"`; its messages are taken all the same.'
            incoming.insert(0, Problem(Fault.AGENT, "missing-jsonrpc", text, str(method or "")))
        return incoming

    def _receive_request(
        self, message: dict[str, Any], method: str, batch: _Batch | None
    ) -> list[Incoming]:
        request_id = message["id"]
        if not _is_id(request_id):
            self._refuse(None, INVALID_REQUEST, "An id must be a string or an integer.", batch)
            text = "The agent sent a request whose id is neither a string nor an integer."
            return [Problem(Fault.AGENT, "invalid-id", text, method, repr(request_id)[:40])]
        if request_id in self._incoming:
            self._refuse(request_id, INVALID_REQUEST, "This id is in use.", batch)
            text = "The agent used the id of a request that is still open for another one."
            return [Problem(Fault.AGENT, "id-in-use", text, method, repr(request_id)[:40])]
        self._incoming[request_id] = method
        if batch is not None:
            batch.waiting += 1
            self._batches[request_id] = batch
        return [Request(request_id, method, message.get("params"))]

    def _receive_answer(self, message: dict[str, Any]) -> list[Incoming]:
        answer_id = message.get("id")
        error = message.get("error")
        if type(answer_id) is not int:
            if answer_id is None and error is not None:
                return [ErrorResponse(None, _rpc_error(error))]
            return [_no_such_request(answer_id)]
        if self._outgoing.pop(answer_id, None) is None:
            return [self._unexpected(answer_id)]
        if error is not None:
            return [ErrorResponse(answer_id, _rpc_error(error))]
        incoming: list[Incoming] = [Response(answer_id, message.get("result"))]
        if "result" not in message:
            # What `JSON.stringify` makes of `{result: undefined}`.
            text = "The agent answered without a result; null is assumed."
            incoming.insert(0, Problem(Fault.AGENT, "answer-without-result", text))
        return incoming

    def _unexpected(self, answer_id: int) -> Problem:
        if method := self._forgotten.pop(answer_id, None):
            text = f"The agent answered {method} after we had given up waiting."
            return Problem(Fault.AGENT, "late-answer", text, method)
        if 0 <= answer_id < self._next_id:
            text = "The agent answered a request that it had answered before."
            return Problem(Fault.AGENT, "second-answer", text, excerpt=str(answer_id))
        return _no_such_request(answer_id)

    def _refuse_object(self, message: dict[str, Any], batch: _Batch | None) -> None:
        if "method" in message and "id" in message:
            known = message["id"] if _is_id(message["id"]) else None
            self._refuse(known, INVALID_REQUEST, "The method must be a string.", batch)

    def _refuse(
        self, request_id: RequestId | None, code: int, message: str, batch: _Batch | None = None
    ) -> None:
        answer = _error_answer(request_id, RpcError(code, message))
        if batch is None:
            self._to_send.append(answer + b"\n")
        else:
            batch.answers.append(answer)

    # --- what we send ---------------------------------------------------------------------------

    def request(self, method: str, params: Any = None) -> tuple[int, bytes]:
        """Open a request; give its id and the bytes to send."""
        request_id = self._next_id
        self._next_id += 1
        self._outgoing[request_id] = method
        return request_id, _line({"jsonrpc": "2.0", "id": request_id, **_call(method, params)})

    def notify(self, method: str, params: Any = None) -> bytes:
        """The bytes of a notification."""
        return _line({"jsonrpc": "2.0", **_call(method, params)})

    def respond(self, request_id: RequestId, result: Any) -> bytes:
        """Answer the agent's request; the bytes are empty while the rest of its batch is open.

        Raises:
            AlreadyAnswered: The request is not open.
        """
        return self._answer(
            request_id, dump({"jsonrpc": "2.0", "id": request_id, "result": result})
        )

    def respond_error(
        self, request_id: RequestId, code: int, message: str, data: Any = None
    ) -> bytes:
        """Refuse the agent's request; the bytes are empty while the rest of its batch is open.

        Raises:
            AlreadyAnswered: The request is not open.
        """
        return self._answer(request_id, _error_answer(request_id, RpcError(code, message, data)))

    def forget(self, request_id: int) -> None:
        """Give up on our own request: a late answer will be a problem, and no answer at all."""
        if method := self._outgoing.pop(request_id, None):
            self._forgotten[request_id] = method
            if len(self._forgotten) > _MAX_FORGOTTEN:
                del self._forgotten[next(iter(self._forgotten))]

    def _answer(self, request_id: RequestId, answer: bytes) -> bytes:
        if self._incoming.pop(request_id, None) is None:
            raise AlreadyAnswered(f"request {request_id!r} is not open")
        batch = self._batches.pop(request_id, None)
        return answer + b"\n" if batch is None else _collect(batch, answer)


def _collect(batch: _Batch, answer: bytes | None) -> bytes:
    """Count one of the batch's reasons to wait as done; give the whole answer after the last."""
    if answer is not None:
        batch.answers.append(answer)
    batch.waiting -= 1
    if batch.waiting or not batch.answers:
        return b""
    return b"[" + b",".join(batch.answers) + b"]\n"


def _call(method: str, params: Any) -> dict[str, Any]:
    return {"method": method} if params is None else {"method": method, "params": params}


def _line(message: dict[str, Any]) -> bytes:
    return dump(message) + b"\n"


def _error_answer(request_id: RequestId | None, error: RpcError) -> bytes:
    shown: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not None:
        shown["data"] = error.data
    return dump({"jsonrpc": "2.0", "id": request_id, "error": shown})


def _rpc_error(error: Any) -> RpcError:
    """The error an agent meant, whatever shape it gave it."""
    if not isinstance(error, dict):
        return RpcError(INTERNAL_ERROR, error if isinstance(error, str) else "", error)
    code, message = error.get("code"), error.get("message")
    return RpcError(
        code if type(code) is int else INTERNAL_ERROR,
        message if isinstance(message, str) else "",
        error.get("data"),
    )


def _is_id(value: Any) -> bool:
    return type(value) is int or type(value) is str


def _is_request(value: Any) -> bool:
    return (
        isinstance(value, dict) and isinstance(value.get("method"), str) and _is_id(value.get("id"))
    )


def _keys(message: dict[str, Any]) -> str:
    return excerpt(", ".join(sorted(message)).encode("utf-8", "replace"))


def _not_json_rpc(what: str, shown: str = "") -> Problem:
    text = f"The agent sent JSON that is no JSON-RPC message: {what}."
    return Problem(Fault.AGENT, "not-json-rpc", text, excerpt=shown)


def _no_such_request(answer_id: Any) -> Problem:
    text = "The agent answered a request that was never made."
    return Problem(Fault.AGENT, "unknown-response-id", text, excerpt=repr(answer_id)[:40])
