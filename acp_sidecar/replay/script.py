"""A trace as a script for one role: what the agent says, and what it expects from the client."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from acp_sidecar.wire.trace import Direction, TraceLine


@dataclass(frozen=True, slots=True)
class Says:
    """The agent says `message`: an object, a batch, or for `noise` a line that is no message."""

    line: int
    message: Any
    noise: bool = False


@dataclass(frozen=True, slots=True)
class ExpectsRequest:
    """The agent waits for the client's request, whose id was `id` then."""

    line: int
    method: str
    id: Any
    params: Any


@dataclass(frozen=True, slots=True)
class ExpectsNotification:
    """The agent waits for the client's notification."""

    line: int
    method: str
    params: Any


@dataclass(frozen=True, slots=True)
class ExpectsAnswer:
    """The agent waits for the client's answer to its own request `id`."""

    line: int
    id: Any
    answer: Any


Expects: TypeAlias = ExpectsRequest | ExpectsNotification | ExpectsAnswer
Step: TypeAlias = Says | Expects


def script_of(lines: Iterable[TraceLine]) -> list[Step]:
    """The script that a trace holds; empty if nothing in it passed between agent and client."""
    steps: list[Step] = []
    for line in lines:
        if line.dir is Direction.IN:
            steps.append(Says(line.number, line.msg))
        elif line.dir is Direction.NOISE:
            steps.append(Says(line.number, line.text, noise=True))
        elif line.dir is Direction.OUT:
            messages = line.msg if isinstance(line.msg, list) else [line.msg]
            steps += [step for item in messages if (step := _expected(line.number, item))]
    return steps


def _expected(line: int, message: Any) -> Expects | None:
    if not isinstance(message, dict):
        return None
    method = message.get("method")
    if isinstance(method, str) and "id" in message:
        return ExpectsRequest(line, method, message["id"], message.get("params"))
    if isinstance(method, str):
        return ExpectsNotification(line, method, message.get("params"))
    if "id" in message:
        return ExpectsAnswer(line, message["id"], answer_of(message))
    return None


def answer_of(message: dict[str, Any]) -> dict[str, Any]:
    """What an answer says, without its id."""
    return {key: message[key] for key in ("result", "error") if message.get(key) is not None}


def is_answer(message: Any) -> bool:
    """Whether a message answers a request."""
    return isinstance(message, dict) and "id" in message and "method" not in message
