"""The settings that the VS Code extension offers are the server's, and mean the same there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft7Validator

from acp_sidecar import __version__
from acp_sidecar.config import Config, load
from scripts import generate
from scripts.contract import settings, vscode

Json = Any


def manifest() -> Json:
    return json.loads(generate.MANIFEST.read_text(encoding="utf-8"))


def offered() -> dict[str, Json]:
    """The server's settings as they are offered, by their names there."""
    groups = manifest()["contributes"]["configuration"]
    return {
        name.removeprefix(vscode.PREFIX): each
        for group in groups
        if group["id"].startswith(f"{vscode.PREFIX}settings.")
        for name, each in group["properties"].items()
    }


def nested(flat: dict[str, Json]) -> Json:
    """Settings as an object, as VS Code gives them to an extension."""
    made: Json = {}
    for name, value in flat.items():
        *path, last = name.split(".")
        inner = made
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return made


def test_what_is_offered_says_by_default_what_the_server_does() -> None:
    config, problems = load(nested({name: each["default"] for name, each in offered().items()}))
    assert (config, problems) == (Config(), [])


def test_every_setting_is_offered() -> None:
    example = json.loads(Config().model_dump_json(by_alias=True))
    leaves = {
        f"{name}.{inner}" if isinstance(each, dict) and each else name
        for name, each in example.items()
        for inner in (each if isinstance(each, dict) and each else [""])
    }
    assert set(offered()) == leaves


def test_schemas_stand_alone_and_take_the_documents_example() -> None:
    schema = {"type": "object", "properties": offered(), "additionalProperties": False}
    assert "$ref" not in json.dumps(schema)
    Draft7Validator.check_schema(schema)
    flat = {
        f"{name}.{inner}" if name in {"follow", "permissions"} else name: value
        for name, each in settings.EXAMPLE.items()
        for inner, value in (each.items() if name in {"follow", "permissions"} else [("", each)])  # type: ignore[attr-defined]
    }
    assert list(Draft7Validator(schema).iter_errors(flat)) == []
    flat["permissions.rules"] = [{"do": "perhaps"}]
    assert [each.path[0] for each in Draft7Validator(schema).iter_errors(flat)] == [
        "permissions.rules"
    ]


@pytest.mark.parametrize(
    "name", ["agents", "agentRegistry", "trace", "permissions.rules", "editorTools.enabled"]
)
def test_the_files_of_a_project_say_not_what_runs_or_is_allowed(name: str) -> None:
    assert offered()[name]["scope"] == "machine"


def test_what_is_not_generated_stays() -> None:
    own = {"id": "acpSidecar.own", "properties": {"acpSidecar.editor.x": {"type": "string"}}}
    present = {"name": "x", "contributes": {"commands": [1], "configuration": [own]}}
    made = json.loads(vscode.package_json(json.dumps(present)))
    assert made["name"] == "x"
    assert made["version"] == __version__
    assert made["contributes"]["commands"] == [1]
    assert made["contributes"]["configuration"][0] == own
    assert vscode.package_json(json.dumps(made)) == json.dumps(made, indent=2) + "\n"
