"""What is generated is current, and means in every language what the tables say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from acp_sidecar.config import Config, load
from acp_sidecar.lsp import names
from acp_sidecar.lsp.abilities import RICH
from acp_sidecar.lsp.extensions import MESSAGES
from scripts import generate
from scripts.contract import settings
from scripts.contract.model import NULL
from scripts.contract.protocol import protocol
from tests.lsp.contract import COMMANDS, answer_faults, command_faults, message_faults
from tests.peers import npm

ROOT = generate.ROOT
TYPESCRIPT = "editors/vscode/src/contract.ts"
LUA = "editors/neovim/lua/acp_sidecar/contract.lua"
TSC = "typescript@5.9.3"
STRICT = ("--strict", "--noEmit", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes")

EXAMPLES: dict[str, dict[str, Any]] = json.loads(generate.EXAMPLES.read_text(encoding="utf-8"))


# --- current --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["1", "2"])
def test_generated_files_are_current_whatever_the_order_of_sets(seed: str) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "generate.py"), "--check"]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_file_that_differs_is_found_and_written(tmp_path: Path) -> None:
    everything = sorted(generate.generated())
    assert sorted(generate.write(tmp_path)) == everything
    assert generate.differences(tmp_path) == {}
    (tmp_path / LUA).write_text("-- by hand\n", encoding="utf-8")
    (tmp_path / TYPESCRIPT).unlink()
    found = generate.differences(tmp_path)
    assert sorted(found) == [LUA, TYPESCRIPT]
    assert "--- by hand" in found[LUA]
    assert sorted(generate.write(tmp_path)) == [LUA, TYPESCRIPT]


# --- the document ---------------------------------------------------------------------------------


def document() -> str:
    return (ROOT / "docs" / "editor-protocol.md").read_text(encoding="utf-8")


def anchor(heading: str) -> str:
    """As forges make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_links_of_the_document_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", document(), re.MULTILINE)
    links = set(re.findall(r"\]\(#([^)]+)\)", document()))
    assert links <= {anchor(heading) for heading in headings}


def test_the_document_tells_of_everything() -> None:
    headings = set(re.findall(r"^#### (.*)$", document(), re.MULTILINE))
    inline = {each.params.name for each in protocol().messages}
    inline |= {each.arguments.name for each in protocol().commands}
    methods = {message.method for message in MESSAGES}
    assert headings == methods | set(names.COMMANDS) | (protocol().records.keys() - inline)


