"""The published agents by themselves, driven by the raw client against the fake model.

When one of these fails, the agent, its row in the table or the fake model is at fault, and not
the sidecar.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.peers.fake_model import FakeModel
from tests.peers.project import GREET, GREETED
from tests.peers.published import AGENTS, PublishedAgent
from tests.peers.raw_client import RawClient, RpcError, choose, running

pytestmark = [pytest.mark.peers, pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.fixture(params=list(AGENTS.values()), ids=list(AGENTS))
def agent(request: pytest.FixtureRequest) -> PublishedAgent:
    agent: PublishedAgent = request.param
    return agent


@pytest.fixture
async def peer(agent: PublishedAgent, project: Path, tmp_path: Path) -> AsyncIterator[RawClient]:
    with FakeModel(project) as model:
        env = agent.prepare(tmp_path / "home", model.url)
        async with running(agent.command(), project, agent.protocol, env) as client:
            await client.initialize()
            yield client
    assert model.unknown_paths() == []


def permissions(client: RawClient) -> int:
    return sum(request["method"] == "session/request_permission" for request in client.requests)


async def test_edit_is_asked_for_and_written(
    peer: RawClient, agent: PublishedAgent, project: Path
) -> None:
    session = await peer.new_session(project, **agent.asks_with)
    assert await peer.prompt(session, "Please. [[peer:edit]]") in {"end_turn", None}
    assert permissions(peer) == 1
    assert (project / "greet.py").read_text(encoding="utf-8") == GREETED


async def test_edit_is_refused(peer: RawClient, agent: PublishedAgent, project: Path) -> None:
    peer.answers["session/request_permission"] = choose("reject_once", "reject_always")
    session = await peer.new_session(project, **agent.asks_with)
    await peer.prompt(session, "Please. [[peer:edit]]")
    assert permissions(peer) == 1
    assert (project / "greet.py").read_text(encoding="utf-8") == GREET


async def test_slow_command_is_cancelled(
    peer: RawClient, agent: PublishedAgent, project: Path
) -> None:
    session = await peer.new_session(project, **agent.asks_with)
    turn = asyncio.create_task(peer.prompt(session, "Please. [[peer:slow]]"))
    await peer.until(lambda: permissions(peer) > 0 or not agent.asks_before_commands)
    await asyncio.sleep(1)
    await peer.cancel(session)
    assert await turn in {"cancelled", None}


async def test_model_error_ends_the_turn(
    peer: RawClient, agent: PublishedAgent, project: Path
) -> None:
    session = await peer.new_session(project, **agent.asks_with)
    if agent.protocol == 2:
        assert await peer.prompt(session, "Please. [[peer:error]]") == "error"
    else:
        with pytest.raises(RpcError, match=r"^-?[0-9]+: "):
            await peer.prompt(session, "Please. [[peer:error]]")
