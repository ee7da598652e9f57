"""The agent's side of "Tool Calls": what the document asks of agents, the built-in agent does."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import pytest

from acp_sidecar.changes.from_diff import file_changes
from acp_sidecar.session.tool_calls import Diff
from acp_sidecar.wire.lenient import decode
from tests.demo.client import started
from tests.demo.conftest import copy_sample

Json = Any

KINDS = {"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "other"}
STATUSES = {"pending", "in_progress", "paused", "completed", "failed", "cancelled"}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[Json]:
    """Everything that the agent said in a whole tour, as v2."""
    sample = copy_sample(tmp_path_factory.mktemp("rules") / "sample")

    async def tour() -> list[Json]:
        async with started(2) as client:
            session = await client.new_session(sample)
            await client.turn(session, "Go on the tour.")
            return client.said

    return asyncio.run(tour())


def updates(said: list[Json], kind: str) -> list[Json]:
    told = [m["params"]["update"] for m in said if m.get("method") == "session/update"]
    return [update for update in told if update["sessionUpdate"] == kind]


def asked(said: list[Json]) -> list[Json]:
    return [m["params"] for m in said if m.get("method") == "session/request_permission"]


def diffs(said: list[Json]) -> list[Json]:
    calls = [*updates(said, "tool_call_update")]
    calls += [p["subject"]["toolCall"] for p in asked(said) if p["subject"]["type"] == "tool_call"]
    return [i for call in calls for i in call.get("content") or () if i["type"] == "diff"]


def is_absolute(path: str) -> bool:
    return PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()


def test_a_call_is_reported_with_its_title_and_name_first(said: list[Json]) -> None:
    first: dict[str, Json] = {}
    for call in updates(said, "tool_call_update"):
        first.setdefault(call["toolCallId"], call)
    assert len(first) > 3
    for call in first.values():
        assert call["title"]
        assert call["name"]
        assert call["status"] == "pending"


def test_kinds_and_statuses_are_the_protocols_own(said: list[Json]) -> None:
    calls = updates(said, "tool_call_update")
    assert {call["kind"] for call in calls if "kind" in call} <= KINDS
    statuses = {call["status"] for call in calls if "status" in call}
    assert {"pending", "in_progress", "completed"} <= statuses <= STATUSES


def test_paths_and_folders_are_absolute(said: list[Json]) -> None:
    commands = [p["subject"] for p in asked(said) if p["subject"]["type"] == "command"]
    places = [
        place for c in updates(said, "tool_call_update") for place in c.get("locations") or ()
    ]
    terminals = [each for each in updates(said, "terminal_update") if "cwd" in each]
    paths = [
        change[key]
        for d in diffs(said)
        for change in d["changes"]
        for key in change
        if "ath" in key
    ]
    assert commands
    assert places
    assert terminals
    assert paths
    assert all(is_absolute(each["cwd"]) for each in [*commands, *terminals])
    assert all(is_absolute(path) for path in [*paths, *(place["path"] for place in places)])


def test_a_terminal_is_told_of_with_its_command_and_its_id_is_its_own(said: list[Json]) -> None:
    first: dict[str, Json] = {}
    ended: set[str] = set()
    for update in updates(said, "terminal_update"):
        terminal = update["terminalId"]
        assert terminal not in ended, "a terminal that has ended is not used again"
        first.setdefault(terminal, update)
        if update.get("exitStatus"):
            ended.add(terminal)
    assert first
    assert all(update["command"] for update in first.values())
    assert ended == set(first)


def test_a_diff_has_changes_and_a_patch_that_agrees_with_them(said: list[Json]) -> None:
    told = diffs(said)
    assert told
    for item in told:
        assert item["patch"]["format"] == "git_patch"
        assert item["patch"]["text"].startswith("diff --git ")
        decoded = decode(Diff, item, "diff").value
        assert isinstance(decoded, Diff)
        changes, disagreements = file_changes(decoded)
        assert disagreements == []
        assert [change.path for change in changes] == [c["path"] for c in item["changes"]]


def test_a_permission_has_options_of_the_protocols_kinds(said: list[Json]) -> None:
    kinds = {option["kind"] for params in asked(said) for option in params["options"]}
    assert kinds <= {"allow_once", "allow_always", "reject_once", "reject_always"}
    assert all(len(params["options"]) >= 2 for params in asked(said))
