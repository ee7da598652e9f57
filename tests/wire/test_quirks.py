"""Quirks are of one agent, one method and one error; everybody else is told the error."""

from __future__ import annotations

import pytest

from acp_sidecar.session.handshake import InitializeResult
from acp_sidecar.wire.negotiate import negotiated
from acp_sidecar.wire.quirks import QUIRKS, Quirk, answer_instead


def calls_itself(name: str) -> InitializeResult:
    result = negotiated(
        1, {"protocolVersion": 1, "agentInfo": {"name": name, "version": "1"}}
    ).result
    assert result is not None
    return result


@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda quirk: f"{quirk.agent} {quirk.method}")
def test_a_quirk_is_of_one_agent_only(quirk: Quirk) -> None:
    own, other = calls_itself(quirk.agent), calls_itself("another")
    assert answer_instead(own, quirk.method, quirk.code) == quirk.answer
    assert answer_instead(other, quirk.method, quirk.code) is None
    assert answer_instead(None, quirk.method, quirk.code) is None
    assert answer_instead(own, "another/method", quirk.code) is None
    assert answer_instead(own, quirk.method, quirk.code + 1) is None
    assert quirk.why
