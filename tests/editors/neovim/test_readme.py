"""The README's set-up for Neovim, followed word by word with nothing but the prerequisites."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from acp_sidecar.config.permissions import PermissionSettings
from tests import checkout
from tests.cache import PROJECT
from tests.editors.neovim.editor import PLUGIN, SAMPLE, nvim_program, wait_until
from tests.editors.neovim.newcomer import machine
from tests.editors.neovim.screen import Screen
from tests.environment import program

README = (PLUGIN / "README.md").read_text(encoding="utf-8")
INERT_SECONDS = PermissionSettings().inert
PIP_PATIENCE = 600.0  # it downloads, and builds the server


def section(title: str) -> str:
    """The text under a heading."""
    [found] = re.findall(rf"^## {title}\n(.*?)^## ", README, re.MULTILINE | re.DOTALL)
    return str(found)


def blocks(language: str, text: str) -> list[str]:
    """Fenced code."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def first_steps() -> list[str]:
    """The commands that "First steps" names, in its order."""
    return list(dict.fromkeys(re.findall(r"`:(Acp [^`]*)`", section("First steps"))))


class Person:
    """Somebody in front of a terminal, with a home of their own."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.environment = machine(self.home)
        self.init = self.home / ".config" / "nvim" / "init.lua"
        self.project = folder / "tally"
        shutil.copytree(SAMPLE, self.project)
        self.origin = checkout.repository(folder / "origin")
        self.screen: Screen | None = None

    def shell(self, text: str) -> None:
        """Run what the README has run in a shell."""
        command = ["sh", "-ec", text.replace("URL", self.origin)]
        subprocess.run(command, cwd=self.home, env=self.environment, check=True)

    def configure(self, lua: str) -> None:
        """Write `init.lua`."""
        self.init.parent.mkdir(parents=True, exist_ok=True)
        self.init.write_text(lua, encoding="utf-8")

    def open(self, *names: str) -> Screen:
        """Start Neovim in the project."""
        command = shlex.join([nvim_program(), *names])
        self.screen = Screen(self.environment, self.project, command)
        return self.screen

    def command(self, text: str, *seen: str, patience: float = 100.0) -> None:
        """Give an Ex command, and wait until all this is on the screen."""
        assert self.screen
        self.screen.keys(":", "C-u", text, "Enter")  # a count that was typed before is no range
        self.screen.wait(*seen, patience=patience)


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    program("tmux", "the README is followed in a terminal")
    somebody = Person(tmp_path)
    yield somebody
    if somebody.screen:
        somebody.screen.close()


def answer(person: Person, question: str, answer: str) -> None:
    """Read the question, go to it, and press the key of an answer."""
    assert person.screen
    person.screen.wait("demo asks", question)
    time.sleep(2 * INERT_SECONDS)  # a person reads first; keys that come sooner do not count
    person.screen.keys(":Acp permissions", "Enter", answer)
    person.screen.wait_until(lambda seen: question not in seen, f"{question} is answered")


COMMANDS: dict[str, list[str]] = {
    "Acp install": ["is installed"],
    "checkhealth acp_sidecar": ["OK Neovim", "OK Server", "from :Acp install"],
    "helptags ALL": [],
    "help acp_sidecar": ["The coding agent beside you", "acp-sidecar-commands"],
}


@pytest.mark.timeout(1800)
def test_the_readme_gives_a_session_with_the_demo_agent(person: Person) -> None:
    install = section("Install")
    person.shell("\n".join(blocks("sh", install)))
    person.configure(blocks("lua", install)[0])
    screen = person.open("README.md")
    screen.wait("tally")
    commands = "".join(blocks("vim", install)).replace("\n:", "\n").lstrip(":")
    assert commands.split("\n")[:-1] == list(COMMANDS)
    for command, seen in COMMANDS.items():
        person.command(command, *seen, patience=PIP_PATIENCE)
        if seen and seen[0].startswith("OK"):
            person.command("bdelete", "tally")
    person.command("quit", "Counts the words")
    take_first_steps(person)


def test_the_projects_readme_needs_no_plugin(person: Person) -> None:
    """Plain LSP shows where the agent is, and asks; the program is on PATH."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    [snippet] = blocks("lua", text[text.index("\nNeovim (") : text.index("\n## Set up an agent")])
    person.configure(snippet)
    own = str(Path(sys.executable).parent)
    person.environment["PATH"] = os.pathsep.join([own, person.environment["PATH"]])
    words = person.project / "tally" / "words.py"
    before = words.read_text(encoding="utf-8")
    screen = person.open("README.md")
    screen.wait("tally")

    def has_started(seen: str) -> bool:
        screen.keys(":", "C-u", "lua print('clients: ' .. #vim.lsp.get_clients())", "Enter")
        return "clients: 1" in seen

    screen.wait_until(has_started, "the server")
    person.command("Ask /read tally/words.py:6-23", "def split")
    person.command("Ask /edit tally/words.py", "Edit tally/words.py?", "1: Allow")
    time.sleep(2 * INERT_SECONDS)  # a person reads first; a choice that comes sooner does not count
    screen.keys("1", "Enter")
    wait_until(lambda: words.read_text(encoding="utf-8"), lambda now: now != before, "the edit")


def take_first_steps(person: Person) -> None:
    """Each command that "First steps" names, in a turn of the demo agent."""
    screen = person.screen
    assert screen
    person.command("Acp prompt /tour", "demo asks", "Run python -m tests?")
    answer(person, "Run python -m tests?", "1")
    screen.wait("Edit tally/words.py?", "demo: edit")  # followed: its caret is in the file
    answer(person, "Edit tally/words.py?", "1")
    screen.wait("Edit tally/__main__.py?", "demo: edit", "def parser()")
    answer(person, "Edit tally/__main__.py?", "1")
    screen.wait("Create tests/test_min_length.py?", "demo: edit", "def parser()")
    answer(person, "Create tests/test_min_length.py?", "q")
    for keys, command, seen in STEPS:
        screen.keys(*keys)
        person.command(command, seen)
    look_through(person, "[accepted]", "[rejected]", "[applied]")
    taken = {"Acp prompt /tour", "Acp permissions", "Acp review"}
    assert taken | {command for _, command, _ in STEPS} == set(first_steps())


def look_through(person: Person, *states: str) -> None:
    """List the hunks until they are in these states: the list is of the moment it is asked for."""
    assert person.screen
    seen = ""
    for _ in range(100):
        person.command("Acp review", "[Quickfix List]")
        seen = person.screen.text()
        if all(state in seen for state in states):
            return
        person.command("cclose")
        person.screen.wait_until(lambda now: "[Quickfix List]" not in now, "the list is closed")
    raise AssertionError(f"not in these states: {states}\n{seen}")


STEPS = [
    ([], "Acp follow on", "def parser()"),
    (["]a"], "Acp accept", "def parser()"),
    (["]a"], "Acp reject", "Workspace edit"),
    ([], "Acp permissions rules", "no rule is remembered"),
    ([], "Acp transcript", "acp-transcript://"),
]
