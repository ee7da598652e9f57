"""The table of `docs/compatibility.md`: what each published agent was seen to do, written by a run.

`python3 scripts/dev.py peers --write-table` writes the rows of the agents that it ran, and leaves
the others as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tests.peers.published import AGENTS, PublishedAgent

TABLE = Path(__file__).parents[2] / "docs" / "compatibility.md"

SCENARIOS: Mapping[str, str] = {
    "test_read_is_followed": "read a range",
    "test_edit_is_previewed_then_allowed": "edit allowed",
    "test_edit_is_refused": "edit refused",
    "test_prompt_is_dismissed": "question dismissed",
    "test_cancel_while_asked": "cancelled while asked",
    "test_new_file": "new file",
    "test_overwrite": "overwrite",
    "test_failing_command": "failing command",
    "test_slow_command_is_cancelled": "slow command cancelled",
    "test_two_calls_at_once": "two calls at once",
    "test_model_error_is_told": "model error",
    "test_past_is_told_again": "resume with replay",
}
"""What the tests of `test_published` that every agent runs are about."""

PASSED = "yes"

Outcomes = dict[str, dict[str, str]]
"""By agent and test: "yes", or what it was instead."""

_HEAD = """\
# Compatibility

What published agents were seen to do with the sidecar, through the real executable and with a fake
model (see [peers.md](peers.md)). Written by `python3 scripts/dev.py peers --write-table`; CI runs
one agent of each version of ACP.

"""
_NODE = re.compile(r"test_published\.py::(test_\w+)\[([\w-]+)\]$")


def place_of(node_id: str) -> tuple[str, str] | None:
    """The agent and the test of a pytest node that the table has a cell for."""
    match = _NODE.search(node_id)
    if match is None or match[1] not in SCENARIOS or match[2] not in AGENTS:
        return None
    return match[2], match[1]


def read_table(text: str) -> Outcomes:
    """The outcomes that a written table holds."""
    found: Outcomes = {}
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        name = cells[0].strip("`")
        if line.startswith("|") and name in AGENTS and len(cells) == len(SCENARIOS) + 3:
            found[name] = dict(zip(SCENARIOS, cells[3:], strict=True))
    return found


def render(outcomes: Outcomes) -> str:
    """The document; agents that never ran have no row."""
    heads = ["agent", "package", "ACP", *SCENARIOS.values()]
    rows = [_row(AGENTS[name], outcomes[name]) for name in AGENTS if name in outcomes]
    lines = [heads, ["---"] * len(heads), *rows]
    return _HEAD + "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _row(agent: PublishedAgent, outcomes: Mapping[str, str]) -> list[str]:
    told = [outcomes.get(test, "not run") for test in SCENARIOS]
    return [f"`{agent.name}`", f"`{agent.packages[0]}`", f"v{agent.protocol}", *told]


def update(outcomes: Outcomes) -> None:
    """Write what a run has seen into the document."""
    known = read_table(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    for name, seen in outcomes.items():
        known[name] = {**known.get(name, {}), **seen}
    TABLE.write_text(render(known), encoding="utf-8")
