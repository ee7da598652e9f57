"""Settings: one frozen tree, its documentation, and reading it from whatever an editor sends.

Comes from `initializationOptions` and from the `acp` section of `workspace/configuration`. A bad
setting never stops the server: it keeps its default and becomes a problem that is shown.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from acp_sidecar.errors import Fault, Problem

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
        list[str],
        Field(min_length=1, description="The program and its arguments; no shell is involved."),
    ]
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


class RuleMatch(Settings):
    """What a permission rule applies to; what is not given matches everything."""

    agent: Annotated[str | None, Field(description="Glob on the agent's name.")] = None
    kind: Annotated[str | None, Field(description="Tool kind: read, edit, execute, ...")] = None
    path: Annotated[
        str | None,
        Field(
            description="Glob on every path touched, relative to the workspace root or absolute."
        ),
    ] = None
    command: Annotated[
        str | None,
        Field(description='Glob on the words of a single plain command, e.g. "git status *".'),
    ] = None
    subject: Annotated[
        Literal["tool_call", "command"] | None, Field(description="Subject of the permission.")
    ] = None


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
        list[PermissionRule], Field(description="Rules in order; the first that matches decides.")
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


class TerminalSettings(Settings):
    output_limit: Annotated[
        int, Field(ge=1024, description="Bytes of output kept for each terminal.")
    ] = 1024 * 1024


class TimeoutSettings(Settings):
    """Patience, in seconds."""

    initialize: Annotated[float, Field(gt=0, description="For an agent to start.")] = 90.0
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
    trace: Annotated[
        str | None, Field(description="File that records every frame of every agent; null is off.")
    ] = None
    follow: Annotated[FollowSettings, Field(description="Following the agent.")] = FollowSettings()
    permissions: Annotated[PermissionSettings, Field(description="Permissions.")] = (
        PermissionSettings()
    )
    review: Annotated[ReviewSettings, Field(description="Reviewing changes.")] = ReviewSettings()
    terminal: Annotated[TerminalSettings, Field(description="Terminals.")] = TerminalSettings()
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
            remaining, found = _without(remaining, [each["loc"] for each in bad])
            problems += [_problem(_dotted(each["loc"]), each["msg"]) for each in bad]
            if not found:
                return Config(), problems


def _dotted(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


def _problem(where: str, message: str) -> Problem:
    text = f"Setting {where}: {message}. The default is used."
    return Problem(Fault.CONFIG, "bad-setting", text, where)


def _without(raw: dict[str, Any], locations: list[tuple[int | str, ...]]) -> tuple[Any, bool]:
    """A copy without what stands at the locations (or the nearest parent that can go)."""
    return _prune(raw, [loc for loc in locations if loc])


def _prune(value: Any, locations: list[tuple[int | str, ...]]) -> tuple[Any, bool]:
    here = {loc[0] for loc in locations if len(loc) == 1}
    deeper: dict[int | str, list[tuple[int | str, ...]]] = {}
    for loc in locations:
        if len(loc) > 1 and loc[0] not in here:
            deeper.setdefault(loc[0], []).append(loc[1:])
    if isinstance(value, dict):
        return _prune_dict(value, here, deeper)
    if isinstance(value, list):
        return _prune_list(value, here, deeper)
    return value, False


def _prune_dict(
    value: dict[str, Any],
    here: set[int | str],
    deeper: dict[int | str, list[tuple[int | str, ...]]],
) -> tuple[dict[str, Any], bool]:
    kept, found = {}, False
    for key, item in value.items():
        if key in here:
            found = True
            continue
        if key in deeper:
            pruned, inside = _prune(item, deeper[key])
            found = True
            if not inside:
                continue  # nothing smaller could be taken out: the whole setting goes
            item = pruned  # noqa: PLW2901 - the loop's own copy
        kept[key] = item
    return kept, found


def _prune_list(
    value: list[Any], here: set[int | str], deeper: dict[int | str, list[tuple[int | str, ...]]]
) -> tuple[list[Any], bool]:
    # An item of a list that is wrong anywhere goes as a whole: half a rule is not a rule.
    bad = here | deeper.keys()
    kept = [item for index, item in enumerate(value) if index not in bad]
    return kept, len(kept) != len(value)
