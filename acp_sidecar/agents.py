"""Which agents there are: those of the settings, the presets, a registry file's, and the demo.

What is looked up here is where programs are; nothing is started and nothing fetched.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from acp_sidecar.config import DEMO_AGENT, AgentSettings, Config
from acp_sidecar.presets import Package, Preset

Find = Callable[[str], str | None]
"""Where a program is, by its name; `shutil.which`."""

Source = Literal["settings", "preset", "registry", "demo"]
Run = Literal["command", "path", "npx", "uvx"]


@dataclass(frozen=True, slots=True)
class KnownAgent:
    """An agent, installed or not.

    Attributes:
        settings: With everything that is needed to start it; `command` is None if it is not
            installed and cannot be fetched.
        package: The package that is fetched to run it; None if none is.
        needs_consent: The user has yet to agree that its package is fetched.
    """

    name: str
    title: str
    source: Source
    settings: AgentSettings
    run: Run | None = None
    available: bool = False
    package: Package | None = None
    needs_consent: bool = False
    install_hint: str | None = None
    sign_in_note: str | None = None
    docs: str | None = None


def demo_agent(*, keeps_sessions: bool) -> KnownAgent:
    """The built-in agent, run by the same Python."""
    command = [sys.executable, "-m", "acp_sidecar", "agent"]
    settings = AgentSettings(command=[*command, *(["--keep-sessions"] if keeps_sessions else [])])
    return KnownAgent(
        DEMO_AGENT,
        "Demo agent",
        "demo",
        settings,
        run="command",
        available=True,
        sign_in_note="Needs none.",
    )


def known_agents(
    config: Config,
    described: Iterable[tuple[Source, Preset]],
    consented: Collection[str] = (),
    find: Find = shutil.which,
) -> dict[str, KnownAgent]:
    """All agents by name: of the settings first, then what is there, then what is to be installed.

    Args:
        config: A user's settings of a name win over what is described of it, member by member.
        described: Presets, and those of a registry; the first of a name counts.
        consented: Packages that the user agreed to have fetched, by `Package.key`.
    """
    presets: dict[str, tuple[Source, Preset]] = {}
    for source, preset in described:
        presets.setdefault(preset.name, (source, preset))
    mine = {
        name: _configured(name, settings, presets.get(name), consented, find)
        for name, settings in config.agents.items()
    }
    others = [
        _described(source, preset, AgentSettings(), consented, find)
        for name, (source, preset) in presets.items()
        if name not in mine
    ]
    demo = demo_agent(keeps_sessions=config.sessions.remember)
    if DEMO_AGENT not in mine:
        others.append(demo)
    elif (settings := config.agents[DEMO_AGENT]).command is None:
        mine[DEMO_AGENT] = replace(demo, settings=_merged(settings, demo.settings))
    others.sort(key=lambda agent: (not agent.available, agent.needs_consent))  # stable
    return {**mine, **{agent.name: agent for agent in others}}


def usable(known: dict[str, KnownAgent]) -> dict[str, AgentSettings]:
    """The agents that can be started, if need be with the user's consent; and the configured."""
    return {
        name: agent.settings
        for name, agent in known.items()
        if agent.available or agent.source == "settings"
    }


def default_agent(config: Config, known: dict[str, KnownAgent]) -> str:
    """The agent that prompts go to: as set, else the first configured, else the demo."""
    if config.default_agent in known:
        return str(config.default_agent)
    return next(iter(config.agents), DEMO_AGENT)


def _configured(
    name: str,
    settings: AgentSettings,
    described: tuple[Source, Preset] | None,
    consented: Collection[str],
    find: Find,
) -> KnownAgent:
    """An agent of the user's settings, with what a preset of its name adds."""
    if described is not None:
        found = _described("settings", described[1], settings, consented, find)
    else:
        found = KnownAgent(name, name, "settings", settings)
    if settings.command is None:
        return found
    return replace(
        found,
        settings=found.settings.model_copy(update={"command": settings.command}),
        run="command",
        available=_is_program(settings.command[0], find),
        package=None,
        needs_consent=False,
    )


def _described(
    source: Source,
    preset: Preset,
    settings: AgentSettings,
    consented: Collection[str],
    find: Find,
) -> KnownAgent:
    agent = KnownAgent(
        preset.name,
        preset.title,
        source,
        _merged(settings, AgentSettings(env=preset.env, protocol=preset.protocol)),
        install_hint=preset.install,
        sign_in_note=preset.sign_in,
        docs=preset.docs,
    )
    command = _installed(preset, find) if settings.run in (None, "path") else None
    if command is not None:
        return replace(agent, settings=_with_command(agent, command), run="path", available=True)
    package = _package(preset, settings.run, find)
    if package is None:
        return agent
    fetched = {"command": package.command(), "env": {**package.env, **agent.settings.env}}
    return replace(
        agent,
        settings=agent.settings.model_copy(update=fetched),
        run=package.runner,
        available=True,
        package=package,
        needs_consent=settings.run is None and package.key not in consented,
    )


def _merged(settings: AgentSettings, below: AgentSettings) -> AgentSettings:
    """A user's settings on top of others; environment variables one by one."""
    return settings.model_copy(
        update={
            "command": settings.command or below.command,
            "env": {**below.env, **settings.env},
            "protocol": settings.protocol or below.protocol,
        }
    )


def _with_command(agent: KnownAgent, command: list[str]) -> AgentSettings:
    return agent.settings.model_copy(update={"command": command})


def _installed(preset: Preset, find: Find) -> list[str] | None:
    """The first of its command lines whose program is on PATH."""
    return next((command for command in preset.commands if find(command[0])), None)


def _package(preset: Preset, run: str | None, find: Find) -> Package | None:
    """The first of its packages that may and can be run."""
    if run == "path":
        return None
    wanted = [each for each in preset.packages if run in (None, each.runner)]
    return next((each for each in wanted if find(each.runner)), None)


def _is_program(program: str, find: Find) -> bool:
    """Whether a configured program is there; a path that is relative is left to the start."""
    path = Path(program)
    relative = path.name != program and not path.is_absolute()
    return relative or find(program) is not None
