"""What real agents asked for, as recorded: every request is understood and can be answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from acp_sidecar.features.permission.facts import Facts, gather
from acp_sidecar.session import reducer
from acp_sidecar.session.permissions import PermissionRequest, ToolCallSubject
from acp_sidecar.wire.protocol import SessionUpdates
from acp_sidecar.wire.v1.adapter import V1Adapter
from acp_sidecar.wire.v2.adapter import V2Adapter
from tests.features.permission.world import Json, World, rule, session, settings

RECORDINGS = [
    path
    for path in sorted((Path(__file__).parents[2] / "recordings").glob("*.jsonl"))
    if '"session/request_permission"' in path.read_text(encoding="utf-8")
]


def heard(path: Path) -> Iterator[Json]:
    """What the agent said, message by message."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if entry["dir"] == "in" and isinstance(entry.get("msg"), dict):
                yield entry["msg"]


def asked_in(path: Path) -> Iterator[tuple[World, PermissionRequest]]:
    """Each request, in a session that knows what had been said before it."""
    adapter: V1Adapter | V2Adapter = V1Adapter()
    world = World()
    world.workspace.folders = ["/workspace"]
    world.session = session(cwd="/workspace", agent=path.name.partition("-")[0])
    for message in heard(path):
        result = message.get("result")
        if isinstance(result, dict) and "protocolVersion" in result:
            adapter = V2Adapter() if "info" in result else V1Adapter()
        if "method" not in message:
            continue
        value = adapter.incoming(message["method"], message.get("params")).value
        if isinstance(value, SessionUpdates):
            for update in value.updates:
                reducer.apply(world.session, update)
        elif isinstance(value, PermissionRequest):
            if isinstance(value.subject, ToolCallSubject):
                reducer.apply(world.session, value.subject.tool_call)
            yield world, value


def facts_of(world: World, request: PermissionRequest) -> Facts:
    return gather(world.session, request, world.workspace)


every_recording = pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)


def test_the_recordings_are_there() -> None:
    agents = {world.session.agent for path in RECORDINGS for world, _ in asked_in(path)}
    assert agents == {"claude", "codex", "gemini", "opencode", "sdk"}


@every_recording
def test_what_is_verified(path: Path) -> None:
    for world, request in asked_in(path):
        facts = facts_of(world, request)
        if facts.subject is None:
            assert request.subject is not None
            assert request.subject.type == "_probe_subject"
        elif facts.kinds == {"edit"}:
            assert facts.complete
            assert not facts.outside
        else:
            assert facts.kinds == {"execute"}
            told = facts.command is not None and facts.command.cwd == "/workspace"
            # Gemini tells its command in a title alone, which proves nothing.
            assert told or world.session.agent == "gemini"


@every_recording
def test_each_option_can_be_chosen(path: Path) -> None:
    for world, request in asked_in(path):
        for number, option in enumerate(request.options):
            answers: list[str | None] = []
            world.permissions.requested(world.session, request, answers.append)
            question = world.editor.current
            assert len(question.actions) == len(request.options)
            question.answer(number)
            assert answers == [option.option_id]


@every_recording
def test_a_rule_for_one_command_allows_that_alone(path: Path) -> None:
    for world, request in asked_in(path):
        world.permissions.configure(settings([rule("allow", command="python3 hello.py")]))
        answers: list[str | None] = []
        world.permissions.requested(world.session, request, answers.append)
        command = facts_of(world, request).command
        meant = command is not None and command.text == "python3 hello.py"
        kinds = {option.option_id: option.kind for option in request.options}
        assert [kinds[str(answer)] for answer in answers] == (["allow_once"] if meant else [])
        world.permissions.shutdown()
