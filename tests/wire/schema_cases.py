"""Valid instances of the schema's definitions, made at random from the schema itself.

hypothesis-jsonschema is given one definition at a time: a reference inside it becomes a mark, and
each mark is then filled with an instance of what it refers to. Given the whole tree at once it
needs minutes.
"""

from __future__ import annotations

import base64
from functools import cache
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from tests.schemas import load_schema

Json = Any

_MARK: Final = "\x00ref:"
_BASE64: Final = "base64"
_FORMATS = {
    *("int64", "int32", "uint16", "uint32", "uint64", "double", "regex", "uri", "date-time"),
}
_DROPPED = ("description", "title", "examples", "default")


@cache
def _definitions(version: int) -> dict[str, Json]:
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
    if kept.get("contentEncoding") == "base64":
        return {"const": f"{_MARK}{_BASE64}"}
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


def _shape(version: int, node: Json, *, inline: bool) -> Json:
    """The node with its references put in place (inside `allOf`) or marked (elsewhere)."""
    if isinstance(node, list):
        return [_shape(version, item, inline=inline) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[1]
        if not inline:
            return {"const": f"{_MARK}{name}"}
        return _shape(version, _definitions(version)[name], inline=False)
    return {
        key: value if key == "const" else _shape(version, value, inline=key in {"allOf", "not"})
        for key, value in node.items()
    }


@cache
def _own(version: int, name: str) -> st.SearchStrategy[Json]:
    """Instances of one definition, with marks where others belong."""
    return from_schema(_shape(version, _definitions(version)[name], inline=False))


@cache
def instances(version: int, name: str) -> st.SearchStrategy[Json]:
    """Valid instances of a definition."""

    @st.composite
    def whole(draw: st.DrawFn) -> Json:
        return _filled(draw, version, draw(_own(version, name)))

    return whole()


def _filled(draw: st.DrawFn, version: int, value: Json) -> Json:
    if value == f"{_MARK}{_BASE64}":
        return base64.b64encode(draw(st.binary(max_size=20))).decode("ascii")
    if isinstance(value, str) and value.startswith(_MARK):
        return draw(instances(version, value.removeprefix(_MARK)))
    if isinstance(value, list):
        return [_filled(draw, version, item) for item in value]
    if isinstance(value, dict):
        return {key: _filled(draw, version, item) for key, item in value.items()}
    return value
