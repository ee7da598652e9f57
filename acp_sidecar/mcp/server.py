"""`acp-sidecar mcp`: the MCP server that an agent starts, by the official SDK (the extra `mcp`)."""

from __future__ import annotations

import asyncio
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any, Final

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from acp_sidecar import __version__
from acp_sidecar.mcp.channel import NAME
from acp_sidecar.mcp.client import ChannelClient, NoSidecar

DESCRIPTION: Final = "The editor's tools for agents, which start it with what they were told."
INSTRUCTIONS: Final = (
    "Tools of the editor in which the user watches you work. Prefer read_document to reading the "
    "disk for files that open_documents lists: they may have changes that are not saved."
)


def main(arguments: Sequence[str]) -> int:
    """Serve on stdio until the agent closes it; returns the exit status."""
    ArgumentParser(prog="acp-sidecar mcp", description=DESCRIPTION).parse_args(arguments)
    try:
        asyncio.run(_serve())
    except NoSidecar as error:
        sys.stderr.write(f"acp-sidecar mcp: {error}\n")
        return 1
    return 0


async def _serve() -> None:
    sidecar = await ChannelClient.connect(os.environ)

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult.model_validate(await sidecar.ask("tools", None))

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        call = {"name": params.name, "arguments": params.arguments}
        try:
            answer = await sidecar.ask("call", call)
        except NoSidecar as error:
            answer = {"text": str(error), "failed": True}
        content = types.TextContent(type="text", text=answer["text"])
        return types.CallToolResult(content=[content], is_error=answer["failed"])

    server = Server(
        NAME,
        version=__version__,
        title="Editor",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
    await sidecar.close()
