"""LSP's base protocol over real pipes: framing, order, stalls, and the end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import Final

import pytest

from acp_sidecar.lsp.stdio import HIGH_WATER, Writer, start_reader

SECONDS: Final = 60


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe's reading and writing end; whatever is still open is closed."""
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue  # the test closed it


def framed(body: bytes, *, header: bytes = b"Content-Length: %d") -> bytes:
    return header % len(body) + b"\r\n\r\n" + body


class Reading:
    """What a reader posts to the loop."""

    def __init__(self, fd: int) -> None:
        self.bodies: list[bytes] = []
        self.ended = asyncio.Event()
        self.news = asyncio.Condition()
        start_reader(fd, asyncio.get_running_loop(), self.bodies.append, self.ended.set)

    async def until_end(self) -> list[bytes]:
        await asyncio.wait_for(self.ended.wait(), SECONDS)
        return self.bodies


BODIES = [b"{}", "é\u2028\U0001f600".encode(), b"", b"x" * 300_000, b"\r\n\r\nContent-Length: 1"]


@pytest.mark.parametrize("size", [1, 7, 65_536])
async def test_messages_come_whole_in_whatever_pieces(pipe: tuple[int, int], size: int) -> None:
    reading = Reading(pipe[0])
    bodies = [body for body in BODIES if size > 100 or len(body) < 100]
    data = b"".join(map(framed, bodies))
    for start in range(0, len(data), size):
        await asyncio.to_thread(os.write, pipe[1], data[start : start + size])
    os.close(pipe[1])
    assert await reading.until_end() == bodies


@pytest.mark.parametrize(
    "header",
    [
        b"content-length:%d",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d",
        b"Content-Length: %d\r\nX-Odd",
    ],
)
async def test_headers_are_read_as_editors_write_them(pipe: tuple[int, int], header: bytes) -> None:
    reading = Reading(pipe[0])
    os.write(pipe[1], framed(b"{}", header=header))
    os.close(pipe[1])
    assert await reading.until_end() == [b"{}"]


@pytest.mark.parametrize(
    "junk",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"Content-Length: many\r\n\r\n{}",
        b"Content-Length: -1\r\n\r\n{}",
        b"Content-Length: -100\r\n\r\n{}",
    ],
)
async def test_what_is_no_lsp_ends_the_input(pipe: tuple[int, int], junk: bytes) -> None:
    reading = Reading(pipe[0])
    os.write(pipe[1], framed(b"first") + junk)
    assert await reading.until_end() == [b"first"]


async def test_half_a_message_at_the_end_is_none(pipe: tuple[int, int]) -> None:
    reading = Reading(pipe[0])
    os.write(pipe[1], framed(b"first") + framed(b"second")[:-1])
    os.close(pipe[1])
    assert await reading.until_end() == [b"first"]


async def test_a_writer_writes_in_order_and_finishes_with_what_waits(
    pipe: tuple[int, int],
) -> None:
    writer = Writer(pipe[1], asyncio.get_running_loop())
    parts = [bytes([65 + index % 26]) * 1000 for index in range(200)]
    reading = asyncio.create_task(asyncio.to_thread(read_all, pipe[0]))
    for part in parts:
        writer.write(part)
    await asyncio.to_thread(writer.finish, SECONDS)
    os.close(pipe[1])
    assert await asyncio.wait_for(reading, SECONDS) == b"".join(parts)


def read_all(fd: int) -> bytes:
    found = bytearray()
    while data := os.read(fd, 65_536):
        found += data
    return bytes(found)


async def test_an_editor_that_stalls_stalls_nobody_and_is_told_of(pipe: tuple[int, int]) -> None:
    told: asyncio.Queue[bool] = asyncio.Queue()
    writer = Writer(pipe[1], asyncio.get_running_loop())
    writer.on_pressure = told.put_nowait
    chunk = b"x" * 1024 * 1024
    count = HIGH_WATER // len(chunk) + 2
    for _ in range(count):  # nobody reads: a writer that blocked would hang here
        writer.write(chunk)
    assert await asyncio.wait_for(told.get(), SECONDS) is True
    assert told.empty(), "once for all of it"
    reading = asyncio.create_task(asyncio.to_thread(read_all, pipe[0]))
    assert await asyncio.wait_for(told.get(), SECONDS) is False
    await asyncio.to_thread(writer.finish, SECONDS)
    os.close(pipe[1])
    assert len(await asyncio.wait_for(reading, SECONDS)) == count * len(chunk)


async def test_an_editor_that_is_gone_breaks_the_writer_and_nothing_else(
    pipe: tuple[int, int],
) -> None:
    writer = Writer(pipe[1], asyncio.get_running_loop())
    os.close(pipe[0])
    writer.write(b"into the void")
    await asyncio.to_thread(writer.finish, SECONDS)
    assert writer.broken
    writer.write(b"still no error")
    writer.close()
