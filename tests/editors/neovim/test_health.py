"""`:checkhealth acp_sidecar` in each state: what is there, what is missing, what to do about it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_until
from tests.editors.neovim.newcomer import Newcomer
from tests.editors.neovim.test_start import CLIENT


def health(nvim: Neovim) -> str:
    """The report."""
    nvim.command("checkhealth acp_sidecar")
    text = nvim.text()
    assert "acp_sidecar" in text
    assert "Failed to run" not in text
    nvim.command("bwipeout!")
    return text


def started(nvim: Neovim) -> Neovim:
    nvim.command("Acp start")
    nvim.wait(f"{CLIENT}.get().initialized")
    return nvim


def test_all_well(nvim: Neovim) -> None:
    nvim.run_turn("/read README.md:1-2")
    report = health(nvim)
    assert "OK Neovim 0." in report
    assert "OK Server: acp-sidecar 0." in report
    assert "from setting server.cmd" in report
    assert "OK Editor protocol: version 1" in report
    assert "OK Agent demo: " in report
    assert "ACP version 2" in report
    assert "ERROR" not in report
    assert "WARNING" not in report


def test_a_server_that_does_not_run_is_no_fault(nvim: Neovim) -> None:
    report = health(nvim)
    assert "The server does not run. Agents are told of after :Acp start." in report
    assert "ERROR" not in report


def test_a_server_of_another_protocol_is_told_with_what_to_update(nvim: Neovim) -> None:
    nvim.lua("require('acp_sidecar.contract').version = 99")
    started(nvim)
    report = health(nvim)
    assert "ERROR The server speaks version 1 of the editor protocol, this plugin 99" in report
    assert "Update the server: :Acp install" in report
    nvim.lua("require('acp_sidecar.contract').version = 0")
    assert "Update this plugin: git pull in its clone" in health(nvim)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["/nowhere/acp-sidecar"], "/nowhere/acp-sidecar"),
        ([sys.executable, "-c", "raise SystemExit('it is broken')"], "status 1 it is broken"),
    ],
)
def test_a_server_that_does_not_work(start: Start, command: list[str], why: str) -> None:
    report = health(start(server={"cmd": command}))
    assert "ERROR The server from setting server.cmd does not work" in report
    assert why in report
    assert "Mend the setting server.cmd" in report


def test_an_agent_that_is_missing(start: Start) -> None:
    missing = {"command": ["/nowhere/agent"]}
    nvim = started(start(sidecar={"agents": {"mine": missing}, "defaultAgent": "mine"}))
    assert "there is no program /nowhere/agent" in health(nvim)
    nvim.command("Acp prompt hello")
    report = wait_until(lambda: health(nvim), lambda seen: "ERROR Agent mine: " in seen)
    assert ":Acp agents starts it again." in report


@pytest.fixture
def newcomer(tmp_path: Path) -> Iterator[Newcomer]:
    editor = Newcomer(tmp_path)
    yield editor
    editor.close()


def test_no_server(newcomer: Newcomer) -> None:
    report = health(newcomer)
    assert "ERROR No server is installed" in report
    assert "Run :Acp install" in report
    assert "can install it" in report


def test_an_installation_that_did_not_finish(newcomer: Newcomer) -> None:
    newcomer.path("venv").mkdir(parents=True)
    report = health(newcomer)
    assert "did not finish" in report
    assert ":Acp install makes it anew." in report


def test_no_server_and_no_python(newcomer: Newcomer) -> None:
    newcomer.lua("vim.env.PATH = ''")
    report = health(newcomer)
    assert "ERROR No Python that can install it" in report
    assert "Python 3.11 or newer is needed" in report
