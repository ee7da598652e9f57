"""The settings in force: what the editor sent at first, and what it has sent since."""

from __future__ import annotations

from typing import Any

from acp_sidecar.agents import available, default_agent
from acp_sidecar.config import AgentSettings, Config, load
from acp_sidecar.errors import Problem

Json = Any


class Configuration:
    """`initializationOptions`, with the `acp` section of the configuration on top.

    Attributes:
        config: The settings.
        agents: All agents by name; this dict stays the same object when settings change.
        default_agent: The agent that prompts go to.
    """

    def __init__(self, initial: Json) -> None:
        self._initial = initial
        self.config: Config
        self.agents: dict[str, AgentSettings] = {}
        self.default_agent = ""
        self.config, self.problems = load(initial)
        self._use(self.config)

    def update(self, section: Json) -> list[Problem]:
        """The editor's `acp` section has come or changed; what it leaves out stays as at first.

        Returns what was wrong with it.
        """
        merged = section
        if isinstance(self._initial, dict) and isinstance(section, dict):
            merged = {**self._initial, **section}
        config, problems = load(merged)
        self._use(config)
        return problems

    def _use(self, config: Config) -> None:
        self.config = config
        found = available(config)
        self.agents.clear()
        self.agents.update(found)
        self.default_agent = default_agent(config, found)
