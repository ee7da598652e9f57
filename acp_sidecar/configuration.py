"""The settings in force: what the editor sent at first, and what it has sent since."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from acp_sidecar.agents import KnownAgent, Source, default_agent, known_agents, usable
from acp_sidecar.config import AgentSettings, Config, TimeoutSettings, load
from acp_sidecar.consents import Consents
from acp_sidecar.errors import EditorError, Fault, Problem
from acp_sidecar.presets import Preset, presets
from acp_sidecar.registry import over, read_registry

Json = Any


class Configuration:
    """`initializationOptions`, with the `acp` section of the configuration on top.

    Attributes:
        config: The settings.
        known: All agents by name, installed or not.
        agents: Those that can be used; this dict stays the same object when settings change.
        default_agent: The agent that prompts go to.
        consents: What the user agreed to have fetched.
    """

    def __init__(self, initial: Json, consents: Consents | None = None) -> None:
        self._initial = initial
        self.config: Config
        self.consents = consents or Consents()
        self.known: dict[str, KnownAgent] = {}
        self.agents: dict[str, AgentSettings] = {}
        self.default_agent = ""
        self._registered: list[Preset] = []
        self.config, self.problems = load(initial)
        self.problems += self._use(self.config)

    def update(self, section: Json) -> list[Problem]:
        """The editor's `acp` section has come or changed; what it leaves out stays as at first.

        Returns what was wrong with it.
        """
        merged = section
        if isinstance(self._initial, dict) and isinstance(section, dict):
            merged = {**self._initial, **section}
        config, problems = load(merged)
        return [*problems, *self._use(config)]

    def look_again(self) -> None:
        """Look for programs anew: something may have been installed, or agreed to."""
        self.known = known_agents(self.config, self._described(), self.consents.packages)
        found = usable(self.known)
        self.agents.clear()
        self.agents.update(found)
        self.default_agent = default_agent(self.config, self.known)

    def timeouts(self, agent: str) -> TimeoutSettings:
        """The patience with an agent: more, where it may have to be fetched first."""
        timeouts = self.config.timeouts
        known = self.known.get(agent)
        if known is None or known.package is None:
            return timeouts
        return timeouts.model_copy(update={"initialize": timeouts.fetch})

    def note(self, agent: str) -> tuple[str, str | None]:
        """An agent's title, and how one signs in to it if that is known."""
        known = self.known.get(agent)
        return (known.title, known.sign_in_note) if known else (agent, None)

    def no_agent(self, name: str) -> EditorError:
        """Why an agent cannot be used, for a person."""
        known = self.known.get(name)
        if known is None:
            names = ", ".join(sorted(self.agents))
            return EditorError(f"There is no agent {name}.", advice=f"Known agents: {names}.")
        hint = f"Install it: {known.install_hint}" if known.install_hint else ""
        return EditorError(f"{known.title} is not installed.", advice=hint)

    def _use(self, config: Config) -> list[Problem]:
        self.config = config
        problems: list[Problem] = []
        self._registered = []
        if config.agent_registry is not None:
            path = Path(config.agent_registry).expanduser()
            self._registered, problems = read_registry(path)
        self.look_again()
        wanted = config.default_agent
        if wanted is not None and wanted not in self.known:
            text = f"{wanted!r} is no agent; prompts go to {self.default_agent}."
            problems.append(Problem(Fault.CONFIG, "bad-setting", text, "defaultAgent"))
        return problems

    def _described(self) -> Iterable[tuple[Source, Preset]]:
        for registered in self._registered:
            yield "registry", over(registered, presets())
        for preset in presets():
            yield "preset", preset
