"""The few shapes that JSON of the editor protocol has, whatever language they are written in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ScalarName = Literal["string", "integer", "number", "boolean", "null", "json"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A plain value; "json" is anything."""

    name: ScalarName


@dataclass(frozen=True, slots=True)
class Constants:
    """One of these values."""

    values: tuple[str | int | bool, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Shape


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with any names and values of one shape."""

    value: Shape


@dataclass(frozen=True, slots=True)
class Named:
    """A record, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several.

    Attributes:
        tag: The member that tells them apart, if the last one stands for all future variants.
        known: Values of the tag that belong to the others.
    """

    members: tuple[Shape, ...]
    tag: str = ""
    known: tuple[str, ...] = ()

    @property
    def nullable(self) -> bool:
        return NULL in self.members


Shape = Scalar | Constants | ListOf | MapOf | Named | OneOf

NULL = Scalar("null")
ANYTHING = Scalar("json")


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a record. `default` is shown to people only."""

    name: str
    shape: Shape
    required: bool
    doc: str = ""
    default: str = ""

    def same(self, other: Member) -> bool:
        mine = self.name, self.shape, self.required
        return mine == (other.name, other.shape, other.required)


@dataclass(frozen=True, slots=True)
class Record:
    """An object with known members.

    Attributes:
        extensible: It has other members, too: a variant that is not known.
        origin: "acp" for a type of the Agent Client Protocol, "ours" for the rest.
    """

    name: str
    doc: str
    members: tuple[Member, ...]
    extensible: bool = False
    origin: Literal["acp", "ours"] = "ours"


def union(members: tuple[Shape, ...]) -> Shape:
    """One of the members, each once, constants together and null last."""
    flat: list[Shape] = []
    for each in members:
        if isinstance(each, OneOf) and not each.tag:
            flat += each.members
        else:
            flat.append(each)
    values = tuple(v for each in flat if isinstance(each, Constants) for v in each.values)
    kept: list[Shape] = [Constants(tuple(dict.fromkeys(values)))] if values else []
    kept += [each for each in flat if not isinstance(each, Constants) and each != NULL]
    if NULL in flat:
        kept.append(NULL)
    unique = tuple(dict.fromkeys(kept))
    return unique[0] if len(unique) == 1 else OneOf(unique)


def without_null(shape: Shape) -> Shape:
    """The same shape, but never null."""
    if isinstance(shape, OneOf) and not shape.tag:
        return union(tuple(each for each in shape.members if each != NULL))
    return shape
