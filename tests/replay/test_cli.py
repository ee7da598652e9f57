"""The two commands: exit status, stderr, and traces that cannot be used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.replay.recorded import RECORDINGS

TRACE = next(path for path in RECORDINGS if path.stem == "sdk-v2agent-2.4.0-hello-router-offer2")


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "acp_sidecar", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=90)


def test_a_client_that_does_nothing_is_told_so_and_hears_the_rest() -> None:
    done = run("replay", TRACE)
    assert done.returncode == 1
    assert b"the client never sent initialize" in done.stderr
    assert b"session/update" in done.stdout


def test_differences_are_told_while_the_client_is_still_there() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "acp_sidecar", "replay", str(TRACE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"nonsense"}\n')
        process.stdin.flush()
        assert b"nonsense" in process.stderr.readline()


def test_a_client_that_sends_noise_is_told_so() -> None:
    done = run("replay", TRACE, stdin=b"hello\n\xff\n")
    assert done.returncode == 1
    assert b"not JSON" in done.stderr


def test_paths_are_mapped_by_the_option(tmp_path: Path) -> None:
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
    stdin = json.dumps(initialize).encode() + b"\n"
    done = run("replay", TRACE, "--root", f"/workspace={tmp_path}", stdin=stdin)
    assert f"ws={tmp_path}]".encode() in done.stdout
    assert b"/workspace" not in done.stdout


@pytest.mark.parametrize("command", ["replay", "inspect"])
@pytest.mark.parametrize("content", [b"", b"\n\n", b"no trace\n", b'{"dir":"sideways"}\n', None])
def test_an_unusable_trace_is_status_2(command: str, content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "trace"
    if content is not None:
        path.write_bytes(content)
    done = run(command, path)
    assert done.returncode == 2
    assert str(path) in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_a_trace_without_messages_cannot_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_bytes(b'{"dir": "err", "t": 1, "text": "died"}\n')
    assert run("replay", path).returncode == 2
    assert run("inspect", path).returncode == 0


def test_a_damaged_trace_is_replayed_as_far_as_it_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_bytes(b"cut off}\n" + TRACE.read_bytes())
    done = run("inspect", path)
    assert done.returncode == 0
    assert b"Line 1 of the trace" in done.stdout
    assert b"Line 1 of the trace" in run("replay", path).stderr


def test_bad_options_are_explained() -> None:
    done = run("replay", TRACE, "--root", "nonsense")
    assert done.returncode == 2
    assert b"FROM=TO" in done.stderr


def test_a_reader_that_stops_early_breaks_nothing() -> None:
    inspect = subprocess.Popen(
        [sys.executable, "-m", "acp_sidecar", "inspect", str(TRACE)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with inspect:
        assert inspect.stdout
        assert inspect.stderr
        inspect.stdout.close()
        assert inspect.stderr.read() == b""
    assert inspect.returncode == 0


def test_texts_are_whole_on_demand() -> None:
    short, whole = (run("inspect", TRACE, *how).stdout for how in ([], ["--whole"]))
    assert b"(x" in short
    assert b"(x" not in whole
    assert whole.count(b"agent_message_chunk ") > short.count(b"agent_message_chunk ")
