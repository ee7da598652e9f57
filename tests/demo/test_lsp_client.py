"""The demo's LSP client against servers of a few lines, good and bad."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.demo.lsp_client import LspClient, LspError, ServerGone

READ = """
import json, sys
def read():
    length = 0
    while (line := sys.stdin.buffer.readline()) not in (b"\\r\\n", b""):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    if not length:
        sys.exit(0)
    return json.loads(sys.stdin.buffer.read(length))
def write(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    head = b"Content-Type: x\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(body)
    sys.stdout.buffer.write(head + body)
    sys.stdout.buffer.flush()
"""
POLITE = """
while True:
    message = read()
    if message["method"] == "exit":
        sys.exit(0)
    write(id=message["id"], result=None)
"""


async def serving(program: str, tmp_path: Path) -> LspClient:
    return await LspClient.start([sys.executable, "-c", READ + program], tmp_path)


async def test_a_request_is_answered_and_the_server_ends(tmp_path: Path) -> None:
    echo = 'm = read(); write(id=m["id"], result=m["params"])'
    client = await serving(echo + POLITE, tmp_path)
    assert await client.request("echo", {"é": 1}) == {"é": 1}
    assert await client.stop() == 0


async def test_an_error_is_raised(tmp_path: Path) -> None:
    refuse = 'm = read(); write(id=m["id"], error={"code": -1, "message": "no"})'
    client = await serving(refuse + POLITE, tmp_path)
    with pytest.raises(LspError, match="no"):
        await client.request("anything", None)
    assert await client.stop() == 0


async def test_requests_of_the_server_are_answered(tmp_path: Path) -> None:
    ask = """
m = read()
write(id="a", method="known", params=3)
write(id="b", method="unknown", params=None)
answers = [read(), read()]
write(id=m["id"], result=answers)
"""
    client = await serving(ask + POLITE, tmp_path)

    async def twice(params: Any) -> int:
        return int(params) * 2

    client.requests["known"] = twice
    answers = {answer["id"]: answer for answer in await client.request("go", None)}
    assert answers["a"]["result"] == 6
    assert answers["b"]["error"]["code"] == -32601
    assert await client.stop() == 0


async def test_a_server_that_dies_is_told_to_whoever_waits(tmp_path: Path) -> None:
    client = await serving('read(); sys.stderr.write("oh no\\n"); sys.exit(3)', tmp_path)
    with pytest.raises(ServerGone):
        await client.request("anything", None)
    with pytest.raises(ServerGone):
        await client.request("anything", None)
    assert await client.stop() == 3
    assert list(client.last_words) == ["oh no"]


async def test_garbage_ends_the_connection_and_not_the_client(tmp_path: Path) -> None:
    client = await serving('read(); print("no LSP", flush=True)', tmp_path)
    with pytest.raises(ServerGone):
        await client.request("anything", None)
    assert await client.stop() == 0
