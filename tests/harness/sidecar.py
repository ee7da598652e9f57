"""Starts and ends the real executable."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests.environment import clean_environment
from tests.harness.capabilities import PLAIN
from tests.harness.client import Editor

Json = dict[str, Any]
SIDECAR = (sys.executable, "-m", "acp_sidecar")
# Scripts answer faster than a person can read; by default such answers do not count.
SCRIPTED_USER: Final[Json] = {"permissions": {"inert": 0}}
_STREAM_LIMIT = 64 * 2**20
_START_SECONDS = 60
_STOP_SECONDS = 60


@contextlib.asynccontextmanager
async def start_sidecar(
    root: Path,
    *,
    agents: Mapping[str, Json] | None = None,
    options: Json | None = None,
    capabilities: Json = PLAIN,
    env: Mapping[str, str] | None = None,
) -> AsyncIterator[Editor]:
    """Run `acp-sidecar` for an editor with one workspace folder, and stop it as editors do.

    Args:
        root: the workspace folder, and where the process starts.
        agents: `initializationOptions.agents`.
        options: the other `initializationOptions`, on top of `SCRIPTED_USER`.
        capabilities: what the client can do, in LSP's own form.
        env: environment variables on top of `tests.environment.clean_environment`.

    The exit must be clean: a test ends with an error if the sidecar does not stop by itself with
    status 0 after `shutdown` and `exit`. A test may end it earlier by `editor.process`.
    """
    state = None
    if "XDG_STATE_HOME" not in (env or {}):
        # What one test's sidecar remembers is nothing to another's, nor to the developer's own.
        state = tempfile.mkdtemp(prefix="acp-state-")
        env = {**(env or {}), "XDG_STATE_HOME": state}
    process = await asyncio.create_subprocess_exec(
        *SIDECAR,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=root,
        env=clean_environment(**(env or {})),
        limit=_STREAM_LIMIT,
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    editor = Editor(process.stdout, process.stdin, root)
    editor.process = process
    reading = asyncio.create_task(_keep_stderr(process, editor))
    try:
        settings = {**SCRIPTED_USER, **(options or {}), "agents": agents or {}}
        await _initialize(editor, settings, capabilities)
        yield editor
        if process.returncode is None:
            await _shut_down(editor, process)
    finally:
        _kill_group(process)
        await process.wait()
        await asyncio.wait([reading], timeout=2)
        reading.cancel()
        await editor.connection.stop()
        if state is not None:
            shutil.rmtree(state, ignore_errors=True)


async def _initialize(editor: Editor, options: Json, capabilities: Json) -> None:
    folder = {"uri": editor.root.as_uri(), "name": editor.root.name}
    params = {
        "processId": os.getpid(),
        "clientInfo": {"name": "tests", "version": "1"},
        "rootUri": editor.root.as_uri(),
        "workspaceFolders": [folder],
        "capabilities": capabilities,
        "initializationOptions": options,
    }
    answer = await editor.connection.request("initialize", params, _START_SECONDS)
    editor.server = answer
    editor.documents.encoding = answer["capabilities"].get("positionEncoding", "utf-16")
    await editor.connection.notify("initialized", {})


async def _shut_down(editor: Editor, process: asyncio.subprocess.Process) -> None:
    await editor.connection.request("shutdown", None, _STOP_SECONDS)
    await editor.connection.notify("exit", None)
    status = await asyncio.wait_for(process.wait(), _STOP_SECONDS)
    assert status == 0, f"exit status {status}; stderr {editor.stderr[-20:]}"


async def _keep_stderr(process: asyncio.subprocess.Process, editor: Editor) -> None:
    assert process.stderr
    while line := await process.stderr.readline():
        editor.stderr.append(line.decode(errors="replace").rstrip())


def _kill_group(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
