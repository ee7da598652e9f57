"""What the plugin outlives: restarts by others, swap files, crashes with open questions, `:cd`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_equal, wait_for
from tests.editors.neovim.test_follow import wait_file
from tests.editors.neovim.test_permission import OPEN, floats
from tests.editors.neovim.test_review import applied
from tests.editors.neovim.test_start import CLIENT, child, ends


def writer() -> dict[str, object]:
    """Settings with the agent of programs/writer.py."""
    agent = {"command": [sys.executable, str(Path(__file__).parent / "programs" / "writer.py")]}
    return {"agents": {"writer": agent}, "defaultAgent": "writer"}


def test_neovims_own_restart_gives_a_working_server(nvim: Neovim) -> None:
    """As `:LspRestart` does it: stop the client, and start one from its configuration."""
    nvim.edit("tally/words.py")
    nvim.run_turn("/read tally/words.py:6-23")
    nvim.lua(
        f"""_G.old = {CLIENT}.get()
            vim.lsp.stop_client(_G.old.id)"""
    )
    nvim.wait("_G.old:is_stopped()")
    nvim.lua("_G.new = vim.lsp.start(_G.old.config)")
    nvim.wait(f"{CLIENT}.get().id == _G.new and {CLIENT}.get().initialized")
    nvim.wait(f"{CLIENT}.get().attached_buffers[vim.api.nvim_get_current_buf()]")
    nvim.run_turn("/read tally/report.py:1-5")
    wait_file(nvim, "tally/report.py")
    assert nvim.told() == []


def test_a_server_that_was_stopped_by_neovims_means_starts_with_the_next_prompt(
    nvim: Neovim,
) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/read tally/words.py:6-23")
    nvim.lua(f"vim.lsp.stop_client({CLIENT}.get().id)")
    nvim.wait(f"{CLIENT}.get() == nil")
    nvim.run_turn("/read tally/report.py:1-5")
    wait_file(nvim, "tally/report.py")
    assert nvim.told() == []


def test_a_crash_closes_what_was_asked(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.prompt("/edit tally/words.py")
    nvim.wait_permission()
    os.kill(child(nvim), signal.SIGKILL)
    nvim.wait(f"{OPEN} == 0")
    wait_equal(lambda: len(ends(nvim)), 1)
    assert floats(nvim) == []
    nvim.wait(f"{CLIENT}.get() and {CLIENT}.get().initialized")
    nvim.prompts = nvim.lua("return _G.turns")
    nvim.run_turn("/read tally/words.py:6-23")
    wait_file(nvim, "tally/words.py")


def beside_a_swap_file(start: Start) -> Neovim:
    """An editor in whose project another one has tally/words.py open, with a swap file."""
    other = start()
    other.edit("tally/words.py")
    other.command("preserve")
    wait_for(lambda: other.lua("return vim.uv.fs_stat(vim.fn.swapname('%'))"), "the swap file")
    nvim = start()
    nvim.edit("README.md")
    return nvim


def test_a_file_that_another_neovim_has_open_is_shown_and_nobody_is_asked(start: Start) -> None:
    nvim = beside_a_swap_file(start)
    nvim.run_turn("/read tally/words.py:6-23")
    wait_file(nvim, "tally/words.py")
    assert nvim.lua("return vim.bo.readonly")
    assert nvim.rpc.api.get_mode()["blocking"] is False
    before = applied(nvim)
    nvim.command("Acp reject all")
    wait_equal(nvim.text, before)
    path = nvim.project / "tally/words.py"
    wait_equal(lambda: path.read_text("utf-8"), before + "\n")
    assert not [text for text in nvim.told() if "acp-sidecar" in text]


def test_an_edit_of_a_file_with_a_swap_file_asks_nobody(start: Start) -> None:
    nvim = beside_a_swap_file(start)
    nvim.command("Acp follow off")
    nvim.wait("require('acp_sidecar.follow').state.mode == 'off'")
    path = nvim.project / "tally/words.py"
    before = path.read_text("utf-8")
    nvim.run_turn("/edit tally/words.py")
    wait_for(lambda: path.read_text("utf-8") != before, "the agent has written")
    nvim.command("Acp reject all")
    wait_equal(lambda: path.read_text("utf-8"), before)
    assert nvim.rpc.api.get_mode()["blocking"] is False
    assert nvim.told() == []


def test_another_working_directory_changes_nothing(nvim: Neovim) -> None:
    nvim.edit("README.md")
    nvim.run_turn("/read tally/words.py:6-23")
    nvim.command("cd docs")
    nvim.run_turn("/read tally/report.py:1-5")
    wait_file(nvim, "tally/report.py")
    nvim.command("Acp follow off")
    nvim.command("Acp transcript")
    nvim.command("wincmd b | normal zR")
    wait_for(lambda: nvim.rpc.call("search", r"words\.py:6\|words\.py#L6", "w"), "the place")
    nvim.rpc.command("normal gf")
    assert nvim.rpc.current.buffer.name == str(nvim.project / "tally/words.py")
    assert nvim.told() == []


@pytest.mark.parametrize("shown", ["tally/words.py", "README.md"])
def test_what_an_agent_writes_by_its_client_is_saved_and_can_be_written_again(
    start: Start, shown: str
) -> None:
    """The server edits the buffer; it must equal the disk, or `:write` would ask (W12)."""
    nvim = start(sidecar=writer())
    path = nvim.project / "tally/words.py"
    nvim.edit("tally/words.py")
    before = path.read_text("utf-8")
    nvim.edit(shown)
    nvim.run_turn("tally/words.py # by the agent")
    nvim.edit("tally/words.py")
    wait_equal(lambda: path.read_text("utf-8"), before + "# by the agent\n")
    wait_equal(nvim.text, before + "# by the agent")
    assert not nvim.rpc.current.buffer.options["modified"]
    nvim.lua("vim.v.warningmsg = ''")
    nvim.lua("vim.api.nvim_buf_set_lines(0, -1, -1, false, { '# by the user' })")
    nvim.command("write")
    assert nvim.lua("return vim.v.warningmsg") == ""
    assert path.read_text("utf-8") == before + "# by the agent\n# by the user\n"


def test_what_an_agent_writes_into_unsaved_edits_is_merged_and_left_to_the_user(
    start: Start,
) -> None:
    nvim = start(sidecar=writer())
    path = nvim.project / "tally/words.py"
    before = path.read_text("utf-8")
    nvim.edit("tally/words.py")
    nvim.rpc.current.buffer[0] = "# by the user"
    nvim.run_turn("tally/words.py # by the agent")
    wait_equal(lambda: nvim.rpc.current.buffer[-1], "# by the agent")
    assert nvim.rpc.current.buffer[0] == "# by the user"
    assert nvim.rpc.current.buffer.options["modified"]
    assert path.read_text("utf-8") == before
    nvim.command("write")
    assert "# by the agent" in path.read_text("utf-8")
