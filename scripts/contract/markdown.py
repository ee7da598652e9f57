"""The editor protocol as a document: how it works, each message and command, the types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from scripts.contract.model import (
    Constants,
    ListOf,
    MapOf,
    Member,
    Named,
    OneOf,
    Scalar,
    Shape,
)
from scripts.contract.prose import ACP_TYPES, COMMANDS, INTRODUCTION, OWN_TYPES, TITLES
from scripts.contract.protocol import CommandShape, MessageShape, Protocol

Json = Any


def markdown(protocol: Protocol, examples: Mapping[str, Json]) -> str:
    """The whole document."""
    writer = _Writer(protocol, examples)
    parts = [INTRODUCTION, writer.overview(), *writer.messages(), COMMANDS, *writer.commands()]
    text = "\n".join([*parts, *writer.types()]).rstrip() + "\n"
    for name, home in writer.homes.items():
        text = text.replace(f"](#{_anchor(name)})", f"](#{_anchor(home)})")
    return text


class _Writer:
    def __init__(self, protocol: Protocol, examples: Mapping[str, Json]) -> None:
        self._protocol = protocol
        self._examples = examples
        self.homes: dict[str, str] = {}
        """Records that are shown where they are used, not among the types, and where."""
        for message in protocol.messages:
            self.homes.setdefault(message.params.name, message.message.method)
        for command in protocol.commands:
            self.homes.setdefault(command.arguments.name, command.command.name)

    # --- messages ---------------------------------------------------------------------------------

    def overview(self) -> str:
        rows = [
            (
                f"[`{each.message.method}`](#{_anchor(each.message.method)})",
                "you → server" if each.message.direction == "to server" else "server → you",
                each.message.kind,
                f"`{each.message.capability}`",
            )
            for each in self._protocol.messages
        ]
        return "## Messages\n\n" + _table(("message", "direction", "kind", "switched on by"), rows)

    def messages(self) -> Iterable[str]:
        shown = ""
        for each in self._protocol.messages:
            if each.message.capability != shown:
                shown = each.message.capability
                yield f"### {TITLES[shown]}\n"
            yield self._message(each)

    def _message(self, each: MessageShape) -> str:
        message = each.message
        table = self._record(each.params.name, brief=True)
        parts = [f"#### {message.method}\n", _prose(message.doc), table]
        if message.kind == "request":
            parts.append(f"Result: {_type(each.result)}\n")
        parts.append(self._example(message.method))
        return "\n".join(part for part in parts if part)

    # --- commands ---------------------------------------------------------------------------------

    def commands(self) -> Iterable[str]:
        shown = ""
        for each in self._protocol.commands:
            title = TITLES[_group(each.command.name)]
            if title != shown:
                shown = title
                yield f"### {shown} (commands)\n"
            yield self._command(each)

    def _command(self, each: CommandShape) -> str:
        command = each.command
        parts = [f"#### {command.name}\n", _prose(command.doc)]
        if self._protocol.records[each.arguments.name].members:
            parts.append(self._record(each.arguments.name))
        parts.append(f"Result: {_type(each.result)}\n")
        if command.errors:
            errors = "".join(f"- {error}\n" for error in command.errors)
            parts.append(f"Errors:\n\n{errors}")
        parts.append(self._example(command.name))
        return "\n".join(part for part in parts if part)

    # --- types ------------------------------------------------------------------------------------

    def types(self) -> Iterable[str]:
        for origin, head in (("ours", OWN_TYPES), ("acp", ACP_TYPES)):
            yield head
            for name in sorted(self._protocol.records):
                record = self._protocol.records[name]
                if record.origin == origin and name not in self.homes:
                    yield f"#### {name}\n"
                    yield self._record(name)

    def _record(self, name: str, *, brief: bool = False) -> str:
        """The members of a record; `brief` leaves out the sentence that says what it is."""
        record = self._protocol.records[name]
        rows = [
            (f"`{member.name}`", _member_type(member), _meaning(member))
            for member in record.members
        ]
        if record.extensible:
            rows.append(("…", "anything", "Whatever else the agent has sent."))
        text = re.sub(r"^.*?\.(\s+|$)", "", record.doc, count=1) if brief else record.doc
        doc = _prose(text) + "\n" if text else ""
        return doc + (_table(("member", "type", "meaning"), rows) if rows else "No members.\n")

    def _example(self, name: str) -> str:
        example = self._examples.get(name)
        if example is None:
            return ""
        parts = []
        for title, value in example.items():
            text = json.dumps(value, indent=2, ensure_ascii=False)
            parts.append(f"Example ({title}):\n\n```json\n{_compact(text)}\n```\n")
        return "\n".join(parts)


def _group(command: str) -> str:
    parts = command.split(".")
    return parts[1] if len(parts) > 2 or parts[1] in TITLES else "prompt"


def _anchor(heading: str) -> str:
    """The anchor that forges give to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _prose(text: str) -> str:
    return text + "\n"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [" | ".join(head), " | ".join("---" for _ in head)]
    lines += [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "".join(f"| {line} |\n" for line in lines)


def _meaning(member: Member) -> str:
    default = f"Default: `{member.default}`." if member.default not in {"", "null"} else ""
    return " ".join(part for part in (member.doc, default) if part)


def _member_type(member: Member) -> str:
    return _type(member.shape) + ("" if member.required else ", optional")


def _type(shape: Shape) -> str:
    match shape:
        case Scalar("json"):
            return "anything"
        case Scalar(name):
            return name
        case Constants(values):
            return " | ".join(f"`{json.dumps(value)}`" for value in values)
        case ListOf(item):
            inner = _type(item)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case MapOf(value):
            return "object" if value == Scalar("json") else f"object of {_type(value)}"
        case Named(name):
            return f"[{name}](#{_anchor(name)})"
        case OneOf(members):
            return " | ".join(_type(member) for member in members)


def _compact(text: str) -> str:
    """Innermost objects and lists on one line, where they fit."""
    pattern = re.compile(r"([\[{])\n\s*([^\[\]{}]*?)\n\s*([\]}])")

    def join(match: re.Match[str]) -> str:
        body = re.sub(r",\n\s*", ", ", match[2])
        pad = " " if match[1] == "{" else ""
        line = f"{match[1]}{pad}{body}{pad}{match[3]}"
        return line if len(line) <= 84 else match[0]

    return pattern.sub(join, text)
