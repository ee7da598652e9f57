"""Checks JSON against the editor protocol's own types, closed: what no type names is a fault."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from scripts.contract.json_schema import schema_of
from scripts.contract.model import Shape
from scripts.contract.protocol import protocol

Json = Any

MESSAGES = {each.message.method: each for each in protocol().messages}
COMMANDS = {each.command.name: each for each in protocol().commands}


@cache
def validator(shape: Shape) -> Draft202012Validator:
    return Draft202012Validator(schema_of(shape, protocol().records))


def faults(shape: Shape, value: Json) -> list[str]:
    """What is wrong with a value and where; of a union, with the variant that comes near."""
    found = []
    for error in validator(shape).iter_errors(value):
        deepest = error
        while deepest.context:
            deepest = max(deepest.context, key=lambda each: len(each.absolute_path))
        found.append(f"{deepest.json_path}: {deepest.message}"[:300])
    return found


def message_faults(method: str, params: Json) -> list[str]:
    if method not in MESSAGES:
        return [f"{method} is not in the table"]
    return [f"{method} {fault}" for fault in faults(MESSAGES[method].params, params)]


def answer_faults(method: str, answer: Json) -> list[str]:
    return [f"{method} answer {fault}" for fault in faults(MESSAGES[method].result, answer)]


def command_faults(name: str, arguments: Json, result: Json) -> list[str]:
    """What is wrong with a command that has succeeded."""
    shape = COMMANDS[name]
    given = [f"{name} argument {fault}" for fault in faults(shape.arguments, arguments)]
    return given + [f"{name} result {fault}" for fault in faults(shape.result, result)]
