"""Starts the MCP servers that its sessions name, by the official SDK, and does what prompts say.

A prompt is a JSON object `{"tool": NAME, "arguments": {...}}`, or `{"list": true}`; what comes of
it is told in a message. Its argument is the version of the protocol that it speaks.
"""

import asyncio
import json
import sys
from typing import Any

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client

from tests.e2e.programs.agent import Agent, Json


async def used(server: Json, wanted: Json) -> str:
    """What a server answers."""
    env = {each["name"]: each["value"] for each in server["env"]}
    started = StdioServerParameters(command=server["command"], args=server["args"], env=env)
    async with stdio_client(started) as streams, ClientSession(*streams) as client:
        await client.initialize()
        if "list" in wanted:
            return json.dumps([tool.name for tool in (await client.list_tools()).tools])
        result = await client.call_tool(wanted["tool"], wanted["arguments"])
        assert isinstance(result, types.CallToolResult)
        texts = [part.text for part in result.content if isinstance(part, types.TextContent)]
        return ("failed: " if result.is_error else "") + "".join(texts)


class UsesTools(Agent):
    version = int(sys.argv[1])
    capabilities: Json = {"session": {"mcp": {"stdio": {}}}}  # noqa: RUF012 - never changed
    opened = 0

    def on_session_new(self, request: Json) -> None:
        self.opened += 1
        self.session = f"session-{self.opened}"
        self.servers: list[Any] = request["params"]["mcpServers"]
        super().on_session_new(request)

    def turn(self, request: Json) -> None:
        text = request["params"]["prompt"][0]["text"]
        self.message(json.dumps(self.servers) if not self.servers else self.use(text))
        self.end()

    def use(self, text: str) -> str:
        (server,) = self.servers
        assert server.get("type", "stdio") == "stdio"
        return asyncio.run(used(server, json.loads(text)))


UsesTools().serve()
