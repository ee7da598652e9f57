"""What the doctor has found, in words for a person and as JSON for a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from acp_sidecar.agents import KnownAgent
from acp_sidecar.session.handshake import AuthMethod, InitializeResult
from acp_sidecar.session.view import plain

if TYPE_CHECKING:
    from acp_sidecar.doctor import Examination

Json = Any


def lines_of(found: Examination) -> list[str]:
    """One agent that was started, or was to be."""
    known, host = found.known, found.host
    lines = [f"{'ok  ' if found.error is None else 'FAIL'} {known.name}"]
    lines.append(_line("command", " ".join(known.settings.command or ())))
    if found.error is not None:
        lines.append(_line("problem", found.error.message))
        lines += [_line("try", advice) for advice in _advice(found)]
        lines += [_line("said", text) for text in host.last_words.split("\n")[-5:] if text]
        return lines
    if host.info is not None:
        lines += _introduction(host.info, found.seconds, host.notes)
    if known.sign_in_note and known.sign_in_note != "Needs none.":
        lines.append(_line("", known.sign_in_note))
    lines += [_line("odd", problem.message) for problem in found.problems[:5]]
    return lines


def _introduction(info: InitializeResult, seconds: float, notes: Sequence[str]) -> Iterator[str]:
    name = info.info.title or info.info.name or "(says no name)"
    yield _line("is", f"{name} {info.info.version}".rstrip())
    yield _line("ready", f"in {seconds:.1f} s")
    for note in notes:
        yield _line("protocol", note)
    yield _line("can", ", ".join(abilities(plain(info.capabilities))) or "-")
    yield _line("sign-in", ", ".join(map(_way, info.auth_methods)) or "none offered")


def _way(method: AuthMethod) -> str:
    where = " in a terminal" if method.type == "terminal" else ""
    return f"{method.name} ({method.method_id}){where}"


def _advice(found: Examination) -> Iterator[str]:
    """What to do: what the error says, how to install it, where to read on."""
    error, known = found.error, found.known
    if error is not None and error.advice:
        yield error.advice
    if not known.available and known.install_hint:
        yield known.install_hint
    if known.docs:
        yield f"read {known.docs}"


def _line(label: str, text: str) -> str:
    return f"     {label:<10} {text}"


def missing_lines(missing: Sequence[KnownAgent]) -> list[str]:
    """Agents that were not tried: to be fetched first, or to be installed."""
    fetched = [agent for agent in missing if agent.available]
    others = [agent for agent in missing if not agent.available]
    lines = []
    if fetched:
        lines.append(
            "not installed, but run by npx or uvx once you agree (here: name it, with --fetch):"
        )
        lines += [f"     {agent.name:<12} {_command(agent)}" for agent in fetched]
    if others:
        lines.append("not installed:")
        lines += [f"     {agent.name:<12} {agent.install_hint or '-'}" for agent in others]
    return [*lines, ""] if lines else []


def _command(agent: KnownAgent) -> str:
    return " ".join(agent.settings.command or ())


def abilities(capabilities: Any, prefix: str = "") -> list[str]:
    """Capabilities as dotted names: `session.prompt.image`."""
    names: list[str] = []
    for key, value in capabilities.items():
        if key == "_meta" or not isinstance(value, dict):
            continue
        deeper = abilities(value, f"{prefix}{key}.")
        names += deeper or [f"{prefix}{key}"]
    return names


def as_json(
    found: Sequence[Examination],
    missing: Sequence[KnownAgent],
    default_agent: str,
    complaints: Sequence[str],
) -> Json:
    """Everything, for a program; members of an agent as in `acp.agents.list`."""
    return {
        "agents": [*map(_tried, found), *map(_known, missing)],
        "defaultAgent": default_agent,
        "problems": list(complaints),
    }


def _known(known: KnownAgent) -> dict[str, Json]:
    return {
        "name": known.name,
        "title": known.title,
        "source": known.source,
        "run": known.run,
        "available": known.available,
        "needsConsent": known.needs_consent,
        "command": list(known.settings.command or ()),
        "installHint": known.install_hint,
        "signInNote": known.sign_in_note,
        "docs": known.docs,
        "tried": False,
    }


def _tried(found: Examination) -> dict[str, Json]:
    info, error = found.host.info, found.error
    return {
        **_known(found.known),
        "tried": True,
        "ok": error is None,
        "seconds": round(found.seconds, 3),
        "protocolVersion": info.protocol_version if info else None,
        "info": plain(info.info) if info else None,
        "capabilities": plain(info.capabilities) if info else None,
        "authMethods": [plain(method) for method in info.auth_methods] if info else [],
        "notes": found.host.notes,
        "failure": error.message if error else None,
        "advice": list(_advice(found)) if error else [],
        "lastWords": found.host.last_words if error else "",
        "problems": [problem.message for problem in found.problems],
    }
