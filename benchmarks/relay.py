"""A bare asyncio relay: lines of a child process out as LSP messages, nothing else."""

from __future__ import annotations

import asyncio
import sys


async def relay(command: list[str]) -> None:
    loop = asyncio.get_running_loop()
    out, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout.buffer)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    while line := await process.stdout.readline():
        out.write(b"Content-Length: %d\r\n\r\n%b" % (len(line), line))
    await process.wait()
    out.close()


if __name__ == "__main__":
    asyncio.run(relay(sys.argv[1:]))
