"""`acp-sidecar replay` and `acp-sidecar inspect`: the shell round the player and the account."""

from __future__ import annotations

import argparse
import os
import queue
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from acp_sidecar.errors import Problem
from acp_sidecar.replay.account import account
from acp_sidecar.replay.player import Player
from acp_sidecar.replay.roots import Roots, parse_root
from acp_sidecar.replay.script import script_of
from acp_sidecar.wire.frames import LineDecoder
from acp_sidecar.wire.json_text import parse
from acp_sidecar.wire.trace import TraceLine, read_trace

SAME: Final = 0
DIFFERENT: Final = 1
UNUSABLE: Final = 2

_CHUNK_BYTES: Final = 64 * 2**10


def replay(argv: list[str]) -> int:
    """Play the agent's side of a trace on stdio; gives the exit status.

    0: the client did as the recorded one. 1: it did something differently; stderr says what.
    2: the trace cannot be used.
    """
    options = _replay_parser().parse_args(argv)
    read = _read(options.trace)
    if read is None:
        return UNUSABLE
    lines, problems = read
    _complain(problems)
    script = script_of(lines)
    if not script:
        _say(f"{options.trace} holds no message between a client and an agent.")
        return UNUSABLE
    return _play(Player(script, Roots(options.root)))


def inspect(argv: list[str]) -> int:
    """Print a readable account of a trace; gives the exit status: 0, or 2 if it is unusable."""
    options = _inspect_parser().parse_args(argv)
    read = _read(options.trace)
    if read is None:
        return UNUSABLE
    lines, problems = read
    if not lines:
        _complain(problems)
        _say(f"{options.trace} holds no line of a trace.")
        return UNUSABLE
    text = "\n".join(account(lines, problems, whole=options.whole)) + "\n"
    _write([text.encode(sys.stdout.encoding or "utf-8", "replace")])
    return SAME


def _replay_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="acp-sidecar replay",
        description="Be an ACP agent on stdio that says again what a trace recorded.",
        epilog="Exit status: 0 the client did the same, 1 it did not, 2 the trace is unusable.",
    )
    parser.add_argument("trace", type=Path, metavar="TRACE", help="a trace file")
    parser.add_argument(
        "--root",
        type=_root,
        action="append",
        default=[],
        metavar="FROM=TO",
        help="say TO where the recording says the path FROM; can be given several times",
    )
    return parser


def _inspect_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="acp-sidecar inspect", description="Print a readable account of a trace."
    )
    parser.add_argument("trace", type=Path, metavar="TRACE", help="a trace file")
    parser.add_argument(
        "--whole", action="store_true", help="do not shorten texts, and join no chunks"
    )
    return parser


def _root(text: str) -> tuple[str, str]:
    try:
        return parse_root(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _read(path: Path) -> tuple[list[TraceLine], list[Problem]] | None:
    try:
        with path.open("rb") as file:
            return read_trace(iter(lambda: file.read(_CHUNK_BYTES), b""))
    except OSError as error:
        _say(f"{path} cannot be read: {error.strerror}.")
        return None


def _play(player: Player) -> int:
    status = SAME
    _write(player.start())
    for line in _client_lines():
        if isinstance(line, Problem):
            _say(line.message)
            status = DIFFERENT
            continue
        parsed = parse(line)
        if parsed.problems:
            _complain(parsed.problems)
            status = DIFFERENT
        if parsed.found:
            _write(player.receive(parsed.value))
        status = _tell(player) or status
    _write(player.close())
    return _tell(player) or status


def _tell(player: Player) -> int:
    differences = player.take_differences()
    for difference in differences:
        _say(str(difference))
    return DIFFERENT if differences else SAME


def _client_lines() -> Iterator[bytes | Problem]:
    """Lines from stdin. A thread reads, so that a client never blocks while it is written to."""
    chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        while chunk := os.read(0, _CHUNK_BYTES):
            chunks.put(chunk)
        chunks.put(b"")

    threading.Thread(target=read, daemon=True).start()
    decoder = LineDecoder()
    while chunk := chunks.get():
        yield from decoder.feed(chunk)
    yield from decoder.eof()


def _write(lines: list[bytes]) -> None:
    try:
        sys.stdout.buffer.write(b"".join(lines))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Whoever read this has left. Python flushes once more at its end, which must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _complain(problems: Iterable[Problem]) -> None:
    for problem in problems:
        _say(problem.message)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - this is the command's output
