"""Pygls' protocol with three changes that this server needs.

- `acp/*` messages and commands keep their parameters as plain JSON. Pygls would turn them into
  named tuples that rename keys such as `_meta`.
- Commands run synchronously, in the order in which they arrive among all other messages, and may
  answer later. Pygls starts coroutine handlers on a later turn of the loop.
- An answer that is not what LSP says (a null to `window/showDocument`) still ends the request.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, Final

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
)

from acp_sidecar.lsp.names import EXECUTE_COMMAND

Json = Any
OnCommand = Callable[[str, Json, "Reply"], None]

INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
REQUEST_FAILED: Final = -32803
REQUEST_CANCELLED: Final = -32800

log = logging.getLogger(__name__)


class Reply:
    """The answer to one command, given once, now or later."""

    def __init__(self, protocol: SidecarProtocol, request_id: int | str) -> None:
        self._protocol = protocol
        self._request_id = request_id
        self.done = False

    def result(self, value: Json) -> None:
        """The command is done."""
        if not self.done:
            self.done = True
            self._protocol.answer(self._request_id, {"result": value})

    def error(self, code: int, message: str) -> None:
        """The command failed; `message` is for a person."""
        if not self.done:
            self.done = True
            self._protocol.answer(self._request_id, {"error": {"code": code, "message": message}})


class SidecarProtocol(LanguageServerProtocol):
    """See the module. `dumps` may be replaced by something faster once it is imported."""

    on_command: OnCommand | None = None
    on_exit: Callable[[int], None] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dumps: Callable[[Json], bytes] = _dumps
        self._commands: dict[int | str, Reply] = {}

    # --- in -------------------------------------------------------------------------------------

    def receive(self, body: bytes) -> None:
        """One message of the editor's."""
        try:
            message = json.loads(body, object_hook=self.structure_message)
        except Exception:
            log.exception("an unreadable message from the editor was ignored")
            return
        if not hasattr(message, "jsonrpc"):
            log.error("JSON from the editor that is no message was ignored")
            return
        self.handle_message(message)

    def structure_message(self, data: dict[str, Any]) -> Any:
        if "jsonrpc" not in data:
            return data
        method = data.get("method")
        if isinstance(method, str) and (method == EXECUTE_COMMAND or method.startswith("acp/")):
            return _raw_message(data, method)
        try:
            return super().structure_message(data)
        except Exception:
            if method is None and "id" in data:
                return JsonRPCResponseMessage(data["id"], "2.0", data.get("result"))
            raise

    def handle_message(self, message: Any) -> None:
        if isinstance(message, JsonRPCRequestMessage) and message.method == EXECUTE_COMMAND:
            self._execute(message)
            return
        super().handle_message(message)

    def _execute(self, message: JsonRPCRequestMessage) -> None:
        reply = Reply(self, message.id)
        params = message.params if isinstance(message.params, dict) else {}
        name, arguments = params.get("command"), params.get("arguments") or []
        if self._shutdown or self.on_command is None:
            reply.error(INVALID_PARAMS, "The server is not running.")
        elif not isinstance(name, str):
            reply.error(INVALID_PARAMS, "A command has a name.")
        elif not isinstance(arguments, list) or len(arguments) > 1:
            reply.error(INVALID_PARAMS, f"{name} takes one object as its only argument.")
        else:
            self._commands[message.id] = reply
            self.on_command(name, arguments[0] if arguments else {}, reply)

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        if (reply := self._commands.pop(msg_id, None)) is not None:
            reply.error(REQUEST_CANCELLED, "Cancelled.")
            return
        super()._handle_cancel_notification(msg_id)

    # --- out ------------------------------------------------------------------------------------

    def send_json(self, message: dict[str, Json]) -> None:
        """Send a message that is plain JSON already, past pygls' converter."""
        if self.writer is None:
            return
        body = self.dumps(message)
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def notify_json(self, method: str, params: Json) -> None:
        """A notification with plain JSON parameters."""
        self.send_json({"jsonrpc": "2.0", "method": method, "params": params})

    def answer(self, request_id: int | str, outcome: dict[str, Json]) -> None:
        """Answer a command."""
        self._commands.pop(request_id, None)
        self.send_json({"jsonrpc": "2.0", "id": request_id, **outcome})

    # --- documents and the end: ours ------------------------------------------------------------

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._tell(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._tell(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._tell(types.TEXT_DOCUMENT_DID_CLOSE, params)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_args: Any) -> None:  # type: ignore[override]  # no generator is needed
        """Answer what is open; what we asked is settled by the backend, before `exit` is obeyed.

        Pygls cancels its futures here while their callbacks ask for more.
        """
        self._shutdown = True
        for reply in list(self._commands.values()):
            reply.error(REQUEST_CANCELLED, "The server is shutting down.")

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_args: Any) -> None:  # type: ignore[override]  # no generator is needed
        if self.on_exit is not None:
            self.on_exit(0 if self._shutdown else 1)

    def _tell(self, method: str, params: Any) -> None:
        """Pygls' own document store splits lines where LSP does not; ours hears of it instead."""
        if (handler := self.fm.features.get(method)) is not None:
            handler(params)


def _dumps(message: Json) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _raw_message(data: dict[str, Any], method: str) -> Any:
    if "id" in data:
        return JsonRPCRequestMessage(data["id"], method, "2.0", data.get("params"))
    return JsonRPCNotification(method, "2.0", data.get("params"))
