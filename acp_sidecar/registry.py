"""A file of the ACP agent registry (https://github.com/agentclientprotocol/registry) as presets.

Only what is in the file is used: nothing is downloaded. Archives of binaries are for the user to
install; their program is then found on PATH. A bad entry is told and the others go on.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, ValidationError

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.presets import Package, Preset

MAX_BYTES: Final = 16 * 2**20
HOME: Final = "https://github.com/agentclientprotocol/registry"

_MACHINES = {"arm64": "aarch64", "aarch64": "aarch64", "amd64": "x86_64", "x86_64": "x86_64"}


class _Binary(BaseModel):
    archive: str
    cmd: Annotated[str, Field(min_length=1)]
    args: list[str] = []
    env: dict[str, str] = {}


class _Package(BaseModel):
    package: Annotated[str, Field(min_length=1)]
    args: list[str] = []
    env: dict[str, str] = {}


class _Distribution(BaseModel):
    binary: dict[str, _Binary] = {}
    npx: _Package | None = None
    uvx: _Package | None = None


class _Entry(BaseModel):
    """As `agent.schema.json` of the registry has it; what is not needed here is not read."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    name: Annotated[str, Field(min_length=1)]
    description: str = ""
    repository: str | None = None
    website: str | None = None
    distribution: _Distribution


def platform_name(system: str = sys.platform, machine: str | None = None) -> str:
    """This machine as the registry names it, such as `linux-x86_64`."""
    family = {"win32": "windows", "darwin": "darwin"}.get(system, "linux")
    told = (machine or platform.machine()).lower()
    return f"{family}-{_MACHINES.get(told, told)}"


def read_registry(path: Path) -> tuple[list[Preset], list[Problem]]:
    """The agents of a registry file, and what was wrong with it. Never raises."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return [], [_problem(path, f"it is larger than {MAX_BYTES} bytes")]
        raw = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        return [], [_problem(path, error.strerror or "it cannot be read")]
    except (ValueError, RecursionError):
        return [], [_problem(path, "it is not JSON in UTF-8")]
    entries = raw.get("agents") if isinstance(raw, dict) else None
    if not isinstance(entries, list):
        return [], [_problem(path, "it has no list `agents`")]
    return _presets(path, entries)


def _presets(path: Path, entries: list[Any]) -> tuple[list[Preset], list[Problem]]:
    found: dict[str, Preset] = {}
    problems: list[Problem] = []
    for index, raw in enumerate(entries):
        try:
            entry = _Entry.model_validate(raw)
        except ValidationError as error:
            problems.append(_entry_problem(path, index, raw, error))
            continue
        if entry.id in found:
            text = f"agent {entry.id} is there twice; the first counts"
            problems.append(_problem(path, text))
            continue
        found[entry.id] = _preset(entry)
    return list(found.values()), problems


def _preset(entry: _Entry) -> Preset:
    binary = entry.distribution.binary.get(platform_name())
    docs = next(
        (url for url in (entry.website or "", entry.repository or "") if _is_https(url)), HOME
    )
    return Preset(
        name=entry.id,
        title=entry.name,
        docs=docs,
        sources=[HOME],
        commands=[] if binary is None else [[_program(binary.cmd), *binary.args]],
        packages=_packages(entry.distribution),
        env={} if binary is None else binary.env,
        install=_install(binary, docs),
        sign_in="It asks for it when it is used.",
    )


def _packages(distribution: _Distribution) -> list[Package]:
    packages = []
    if distribution.npx is not None:
        packages.append(Package(runner="npx", **distribution.npx.model_dump()))
    if distribution.uvx is not None:
        packages.append(Package(runner="uvx", **distribution.uvx.model_dump()))
    return packages


def _program(cmd: str) -> str:
    """The name of a program inside an archive, such as `./bin/goose`."""
    return PurePosixPath(cmd.replace("\\", "/")).name


def _install(binary: _Binary | None, docs: str) -> str:
    if binary is None:
        return f"See {docs}."
    return f"Unpack {binary.archive} and put {_program(binary.cmd)} on PATH."


def _is_https(url: str) -> bool:
    return re.fullmatch(r"https://\S+", url) is not None


def over(registered: Preset, known: Iterable[Preset]) -> Preset:
    """A registry's entry with what the preset of the same agent knows besides, under its name."""
    preset = next((each for each in known if registered.name in {each.name, each.registry}), None)
    if preset is None:
        return registered
    return preset.model_copy(
        update={
            "title": registered.title,
            "packages": registered.packages or preset.packages,
            "commands": [*preset.commands, *registered.commands],
            "env": {**preset.env, **registered.env},
        }
    )


def _problem(path: Path, what: str) -> Problem:
    text = f"The agent registry {path} is not used as a whole: {what}."
    return Problem(Fault.CONFIG, "bad-registry", text, str(path))


def _entry_problem(path: Path, index: int, raw: Any, error: ValidationError) -> Problem:
    first = error.errors(include_url=False, include_input=False)[0]
    name = raw.get("id") if isinstance(raw, dict) and isinstance(raw.get("id"), str) else index
    where = ".".join(str(part) for part in first["loc"]) or "entry"
    text = f"Agent {name} of the registry {path} is left out: {where}: {first['msg']}."
    return Problem(Fault.CONFIG, "bad-registry-entry", text, str(path))
