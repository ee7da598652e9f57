"""A trace that the sidecar itself wrote is a recording like any other."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path

import pytest

from acp_sidecar.agent.ending import ExitReport
from acp_sidecar.errors import Problem
from acp_sidecar.replay.account import account
from acp_sidecar.replay.player import Player
from acp_sidecar.replay.roots import Roots
from acp_sidecar.replay.script import script_of
from acp_sidecar.wire.json_rpc import Incoming, Notification, Peer
from tests.faults.harness import hosted
from tests.replay.recorded import lines_of


def played_to(peer: Peer, player: Player, frame: bytes) -> list[Incoming]:
    """What a peer hears that sends one frame and then only what it says by itself."""
    heard: list[Incoming] = []
    lines = deque(player.start() + player.receive(json.loads(frame)))
    while lines:
        heard += peer.receive(lines.popleft())
        for answer in peer.data_to_send().split(b"\n")[:-1]:
            lines.extend(player.receive(json.loads(answer)))
    return heard


@pytest.mark.parametrize("program", ["banner", "double_answers", "wrong_ids", "invalid_utf8"])
async def test_a_traced_agent_is_replayed_with_its_faults(program: str, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    async with hosted(program, trace=path) as host:
        assert isinstance(await host.ask("initialize"), str)
        if program == "double_answers":
            await host.until(Notification)
    lines = lines_of(path)
    player = Player(script_of(lines), Roots([]))
    peer = Peer()
    heard = played_to(peer, player, peer.request("initialize")[1])
    assert player.close() == []
    assert player.take_differences() == []
    assert [item for item in heard if not isinstance(item, Problem)] == [
        item for item in host.delivered if not isinstance(item, Problem | ExitReport)
    ]
    # Text that was damaged is repaired in a trace; every other fault is there again.
    if program != "invalid_utf8":
        assert [item.code for item in heard if isinstance(item, Problem)] == host.problems
    assert next(iter(account(lines))) == "agent     unnamed"
