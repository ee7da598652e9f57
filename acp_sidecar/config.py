"""Settings: one frozen tree, its documentation, and reading it from whatever an editor sends.

Comes from `initializationOptions` and from the `acp` section of `workspace/configuration`. A bad
setting never stops the server: it keeps its default and becomes a problem that is shown.
"""

from __future__ import annotations

import os.path
import re
import shlex
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.alias_generators import to_camel

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.pruning import without

DEMO_AGENT = "demo"


class Settings(BaseModel):
    """Base of all settings: frozen, camelCase outside, unknown keys are reported."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        hide_input_in_errors=True,
    )


class AgentSettings(Settings):
    """One agent program."""

    command: Annotated[
        list[str] | None,
        Field(
            min_length=1,
            description="The program and its arguments; no shell is involved. Null is what "
            "acp-sidecar knows of an agent of this name.",
        ),
    ] = None
    run: Annotated[
        Literal["path", "npx", "uvx"] | None,
        Field(
            description="How an agent without a `command` is run: path is the installed program "
            "only; npx and uvx fetch its package, which is the consent to do so. Null is the "
            "installed program, else the package once you have agreed."
        ),
    ] = None
    env: Annotated[
        dict[str, str], Field(description="Environment variables added to the editor's own.")
    ] = Field(default_factory=dict)
    protocol: Annotated[
        Literal[1, 2] | None,
        Field(description="ACP version to offer; null finds the newest that both speak."),
    ] = None
    options: Annotated[
        dict[str, str | bool],
        Field(description='Config options set in each new session, e.g. {"mode": "default"}.'),
    ] = Field(default_factory=dict)


class FollowSettings(Settings):
    """Following the agent with the cursor."""

    enabled: Annotated[bool, Field(description="Follow from the start.")] = True
    resume_after: Annotated[
        float | None,
        Field(
            ge=0,
            description="Seconds without user activity after which a paused follow resumes; "
            "null waits for the next prompt or the command.",
        ),
    ] = None
    resume_on_prompt: Annotated[
        bool, Field(description="Resume a paused follow when a prompt is sent.")
    ] = True
    rate: Annotated[
        float, Field(gt=0, le=60, description="Most follow moves a second; the last always comes.")
    ] = 10.0
    trail: Annotated[int, Field(ge=0, le=10_000, description="Places remembered in the trail.")] = (
        500
    )


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


class ReviewSettings(Settings):
    """Reviewing what agents change."""

    partial: Annotated[
        Literal["undo", "reject"],
        Field(
            description="Refusing some hunks before the write: allow and undo them after it, or "
            "reject with the list of hunks in the next prompt."
        ),
    ] = "undo"
    tell_agent: Annotated[
        bool, Field(description="Tell the agent in the next prompt what was undone.")
    ] = True
    max_file_size: Annotated[
        int, Field(ge=0, description="Bytes; larger files are named in a review, not loaded.")
    ] = 5_000_000


class ClientSettings(Settings):
    """What agents that speak ACP v1 may have the editor do; told when an agent is started.

    Within the workspace they do as they please, unless a permission rule denies it or asks;
    outside of it the user is asked where no rule allows it.
    """

    read_files: Annotated[
        bool, Field(description="Read files, with what is not saved yet (`fs/read_text_file`).")
    ] = True
    write_files: Annotated[
        bool,
        Field(description="Write files, in open buffers too (`fs/write_text_file`)."),
    ] = True
    terminals: Annotated[
        bool, Field(description="Run commands whose output you see live (`terminal/*`).")
    ] = True


class TerminalSettings(Settings):
    output_limit: Annotated[
        int, Field(ge=1024, description="Bytes of output kept for each terminal.")
    ] = 1024 * 1024


class EditorToolsSettings(Settings):
    """Tools of the editor for agents, as an MCP server."""

    enabled: Annotated[
        bool,
        Field(
            description="Offer agents tools to read open documents with unsaved text, the "
            "selection, diagnostics, symbols and references, to show a place, and to propose an "
            "edit for review. Permission rules hold for each; within the workspace nothing is "
            "asked. Needs the package's extra: pip install 'acp-sidecar[mcp]'. For sessions opened "
            "from then on."
        ),
    ] = False


class TimeoutSettings(Settings):
    """Patience, in seconds."""

    initialize: Annotated[float, Field(gt=0, description="For an agent to start.")] = 90.0
    fetch: Annotated[
        float, Field(gt=0, description="For an agent to start that npx or uvx may fetch first.")
    ] = 600.0
    request: Annotated[
        float, Field(gt=0, description="For any other answer of an agent but that to a prompt.")
    ] = 60.0
    editor: Annotated[float, Field(gt=0, description="For answers of the editor.")] = 20.0
    stop: Annotated[
        float, Field(gt=0, description="For an agent to end by itself before it is killed.")
    ] = 3.0


class Config(Settings):
    """All settings."""

    agents: Annotated[dict[str, AgentSettings], Field(description="Agent programs by name.")] = (
        Field(default_factory=dict)
    )
    default_agent: Annotated[
        str | None, Field(description="The agent that prompts go to; null is the first configured.")
    ] = None
    agent_registry: Annotated[
        str | None,
        Field(
            description="File in the format of the ACP agent registry (`registry.json`), whose "
            "agents are known besides the built-in ones."
        ),
    ] = None
    trace: Annotated[
        str | None, Field(description="File that records every frame of every agent; null is off.")
    ] = None
    follow: Annotated[FollowSettings, Field(description="Following the agent.")] = FollowSettings()
    permissions: Annotated[PermissionSettings, Field(description="Permissions.")] = (
        PermissionSettings()
    )
    review: Annotated[ReviewSettings, Field(description="Reviewing changes.")] = ReviewSettings()
    terminal: Annotated[TerminalSettings, Field(description="Terminals.")] = TerminalSettings()
    editor_tools: Annotated[
        EditorToolsSettings, Field(description="Tools of the editor for agents.")
    ] = EditorToolsSettings()
    client: Annotated[
        ClientSettings, Field(description="What ACP v1 agents may have the editor do.")
    ] = ClientSettings()
    timeouts: Annotated[TimeoutSettings, Field(description="Patience.")] = TimeoutSettings()


def load(raw: Any) -> tuple[Config, list[Problem]]:
    """Read settings; each bad one keeps its default and is reported.

    Args:
        raw: What the editor sent, an object or nothing.
    """
    if raw is None:
        return Config(), []
    if not isinstance(raw, dict):
        return Config(), [_problem("acp", "settings must be an object")]
    problems: list[Problem] = []
    remaining = raw
    while True:
        try:
            return Config.model_validate(remaining), problems
        except ValidationError as error:
            bad = error.errors(include_url=False)
            first_bad_rule = _first_bad_rule([each["loc"] for each in bad])
            if first_bad_rule is not None:
                problems += [_rule_problem(each) for each in bad if _is_rule(each["loc"])]
                remaining = _with_rules_before(remaining, first_bad_rule)
                continue
            remaining, found = without(remaining, [_taken_out(each["loc"]) for each in bad])
            problems += [_problem(_dotted(each["loc"]), each["msg"]) for each in bad]
            if not found:
                return Config(), problems


def _dotted(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


def _taken_out(location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """What goes with a bad setting: an agent goes with its command."""
    return location[:2] if location[:1] + location[2:] == ("agents", "command") else location


def _problem(where: str, message: str) -> Problem:
    text = f"Setting {where}: {message}. The default is used."
    return Problem(Fault.CONFIG, "bad-setting", text, where)


ASK_ALWAYS: Final = {"do": "ask"}
"""Stands where rules could not be read: no rule after it, and no remembered one, is used."""


def _is_rule(location: tuple[int | str, ...]) -> bool:
    """Whether rules are lost with what stands there."""
    return location[:1] == ("permissions",) and (len(location) == 1 or location[1] == "rules")


def _first_bad_rule(locations: list[tuple[int | str, ...]]) -> int | None:
    """Index of the first rule that cannot be used; 0 if the whole list cannot."""
    bad = [loc[2] if len(loc) > 2 else 0 for loc in locations if _is_rule(loc)]
    return min((index for index in bad if isinstance(index, int)), default=None)


def _with_rules_before(raw: dict[str, Any], first_bad: int) -> dict[str, Any]:
    """A copy whose rules end before the bad one, where everything is asked instead.

    A bad rule may be one that denies, and rules after it may allow what it would have denied.
    """
    permissions = raw["permissions"]
    if not isinstance(permissions, dict):
        return {**raw, "permissions": {"rules": [ASK_ALWAYS]}}
    rules = permissions["rules"]
    kept = rules[:first_bad] if isinstance(rules, list) else []
    return {**raw, "permissions": {**permissions, "rules": [*kept, ASK_ALWAYS]}}


def _rule_problem(error: Any) -> Problem:
    where = _dotted(error["loc"])
    text = (
        f"Setting {where}: {error['msg']}. Neither this permission rule nor any after it is used: "
        "what they would decide is asked."
    )
    return Problem(Fault.CONFIG, "bad-permission-rule", text, where)
