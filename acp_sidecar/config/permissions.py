"""Settings of permissions: rules, and how long to wait for an answer."""

from __future__ import annotations

import os.path
import re
import shlex
from typing import Annotated, Final, Literal

from pydantic import Field, field_validator

from acp_sidecar.config.base import Settings

TOOL_KINDS: Final = frozenset(
    {
        "read",
        "edit",
        "delete",
        "move",
        "search",
        "execute",
        "think",
        "fetch",
        "switch_mode",
        "other",
    }
)
"""Tool kinds that the protocol names; others begin with an underscore."""


def command_words(pattern: str) -> list[str]:
    """The globs of a command pattern, one for each word; quotes keep blanks in one.

    Raises:
        ValueError: A quote is not closed.
    """
    return shlex.split(pattern)


class RuleMatch(Settings):
    """What a permission rule applies to; what is not given matches everything."""

    agent: Annotated[str | None, Field(min_length=1, description="Glob on the agent's name.")] = (
        None
    )
    kind: Annotated[
        str | None,
        Field(
            description="Tool kind: read, edit, delete, move, search, execute, think, fetch, "
            "switch_mode, other, or an agent's own, which begins with _. What a call verifiably "
            "does counts too: a command is execute, a diff is edit, delete or move."
        ),
    ] = None
    path: Annotated[
        str | None,
        Field(
            description="Glob on real paths (symbolic links followed), relative to the workspace "
            "root or absolute: * and ? within a name, ** over any number of folders. To allow, "
            "every path touched must match, and without a path a rule allows nothing outside the "
            "workspace; to deny or ask, one is enough, and folders mean all "
            "that is below, names without a slash mean any folder."
        ),
    ] = None
    command: Annotated[
        str | None,
        Field(
            description='Glob on the words of a single plain command, e.g. "git status *": a last '
            "* and ** match any number of words. Commands with operators, expansions or "
            "redirections are never allowed by it."
        ),
    ] = None
    subject: Annotated[
        Literal["tool_call", "command"] | None, Field(description="Subject of the permission.")
    ] = None

    @field_validator("kind")
    @classmethod
    def _known_kind(cls, kind: str | None) -> str | None:
        # A misspelt kind in a deny rule would match nothing, in silence.
        if kind is None or kind in TOOL_KINDS or kind.startswith("_"):
            return kind
        raise ValueError("no such tool kind")

    @field_validator("path")
    @classmethod
    def _usable_path(cls, path: str | None) -> str | None:
        if path is None:
            return None
        expanded = os.path.expanduser(path) if path.startswith("~") else path  # noqa: PTH111 - a glob is no path
        usable = expanded.removeprefix("./")
        segments = re.split(r"[/\\]", usable)
        if not usable.strip() or usable.startswith("~") or {".", ".."} & set(segments):
            raise ValueError("a path glob is absolute or relative to the root, without . and ..")
        return usable

    @field_validator("command")
    @classmethod
    def _usable_command(cls, command: str | None) -> str | None:
        if command is not None and not command_words(command):
            raise ValueError("a command glob has at least one word")
        return command


class PermissionRule(Settings):
    """One rule; the first that matches decides."""

    match: Annotated[RuleMatch, Field(description="What it applies to.")] = RuleMatch()
    do: Annotated[Literal["allow", "ask", "deny"], Field(description="Answer, or ask the user.")]
    scope: Annotated[
        Literal["session", "workspace"], Field(description="How long a remembered rule lasts.")
    ] = "workspace"


class PermissionSettings(Settings):
    """Answering what agents ask for."""

    rules: Annotated[
        list[PermissionRule],
        Field(
            description="Rules in order; the first that matches decides. If one cannot be read, "
            "it and all after it are not used, and what they would decide is asked."
        ),
    ] = Field(default_factory=list)
    timeout: Annotated[
        float | None,
        Field(gt=0, description="Seconds after which an unanswered prompt counts as cancelled."),
    ] = None
    inert: Annotated[
        float,
        Field(ge=0, le=5, description="Seconds for which a new prompt ignores keys and clicks."),
    ] = 0.5
