"""What a person sees: Neovim in a terminal, captured by tmux.

With ACP_CAPTURE=FILE.svg the screen is also drawn for the documentation.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text

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
        "vim.g.terminal_color_1 = '#aa1122'\n"
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
    with contextlib.ExitStack() as places:
        # The documentation shows the path, which is to be a short one.
        short = "ACP_CAPTURE" in os.environ and tempfile.TemporaryDirectory(prefix="demo-")
        shown = open_editor(Path(places.enter_context(short)) if short else tmp_path)
        places.callback(shown.close)
        yield shown


def draw(ansi: str, target: Path) -> None:
    """The captured screen as a picture."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(ansi))
    console.save_svg(str(target), title="acp-sidecar in Neovim")


def test_a_person_sees_the_agent_its_proposal_and_its_question(screen: Screen) -> None:
    screen.wait("def count")
    screen.keys(":Acp prompt /edit", "Enter")
    screen.wait("demo asks")
    screen.keys(":Acp transcript", "Enter")
    screen.wait("1  Allow", "demo: edit", "· following", "acp-transcript://")
    if target := os.environ.get("ACP_CAPTURE"):
        draw(screen.text(colours=True), Path(target))
    screen.keys(":Acp permissions 1", "Enter")
    screen.wait_until(lambda seen: "demo asks" not in seen, "the question is answered")
    screen.wait("+  ")


NOTE = "# A note from the acp-sidecar demo agent"


def test_proposal_and_presence_are_in_each_window_also_without_following(
    screen: Screen, tmp_path: Path
) -> None:
    screen.wait("def count")
    screen.keys(":split", "Enter")
    screen.keys(":Acp follow off", "Enter")
    screen.keys(":Acp prompt /edit tally/words.py", "Enter")

    def in_both(seen: str) -> bool:
        return seen.count(NOTE) == 2 and seen.count("demo: edit") == 2

    seen = screen.wait_until(lambda text: "demo asks" in text and in_both(text), "both windows")
    assert "not following" in seen
    # It is shown, not written: above the first line, which has the number 1.
    above, first = seen.split("\n")[:2]
    assert NOTE in above
    assert '1 """Split text' in first
    assert NOTE not in (tmp_path / "tally" / "tally" / "words.py").read_text("utf-8")
    screen.keys(":Acp permissions 3", "Enter")
    screen.wait_until(lambda text: NOTE not in text and "demo asks" not in text, "all is gone")


PAINT = r"""
for number in range(300):
    print(f"line {number};")
print("\033[31mred\033[0m \033[1;38;2;12;34;56mdeep\033[0m \033[48;5;21mback\033[0m plain")
"""


def test_a_terminal_that_is_opened_late_has_its_colours_and_all_its_lines(
    screen: Screen, tmp_path: Path
) -> None:
    (tmp_path / "tally" / "paint.py").write_text(PAINT, encoding="utf-8")
    screen.wait("def count")
    screen.keys(f":Acp prompt /run {shlex.quote(sys.executable)} paint.py", "Enter")
    screen.wait("demo asks")
    screen.keys(":Acp permissions 1", "Enter")
    screen.wait("· idle ·")
    screen.keys(":Acp terminal", "Enter")
    screen.wait("red deep back plain", "[ended with status 0]")
    red, deep, back, plain = styles(screen, "red deep back plain")
    assert colour(red.color) == "#aa1122"  # the user's own palette
    assert (colour(deep.color), deep.bold) == ("#0c2238", True)
    assert colour(back.bgcolor) == "#0000ff"
    assert colour(plain.color) not in ("#aa1122", "#0c2238")
    assert plain.bold is None
    assert colour(plain.bgcolor) != "#0000ff"
    screen.keys("C-w", "b", "g", "g")
    screen.wait("line 0;", "line 1;")


def styles(screen: Screen, text: str) -> list[Style]:
    """How the words of a text look on the screen."""
    seen = Text.from_ansi(screen.text(colours=True))
    start = seen.plain.index(text)
    starts = [start + text.index(word) for word in text.split()]
    return [seen.get_style_at_offset(Console(), place) for place in starts]


def colour(found: Color | None) -> str | None:
    return found and found.get_truecolor().hex
