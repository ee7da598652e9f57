"""`acp-sidecar agent`: the options, and the process from start to end."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from typing import Final

from acp_sidecar.demo.agent.archive import MOST_SESSIONS, Archive
from acp_sidecar.demo.agent.connection import Connection
from acp_sidecar.demo.agent.service import Service
from acp_sidecar.memory.place import state_directory

DELAY_VARIABLE: Final = "ACP_SIDECAR_DEMO_DELAY"
_DEFAULT_DELAY: Final = 0.15
FOLDER: Final = "demo-sessions"
"""Where sessions are kept, in our folder for state."""


def main(argv: list[str]) -> int:
    """Be an agent on stdin and stdout until stdin ends; the exit status is 0."""
    arguments = _parser().parse_args(argv)
    try:
        asyncio.run(_serve(arguments))
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="acp-sidecar agent", description="The built-in scripted ACP agent, on stdio."
    )
    parser.add_argument(
        "--protocol",
        type=int,
        choices=(1, 2),
        help="speak this version of ACP only (default: 2, and 1 to clients that know no other)",
    )
    parser.add_argument(
        "--delay",
        type=_seconds,
        default=os.environ.get(DELAY_VARIABLE, str(_DEFAULT_DELAY)),
        help=f"seconds between steps (default: ${DELAY_VARIABLE} or {_DEFAULT_DELAY})",
    )
    parser.add_argument(
        "--login", action="store_true", help="refuse sessions until the client has logged in"
    )
    parser.add_argument(
        "--keep-sessions",
        action="store_true",
        help=f"keep the last {MOST_SESSIONS} sessions, to go on with them after a restart",
    )
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= 60:
        raise argparse.ArgumentTypeError("must be from 0 to 60")
    return seconds


async def _serve(arguments: argparse.Namespace) -> None:
    connection = Connection(sys.stdin.fileno(), sys.stdout.fileno())
    # Whatever prints must not end up between the messages.
    sys.stdout = sys.stderr
    versions = (arguments.protocol,) if arguments.protocol else (1, 2)
    archive = Archive(state_directory() / FOLDER) if arguments.keep_sessions else None
    service = Service(connection, versions, arguments.delay, arguments.login, archive)
    serving = asyncio.ensure_future(connection.run(service.on_request, service.on_notification))
    if os.name == "posix":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
    try:
        await serving
    except asyncio.CancelledError:
        return
    finally:
        await service.shut_down()
