"""Whole leading paths are mapped, wherever they stand in a message, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.replay.roots import Roots, parse_root

ROOTS = Roots([("/workspace", "/my project"), ("/workspace/sub", "/sub"), ("/home/u/", "/h")])


@pytest.mark.parametrize(
    ("text", "mapped"),
    [
        ("/workspace", "/my project"),
        ("/workspace/a.py", "/my project/a.py"),
        ("/workspace/sub/a.py", "/sub/a.py"),
        ("/workspace/subject", "/my project/subject"),
        ("/home/u/x /home/u", "/h/x /h"),
        ("cd /workspace && ls '/workspace/x'", "cd /my project && ls '/my project/x'"),
        ("file:///workspace/a.py", "file:///my%20project/a.py"),
        ("see (file:///workspace)", "see (file:///my%20project)"),
        ("diff --git /workspace/a /workspace/a", "diff --git /my project/a /my project/a"),
        ("--- a/workspace/a\n+++ b/workspace/a", "--- a/my project/a\n+++ b/my project/a"),
        ("/workspace:12", "/my project:12"),
        ("/workspace2", "/workspace2"),
        ("/workspace-x", "/workspace-x"),
        ("/workspace.bak", "/workspace.bak"),
        ("/workspace~cut", "/workspace~cut"),
        ("/old/workspace/a", "/old/workspace/a"),
        ("../workspace/a", "../workspace/a"),
        ("workspace", "workspace"),
        ("", ""),
    ],
)
def test_paths_in_text(text: str, mapped: str) -> None:
    assert ROOTS.map(text) == mapped


def test_every_string_of_a_message_is_mapped_and_keys_are() -> None:
    message = {"changes": {"/workspace/a": ["/workspace", 1, None, True]}, "id": 3}
    assert ROOTS.map(message) == {
        "changes": {"/my project/a": ["/my project", 1, None, True]},
        "id": 3,
    }


@given(st.text(alphabet="/worksapce ab.~file:-\n", max_size=40))
def test_there_and_back_is_where_it_was(text: str) -> None:
    roots = Roots([("/workspace", "/elsewhere/deep")])
    if "/elsewhere" not in text:
        assert roots.reversed().map(roots.map(text)) == text


def test_without_roots_nothing_is_touched() -> None:
    value = {"a": ["/workspace"]}
    assert Roots([]).map(value) is value


def test_roots_on_the_command_line() -> None:
    assert parse_root("/a=/b=c") == ("/a", "/b=c")
    for text in ("", "/a", "a=/b", "/a=b", "="):
        with pytest.raises(ValueError, match="FROM=TO"):
            parse_root(text)