def test_every_message_has_an_example() -> None:
    assert {message.method for message in MESSAGES} <= EXAMPLES.keys()
    assert EXAMPLES.keys() <= {message.method for message in MESSAGES} | set(names.COMMANDS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_of_their_types(name: str) -> None:
    example = EXAMPLES[name]
    if name in COMMANDS:
        assert example.keys() == {"argument", "result"}
        assert command_faults(name, example["argument"], example["result"]) == []
        return
    found = []
    for title, value in example.items():
        if title == "result":
            found += answer_faults(name, value)
        else:
            found += message_faults(name, value)
    assert found == []


# --- TypeScript -----------------------------------------------------------------------------------


def uses() -> Iterator[str]:
    """TypeScript that assigns every example to its type, and some that must not compile."""
    yield 'import type * as contract from "./contract";'
    for number, (name, example) in enumerate(EXAMPLES.items()):
        for title, value in example.items():
            type_ = typescript_of(name, "result" if title == "result" else "given")
            variable = f"example_{number}_{re.sub(r'[^a-z]', '_', title)}"
            yield f"export const {variable}: {type_} = {json.dumps(value)};"
    yield "// @ts-expect-error - no such command"
    yield 'export const wrong_command: contract.CommandName = "acp.nothing";'
    yield "// @ts-expect-error - the reason is missing"
    yield (
        'export const wrong_params: contract.ServerNotifications["acp/elicitationSettled"] ='
        ' { elicitationId: "e", action: null };'
    )
    yield "// @ts-expect-error - it may be null"
    yield "export const wrong_use = (view: contract.SessionView): string => view.stopReason;"
    yield (
        "export const every_command: Record<contract.CommandName, unknown> ="
        " {} as contract.Commands;"
    )


def typescript_of(name: str, part: str) -> str:
    if name in COMMANDS:
        return f'contract.Commands["{name}"]["{"arguments" if part == "given" else "result"}"]'
    message = next(each for each in MESSAGES if each.method == name)
    if message.kind == "request":
        return f'contract.ServerRequests["{name}"]["{"params" if part == "given" else "result"}"]'
    side = "ServerNotifications" if message.direction == "to client" else "ClientNotifications"
    return f'contract.{side}["{name}"]'


@pytest.mark.e2e
def test_typescript_compiles_and_takes_the_examples(tmp_path: Path) -> None:
    compiler = npm.install("typescript", [TSC]) / "node_modules" / "typescript" / "bin" / "tsc"
    shutil.copy(ROOT / TYPESCRIPT, tmp_path / "contract.ts")
    (tmp_path / "uses.ts").write_text("\n".join(uses()) + "\n", encoding="utf-8")
    command = [npm.program("node"), str(compiler), *STRICT, str(tmp_path / "uses.ts")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_typescript_has_no_any() -> None:
    code = re.sub(r"/\*.*?\*/|//.*", "", (ROOT / TYPESCRIPT).read_text("utf-8"), flags=re.DOTALL)
    assert not re.search(r"\bany\b", code)


# --- Lua ------------------------------------------------------------------------------------------

PRINT_MODULE = "io.write(vim.json.encode(dofile(arg[1])))"


def neovim() -> str:
    """The Neovim of the development environment, or one on PATH."""
    beside = Path(sys.executable).with_name("nvim")
    return str(beside) if beside.exists() else npm.program("nvim")


def test_lua_loads_in_neovim_and_names_everything(tmp_path: Path) -> None:
    script = tmp_path / "print.lua"
    script.write_text(PRINT_MODULE, encoding="utf-8")
    command = [neovim(), "--clean", "-l", str(script), str(ROOT / LUA)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr

    def of(direction: str, kind: str) -> list[str]:
        return [
            message.method
            for message in MESSAGES
            if (message.direction, message.kind) == (direction, kind)
        ]

    assert json.loads(done.stdout) == {
        "version": names.ACP_VERSION,
        "review_scheme": names.REVIEW_SCHEME,
        "capabilities": dict.fromkeys(RICH, True),
        "notifications": of("to client", "notification"),
        "requests": of("to client", "request"),
        "reports": of("to server", "notification"),
        "commands": list(names.COMMANDS),
    }


def test_lua_annotations_refer_to_classes_that_exist() -> None:
    text = (ROOT / LUA).read_text(encoding="utf-8")
    classes = re.findall(r"^---@class (?:\(exact\) )?acp_sidecar\.(\w+)$", text, re.MULTILINE)
    assert sorted(classes) == sorted(protocol().records)
    assert set(re.findall(r"acp_sidecar\.([A-Z]\w*)", text)) <= set(classes)
    fields = re.findall(r"^---@field (\w+)(\??) ", text, re.MULTILINE)
    wanted = [
        (member.name, "" if member.required and not _nullable(member) else "?")
        for record in protocol().records.values()
        for member in record.members
    ]
    assert fields == wanted


def _nullable(member: Any) -> bool:
    return NULL in getattr(member.shape, "members", ())


# --- settings -------------------------------------------------------------------------------------


def settings_validator() -> Draft202012Validator:
    schema = json.loads((ROOT / "docs" / "settings.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_example_of_settings_is_usable() -> None:
    assert settings_validator().is_valid(settings.EXAMPLE)
    assert load(settings.EXAMPLE)[1] == []


def test_the_schema_takes_what_the_server_takes() -> None:
    validator = settings_validator()
    assert validator.is_valid(Config().model_dump(mode="json", by_alias=True))
    mistakes: list[dict[str, Any]] = [
        {"folow": {}},
        {"follow": {"rate": 0}},
        {"agents": {"a": {"command": []}}},
    ]
    for wrong in mistakes:
        assert not validator.is_valid(wrong)
        assert load(wrong)[1] != []


def test_every_setting_is_documented() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([^`]+)` \|.*\| ([^|]*) \|$", text, re.MULTILINE))
    assert all(meaning.strip() for meaning in rows.values()), rows
    assert {name.split(".")[0] for name in rows} == {
        field.alias or name for name, field in Config.model_fields.items()
    }
    assert {"agents.*.command", "permissions.rules[].match.path", "timeouts.stop"} <= rows.keys()
