"""`acp-sidecar doctor`: which agents are there, what starts, what it says, what to do about it."""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from acp_sidecar import __version__
from acp_sidecar.agent.connector import ProcessConnector
from acp_sidecar.agents import KnownAgent
from acp_sidecar.configuration import Configuration
from acp_sidecar.consents import Consents
from acp_sidecar.diagnosis import as_json, lines_of, missing_lines
from acp_sidecar.errors import AgentError, Problem, SidecarError
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.memory.place import state_directory
from acp_sidecar.serving import offer_of
from acp_sidecar.session.state import Session
from acp_sidecar.session.store import SessionStore
from acp_sidecar.wire.protocol import ClientInfo

AT_ONCE: Final = 4
"""Agents that are tried at the same time; each may be a large program."""


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
    question_withdrawn = sign_in_wanted = client_requested = _nothing
    queue_changed = prompts_held = _nothing

    def notes_for_prompt(self, _session: Session) -> list[Any]:
        return []


@dataclass(slots=True)
class Examination:
    """What came of starting one agent; `seconds` until it was ready or had failed."""

    known: KnownAgent
    host: AgentHost
    seconds: float = 0.0
    error: SidecarError | None = None
    problems: list[Problem] = field(default_factory=list)


async def examine(
    known: KnownAgent, settings: Configuration, seconds: float | None = None
) -> Examination:
    """Start one agent, agree on a version, and stop it again; `seconds` is the most it may take."""
    listener = _Listener()
    timeouts = settings.timeouts(known.name)
    connector = ProcessConnector(
        {known.name: known.settings},
        cwd=Path.cwd(),
        stop_seconds=timeouts.stop,
        trace=None,
        on_problem=listener.problems.append,
    )
    host = AgentHost(
        known.name,
        known.settings,
        client=ClientInfo("acp-sidecar", "acp-sidecar doctor", __version__),
        timeouts=timeouts,
        connector=connector,
        store=SessionStore(),
        listener=listener,
        offer=offer_of(settings.config.client),
    )
    outcome: asyncio.Future[SidecarError | None] = asyncio.get_running_loop().create_future()
    started = time.monotonic()
    host.when_ready(outcome.set_result)
    try:
        error = await asyncio.wait_for(asyncio.shield(outcome), seconds)
    except TimeoutError:
        advice = "Start it by hand to see what it waits for, or allow more by --timeout."
        error = AgentError(f"{known.name} was not ready after {seconds:g} s.", advice=advice)
    taken = time.monotonic() - started
    await connector.stop_all()
    return Examination(known, host, taken, error, listener.problems)


class _Doctor:
    """Examines agents side by side and tells of each as soon as it is done, in their order."""

    def __init__(
        self, settings: Configuration, seconds: float | None, tell: Callable[[Examination], None]
    ) -> None:
        self._settings = settings
        self._seconds = seconds
        self._tell = tell

    async def examine(self, agents: Sequence[KnownAgent]) -> list[Examination]:
        limit = asyncio.Semaphore(AT_ONCE)

        async def one(known: KnownAgent) -> Examination:
            async with limit:
                return await examine(known, self._settings, self._seconds)

        tasks = [asyncio.create_task(one(known)) for known in agents]
        found = []
        for task in tasks:
            found.append(await task)
            self._tell(found[-1])
        return found


def _environment() -> list[str]:
    packages = " ".join(f"{name} {version(name)}" for name in ("pygls", "lsprotocol", "pydantic"))
    programs = ("git", "node", "npx", "uvx")
    return [
        f"acp-sidecar {__version__}, Python {platform.python_version()} on {platform.system()}",
        f"with {packages}",
        "; ".join(f"{name}: {shutil.which(name) or 'not on PATH'}" for name in programs),
        "",
    ]


def _read_settings(path: str | None) -> tuple[Configuration, list[str]]:
    consents = Consents(state_directory() / "consents.json")
    if path is None:
        return Configuration(None, consents), []
    try:
        raw = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return Configuration(None, consents), [f"settings {path} cannot be read: {error}"]
    settings = Configuration(raw, consents)
    return settings, [problem.message for problem in settings.problems]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="acp-sidecar doctor", description=__doc__)
    parser.add_argument("agent", nargs="?", help="only this agent")
    parser.add_argument("--settings", help="JSON file with the settings the editor would send")
    parser.add_argument("--timeout", type=float, help="seconds that an agent may take to be ready")
    parser.add_argument(
        "--fetch", action="store_true", help="agree that npx or uvx fetch the agent's package"
    )
    parser.add_argument("--json", action="store_true", help="tell it as one JSON object")
    return parser


def main(argv: Sequence[str]) -> int:
    """Examine one agent or all; 0 if all are well, 1 if not, 2 for a wrong command line."""
    arguments = _parser().parse_args(argv)
    settings, complaints = _read_settings(arguments.settings)
    if arguments.agent and arguments.agent not in settings.known:
        names = ", ".join(sorted(settings.known))
        sys.stderr.write(f"There is no agent {arguments.agent}. Known agents: {names}.\n")
        return 2
    if not arguments.json:
        _say([*_environment(), *complaints])
    chosen = [settings.known[arguments.agent]] if arguments.agent else _to_try(settings)
    tried = [agent for agent in chosen if _startable(agent, fetch=arguments.fetch)]
    tell = _silent if arguments.json else _tell
    found = asyncio.run(_Doctor(settings, arguments.timeout, tell).examine(tried))
    listed = chosen if arguments.agent else settings.known.values()
    missing = [agent for agent in listed if agent not in tried]
    if arguments.json:
        account = as_json(found, missing, settings.default_agent, complaints)
        _say([json.dumps(account, indent=1)])
    else:
        prompts = f"prompts go to {settings.default_agent} unless told otherwise"
        _say([*missing_lines(missing), prompts])
    healthy = all(each.error is None for each in found) and len(tried) == len(chosen)
    return 0 if healthy and not complaints else 1


def _startable(agent: KnownAgent, *, fetch: bool) -> bool:
    return bool(agent.settings.command) and (fetch or not agent.needs_consent)


def _to_try(settings: Configuration) -> list[KnownAgent]:
    """All that can be used, and all that the user has configured."""
    known = settings.known.values()
    return [
        agent
        for agent in known
        if agent.source == "settings" or (agent.available and not agent.needs_consent)
    ]


def _silent(_found: Examination) -> None:
    """What is told as JSON is told at the end."""


def _tell(found: Examination) -> None:
    _say([*lines_of(found), ""])


def _say(lines: Sequence[str]) -> None:
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stdout.flush()
