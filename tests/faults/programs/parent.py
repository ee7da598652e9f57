"""Not an agent: a program that hosts one, tells the pids, and then waits to be killed.

parent.py PROGRAM          host PROGRAM of this directory
parent.py PROGRAM leave    ... and end without stopping it
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from acp_sidecar.agent.connection import AgentConnection
from acp_sidecar.agent.launch import Launch


def ignore(_event: object) -> None:
    """This host wants to hear nothing."""


async def main(program: str, *how: str) -> None:
    launch = Launch("agent", (sys.executable, "-m", program), Path.cwd())
    told = asyncio.get_running_loop().create_future()
    connection = AgentConnection(launch, on_message=ignore, on_exit=ignore)
    await connection.start()
    connection.request("pids", None, told.set_result)
    answer = await told
    print(json.dumps(answer.result), flush=True)
    if how:
        os._exit(0)
    await asyncio.sleep(600)


asyncio.run(main(*sys.argv[1:]))
