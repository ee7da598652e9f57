"""`fs/*` and `terminal/*` of ACP v1: what agents ask of the client, and how it is answered."""

from __future__ import annotations

from typing import Any, Final

from acp_sidecar.session.client_requests import (
    CreateTerminal,
    ReadTextFile,
    TerminalRequest,
    WriteTextFile,
)
from acp_sidecar.session.terminals import TerminalExitStatus
from acp_sidecar.wire.lenient import Decoded, decode

Json = Any

_TYPES: Final = {
    "fs/read_text_file": ReadTextFile,
    "fs/write_text_file": WriteTextFile,
    "terminal/create": CreateTerminal,
}
_VERBS: Final = {
    "terminal/output": "output",
    "terminal/wait_for_exit": "wait_for_exit",
    "terminal/kill": "kill",
    "terminal/release": "release",
}
METHODS: Final = frozenset({*_TYPES, *_VERBS})
"""The methods that `decode_client_request` understands."""

DONE: Final[Json] = {}
"""Answers that only say that it is done."""


def decode_client_request(method: str, params: Json) -> Decoded[Any]:
    """A request to the client as one of `session.client_requests`; `method` is in `METHODS`."""
    verb = _VERBS.get(method)
    if verb is None:
        return decode(_TYPES[method], params, method)
    named = {**params, "verb": verb} if isinstance(params, dict) else params
    return decode(TerminalRequest, named, method)


def file_content(text: str) -> Json:
    """Result of `fs/read_text_file`."""
    return {"content": text}


def terminal_created(terminal_id: str) -> Json:
    """Result of `terminal/create`."""
    return {"terminalId": terminal_id}


def terminal_output(text: str, *, truncated: bool, status: TerminalExitStatus | None) -> Json:
    """Result of `terminal/output`; the exit status is there once the command has ended."""
    result = {"output": text, "truncated": truncated}
    return result if status is None else {**result, "exitStatus": exit_status(status)}


def exit_status(status: TerminalExitStatus) -> Json:
    """Result of `terminal/wait_for_exit`: an exit code, or the name of a signal."""
    return {"exitCode": status.exit_code, "signal": status.signal}
