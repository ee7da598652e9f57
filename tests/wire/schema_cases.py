"""Instances of the schema's definitions, made at random from the schema itself."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from tests.schemas import load_schema

Json = Any

# Formats that hypothesis-jsonschema would take as regular JSON Schema ones; ACP's are Rust's.
_FORMATS = {"int64", "int32", "uint16", "uint32", "uint64", "double", "regex", "uri", "date-time"}
_DROPPED = ("description", "title", "examples", "default")
_MAX_DEPTH = 12


@cache
def definitions(version: int) -> dict[str, Json]:
    """The schema's `$defs`, without what does not constrain."""
    schema = load_schema(version)
    found: dict[str, Json] = {name: _plain(value) for name, value in schema["$defs"].items()}
    return found


def _plain(node: Json) -> Json:
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: _keyword(key, value)
        for key, value in node.items()
        if not key.startswith("x-") and key not in _DROPPED
    }
    if kept.get("format") in _FORMATS:
        del kept["format"]
    if kept.get("type") == "integer":
        kept = {"minimum": 0, "maximum": 2**31, **kept}
    return kept


def _keyword(key: str, value: Json) -> Json:
    if key in {"const", "enum", "required"}:
        return value
    if key == "properties":
        return {name: _plain(schema) for name, schema in value.items()}
    return _plain(value)


def resolved(version: int, name: str) -> Json:
    """One definition with everything it refers to put in place, recursion cut."""
    return _resolve(definitions(version), {"$ref": f"#/$defs/{name}"}, 0)


def _resolve(defs: dict[str, Json], node: Json, depth: int) -> Json:
    if isinstance(node, list):
        return [_resolve(defs, item, depth) for item in node]
    if not isinstance(node, dict):
        return copy.deepcopy(node)
    if "$ref" in node:
        target = defs[node["$ref"].rsplit("/", 1)[1]]
        if depth > _MAX_DEPTH:
            return {}
        return _resolve(defs, target, depth + 1)
    return {key: _resolve(defs, value, depth) for key, value in node.items()}


def instances(version: int, name: str) -> st.SearchStrategy[Json]:
    """Valid instances of a definition."""
    return from_schema(resolved(version, name))
