"""Starts the agents written on the reference SDK (`tests/peers/sdk`)."""

from __future__ import annotations

from pathlib import Path

from tests.peers import npm

_SOURCE = Path(__file__).resolve().parent / "sdk"


def sdk_command(protocol: int | str, *arguments: str) -> list[str]:
    """Install the SDK agent if needed; return the argument list that starts it.

    Args:
        protocol: 1, 2, or "both" (it then answers with the version the client offers).
        arguments: more options of `agent.mjs`.
    """
    node = npm.program("node")
    directory = npm.clean_install("sdk", _SOURCE)
    return [node, str(directory / "agent.mjs"), "--protocol", str(protocol), *arguments]


def client_faults(path: Path) -> list[str]:
    """Return what an agent started with `--faults PATH` found wrong with what it was sent."""
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
