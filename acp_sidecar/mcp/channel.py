"""The sidecar's end of the channel: a private socket, and a token for each session.

Newline-delimited JSON-RPC. A connection says `hello` with its token first and is closed if that is
wrong; then it may ask `tools` and `call` them. On POSIX the socket is in a directory that only this
user may enter; elsewhere it is a port of this machine only. The token holds in both cases.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from acp_sidecar.wire.json_rpc import Peer, Request

Json = Any
Reply = Callable[[Json], None]
Serve = Callable[[str, str, Json, Reply], None]
"""`(key, method, params, reply)`: serve `tools` or `call` for the session of this key."""

ADDRESS: Final = "ACP_SIDECAR_CHANNEL"
TOKEN: Final = "ACP_SIDECAR_TOKEN"  # noqa: S105 - the name of a variable
NAME: Final = "editor"
"""What agents know the MCP server by."""

_CHUNK_BYTES: Final = 65_536
_UNAUTHORIZED: Final = -32001


class Channel:
    """Listens from the moment it is made; `close` ends all connections."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self._tokens: dict[str, str] = {}
        self._folder: Path | None = None
        self._socket = self._listen()
        self._connections: set[asyncio.Task[None]] = set()
        self._accepting = asyncio.ensure_future(self._accept())

    def _listen(self) -> socket.socket:
        if sys.platform == "win32":
            listening = socket.create_server(("127.0.0.1", 0))
            host, port = listening.getsockname()[:2]
            self.address = f"{host}:{port}"
        else:
            self._folder = Path(tempfile.mkdtemp(prefix="acp-sidecar-"))  # only we may enter it
            listening = socket.socket(socket.AF_UNIX)
            self.address = str(self._folder / "tools")
            listening.bind(self.address)
            listening.listen()
        listening.setblocking(False)
        return listening

    def server_for(self, key: str) -> Json:
        """An ACP v2 `McpServer` for the session that will be known by `key`."""
        token = secrets.token_urlsafe(32)
        self._tokens[key] = token
        environment = {ADDRESS: self.address, TOKEN: token}
        return {
            "type": "stdio",
            "name": NAME,
            "command": sys.executable,
            "args": ["-m", "acp_sidecar", "mcp"],
            "env": [{"name": name, "value": value} for name, value in environment.items()],
        }

    async def close(self) -> None:
        """Stop listening and leave nothing behind."""
        tasks = [self._accepting, *self._connections]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._socket.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            accepted, _ = await loop.sock_accept(self._socket)
            reader, writer = await asyncio.open_connection(sock=accepted)
            task = asyncio.ensure_future(_Connection(self, reader, writer).run())
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)

    def key_of(self, token: Json) -> str | None:
        """Whose token this is; every token is compared, in a time that tells nothing."""
        if not isinstance(token, str):
            return None
        given, found = token.encode(), None
        for key, known in self._tokens.items():
            if hmac.compare_digest(known.encode(), given):
                found = key
        return found

    def serve(self, key: str, request: Request, reply: Reply) -> None:
        """Hand a request of a session's agent on."""
        self._serve(key, request.method, request.params, reply)


class _Connection:
    """One MCP server's connection."""

    def __init__(
        self, channel: Channel, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._channel = channel
        self._reader = reader
        self._writer = writer
        self._peer = Peer()
        self._key: str | None = None

    async def run(self) -> None:
        try:
            while chunk := await self._reader.read(_CHUNK_BYTES):
                for message in self._peer.receive(chunk):
                    if isinstance(message, Request) and not self._take(message):
                        return
                self._send(self._peer.data_to_send())
                await self._writer.drain()
        except OSError:
            pass  # the agent ended its MCP server
        finally:
            self._writer.close()
            with contextlib.suppress(OSError):
                await self._writer.wait_closed()

    def _take(self, request: Request) -> bool:
        """False if the connection is to be closed."""
        if self._key is not None:
            self._channel.serve(self._key, request, lambda result: self._answer(request, result))
            return True
        params = request.params if isinstance(request.params, dict) else {}
        if request.method == "hello":
            self._key = self._channel.key_of(params.get("token"))
        if self._key is None:
            error = self._peer.respond_error(request.id, _UNAUTHORIZED, "Wrong or missing token.")
            self._send(error)
            return False
        self._answer(request, {})
        return True

    def _answer(self, request: Request, result: Json) -> None:
        self._send(self._peer.respond(request.id, result))

    def _send(self, data: bytes) -> None:
        if data and not self._writer.is_closing():
            self._writer.write(data)
