"""Starting, completing, checking, crashing."""

from __future__ import annotations

import os
import signal

from tests.editors.neovim.conftest import Start
from tests.editors.neovim.editor import Neovim, wait_equal, wait_until

CLIENT = "require('acp_sidecar.client')"


def test_the_first_command_starts_the_server_and_attaches_files(nvim: Neovim) -> None:
    nvim.edit("tally/words.py")
    nvim.command("Acp start")
    nvim.wait(f"{CLIENT}.get().initialized")
    assert nvim.lua(f"return {CLIENT}.get().server_capabilities.experimental.acp.version") == 1
    nvim.edit("tally/report.py")
    wait_equal(lambda: nvim.lua(f"return vim.tbl_count({CLIENT}.get().attached_buffers)"), 2)
    assert nvim.told() == []


def test_subcommands_and_their_words_are_completed(nvim: Neovim) -> None:
    complete = nvim.rpc.call
    names = complete("getcompletion", "Acp ", "cmdline")
    for name in ("start", "prompt", "cancel", "follow", "trail", "review", "accept", "reject",
                 "undo", "permissions", "sessions", "options", "agents", "transcript",
                 "terminal", "restart", "trace", "log", "install"):  # fmt: skip
        assert name in names
        assert nvim.rpc.call("maparg", f"<Plug>(acp-{name})", "n")
    assert complete("getcompletion", "Acp trail ", "cmdline") == ["back", "forward"]
    assert complete("getcompletion", "Acp tra", "cmdline") == ["trail", "transcript", "trace"]
    assert complete("getcompletion", "Acp trail back ", "cmdline") == []
    assert complete("getcompletion", "Acp! permissions 1 s", "cmdline") == ["session"]
    assert complete("getcompletion", "Acp nothing ", "cmdline") == []


def test_wrong_settings_keep_their_default_and_are_told(start: Start) -> None:
    nvim = start(permission={"ui": "loud"}, colour="red")
    assert nvim.told() == [
        "acp-sidecar: setting permission.ui must be float|select; the default is used",
        "acp-sidecar: there is no setting colour",
    ]
    assert nvim.lua("return require('acp_sidecar.config').values.permission.ui") == "float"


def test_a_crash_is_told_and_the_server_started_once_again(nvim: Neovim) -> None:
    nvim.command("Acp start")
    for round_number in (1, 2):
        nvim.wait(f"{CLIENT}.get() and {CLIENT}.get().initialized")
        first = nvim.lua(f"return {CLIENT}.get().id")
        os.kill(child(nvim), signal.SIGKILL)
        wait_equal(lambda: len(ends(nvim)), round_number)
        if round_number == 1:
            nvim.wait(f"{CLIENT}.get() and {CLIENT}.get().id ~= {first}")
    assert "it is started once again" in ends(nvim)[0]
    assert ":Acp restart" in ends(nvim)[1]
    assert nvim.lua(f"return {CLIENT}.get() == nil")
    nvim.command("Acp restart")
    nvim.wait(f"{CLIENT}.get() and {CLIENT}.get().initialized")


def ends(nvim: Neovim) -> list[str]:
    """What we told of ends of the server; Neovim tells of them, too."""
    return [text for text in nvim.told() if text.startswith("acp-sidecar: the server ended")]


def child(nvim: Neovim) -> int:
    """The process of the server."""
    children = "return vim.api.nvim_get_proc_children(vim.fn.getpid())"
    own: list[int] = wait_until(lambda: nvim.lua(children), lambda found: len(found) == 1)
    return own[0]


def test_restart_gives_a_working_server(nvim: Neovim) -> None:
    nvim.run_turn("/read tally/words.py:6-23")
    first = nvim.lua(f"return {CLIENT}.get().id")
    nvim.command("Acp restart")
    nvim.wait(f"{CLIENT}.get() and {CLIENT}.get().id ~= {first} and {CLIENT}.get().initialized")
    nvim.run_turn("/read tally/words.py:6-23")
    assert nvim.told() == []
