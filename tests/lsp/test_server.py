"""The end of a server: whatever its backend does, a server whose editor is gone ends."""

from __future__ import annotations

import asyncio
import os
from typing import cast

import pytest

from acp_sidecar.lsp import server as under_test
from acp_sidecar.lsp.server import Backend, SidecarServer


class Hanging:
    """A backend that never comes to its end."""

    async def shutdown(self) -> None:
        await asyncio.get_running_loop().create_future()


class Failing:
    """A backend with a bug at its end."""

    async def shutdown(self) -> None:
        raise RuntimeError("a bug of ours")


@pytest.mark.parametrize("backend", [Hanging(), Failing()], ids=["hangs", "fails"])
async def test_a_server_ends_with_its_editor(
    backend: object, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(under_test, "SHUTDOWN_SECONDS", 0.05)
    server = SidecarServer(lambda _server: cast("Backend", backend))
    assert server.backend is backend
    reads, editor_writes = os.pipe()
    editor_reads, writes = os.pipe()
    serving = asyncio.create_task(server.serve(reads, writes))
    await asyncio.sleep(0)
    os.close(editor_writes)
    assert await asyncio.wait_for(serving, 60) == 1
    assert "the shutdown" in caplog.text
    for descriptor in (reads, writes, editor_reads):
        os.close(descriptor)
