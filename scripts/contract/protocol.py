"""The whole editor protocol as shapes: messages and commands, and the records they are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from acp_sidecar.lsp.command_table import COMMANDS
from acp_sidecar.lsp.contract import Command, Message
from acp_sidecar.lsp.extensions import MESSAGES
from scripts.contract.model import Named, Record, Shape
from scripts.contract.prose import GLOSSARY
from scripts.contract.reading import Reader, UnreadableType


@dataclass(frozen=True, slots=True)
class MessageShape:
    """A message; `result` is that of a request."""

    message: Message
    params: Named
    result: Shape


@dataclass(frozen=True, slots=True)
class CommandShape:
    command: Command
    arguments: Named
    result: Shape


@dataclass(frozen=True, slots=True)
class Protocol:
    messages: tuple[MessageShape, ...]
    commands: tuple[CommandShape, ...]
    records: dict[str, Record]


@cache
def protocol() -> Protocol:
    """Read the tables."""
    reader = Reader()
    messages = tuple(
        MessageShape(each, named(reader, each.params), reader.shape(each.result))
        for each in MESSAGES
    )
    commands = tuple(
        CommandShape(each, named(reader, each.arguments), reader.shape(each.result))
        for each in COMMANDS
    )
    records = {name: _explained(record) for name, record in reader.records.items()}
    return Protocol(messages, commands, records)


def _explained(record: Record) -> Record:
    """The record with words from the glossary where a member has none of its own."""
    members = tuple(
        replace(each, doc=each.doc or GLOSSARY.get(each.name, "")) for each in record.members
    )
    return replace(record, members=members) if record.origin == "ours" else record


def named(reader: Reader, annotation: object) -> Named:
    """The shape of what must be a record."""
    shape = reader.shape(annotation)
    if not isinstance(shape, Named):
        raise UnreadableType(f"{annotation} is not a record")
    return shape
