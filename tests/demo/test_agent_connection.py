"""The demo agent's line to the client, where cancelling and answering cross each other."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator

import pytest

from acp_sidecar.demo.agent.connection import Connection

ANSWERS: dict[str, dict[str, object]] = {
    "result": {"result": {"outcome": {"outcome": "cancelled"}}},
    "error": {"error": {"code": -32603, "message": "no"}},
}


class Pipes:
    """What the client writes goes to the agent, and what the agent writes to the client."""

    def __init__(self) -> None:
        self.agent_in, self.client_out = os.pipe()
        self.client_in, self.agent_out = os.pipe()

    def close(self) -> None:
        for end in (self.agent_in, self.client_in, self.agent_out):
            os.close(end)


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    pipes = Pipes()
    yield pipes
    pipes.close()


@pytest.mark.parametrize("answer", ANSWERS)
async def test_an_answer_crosses_the_cancelling_of_its_question(answer: str, pipes: Pipes) -> None:
    """Cancelled, and not yet taken back: the answer is dropped, and the line goes on."""
    connection = Connection(pipes.agent_in, pipes.agent_out)
    heard = asyncio.Event()

    async def on_request(method: str, _params: object) -> None:
        raise AssertionError(method)

    async def on_notification(_method: str, _params: object) -> None:
        heard.set()

    serving = asyncio.ensure_future(connection.run(on_request, on_notification))
    asking = asyncio.ensure_future(connection.request("session/request_permission", {}))
    request = json.loads(await asyncio.to_thread(os.read, pipes.client_in, 65_536))
    lines = [{"id": request["id"], **ANSWERS[answer]}, {"method": "next"}]
    for line in lines:  # straight into the queue: read before the question can be taken back
        connection._chunks.put_nowait(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n")
    asking.cancel()
    await asyncio.wait_for(heard.wait(), 60)
    assert asking.cancelled()
    os.close(pipes.client_out)
    await asyncio.wait_for(serving, 60)
