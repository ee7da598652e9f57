"""`:Acp install`: asked for, told step by step, interrupted, refused, failing, done twice."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cache import PROJECT
from tests.editors.neovim.editor import wait_for, wait_until
from tests.editors.neovim.newcomer import Newcomer
from tests.editors.neovim.test_follow import wait_file

Arrive = Callable[..., Newcomer]
PIP_PATIENCE = 600.0  # it downloads, and builds the server
STEPS = ("(1/3)", "(2/3)", "(3/3)")


@pytest.fixture
def arrive(tmp_path: Path) -> Iterator[Arrive]:
    """Starts editors, one after the other, with one home."""
    with contextlib.ExitStack() as editors:

        def make(**settings: str) -> Newcomer:
            editor = Newcomer(tmp_path, **settings)
            editors.callback(editor.close)
            return editor

        yield make


def wait_told(nvim: Newcomer, part: str) -> str:
    """Wait until the user is told something, and give all of it."""
    found = wait_until(
        lambda: nvim.told_of(part), bool, lambda: f"{part}; told: {nvim.told()}", PIP_PATIENCE
    )
    return str(found[0])


def processes_in(folder: Path) -> list[str]:
    """The command lines of processes that work with a folder."""
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.split("\n") if str(folder) in line]


def interrupt(nvim: Newcomer) -> None:
    """Quit while the environment is being made."""
    nvim.answer("Install")
    nvim.prompt("/read tally/words.py:6-23")
    assert "did not finish" not in nvim.asked()[0]
    wait_for((nvim.data / "venv" / "pyvenv.cfg").exists, "the environment is begun")
    stamp = nvim.path("stamp")
    nvim.close()
    wait_until(lambda: processes_in(nvim.data), lambda found: not found, "all of it is ended")
    assert not stamp.exists()
    assert not (nvim.data / "venv.lock").exists()


@pytest.mark.timeout(1800)
def test_a_missing_server_is_installed_when_the_user_agrees(arrive: Arrive) -> None:
    interrupt(arrive())
    nvim = arrive()
    nvim.answer("Install")
    nvim.prompt("/read tally/words.py:6-23")
    assert "(an installation did not finish)" in nvim.asked()[0]
    assert f"from {PROJECT} into {nvim.data / 'venv'}" in nvim.asked()[0]
    wait_told(nvim, STEPS[0])
    nvim.command("Acp install")
    wait_told(nvim, "is being installed")
    wait_told(nvim, "acp-sidecar: acp-sidecar 0.")
    nvim.wait_idle()
    wait_file(nvim, "tally/words.py")
    assert [step for step in STEPS if nvim.told_of(step)] == list(STEPS)
    assert nvim.lua("return require('acp_sidecar.server').command()")[0].startswith(str(nvim.data))
    assert not (nvim.data / "venv.lock").exists()
    update(nvim)
    fail_to_update(nvim)


def update(nvim: Newcomer) -> None:
    """Install over what is there, while it runs."""
    nvim.command("Acp install")
    wait_told(nvim, "is installed; :Acp restart starts it")
    restart(nvim)


def fail_to_update(nvim: Newcomer) -> None:
    """What worked before works still."""
    nvim.lua("require('acp_sidecar.config').values.server.package = '/nowhere/acp-sidecar'")
    nvim.command("Acp install")
    wait_told(nvim, "the one installed before is kept")
    restart(nvim)


def restart(nvim: Newcomer) -> None:
    nvim.command("Acp restart")
    nvim.wait("require('acp_sidecar.client').get() == nil")
    nvim.run_turn("/read tally/report.py:1-5")
    wait_file(nvim, "tally/report.py")


def test_nothing_is_made_without_a_yes(arrive: Arrive) -> None:
    nvim = arrive()
    nvim.answer("Not now")
    nvim.command("Acp start")
    assert nvim.told() == [
        "acp-sidecar: nothing was installed; :Acp install does it, or set server.cmd"
    ]
    nvim.command("Acp prompt /tour")  # dismissed
    assert len(nvim.told()) == len(nvim.asked()) == 2
    assert not nvim.data.exists()


def test_a_failure_says_why_and_where_all_of_it_is(arrive: Arrive) -> None:
    nvim = arrive(package="/nowhere/acp-sidecar")
    nvim.command("Acp install")
    text = wait_told(nvim, "could not be installed")
    assert "/nowhere/acp-sidecar" in text
    assert ":Acp install tries again" in text
    log = Path(text.partition("all of it: ")[2].rstrip(")"))
    assert "-m pip install" in log.read_text("utf-8")
    nvim.command("Acp start")
    assert "(an installation did not finish)" in nvim.asked()[0]


def test_without_python_it_is_told_what_is_needed(arrive: Arrive, tmp_path: Path) -> None:
    nvim = arrive(PATH=str(tmp_path))
    nvim.answer("Install")
    nvim.command("Acp start")
    assert wait_told(nvim, "is needed").startswith("acp-sidecar: Python 3.11 or newer is needed")
    assert not nvim.data.exists()


def test_a_python_that_cannot_make_environments_is_named(arrive: Arrive, tmp_path: Path) -> None:
    """As Debian has it, before python3-venv is installed."""
    programs, modules = tmp_path / "bin", tmp_path / "modules"
    programs.mkdir()
    modules.mkdir()
    (programs / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    (modules / "ensurepip.py").write_text("raise ImportError\n", encoding="utf-8")
    nvim = arrive(PATH=str(programs), PYTHONPATH=str(modules))
    nvim.command("Acp install")
    assert "apt install python3-venv" in wait_told(nvim, "python3 lacks its modules")
    assert not nvim.data.exists()


def test_two_editors_do_not_install_at_once(arrive: Arrive) -> None:
    nvim = arrive()
    nvim.data.mkdir(parents=True)
    lock = nvim.data / "venv.lock"
    lock.write_text(str(os.getpid()), encoding="ascii")
    nvim.command("Acp install")
    text = wait_told(nvim, "not installed: ")
    assert f"process {os.getpid()} is installing it" in text
    assert str(lock) in text
    assert not nvim.path("venv").exists()
