"""The MCP server's end of the channel: asks the sidecar that started the agent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any, Final

from acp_sidecar.mcp.channel import ADDRESS, TOKEN
from acp_sidecar.wire.json_rpc import ErrorResponse, Peer, Response

Json = Any
_CHUNK_BYTES: Final = 65_536


class NoSidecar(Exception):
    """The sidecar cannot be reached, or does not know us; the message says what to do."""


class ChannelClient:
    """One connection to the sidecar. Requests may overlap."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._peer = Peer()
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self.reading = asyncio.ensure_future(self._read())

    @classmethod
    async def connect(cls, environment: Mapping[str, str]) -> ChannelClient:
        """Connect by what the sidecar put into the environment.

        Raises:
            NoSidecar: There is no sidecar there, or not ours.
        """
        address, token = environment.get(ADDRESS), environment.get(TOKEN)
        if not address or not token:
            raise NoSidecar(
                "acp-sidecar mcp is started by agents, for a session that has editor tools; "
                "see the setting editorTools."
            )
        try:
            client = cls(*await _connected(address))
        except (OSError, ValueError) as error:
            raise NoSidecar(f"The sidecar that started this session is gone: {error}.") from None
        try:
            await client.ask("hello", {"token": token})
        except NoSidecar:
            await client.close()
            raise
        return client

    async def ask(self, method: str, params: Json) -> Json:
        """The sidecar's answer.

        Raises:
            NoSidecar: It refused, or went away before it answered.
        """
        if self.reading.done():
            raise NoSidecar("The sidecar has ended.")
        request_id, line = self._peer.request(method, params)
        answer = self._waiting[request_id] = asyncio.get_running_loop().create_future()
        self._writer.write(line)
        try:
            return await answer
        finally:
            del self._waiting[request_id]
            self._peer.forget(request_id)

    async def close(self) -> None:
        """End the connection; what is open fails."""
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
        await self.reading

    async def _read(self) -> None:
        try:
            while chunk := await self._reader.read(_CHUNK_BYTES):
                for message in self._peer.receive(chunk):
                    if isinstance(message, Response | ErrorResponse):
                        self._settle(message)
        except OSError:
            pass  # as good as its end
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(NoSidecar("The sidecar has ended."))

    def _settle(self, message: Response | ErrorResponse) -> None:
        answer = None if message.id is None else self._waiting.get(message.id)
        if answer is None or answer.done():
            return
        if isinstance(message, Response):
            answer.set_result(message.result)
        else:
            answer.set_exception(NoSidecar(message.error.message))


async def _connected(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, colon, port = address.rpartition(":")
    if colon and port.isdigit() and "/" not in address:
        return await asyncio.open_connection(host, int(port))
    return await asyncio.open_unix_connection(address)
