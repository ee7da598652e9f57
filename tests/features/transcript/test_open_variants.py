"""What the protocol does not name (yet) is shown in a generic way, and never left out."""

from __future__ import annotations

import pytest

from acp_sidecar.features.transcript.blocks import document
from tests.session.builders import session, tell


@pytest.mark.parametrize(
    ("status", "mark", "said"),
    [("_vendor.queued", "•", "queued"), ("future", "•", "future"), ("paused", "⏸", "paused")],
)
@pytest.mark.parametrize("kind", ["_vendor.plot", "plot"])
def test_a_call_of_an_unknown_kind_and_status(status: str, mark: str, said: str, kind: str) -> None:
    state = session()
    tell(state, "tool_call_update", toolCallId="c", title="Draw", kind=kind, status=status)
    shown = document(state)
    assert f"### {mark} Draw" in shown
    assert "plot" in shown
    assert said in shown


def test_an_item_of_an_unknown_type() -> None:
    state = session()
    tell(state, "tool_call_update", toolCallId="c", content=[{"type": "future_chart", "x": [1]}])
    assert "chart" in document(state)


def test_a_block_of_an_unknown_type() -> None:
    state = session()
    block = {"type": "future_video", "uri": "x"}
    tell(state, "agent_message_chunk", messageId="m", content=block)
    tell(state, "agent_message_chunk", messageId="m", content={"type": "text", "text": "after"})
    shown = document(state)
    assert "video" in shown
    assert "after" in shown
