"""`acp-sidecar demo`: the real sidecar and an agent in a throw-away project, shown in the terminal.

The exit status is 0 if the account at the end is right: what the sidecar reported is what is on
disk, everything that was begun has ended, and the task is done if all was allowed.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import io
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from acp_sidecar.demo import answers
from acp_sidecar.demo import project as projects
from acp_sidecar.demo.lsp_client import LspClient, LspError, ServerGone

if TYPE_CHECKING:
    from acp_sidecar.demo.account import Account
    from acp_sidecar.demo.editor import DemoEditor
    from acp_sidecar.demo.screen import Screen

Json: TypeAlias = dict[str, Any]

INTERRUPTED: Final = 130
_DEFAULT_DELAY: Final = 0.15
_PROMPT: Final = "Two tests fail. Please fix that, and add an option that leaves short words out."


def main(argv: list[str]) -> int:
    """Run the demo; see the module's docstring for the exit status."""
    arguments = _parser().parse_args(argv)
    if importlib.util.find_spec("rich") is None:
        sys.stderr.write(
            "acp-sidecar demo draws with the package rich, which is not installed.\n"
            "Install it:  pip install 'acp-sidecar[demo]'\n"
        )
        return 1
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every terminal has our marks
    # So that the project is removed even if the terminal is closed.
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda number, _frame: sys.exit(128 + number))
    project = projects.make_project()
    try:
        return asyncio.run(_run(arguments, project))
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if arguments.keep:
            sys.stdout.write(f"The project is kept: {project}\n")
        else:
            projects.remove_project(project)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="acp-sidecar demo",
        description="Show the main job in the terminal, with a real agent process, in a "
        "throw-away project. Ctrl-C cancels the turn, and pressed again quits.",
    )
    parser.add_argument("--yes", action="store_true", help="allow everything without asking")
    parser.add_argument("--protocol", type=int, choices=(1, 2), default=2, help="ACP version")
    parser.add_argument("--keep", action="store_true", help="keep the project")
    parser.add_argument("--prompt", help="say this instead (the demo agent knows /tour, /run, ...)")
    parser.add_argument("--agent", metavar="COMMAND", help="another agent's command line")
    parser.add_argument("--delay", type=float, default=_DEFAULT_DELAY, help=argparse.SUPPRESS)
    parser.add_argument("--svg", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    return parser


async def _run(arguments: argparse.Namespace, project: Path) -> int:
    from acp_sidecar.demo.editor import DemoEditor  # noqa: PLC0415 - needs rich

    screen = _screen(arguments, project)
    asked = not arguments.yes and sys.stdin.isatty() and sys.stdout.isatty()
    choose = answers.Keyboard(screen.ask_for_number).choose if asked else answers.allow
    screen.start(_agent_name(arguments), project)
    before = projects.snapshot(project)
    client = await LspClient.start([sys.executable, "-m", "acp_sidecar", "serve"], project)
    editor = DemoEditor(client, screen, project, choose)
    interrupted = False
    try:
        await editor.connect(_options(arguments, asked=asked))
        interrupted = await _turn(editor, screen, arguments.prompt or _PROMPT)
    except (LspError, ServerGone) as error:
        screen.notice("\n".join([str(error), *client.last_words]), "red")
        return 1
    finally:
        status = await client.stop()
    account = _account(arguments, editor, project, before, status)
    _show(screen, account)
    if not account.right:
        _complain(account, client.last_words)
    screen.finish()
    if interrupted:
        return INTERRUPTED
    return 0 if account.right else 1


def _screen(arguments: argparse.Namespace, project: Path) -> Screen:
    from rich.console import Console  # noqa: PLC0415 - optional

    from acp_sidecar.demo.picture import Picture  # noqa: PLC0415 - needs rich
    from acp_sidecar.demo.screen import Screen  # noqa: PLC0415 - needs rich

    if arguments.svg:
        return Picture(project, arguments.svg)
    return Screen(Console(), project)


def _agent_name(arguments: argparse.Namespace) -> str:
    if arguments.agent:
        return str(arguments.agent)
    return f"the built-in scripted agent (ACP v{arguments.protocol}; no model, no network)"


def _options(arguments: argparse.Namespace, *, asked: bool) -> Json:
    """The settings an editor would have, as `initializationOptions`."""
    command: Sequence[str] = shlex.split(arguments.agent or "") or [
        *(sys.executable, "-m", "acp_sidecar", "agent"),
        *("--protocol", str(arguments.protocol), "--delay", str(arguments.delay)),
    ]
    agent = {"command": command, "protocol": None if arguments.agent else arguments.protocol}
    options: Json = {
        "agents": {"demo": agent},
        "defaultAgent": "demo",
        "sessions": {"remember": False},  # the project is thrown away
    }
    if not asked:
        # A program answers at once; the guard against stray keys would take that for one.
        options["permissions"] = {"inert": 0}
    return options


async def _turn(editor: DemoEditor, screen: Screen, prompt: str) -> bool:
    """Play the turn; True if the person interrupted it. A second interrupt quits.

    Raises:
        KeyboardInterrupt: The person wants no more.
    """
    turn = asyncio.ensure_future(editor.turn(prompt))
    interrupts: list[asyncio.Future[None]] = []

    def interrupt() -> None:
        if interrupts:
            turn.cancel()
            return
        screen.notice("\ncancelling the turn; Ctrl-C again quits")
        interrupts.append(asyncio.ensure_future(editor.cancel()))

    loop = asyncio.get_running_loop()
    earlier = signal.signal(
        signal.SIGINT, lambda _signal, _frame: loop.call_soon_threadsafe(interrupt)
    )
    try:
        await turn
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, earlier)
    return bool(interrupts)


def _account(
    arguments: argparse.Namespace,
    editor: DemoEditor,
    project: Path,
    before: projects.Snapshot,
    status: int | None,
) -> Account:
    from acp_sidecar.demo.account import Disk, Fact, account  # noqa: PLC0415 - needs rich

    session = editor.session
    assert session is not None  # noqa: S101 - the turn has ended, so there is one
    after = projects.snapshot(project)
    all_allowed = editor.seen.permissions_asked == editor.seen.permissions_allowed
    whole_tour = not arguments.agent and not arguments.prompt
    done = session["stopReason"] == "end_turn"
    wanted = projects.solution() if whole_tour and all_allowed and done else None
    disk = Disk(project, before, after, wanted)
    made = account(editor.state, session, editor.seen, disk)
    made.facts.append(Fact("the server", f"ended with status {status}", status == 0))
    return made


def _complain(account: Account, last_words: Sequence[str]) -> None:
    """Say on stderr what is wrong, for whoever has only that."""
    wrong = [f"{fact.name}: {fact.value}" for fact in account.facts if not fact.right]
    wrong += ["The server wrote:", *last_words] if last_words else []
    sys.stderr.write("".join(f"acp-sidecar demo: {line}\n" for line in wrong))


def _show(screen: Screen, account: Account) -> None:
    from acp_sidecar.demo.account import facts_table, files_table  # noqa: PLC0415 - needs rich

    screen.summary(files_table(account.files), facts_table(account.facts), right=account.right)
