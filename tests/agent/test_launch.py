"""Whatever keeps an agent from starting is said in one sentence, with what to do about it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_sidecar.agent.connection import AgentConnection
from acp_sidecar.agent.ending import describe_exit, exit_advice
from acp_sidecar.agent.launch import Launch, resolve
from acp_sidecar.errors import AgentExited

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and #! lines")


def never(event: object) -> None:
    pytest.fail(f"an agent that never started has nothing to tell: {event}")


async def failure(launch: Launch) -> AgentExited:
    connection = AgentConnection(launch, on_message=never, on_exit=never)
    with pytest.raises(AgentExited) as caught:
        await connection.start()
    assert not connection.running
    await connection.stop()
    return caught.value


def script(path: Path, text: str, mode: int = 0o755) -> str:
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return str(path)


async def test_not_on_path(tmp_path: Path) -> None:
    error = await failure(Launch("claude", ("no-such-agent-here", "--acp"), tmp_path))
    assert str(error) == (
        "claude could not be started: no-such-agent-here is not on PATH. "
        "Install it, or set agents.claude.command."
    )


async def test_the_agents_own_path_is_searched(tmp_path: Path) -> None:
    script(tmp_path / "my-agent", "#!/bin/sh\n")
    launch = Launch("a", ("my-agent",), tmp_path, {"PATH": str(tmp_path)})
    assert resolve(launch) == [str(tmp_path / "my-agent")]


@posix
async def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    error = await failure(Launch("a", ("./agent",), tmp_path))
    assert f"{tmp_path}/agent does not exist" in str(error)


@posix
async def test_a_path_that_is_a_directory(tmp_path: Path) -> None:
    error = await failure(Launch("a", (str(tmp_path),), tmp_path))
    assert "is a directory" in str(error)


@posix
async def test_not_executable(tmp_path: Path) -> None:
    program = script(tmp_path / "agent", "#!/bin/sh\n", 0o644)
    error = await failure(Launch("a", (program,), tmp_path))
    assert f"{program} is not executable" in str(error)
    assert f"chmod +x {program}" in error.advice


async def test_no_working_directory(tmp_path: Path) -> None:
    error = await failure(Launch("a", (sys.executable,), tmp_path / "gone"))
    assert f"its working directory {tmp_path / 'gone'} does not exist" in str(error)


@posix
async def test_no_interpreter(tmp_path: Path) -> None:
    program = script(tmp_path / "agent", "#!/no/such/interpreter\n")
    error = await failure(Launch("a", (program,), tmp_path))
    assert "#! line" in str(error)
    assert "Install the interpreter" in error.advice


@posix
async def test_no_program_at_all(tmp_path: Path) -> None:
    program = script(tmp_path / "agent", "just text\n")
    error = await failure(Launch("a", (program,), tmp_path))
    assert "not a program of this machine" in str(error)


@pytest.mark.parametrize("command", [(), ("",)])
async def test_no_command(tmp_path: Path, command: tuple[str, ...]) -> None:
    error = await failure(Launch("a", command, tmp_path))
    assert "no command is configured" in str(error)
    assert "Set agents.a.command" in error.advice


def test_the_environment_is_ours_with_the_differences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEPT", "1")
    monkeypatch.setenv("REMOVED", "1")
    monkeypatch.setenv("REPLACED", "1")
    environment = Launch("a", (), tmp_path, {"REMOVED": None, "REPLACED": "2"}).environment()
    assert environment["KEPT"] == "1"
    assert environment["REPLACED"] == "2"
    assert "REMOVED" not in environment


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (0, "ended with exit status 0"),
        (3, "ended with exit status 3"),
        (-9, "was killed by SIGKILL"),
        (-11, "was killed by SIGSEGV"),
        (-250, "was killed by signal 250"),
    ],
)
def test_exit_statuses_in_words(status: int, text: str) -> None:
    assert describe_exit(status) == text


def test_the_advice_fits_the_end(tmp_path: Path) -> None:
    launch = Launch("a", ("agent", "--acp"), tmp_path)
    assert "not on PATH" in exit_advice(launch, 127, spoke=False)
    assert "may not be executed" in exit_advice(launch, 126, spoke=False)
    assert "memory" in exit_advice(launch, -9, spoke=True)
    assert "`agent --acp`" in exit_advice(launch, 1, spoke=False)
    assert "agents.a.command" in exit_advice(launch, 1, spoke=False)
    assert "Restart" in exit_advice(launch, 1, spoke=True)
