"""Reads Python types (TypedDicts, pydantic models, unions, literals) as shapes.

A model of the protocol's vocabulary is read as the sidecar writes it: what was never said is left
out, so members that may be None are optional and never null.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
from collections.abc import Callable
from enum import Enum
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typing_extensions import is_typeddict

from acp_sidecar.session.base import AcpModel, UnknownVariant
from scripts.contract.docstrings import split
from scripts.contract.model import (
    ANYTHING,
    NULL,
    Constants,
    ListOf,
    MapOf,
    Member,
    Named,
    OneOf,
    Record,
    Scalar,
    Shape,
    union,
    without_null,
)

_SCALARS: dict[Any, Shape] = {
    str: Scalar("string"),
    int: Scalar("integer"),
    float: Scalar("number"),
    bool: Scalar("boolean"),
    NoneType: NULL,
    None: NULL,
    Any: ANYTHING,
}


class UnreadableType(Exception):
    """A type that has no shape here, or two different types of one name."""


class Reader:
    """Collects the records that it meets, in order of their first use."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self._classes: dict[str, type] = {}

    def shape(self, annotation: Any) -> Shape:
        """The shape of a type.

        Raises:
            UnreadableType: It has none.
        """
        if _is_plain(annotation):
            return _SCALARS[annotation]
        origin = get_origin(annotation)
        if origin is Annotated:
            return self.shape(get_args(annotation)[0])
        if origin in {Union, UnionType}:
            return self._union(annotation)
        if origin is Literal:
            return Constants(get_args(annotation))
        if origin is list:
            return ListOf(self.shape(get_args(annotation)[0]))
        if origin is dict:
            return MapOf(self.shape(get_args(annotation)[1]))
        if isinstance(annotation, type):
            return self._class(annotation)
        raise UnreadableType(f"no shape for {annotation!r}")

    def _class(self, cls: type) -> Shape:
        if issubclass(cls, Enum):
            return Constants(tuple(each.value for each in cls))
        if is_typeddict(cls):
            return self._record(cls, self._of_typed_dict)
        if issubclass(cls, BaseModel):
            return self._record(cls, self._of_model)
        raise UnreadableType(f"no shape for {cls!r}")

    def _union(self, annotation: Any) -> Shape:
        parts = get_args(annotation)
        shapes = tuple(self.shape(part) for part in parts)
        future = [part for part in parts if _is_future(part)]
        if not future:
            return union(shapes)
        return self._open_union(tuple(each for each in shapes if each != NULL), NULL in shapes)

    def _open_union(self, shapes: tuple[Shape, ...], nullable: bool) -> Shape:
        """A union that is told apart by a tag; its last variant stands for future ones."""
        known: dict[str, list[str]] = {}
        for each in shapes[:-1]:
            for member in self.records[each.name].members if isinstance(each, Named) else ():
                if isinstance(member.shape, Constants):
                    known.setdefault(member.name, []).extend(map(str, member.shape.values))
        other = shapes[-1]
        names = self.records[other.name].members if isinstance(other, Named) else ()
        tag = next(member.name for member in names if member.name in known)
        members = tuple(dict.fromkeys(shapes))
        made = OneOf(members, tag, tuple(dict.fromkeys(known[tag])))
        return OneOf((made, NULL)) if nullable else made

    # --- records ----------------------------------------------------------------------------------

    def _record(self, cls: type, read: Callable[[Any], Record]) -> Shape:
        name = cls.__name__
        known = self._classes.setdefault(name, cls)
        if name not in self.records:
            self.records[name] = Record(name, "", ())  # takes its place before its members do
            self.records[name] = read(cls)
        elif known is not cls and not _alike(self.records[name], read(cls)):
            raise UnreadableType(f"two different types are called {name}")
        return Named(name)

    def _of_typed_dict(self, cls: type) -> Record:
        docs: dict[str, str] = {}
        required: dict[str, bool] = {}
        for each in reversed(_lineage(cls)):
            docs |= split(each.__doc__)[1]
            own = inspect.get_annotations(each)
            total = bool(vars(each)["__total__"])
            required |= {name: total for name in own if name not in required}
        hints = get_type_hints(cls, include_extras=True)
        members = tuple(
            self._member(name, hint, required[name], docs.get(name, ""))
            for name, hint in hints.items()
        )
        return Record(cls.__name__, split(cls.__doc__)[0], members)

    def _member(self, name: str, hint: Any, required: bool, doc: str) -> Member:
        origin = get_origin(hint)
        if origin in {Required, NotRequired}:
            return Member(name, self.shape(get_args(hint)[0]), origin is Required, doc)
        return Member(name, self.shape(hint), required, doc)

    def _of_model(self, cls: type[BaseModel]) -> Record:
        written = issubclass(cls, AcpModel | UnknownVariant)
        prose, docs = split(cls.__doc__)
        fields = cls.model_fields.items()
        members = tuple(
            self._of_field(name, field, docs.get(name, ""), written=written)
            for name, field in fields
        )
        return Record(
            cls.__name__,
            prose,
            members,
            extensible=issubclass(cls, UnknownVariant),
            origin="acp" if written else "ours",
        )

    def _of_field(self, name: str, field: FieldInfo, doc: str, *, written: bool) -> Member:
        shape = self.shape(field.annotation)
        alias = field.alias or name
        doc = field.description or doc
        if written:
            may_lack = shape == ANYTHING or (isinstance(shape, OneOf) and shape.nullable)
            return Member(alias, without_null(shape), not may_lack, doc)
        default = "" if field.is_required() else _default(field)
        return Member(alias, shape, field.is_required(), doc, default)


def _default(field: FieldInfo) -> str:
    return json.dumps(field.get_default(call_default_factory=True, validated_data={}))


def _is_plain(annotation: Any) -> bool:
    try:
        return annotation in _SCALARS
    except TypeError:
        return False


def _is_future(part: Any) -> bool:
    while get_origin(part) is Annotated:
        part = get_args(part)[0]
    return isinstance(part, type) and issubclass(part, UnknownVariant)


def _alike(one: Record, other: Record) -> bool:
    pairs = zip(one.members, other.members, strict=False)
    return len(one.members) == len(other.members) and all(a.same(b) for a, b in pairs)


def _lineage(cls: type) -> list[type]:
    """A TypedDict and those it extends. At run time all of them are just dict, so the source says.

    `__annotations__` of each holds those of its bases, too.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    names = next(each.bases for each in tree.body if isinstance(each, ast.ClassDef))
    module = vars(sys.modules[cls.__module__])
    bases = [module[base.id] for base in names if isinstance(base, ast.Name)]
    found = [cls]
    for base in bases:
        if is_typeddict(base):
            found += _lineage(base)
    return found
