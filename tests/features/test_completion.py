"""What is offered while a prompt is written, and what is read from it afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from acp_sidecar.features.completion import (
    MOST_CHOICES,
    RANKED,
    Choice,
    Wanted,
    commands,
    files,
    wanted,
)
from acp_sidecar.features.mentions import MOST, mention, mentions
from acp_sidecar.session.options import AvailableCommand
from acp_sidecar.session.updates import AvailableCommandsUpdate

Json = Any


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/", Wanted("command", "", 0)),
        ("/we", Wanted("command", "we", 0)),
        ("\n  /we", Wanted("command", "we", 3)),
        ("/web look", None),
        ("see /usr", None),
        ("@", Wanted("file", "", 0)),
        ("see @src/a", Wanted("file", "src/a", 4)),
        ("see (@src", Wanted("file", "src", 5)),
        ('see @"a b', Wanted("file", "a b", 4)),
        ('see @"a b" ', None),
        ("one\ntwo @x", Wanted("file", "x", 8)),
        ("me@example.org", None),
        ("/web @x", Wanted("file", "x", 5)),
        ("", None),
        ("plain", None),
    ],
)
def test_what_is_being_written(text: str, expected: Wanted | None) -> None:
    assert wanted(text, len(text)) == expected
    assert wanted(text + " and more @z", len(text)) == expected


def test_a_long_line_is_looked_at_from_where_the_cursor_is() -> None:
    text = "/" + "x" * 100_000 + " @y"
    assert wanted(text, len(text)) == Wanted("file", "y", len(text) - 2)
    assert wanted(text, len(text) - 3) is None


def command(name: str, **more: Json) -> AvailableCommand:
    told = {"type": "command", "name": name, "description": f"Does {name}.", **more}
    (found,) = AvailableCommandsUpdate.model_validate(
        {"availableCommands": [told]}
    ).available_commands
    return found


def test_commands_that_begin_so_come_first() -> None:
    choices = commands([command("rebuild"), command("Build"), command("test")], "build")
    assert [choice.label for choice in choices] == ["/Build", "/rebuild"]


def test_a_command_with_input_is_written_with_a_blank_and_told_with_its_hint() -> None:
    available = [
        command("plan"),
        command("web", input={"type": "text", "hint": "what to look for"}),
        command("odd", input={"type": "_wheel", "spokes": 3}),
        command("later", type="_macro"),
    ]
    plan, web, odd, later = commands(available, "")
    assert plan == Choice("/plan", "/plan", "command", "", "Does plan.")
    assert web == Choice("/web ", "/web", "command", "what to look for", "Does web.")
    assert odd == Choice("/odd ", "/odd", "command", "", "Does odd.")
    assert later == Choice("/later ", "/later", "command", "", "Does later.")


def test_an_agents_words_are_made_visible() -> None:
    (choice,) = commands([command("a", description="x\u202ey\x1b[0m")], "")
    assert "\u202e" not in choice.about
    assert "\x1b" not in choice.about


NAMES = ["src/", "src/deep/", "README.md", "src/app.py", "src/deep/readme.txt", "tests/test_app.py"]


def labels(query: str, *first: str) -> list[str]:
    return [choice.label for choice in files(NAMES, query, first)[0]]


def test_the_names_that_begin_so_come_first_in_any_case() -> None:
    assert labels("READ") == ["README.md", "src/deep/readme.txt"]
    assert labels("app") == ["src/app.py", "tests/test_app.py"]
    assert labels("src/d") == ["src/deep/", "src/deep/readme.txt"]
    assert labels("src\\d") == ["src/deep/", "src/deep/readme.txt"]
    assert labels("nothing") == []


def test_open_files_come_first_where_nothing_is_said_yet() -> None:
    assert labels("", "tests/test_app.py", "gone.py")[0] == "tests/test_app.py"


def test_folders_are_told_as_such_and_blanks_are_quoted() -> None:
    folder, file = files(["a b/", "a b/c"], "a")[0]
    assert (folder.kind, folder.text) == ("folder", '@"a b/"')
    assert (file.kind, file.text) == ("file", '@"a b/c"')


def test_many_are_cut_and_that_is_said() -> None:
    names = [f"f{number}" for number in range(MOST_CHOICES + 1)]
    found, complete = files(names, "f")
    assert (len(found), complete) == (MOST_CHOICES, False)
    assert files(names[:-1], "f")[1]


def test_of_very_many_the_open_and_the_short_ones_are_told() -> None:
    names = [f"deep/down/there/{number}.txt" for number in range(RANKED + 10)]
    found, _ = files([*names, "short.txt"], "", ["deep/down/there/7.txt"])
    assert [choice.label for choice in found[:2]] == ["deep/down/there/7.txt", "short.txt"]
    assert len(found) == MOST_CHOICES


@pytest.mark.parametrize("path", ["a.py", "a b.py", "deep/ü.txt", "x@y", "src/"])
def test_a_mention_is_read_as_the_path_that_it_was_written_for(path: str) -> None:
    (readings,) = mentions(f"see {mention(path)}")
    assert readings[0] == path
    (readings,) = mentions(f"({mention(path)}), please")
    assert path in readings


def test_mentions_are_in_their_order_with_every_reading() -> None:
    assert mentions('@a.py, (@b.) and me@here.org "@c"') == [
        ["a.py,", "a.py"],
        ["b.)", "b.", "b"],
        ['c"', "c"],
    ]
    assert mentions("@ @\n@") == []
    assert len(mentions("@x " * (MOST + 5))) == MOST
