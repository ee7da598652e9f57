"""The settings as `contributes.configuration` of the VS Code extension's package.json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from acp_sidecar import __version__
from acp_sidecar.config import Config

Json = Any

PREFIX = "acpSidecar."
TITLES = {"": "Agents", "terminal": "Terminals"}
"""Of the pages of the settings editor, where the group's name is not enough; "" has no group."""

MACHINE = ("agents", "agentRegistry", "trace", "permissions.", "editorTools.", "client.")
"""Settings, and groups of them, that the files of a project must not make.

They name programs that run, files that are written and what agents may do without being asked: an
agent that may edit `.vscode/settings.json` would grant itself the rest.
"""


def package_json(present: str) -> str:
    """The manifest with our version and our settings; everything else stays as it is.

    Groups of settings with an `id` that is not one of ours are kept: they are the extension's own.
    """
    manifest = json.loads(present)
    manifest["version"] = __version__
    groups = _groups()
    ids = {group["id"] for group in groups}
    contributes = manifest.setdefault("contributes", {})
    own = [group for group in contributes.get("configuration", []) if group["id"] not in ids]
    contributes["configuration"] = own + groups
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def _groups() -> list[Json]:
    schema = Config.model_json_schema(by_alias=True)
    found: dict[str, Json] = {}
    for name, each in _leaves(schema["properties"], schema["$defs"]):
        page = name.partition(".")[0] if "." in name else ""
        found.setdefault(page, {})[PREFIX + name] = each
    return [_group(order, page, each) for order, (page, each) in enumerate(found.items())]


def _group(order: int, page: str, properties: Json) -> Json:
    return {
        "id": f"{PREFIX}settings.{page or 'agents'}",
        "title": TITLES.get(page, page.capitalize()),
        "order": 10 + order,
        "properties": {
            name: {"order": index, **each} for index, (name, each) in enumerate(properties.items())
        },
    }


def _leaves(properties: Json, definitions: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Each setting by its dotted name, those within groups instead of the groups."""
    for name, each in properties.items():
        group = definitions.get(each.get("$ref", "").rpartition("/")[2])
        if group is not None:
            yield from _leaves(group["properties"], definitions, f"{path}{name}.")
        else:
            yield path + name, _setting(path + name, each, definitions)


def _setting(name: str, schema: Json, definitions: Json) -> Json:
    made = _inlined(schema, definitions)
    made["scope"] = "machine" if name.startswith(MACHINE) else "window"
    if "default" not in made:
        made["default"] = [] if made["type"] == "array" else {}
    return made


def _inlined(schema: Json, definitions: Json) -> Json:
    """The schema without references, titles, and alternatives that a list of types can say."""
    if "$ref" in schema:
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**definitions[schema["$ref"].rpartition("/")[2]], **rest}
    made = {key: _inlined_value(key, value, definitions) for key, value in schema.items()}
    made.pop("title", None)
    options = made.pop("anyOf", None)
    return {**_joined(options), **made} if options else made


def _inlined_value(key: str, value: Json, definitions: Json) -> Json:
    if key == "properties":
        return {name: _inlined(each, definitions) for name, each in value.items()}
    if key == "anyOf":
        return [_inlined(each, definitions) for each in value]
    if key == "default" and isinstance(value, float) and value.is_integer():
        return int(value)  # as JavaScript writes it
    if key in {"items", "additionalProperties"} and isinstance(value, dict):
        return _inlined(value, definitions)
    return value


def _joined(options: list[Json]) -> Json:
    """One schema for alternatives that differ in their type: limits of one bind no other."""
    joined: Json = {"type": [each["type"] for each in options]}
    for each in options:
        joined.update({key: value for key, value in each.items() if key != "type"})
    if "enum" in joined and "null" in joined["type"]:
        joined["enum"] = [*joined["enum"], None]
    return joined
