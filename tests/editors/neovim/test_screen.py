"""What a person sees: Neovim in a terminal, captured by tmux.

With ACP_CAPTURE=FILE.svg the screen is also drawn for the documentation.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.neovim.editor import (
    PLUGIN,
    SAMPLE,
    nvim_program,
    plugin_settings,
    private_environment,
)
from tests.editors.neovim.screen import COLUMNS, Screen
from tests.environment import program


def open_editor(folder: Path) -> Screen:
    """An editor in the demo's project, set up as a person might have it."""
    project = folder / "tally"
    shutil.copytree(SAMPLE, project)
    settings = json.dumps(json.dumps(plugin_settings()))
    init = folder / "init.lua"
    init.write_text(
        f"vim.opt.runtimepath:prepend({json.dumps(str(PLUGIN))})\n"
        "vim.o.termguicolors = true\nvim.o.number = true\nvim.o.signcolumn = 'yes'\n"
        "vim.o.statusline = \" %f %m%=%{v:lua.require'acp_sidecar'.statusline()} \"\n"
        f"require('acp_sidecar').setup(vim.json.decode({settings}))\n",
        encoding="utf-8",
    )
    editor = [nvim_program(), "--clean", "-n", "-u", str(init), "tally/words.py"]
    return Screen(private_environment(folder), project, shlex.join(editor))


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    program("tmux", "the plugin is looked at in a terminal of its own")
    shown = open_editor(tmp_path)
    yield shown
    shown.close()


def draw(ansi: str, target: Path) -> None:
    """The captured screen as a picture."""
    from io import StringIO  # noqa: PLC0415 - only for the documentation

    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(ansi))
    console.save_svg(str(target), title="acp-sidecar in Neovim")


def test_a_person_sees_the_agent_its_proposal_and_its_question(screen: Screen) -> None:
    screen.wait("def count")
    screen.keys(":Acp prompt /edit", "Enter")
    screen.wait("demo asks")
    screen.keys(":Acp transcript", "Enter")
    screen.wait("1  Allow", "demo: edit", "· following")
    if target := os.environ.get("ACP_CAPTURE"):
        draw(screen.text(colours=True), Path(target))
    screen.keys(":Acp permissions 1", "Enter")
    screen.wait_until(lambda seen: "demo asks" not in seen, "the question is answered")
    screen.wait("+  ")
