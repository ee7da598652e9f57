"""All settings as one frozen tree, each with its default and what it means."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from acp_sidecar.config.base import Settings
from acp_sidecar.config.permissions import PermissionSettings

DEMO_AGENT = "demo"


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


class SessionSettings(Settings):
    """Sessions over restarts."""

    remember: Annotated[
        bool,
        Field(
            description="Remember which sessions were used in which workspace, to offer them "
            "after a restart: agent, id, folders, title and times, never messages. They are in "
            "`acp-sidecar/sessions.json` in the platform's folder for state, such as "
            "`~/.local/state`, or in `$XDG_STATE_HOME`."
        ),
    ] = True


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
    sessions: Annotated[SessionSettings, Field(description="Sessions over restarts.")] = (
        SessionSettings()
    )
    timeouts: Annotated[TimeoutSettings, Field(description="Patience.")] = TimeoutSettings()
