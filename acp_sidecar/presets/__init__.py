"""What is publicly documented of well-known agents, as data: one TOML file an agent.

Belongs here: how an agent is started, fetched and signed in to, as its own documentation says, with
the address of the page that says so. Never here: how the wire is read (`wire`), or code that knows
one agent from another.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

HttpsUrl = Annotated[str, Field(pattern=r"^https://[^\s]+$")]
Words = Annotated[list[str], Field(min_length=1)]
Runner = Literal["npx", "uvx"]


class PresetModel(BaseModel):
    """Base of all parts of a preset: frozen; a member that nobody knows is a mistake."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Package(PresetModel):
    """A published package that runs without being installed first."""

    runner: Annotated[Runner, Field(description="npx for npm packages, uvx for those of PyPI.")]
    package: Annotated[
        str, Field(min_length=1, description="Its name, with `@version` or `==version` if pinned.")
    ]
    args: Annotated[
        list[str], Field(description="What follows the package on the command line.")
    ] = []
    env: Annotated[
        dict[str, str], Field(description="Environment variables besides those of the agent.")
    ] = {}
    binary: Annotated[
        str | None,
        Field(description="The package's program to run, where it is not named like the package."),
    ] = None

    @property
    def key(self) -> str:
        """The runner and the package without its version: what the user agrees to."""
        name = re.split(r"(?<!^)@|[=<>~! ]", self.package, maxsplit=1)[0]
        return f"{self.runner} {name}"

    def command(self) -> list[str]:
        """The command line that fetches the package if need be and runs it."""
        if self.runner == "npx":
            if self.binary is None:
                return ["npx", "-y", self.package, *self.args]
            return ["npx", "-y", f"--package={self.package}", self.binary, *self.args]
        if self.binary is None:
            return ["uvx", self.package, *self.args]
        return ["uvx", "--from", self.package, self.binary, *self.args]


class Preset(PresetModel):
    """One well-known agent."""

    name: Annotated[
        str, Field(pattern=r"^[a-z][a-z0-9-]*$", description="Its name in the settings.")
    ]
    title: Annotated[str, Field(min_length=1, description="Its name for a person.")]
    registry: Annotated[
        str | None, Field(description="Its id in the ACP agent registry, if it is there.")
    ] = None
    docs: Annotated[HttpsUrl, Field(description="Where its use over ACP is documented.")]
    sources: Annotated[
        list[HttpsUrl],
        Field(min_length=1, description="The public pages from which this file was written."),
    ]
    commands: Annotated[
        list[Words],
        Field(description="Command lines that speak ACP on stdio; the first one on PATH is used."),
    ] = []
    packages: Annotated[
        list[Package], Field(description="Packages that do without an installation; first first.")
    ] = []
    env: Annotated[
        dict[str, str], Field(description="Environment variables that it is to have.")
    ] = {}
    protocol: Annotated[
        Literal[1, 2] | None,
        Field(description="The ACP version to offer, if it cannot negotiate; usually left out."),
    ] = None
    install: Annotated[str, Field(min_length=1, description="How to install it, in one line.")]
    sign_in: Annotated[str, Field(min_length=1, description="How one signs in, in one line.")]


@cache
def presets() -> Sequence[Preset]:
    """All presets by name.

    Raises:
        pydantic.ValidationError, tomllib.TOMLDecodeError: A file of ours is wrong; tests find it.
    """
    files = [each for each in resources.files(__name__).iterdir() if each.name.endswith(".toml")]
    texts = [each.read_text(encoding="utf-8") for each in files]
    found = [Preset.model_validate(tomllib.loads(text)) for text in texts]
    return tuple(sorted(found, key=lambda preset: preset.name))
