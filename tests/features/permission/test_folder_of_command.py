"""The folder of a command is to be absolute; one that is not is resolved, or said to be unknown."""

from __future__ import annotations

from typing import Any

import pytest

from tests.features.permission.world import RICH, World, command


@pytest.mark.parametrize(
    ("told", "real", "outside"),
    [
        ("/project/src", "/project/src", False),
        ("src", "/project/src", False),
        ("../../etc", "/etc", True),
        ("/project/../etc", "/etc", True),
        ("/project/link/x", "/outside/x", True),
        ("~", None, True),
    ],
)
def test_a_folder_is_shown_as_it_really_is(told: str, real: str | None, outside: bool) -> None:
    world = World(abilities=RICH)
    world.workspace.links["/project/link"] = "/outside"
    world.ask(command("ls", told))
    (question,) = world.editor.questions
    facts: Any = question.params["facts"]
    assert (facts["command"]["cwd"], facts["command"]["cwdOutside"]) == (real, outside)
    assert (question.params["warnings"] != []) == outside
