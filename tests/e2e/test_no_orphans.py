"""However the sidecar ends, nothing of it lives on, not even what ignores every polite request."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.e2e.faulty import pids_of, program
from tests.faults.harness import wait_until_gone
from tests.harness import Editor, start_sidecar

End = Callable[[Editor], Awaitable[None]]

pytestmark = pytest.mark.e2e


async def shut_down(_editor: Editor) -> None:
    """As editors do; the harness does the same for every test."""


async def close_input(editor: Editor) -> None:
    """The editor died: all that is left of it is the end of input."""
    assert editor.process
    assert editor.process.stdin
    editor.process.stdin.close()
    assert await editor.process.wait() == 1  # without `shutdown`, LSP wants that


async def kill(editor: Editor) -> None:
    """The sidecar itself dies without a chance to do anything."""
    assert editor.process
    editor.process.kill()
    await editor.process.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("end", [shut_down, close_input, kill])
async def test_nothing_outlives_the_sidecar(end: End, project: Path) -> None:
    agents = {"faulty": program("stubborn")}
    options = {"timeouts": {"stop": 0.4}}
    async with start_sidecar(project, agents=agents, options=options) as editor:
        pids = await pids_of(editor, await editor.prompt("Who are you?"))
        await end(editor)
    assert await asyncio.to_thread(wait_until_gone, pids) == []
    assert not any("Traceback" in line for line in editor.stderr)
