"""A file of the ACP agent registry: its agents are known, its mistakes are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acp_sidecar.configuration import Configuration
from acp_sidecar.presets import presets
from acp_sidecar.registry import MAX_BYTES, over, platform_name, read_registry

Json = dict[str, Any]

GOOD: Json = {
    "id": "fancy",
    "name": "Fancy Agent",
    "version": "1.2.3",
    "description": "It does things",
    "repository": "https://example.org/fancy",
    "website": "https://example.org",
    "authors": ["Somebody"],
    "license": "MIT",
    "icon": "https://example.org/icon.svg",
    "distribution": {
        "binary": {
            platform_name(): {
                "archive": "https://example.org/fancy.tar.gz",
                "sha256": "0" * 64,
                "cmd": "./dist\\bin/fancy-agent",
                "args": ["serve"],
                "env": {"FANCY": "1"},
            }
        },
        "npx": {"package": "@fancy/agent@1.2.3", "args": ["--acp"], "env": {"NODE": "1"}},
        "uvx": {"package": "fancy-agent==1.2.3"},
    },
}


def registry(path: Path, *agents: Any) -> Path:
    file = path / "registry.json"
    whole = {"version": "1.0.0", "agents": agents, "extensions": []}
    file.write_text(json.dumps(whole), encoding="utf-8")
    return file


def test_an_entry_becomes_an_agent(tmp_path: Path) -> None:
    (preset,), problems = read_registry(registry(tmp_path, GOOD))
    assert problems == []
    assert (preset.name, preset.title, preset.docs) == (
        "fancy",
        "Fancy Agent",
        "https://example.org",
    )
    assert preset.commands == [["fancy-agent", "serve"]]
    assert [package.command() for package in preset.packages] == [
        ["npx", "-y", "@fancy/agent@1.2.3", "--acp"],
        ["uvx", "fancy-agent==1.2.3"],
    ]
    assert preset.packages[0].env == {"NODE": "1"}
    assert "https://example.org/fancy.tar.gz" in preset.install


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("linux", "x86_64", "linux-x86_64"),
        ("linux", "aarch64", "linux-aarch64"),
        ("darwin", "arm64", "darwin-aarch64"),
        ("win32", "AMD64", "windows-x86_64"),
        ("win32", "ARM64", "windows-aarch64"),
    ],
)
def test_platforms_are_named_as_the_registry_names_them(
    system: str, machine: str, name: str
) -> None:
    assert platform_name(system, machine) == name


def test_an_agent_without_a_program_for_this_machine_is_still_known(tmp_path: Path) -> None:
    elsewhere = {"binary": {"plan9-mips": {"archive": "https://example.org/a", "cmd": "./a"}}}
    (preset,), problems = read_registry(registry(tmp_path, {**GOOD, "distribution": elsewhere}))
    assert (preset.commands, preset.packages, problems) == ([], [], [])


BAD: list[Any] = [
    None,
    "fancy",
    {},
    {**GOOD, "id": "No Good"},
    {**GOOD, "name": ""},
    {**GOOD, "distribution": None},
    {**GOOD, "distribution": {"npx": {"args": []}}},
    {**GOOD, "distribution": {"binary": {platform_name(): {"cmd": "./x"}}}},
    {**GOOD, "distribution": {"uvx": {"package": "x", "args": "--acp"}}},
]


def test_bad_entries_are_told_and_the_others_go_on(tmp_path: Path) -> None:
    found, problems = read_registry(registry(tmp_path, *BAD, GOOD))
    assert [preset.name for preset in found] == ["fancy"]
    assert len(problems) == len(BAD)
    assert {problem.code for problem in problems} == {"bad-registry-entry"}
    assert "distribution" in problems[6].message


def test_of_two_of_one_id_the_first_counts(tmp_path: Path) -> None:
    found, problems = read_registry(registry(tmp_path, GOOD, {**GOOD, "name": "Other"}))
    assert [preset.title for preset in found] == ["Fancy Agent"]
    assert "twice" in problems[0].message


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe{}",
        b"[]",
        b'{"agents": {}}',
        b'{"version": "1.0.0"}',
        b"[" * 100_000,
        b'{"agents": [' + b" " * MAX_BYTES + b"]}",
    ],
    ids=["empty", "no UTF-8", "list", "no list", "no agents", "deep", "large"],
)
def test_a_file_that_is_no_registry_is_one_problem(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "registry.json"
    file.write_bytes(content)
    found, problems = read_registry(file)
    assert found == []
    assert [problem.code for problem in problems] == ["bad-registry"]
    assert str(file) in problems[0].message


@pytest.mark.parametrize("where", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_one_problem(tmp_path: Path, where: str) -> None:
    found, problems = read_registry(tmp_path / where)
    assert found == []
    assert len(problems) == 1


def test_an_entry_of_a_known_agent_brings_its_versions_only(tmp_path: Path) -> None:
    claude = next(preset for preset in presets() if preset.name == "claude")
    newer = {**GOOD, "id": "claude-acp", "name": "Claude Agent"}
    newer["distribution"] = {"npx": {"package": "@agentclientprotocol/claude-agent-acp@9.9.9"}}
    (registered, other), _ = read_registry(registry(tmp_path, newer, GOOD))
    merged = over(registered, presets())
    assert (merged.name, merged.title) == ("claude", "Claude Agent")
    assert merged.commands == claude.commands
    assert merged.packages[0].package.endswith("@9.9.9")
    assert merged.sign_in == claude.sign_in
    assert over(other, presets()) is other


def test_settings_name_the_file_and_hear_of_its_problems(tmp_path: Path) -> None:
    settings = Configuration({"agentRegistry": str(registry(tmp_path, GOOD, {}))})
    assert settings.known["fancy"].source == "registry"
    assert [problem.code for problem in settings.problems] == ["bad-registry-entry"]
    assert settings.known["gemini"].source == "preset"
    problems = settings.update({"agentRegistry": str(tmp_path / "gone.json")})
    assert "fancy" not in settings.known
    assert [problem.code for problem in problems] == ["bad-registry"]
