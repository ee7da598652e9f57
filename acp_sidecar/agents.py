"""Which agents there are: those of the settings, well-known ones on PATH, and the built-in demo."""

from __future__ import annotations

import shutil
import sys

from acp_sidecar.config import DEMO_AGENT, AgentSettings, Config

WELL_KNOWN: dict[str, tuple[str, ...]] = {
    "claude": ("claude-agent-acp",),
    "codex": ("codex-acp",),
    "gemini": ("gemini", "--acp"),
    "opencode": ("opencode", "acp"),
}
"""Commands that are known to speak ACP on stdio, tried when they are on PATH."""


def demo_agent() -> AgentSettings:
    """The built-in agent, run by the same Python."""
    return AgentSettings(command=[sys.executable, "-m", "acp_sidecar", "agent"])


def available(config: Config) -> dict[str, AgentSettings]:
    """All agents by name; settings win over what is found."""
    found = {
        name: AgentSettings(command=list(command))
        for name, command in WELL_KNOWN.items()
        if shutil.which(command[0])
    }
    return {**found, DEMO_AGENT: demo_agent(), **config.agents}


def default_agent(config: Config, agents: dict[str, AgentSettings]) -> str:
    """The agent that prompts go to: as set, else the first configured, else the demo."""
    if config.default_agent in agents:
        return str(config.default_agent)
    return next(iter(config.agents), DEMO_AGENT)
