"""Display terminals: bytes that an agent-owned terminal has written (ACP v2 "Terminals").

All `data` here is decoded from base64 by the wire, chunk by chunk.
"""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any

from pydantic import Field, PlainSerializer, PlainValidator

from acp_sidecar.session.base import FORGIVE, AcpModel, Meta
from acp_sidecar.session.tool_calls import CancelCapability


def _decode(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        msg = "base64 text expected"
        raise ValueError(msg)
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        msg = f"not base64: {error}"
        raise ValueError(msg) from error


Base64Bytes = Annotated[
    bytes,
    PlainValidator(_decode),
    PlainSerializer(lambda data: base64.b64encode(data).decode("ascii"), return_type=str),
]
"""RFC 4648 base64 in JSON, bytes in Python."""


class TerminalOutput(AcpModel):
    """A snapshot: the complete bytes to keep from now on."""

    data: Base64Bytes
    meta: Meta = None


class TerminalExitStatus(AcpModel):
    """Marks a terminal as exited; either part may be unknown."""

    exit_code: Annotated[int | None, FORGIVE] = None
    signal: Annotated[str | None, FORGIVE] = None
    meta: Meta = None


class TerminalSize(AcpModel):
    """Size in character cells."""

    cols: Annotated[int, Field(ge=0, le=0xFFFF)]
    rows: Annotated[int, Field(ge=0, le=0xFFFF)]
    meta: Meta = None


class TerminalCapabilities(AcpModel):
    """`cancel` is there if `terminal/cancel` is accepted."""

    cancel: Annotated[CancelCapability | None, FORGIVE] = None
    meta: Meta = None


class TerminalUpdate(AcpModel):
    """Create or patch the terminal `terminal_id`."""

    terminal_id: str
    command: Annotated[str | None, FORGIVE] = None
    cwd: Annotated[str | None, FORGIVE] = None
    output: Annotated[TerminalOutput | None, FORGIVE] = None
    exit_status: Annotated[TerminalExitStatus | None, FORGIVE] = None
    size: Annotated[TerminalSize | None, FORGIVE] = None
    capabilities: Annotated[TerminalCapabilities | None, FORGIVE] = None
    meta: Meta = None


class TerminalOutputChunk(AcpModel):
    """Bytes to append; a chunk may end inside a character or an escape sequence."""

    terminal_id: str
    data: Base64Bytes
    meta: Meta = None
