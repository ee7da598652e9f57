"""Signing in: what an agent wants to run in a terminal runs in one that the user can type into."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_equal, wait_in, wait_until
from tests.editors.neovim.test_views import shown

PROGRAM = Path(__file__).parent / "programs" / "pin.py"


@pytest.fixture
def nvim(start: Start, tmp_path: Path) -> Neovim:
    """An editor with an agent that wants a sign-in."""
    command = [sys.executable, str(PROGRAM)]
    agent = {"command": command, "env": {"KEY": str(tmp_path / "key")}}
    editor = start(sidecar={"agents": {"pin": agent}, "defaultAgent": "pin"})
    editor.edit("README.md")
    return editor


def wait_asked(nvim: Neovim) -> int:
    """Wait until the program asks in a terminal that has the focus; the terminal's window."""
    nvim.wait("vim.bo.buftype == 'terminal' and vim.api.nvim_get_mode().mode == 't'")
    wait_in("Your PIN:", nvim.text)
    window: int = nvim.rpc.current.window.handle
    return window


def test_the_program_asks_in_a_terminal_and_the_prompt_is_sent_after_it(nvim: Neovim) -> None:
    nvim.answer("By PIN")
    nvim.prompt("Hello")
    window = wait_asked(nvim)
    assert "wants you to sign in" in nvim.asked()[0]
    nvim.keys("1234<CR>")
    nvim.wait("not vim.api.nvim_win_is_valid(...)", window)
    assert nvim.rpc.current.buffer.name.endswith("README.md")
    nvim.wait_idle()
    nvim.command("Acp transcript")
    wait_in("done", lambda: shown(nvim))


def test_signing_in_by_command_tells_that_it_is_done(nvim: Neovim) -> None:
    nvim.command("Acp login pin")
    wait_asked(nvim)
    nvim.keys("1234<CR>")
    wait_equal(nvim.told, ["acp-sidecar: signed in by pin"])


def test_what_failed_stays_to_be_read(nvim: Neovim) -> None:
    nvim.command("Acp login pin")
    window = wait_asked(nvim)
    nvim.keys("4321<CR>")
    wait_until(nvim.told, lambda told: told and told[0].startswith("acp-sidecar: "))
    wait_in("That is not your PIN.", nvim.text)
    assert nvim.rpc.current.window.handle == window


def test_closing_the_terminal_gives_up(nvim: Neovim) -> None:
    nvim.command("Acp login pin")
    wait_asked(nvim)
    nvim.lua("vim.api.nvim_buf_delete(0, { force = true })")
    wait_until(nvim.told, lambda told: told and told[0].startswith("acp-sidecar: "))
    nvim.command("Acp login pin")  # and it can be tried again
    wait_asked(nvim)
    nvim.keys("1234<CR>")
    wait_in("acp-sidecar: signed in by pin", nvim.told)
