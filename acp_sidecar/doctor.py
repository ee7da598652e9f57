"""`acp-sidecar doctor`: what is configured, what starts, what it answers, what to do about it."""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from acp_sidecar import __version__
from acp_sidecar.agent.connector import ProcessConnector
from acp_sidecar.config import AgentSettings, Config
from acp_sidecar.configuration import Configuration
from acp_sidecar.errors import Problem, SidecarError
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.session.store import SessionStore
from acp_sidecar.session.view import plain
from acp_sidecar.wire.protocol import ClientInfo


class _Listener:
    """Hears what an agent says while it is examined; only problems matter here."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def problem(self, agent: str, problem: Problem) -> None:
        self.problems.append(problem)

    def _nothing(self, *_args: Any, **_kwargs: Any) -> None:
        """No session is opened, so nothing else can come."""

    agent_changed = agent_gone = session_opened = session_forgotten = updated = turn_started = (
        turn_ended
    ) = _nothing
    permission_requested = elicitation_requested = elicitation_completed = _nothing
    question_withdrawn = sign_in_wanted = _nothing


@dataclass(slots=True)
class Examination:
    """What came of starting one agent; `seconds` until it was ready or had failed."""

    host: AgentHost
    seconds: float = 0.0
    error: SidecarError | None = None
    problems: list[Problem] = field(default_factory=list)


async def examine(name: str, settings: AgentSettings, config: Config) -> Examination:
    """Start one agent, agree on a version, and stop it again."""
    listener = _Listener()
    connector = ProcessConnector(
        {name: settings},
        cwd=Path.cwd(),
        stop_seconds=config.timeouts.stop,
        trace=None,
        on_problem=listener.problems.append,
    )
    host = AgentHost(
        name,
        settings,
        client=ClientInfo("acp-sidecar", "acp-sidecar doctor", __version__),
        timeouts=config.timeouts,
        connector=connector,
        store=SessionStore(),
        listener=listener,
    )
    outcome: asyncio.Future[SidecarError | None] = asyncio.get_running_loop().create_future()
    started = time.monotonic()
    host.when_ready(outcome.set_result)
    error = await outcome
    seconds = time.monotonic() - started
    await connector.stop_all()
    return Examination(host, seconds, error, listener.problems)


def report(found: Examination) -> list[str]:
    """An examination as lines for a person."""
    host = found.host
    lines = [f"{'ok  ' if found.error is None else 'FAIL'} {host.name}"]
    lines.append(f"     command    {' '.join(host.settings.command or ())}")
    if found.error is not None:
        lines.append(f"     problem    {found.error.message}")
        if found.error.advice:
            lines.append(f"     try        {found.error.advice}")
        lines += [f"     said       {line}" for line in host.last_words.split("\n")[-5:] if line]
        return lines
    info = host.info
    if info is None:
        return lines
    name = info.info.title or info.info.name or "(says no name)"
    lines.append(f"     is         {name} {info.info.version}".rstrip())
    lines.append(f"     ready      in {found.seconds:.1f} s")
    lines += [f"     protocol   {note}" for note in host.notes]
    lines.append(f"     can        {', '.join(_abilities(plain(info.capabilities))) or '-'}")
    methods = [f"{method.name} ({method.method_id})" for method in info.auth_methods]
    lines.append(f"     sign-in    {', '.join(methods) or 'none offered'}")
    lines += [f"     odd        {problem.message}" for problem in found.problems[:5]]
    return lines


def _abilities(capabilities: Any, prefix: str = "") -> list[str]:
    """Capabilities as dotted names: `session.prompt.image`."""
    names: list[str] = []
    for key, value in capabilities.items():
        if key == "_meta" or not isinstance(value, dict):
            continue
        deeper = _abilities(value, f"{prefix}{key}.")
        names += deeper or [f"{prefix}{key}"]
    return names


def _environment() -> list[str]:
    packages = " ".join(f"{name} {version(name)}" for name in ("pygls", "lsprotocol", "pydantic"))
    return [
        f"acp-sidecar {__version__}, Python {platform.python_version()} on {platform.system()}",
        f"with {packages}",
        "; ".join(f"{name}: {shutil.which(name) or 'not on PATH'}" for name in ("git", "node")),
        "",
    ]


def _read_settings(path: str | None) -> tuple[Configuration, list[str]]:
    if path is None:
        return Configuration(None), []
    try:
        raw = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return Configuration(None), [f"settings {path} cannot be read: {error}"]
    settings = Configuration(raw)
    return settings, [problem.message for problem in settings.problems]


async def _run(settings: Configuration, names: Sequence[str]) -> bool:
    healthy = True
    for name in names or _ready(settings):
        found = await examine(name, settings.agents[name], settings.config)
        healthy = healthy and found.error is None
        sys.stdout.write("\n".join([*report(found), "", ""]))
        sys.stdout.flush()
    sys.stdout.write(f"prompts go to {settings.default_agent} unless told otherwise\n")
    return healthy


def _ready(settings: Configuration) -> list[str]:
    return [name for name in settings.agents if not settings.known[name].needs_consent]


def main(argv: Sequence[str]) -> int:
    """Examine one agent or all; 0 if all are well, 1 if not, 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="acp-sidecar doctor", description=__doc__)
    parser.add_argument("agent", nargs="?", help="only this agent")
    parser.add_argument("--settings", help="JSON file with the settings the editor would send")
    arguments = parser.parse_args(argv)
    settings, complaints = _read_settings(arguments.settings)
    sys.stdout.write("\n".join([*_environment(), *complaints, ""]))
    if arguments.agent and arguments.agent not in settings.agents:
        known = ", ".join(sorted(settings.agents))
        sys.stdout.write(f"There is no agent {arguments.agent}. Known agents: {known}.\n")
        return 2
    healthy = asyncio.run(_run(settings, [arguments.agent] if arguments.agent else []))
    return 0 if healthy and not complaints else 1
