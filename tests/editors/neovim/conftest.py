"""Fixtures: a fresh Neovim for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editors.neovim.editor import Neovim

Start = Callable[..., Neovim]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts an editor with settings of its own."""
    started: list[Neovim] = []

    def make(**settings: Any) -> Neovim:
        started.append(Neovim(tmp_path, **settings))
        return started[-1]

    yield make
    for editor in started:
        editor.close()


@pytest.fixture
def nvim(start: Start) -> Neovim:
    """An editor with the defaults."""
    return start()
