"""Shapes as JSON Schema (2020-12), closed: members that no type names are mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scripts.contract.model import (
    Constants,
    ListOf,
    MapOf,
    Named,
    OneOf,
    Record,
    Scalar,
    Shape,
)

Json = dict[str, Any]


def schema_of(shape: Shape, records: Mapping[str, Record]) -> Json:
    """A schema that stands alone, with all records among its definitions."""
    definitions = {name: _record(record) for name, record in records.items()}
    return {**_schema(shape), "$defs": definitions}


def _schema(shape: Shape) -> Json:
    match shape:
        case Scalar("json"):
            return {}
        case Scalar(name):
            return {"type": name}
        case Constants(values):
            return {"enum": list(values)}
        case ListOf(item):
            return {"type": "array", "items": _schema(item)}
        case MapOf(value):
            return {"type": "object", "additionalProperties": _schema(value)}
        case Named(name):
            return {"$ref": f"#/$defs/{name}"}
        case OneOf():
            return _one_of(shape)


def _one_of(shape: OneOf) -> Json:
    schemas = [_schema(member) for member in shape.members]
    if shape.tag:
        # What is known must not pass as unknown.
        unknown = {"properties": {shape.tag: {"not": {"enum": list(shape.known)}}}}
        schemas[-1] = {"allOf": [schemas[-1], unknown]}
    return {"anyOf": schemas}


def _record(record: Record) -> Json:
    return {
        "type": "object",
        "properties": {member.name: _schema(member.shape) for member in record.members},
        "required": [member.name for member in record.members if member.required],
        "additionalProperties": record.extensible,
    }
