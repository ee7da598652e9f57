from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.harness import Editor, start_sidecar
from tests.peers.project import make_project
from tests.peers.sdk_agent import client_faults, sdk_command


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sample project, in a directory with a blank in its name."""
    return make_project(tmp_path / "sample project")


@pytest.fixture(params=[1, 2], ids=["v1", "v2"])
def protocol(request: pytest.FixtureRequest) -> int:
    """The ACP version that the agent speaks."""
    version: int = request.param
    return version


@pytest.fixture
def faults(tmp_path: Path) -> Path:
    """Where the SDK agent writes what it finds wrong with what it was sent."""
    return tmp_path / "client faults"


@pytest.fixture
async def editor(protocol: int, project: Path, faults: Path) -> AsyncIterator[Editor]:
    """An editor with a sidecar that hosts the SDK agent, which must find no fault with it."""
    command = sdk_command(protocol, "--faults", str(faults))
    async with start_sidecar(project, agents={"peer": {"command": command}}) as editor:
        yield editor
    assert client_faults(faults) == []
