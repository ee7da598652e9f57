"""The command line. Every command imports what it needs itself: `serve` must start fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

USAGE = """\
usage: acp-sidecar [COMMAND]

  serve             the LSP server on stdio (the default)
  demo              the main job with the built-in agent, in a throw-away project, in the terminal
  agent             the built-in demo agent on stdio (--protocol 1 for ACP v1)
  doctor [AGENT]    what is configured, what starts, what it answers, what to do about it
  mcp               the editor's tools for agents, which start it themselves
  replay TRACE      an ACP agent on stdio that plays the agent's side of a trace
  inspect TRACE     a readable account of a trace

`acp-sidecar COMMAND --help` tells more.
"""


def _serve(_arguments: Sequence[str]) -> int:
    from acp_sidecar.lsp.server import serve_stdio

    return serve_stdio()


def _demo(arguments: Sequence[str]) -> int:
    from acp_sidecar.demo.command import main as demo

    return demo(list(arguments))


def _agent(arguments: Sequence[str]) -> int:
    from acp_sidecar.demo.agent import main as agent

    return agent(list(arguments))


def _doctor(arguments: Sequence[str]) -> int:
    from acp_sidecar.doctor import main as doctor

    return doctor(list(arguments))


def _mcp(arguments: Sequence[str]) -> int:
    try:
        from acp_sidecar.mcp.server import main as mcp
    except ModuleNotFoundError as error:
        sys.stderr.write(f"acp-sidecar mcp: {error}; pip install 'acp-sidecar[mcp]' has it.\n")
        return 1
    return mcp(arguments)


def _replay(arguments: Sequence[str]) -> int:
    from acp_sidecar.replay.cli import replay

    return replay(list(arguments))


def _inspect(arguments: Sequence[str]) -> int:
    from acp_sidecar.replay.cli import inspect

    return inspect(list(arguments))


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "serve": _serve,
    "demo": _demo,
    "agent": _agent,
    "doctor": _doctor,
    "mcp": _mcp,
    "replay": _replay,
    "inspect": _inspect,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status (2 for a wrong command line)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments.pop(0) if arguments and not arguments[0].startswith("-") else "serve"
    if name == "serve" and arguments and arguments[0] in {"-h", "--help"}:
        sys.stdout.write(USAGE)
        return 0
    if name == "serve" and arguments and arguments[0] in {"-V", "--version"}:
        from acp_sidecar import __version__

        sys.stdout.write(f"acp-sidecar {__version__}\n")
        return 0
    command = COMMANDS.get(name)
    if command is None or (name == "serve" and arguments and arguments != ["--stdio"]):
        sys.stderr.write(USAGE)
        return 2
    return command(arguments)
