"""Who may use the channel, and what an agent's MCP client gets through it."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client

from acp_sidecar.mcp.channel import ADDRESS, TOKEN, Channel, Reply
from acp_sidecar.mcp.client import ChannelClient, NoSidecar

Json = Any
TOOL = {"name": "shout", "description": "Louder.", "inputSchema": {"type": "object"}}


class Sidecar:
    """Answers for the sidecar, and remembers who asked what."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Json]] = []
        self.open: list[Reply] = []
        self.holds = False
        self._news = asyncio.Event()

    def serve(self, key: str, method: str, params: Json, reply: Reply) -> None:
        self.asked.append((key, method, params))
        if self.holds:
            self.open.append(reply)
            self._news.set()
        elif method == "tools":
            reply({"tools": [TOOL]})
        else:
            reply({"text": params["arguments"]["text"].upper(), "failed": False})

    async def asked_for(self, count: int) -> None:
        while len(self.open) < count:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 60)


@pytest.fixture
def sidecar() -> Sidecar:
    return Sidecar()


@pytest.fixture
async def channel(sidecar: Sidecar) -> AsyncIterator[Channel]:
    channel = Channel(sidecar.serve)
    yield channel
    await channel.close()


def environment(server: Json) -> dict[str, str]:
    return {each["name"]: each["value"] for each in server["env"]}


@asynccontextmanager
async def agent(server: Json) -> AsyncIterator[ClientSession]:
    """An agent that starts the MCP server as it was told to."""
    started = StdioServerParameters(
        command=server["command"], args=server["args"], env=environment(server)
    )
    async with stdio_client(started) as streams, ClientSession(*streams) as client:
        await client.initialize()
        yield client


async def test_an_agent_lists_and_calls_tools(sidecar: Sidecar, channel: Channel) -> None:
    async with agent(channel.server_for("one")) as client:
        (tool,) = (await client.list_tools()).tools
        assert (tool.name, tool.description) == ("shout", "Louder.")
        result = await client.call_tool("shout", {"text": "grüße"})
        assert isinstance(result, types.CallToolResult)
        (content,) = result.content
        assert isinstance(content, types.TextContent)
        assert (content.text, result.is_error) == ("GRÜSSE", False)
    assert {key for key, _, _ in sidecar.asked} == {"one"}


async def test_each_session_has_its_own_token(sidecar: Sidecar, channel: Channel) -> None:
    servers = [channel.server_for(key) for key in ("one", "two")]
    clients = [await ChannelClient.connect(environment(server)) for server in servers]
    for client in reversed(clients):
        await client.ask("tools", None)
        await client.close()
    assert [key for key, _, _ in sidecar.asked] == ["two", "one"]


@pytest.mark.parametrize("token", ["", "x", "é"])
async def test_a_wrong_token_gets_nothing(sidecar: Sidecar, channel: Channel, token: str) -> None:
    told = {**environment(channel.server_for("one")), TOKEN: token or "?"}
    with pytest.raises(NoSidecar):
        await ChannelClient.connect(told)
    assert sidecar.asked == []


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"call","params":{"name":"shout","arguments":{}}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"hello"}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"token":null}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"hello","params":["x"]}\n',
    ],
)
async def test_nothing_is_served_before_the_token(
    sidecar: Sidecar, channel: Channel, line: bytes
) -> None:
    reader, writer = await asyncio.open_unix_connection(channel.address)
    writer.write(line)
    assert b"Wrong or missing token" in await asyncio.wait_for(reader.read(), 60)
    writer.close()
    await writer.wait_closed()
    assert sidecar.asked == []


async def test_noise_is_no_end(sidecar: Sidecar, channel: Channel) -> None:
    told = environment(channel.server_for("one"))
    reader, writer = await asyncio.open_unix_connection(channel.address)
    hello = f'{{"jsonrpc":"2.0","id":1,"method":"hello","params":{{"token":"{told[TOKEN]}"}}}}\n'
    writer.write(b"\xff\xfe noise\n\n[]\n" + hello.encode())
    while b'"result"' not in await asyncio.wait_for(reader.readline(), 60):
        pass
    writer.close()
    await writer.wait_closed()
    assert sidecar.asked == []


async def test_answers_come_in_any_order(sidecar: Sidecar, channel: Channel) -> None:
    sidecar.holds = True
    client = await ChannelClient.connect(environment(channel.server_for("one")))
    first, second = (asyncio.ensure_future(client.ask("call", {"n": n})) for n in (1, 2))
    await sidecar.asked_for(2)
    sidecar.open[1]("second")
    sidecar.open[0]("first")
    assert (await first, await second) == ("first", "second")
    await client.close()


async def test_an_answer_to_nobody_is_dropped(sidecar: Sidecar, channel: Channel) -> None:
    """The user answers after the agent has ended its server."""
    sidecar.holds = True
    client = await ChannelClient.connect(environment(channel.server_for("one")))
    asking = asyncio.ensure_future(client.ask("call", {}))
    await sidecar.asked_for(1)
    asking.cancel()
    await client.close()
    other = await ChannelClient.connect(environment(channel.server_for("two")))
    sidecar.open[0]("late")
    sidecar.holds = False
    assert await other.ask("tools", None) == {"tools": [TOOL]}
    await other.close()


async def test_a_call_that_is_open_when_the_sidecar_ends_fails(sidecar: Sidecar) -> None:
    sidecar.holds = True
    channel = Channel(sidecar.serve)
    client = await ChannelClient.connect(environment(channel.server_for("one")))
    asking = asyncio.ensure_future(client.ask("call", {}))
    await sidecar.asked_for(1)
    await channel.close()
    with pytest.raises(NoSidecar, match="ended"):
        await asking
    with pytest.raises(NoSidecar, match="ended"):
        await client.ask("tools", None)
    await client.close()


async def test_a_tool_fails_and_the_server_goes_on_when_the_sidecar_has_ended(
    sidecar: Sidecar,
) -> None:
    channel = Channel(sidecar.serve)
    async with agent(channel.server_for("one")) as client:
        await channel.close()
        result = await client.call_tool("shout", {"text": "x"})
        assert isinstance(result, types.CallToolResult)
        assert result.is_error


async def test_only_this_user_reaches_it_and_nothing_is_left(sidecar: Sidecar) -> None:
    channel = Channel(sidecar.serve)
    folder = Path(channel.address).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    await channel.close()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("told", "said"),
    [({}, "is started by agents"), ({ADDRESS: "/nowhere/x", TOKEN: "t"}, "is gone")],
)
async def test_it_says_what_it_is_for(told: dict[str, str], said: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in {ADDRESS, TOKEN}}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "acp_sidecar", "mcp"),
        env={**kept, **told},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, out) == (1, b"")
    assert said in err.decode()
    assert "Traceback" not in err.decode()
