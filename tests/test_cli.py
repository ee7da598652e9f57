"""The command line: what is printed where, and what the exit status says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from acp_sidecar import __version__
from acp_sidecar.cli import COMMANDS, main
from tests.environment import clean_environment

SECONDS = 90


def run(*arguments: str, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run the executable as a person does."""
    return subprocess.run(
        [sys.executable, "-m", "acp_sidecar", *arguments],
        input=stdin,
        capture_output=True,
        env=clean_environment(
            **{"PATH": "", **env}
        ),  # no agent that happens to be installed is found
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_names_every_command(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([option]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    for command in COMMANDS:
        assert f"\n  {command} " in said.out


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([option]) == 0
    assert capsys.readouterr().out == f"acp-sidecar {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [["nope"], ["--nope"], ["serve", "--port", "1"], ["serve", "x"], ["--stdio", "x"]]
)
def test_a_wrong_command_line_is_2_and_says_how(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("usage: acp-sidecar")


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"serve"}))
def test_each_command_has_its_own_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"acp-sidecar {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"serve"}))
def test_an_option_that_no_command_has_is_2(command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--no-such-option"])
    assert ended.value.code == 2


@pytest.mark.parametrize("arguments", [[], ["serve"], ["--stdio"], ["serve", "--stdio"]])
def test_the_server_ends_with_its_input(arguments: list[str]) -> None:
    ended = run(*arguments)
    assert (ended.returncode, ended.stdout) == (1, b"")


def test_the_server_ends_as_lsp_asks() -> None:
    messages: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    ended = run(stdin=b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(b), b) for b in bodies))
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.count(b"Content-Length") >= 2


def test_the_command_line_imports_nothing_heavy() -> None:
    script = (
        "import sys; from acp_sidecar.cli import main; main(['--version']);"
        "print(sorted({'pygls', 'lsprotocol', 'pydantic', 'asyncio'} & sys.modules.keys()))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert ended.stdout.splitlines()[-1] == b"[]"


# --- doctor ---------------------------------------------------------------------------------------


def settings(tmp_path: Path, **agents: object) -> str:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"agents": agents}), encoding="utf-8")
    return str(path)


def test_the_doctor_finds_the_demo_agent_well() -> None:
    ended = run("doctor")
    said = ended.stdout.decode()
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert "ok   demo" in said
    assert "Speaks ACP version 2." in said
    assert "prompts go to demo" in said


def test_the_doctor_says_what_is_wrong_and_what_to_try(tmp_path: Path) -> None:
    dies = [sys.executable, "-c", "import sys; sys.exit('no licence found')"]
    path = settings(
        tmp_path, dies={"command": dies}, missing={"command": [str(tmp_path / "no-such-program")]}
    )
    for name, word in (("dies", "no licence found"), ("missing", "no-such-program")):
        ended = run("doctor", name, "--settings", path)
        said = ended.stdout.decode()
        assert ended.returncode == 1
        assert f"FAIL {name}" in said
        assert word in said
        assert "     try        " in said


def test_the_doctor_of_an_unknown_agent(tmp_path: Path) -> None:
    ended = run("doctor", "nobody")
    assert ended.returncode == 2
    assert b"There is no agent nobody. Known agents: auggie, claude," in ended.stderr


def test_the_doctor_tells_what_to_install() -> None:
    said = run("doctor").stdout.decode()
    told = "goose        See https://block.github.io/goose/docs/getting-started/installation"
    assert "not installed:" in said
    assert told in said


def test_the_doctor_fetches_nothing_by_itself(tmp_path: Path) -> None:
    (tmp_path / "npx").write_text(f"#!/bin/sh\ntouch {tmp_path}/fetched\n", encoding="utf-8")
    (tmp_path / "npx").chmod(0o755)
    where = str(tmp_path)
    ended = run("doctor", "gemini", PATH=where, XDG_STATE_HOME=where, LOCALAPPDATA=where)
    assert ended.returncode == 1
    assert "npx -y @google/gemini-cli --acp" in ended.stdout.decode()
    assert not (tmp_path / "fetched").exists()


def test_the_doctor_waits_no_longer_than_told(tmp_path: Path) -> None:
    hangs = [sys.executable, "-c", "import time; print('thinking', flush=True); time.sleep(600)"]
    ended = run("doctor", "--settings", settings(tmp_path, hangs={"command": hangs}), "--timeout=1")
    said = ended.stdout.decode()
    assert ended.returncode == 1
    assert "FAIL hangs" in said
    assert "was not ready after 1 s" in said


def test_the_doctor_tells_programs_everything(tmp_path: Path) -> None:
    dies = [sys.executable, "-c", "import sys; sys.exit('no licence found')"]
    ended = run("doctor", "--json", "--settings", settings(tmp_path, dies={"command": dies}))
    assert ended.returncode == 1
    told = json.loads(ended.stdout)
    agents = {agent["name"]: agent for agent in told["agents"]}
    assert agents["demo"]["ok"] is True
    assert agents["demo"]["protocolVersion"] == 2
    assert agents["demo"]["seconds"] > 0
    assert [method["methodId"] for method in agents["demo"]["authMethods"]] == ["demo"]
    assert agents["dies"]["ok"] is False
    assert agents["dies"]["lastWords"] == "no licence found"
    assert agents["goose"]["tried"] is False
    assert agents["goose"]["installHint"]
    assert told["defaultAgent"] == "dies"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be read"),
        (None, "cannot be read"),
        ('{"follow": {"rate": 0}}', "follow.rate"),
        ('{"nope": 1}', "nope"),
    ],
)
def test_the_doctor_complains_of_settings(tmp_path: Path, text: str | None, said: str) -> None:
    path = tmp_path / "settings.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    ended = run("doctor", "demo", "--settings", str(path))
    assert ended.returncode == 1
    assert said in ended.stdout.decode()
    assert "ok   demo" in ended.stdout.decode()
