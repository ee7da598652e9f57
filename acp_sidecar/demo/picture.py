"""The demo as one picture: the best of each view, in two columns, for a page that cannot scroll."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from acp_sidecar.demo.screen import Json, Screen

_COLUMN: Final = 88
_FONT_FACE: Final = re.compile(r"\s*@font-face \{[^}]*\}")


class Picture(Screen):
    """A screen that keeps the first view of each kind, and the last command, until the end."""

    def __init__(self, project: Path, target: Path) -> None:
        width = 2 * _COLUMN + 2
        console = Console(
            record=True,
            width=width,
            file=io.StringIO(),
            force_terminal=True,
            color_system="truecolor",
        )
        super().__init__(console, project)
        self._recorded = console
        self._target = target
        self._names = (str(project.parent), "/tmp")  # noqa: S108 - a name to show
        self._left: list[RenderableType] = []
        self._right: list[RenderableType] = []
        self._column = 0
        self._side = self._left
        self._kinds: set[str] = set()
        self._words: list[str] = []
        self._lines: list[RenderableType] = []

    def finish(self) -> None:
        """Write the picture; it names no font that would have to be fetched."""
        svg = self._recorded.export_svg(title="acp-sidecar demo")
        self._target.write_text(_FONT_FACE.sub("", svg), encoding="utf-8")

    def start(self, agent: str, project: Path) -> None:
        return

    def said(self, role: str, text: str, *, begins: bool) -> None:
        if role == "user":
            self._left.append(Text(f"» {text}\n", style="bold"))
        elif role == "agent" and "plan" not in self._kinds:
            self._words.append(text)

    def plan(self, entries: Sequence[Json]) -> None:
        if self._first("plan"):
            self._left.append(Text(f"● {''.join(self._words)}\n"))
            self._keep(self._left)
            super().plan(entries)

    def follow(self, path: Path, text: str, first: int, last: int) -> None:
        if last > first and self._first("follow"):
            self._keep(self._left)
            super().follow(path, text, first, last)

    def diff(self, file: Json) -> None:
        if self._first("diff"):
            self._keep(self._right)
            super().diff(file)

    def question(self, message: str, actions: Sequence[str]) -> None:
        if "diff" in self._kinds and self._first("question"):
            self._keep(self._left)
            super().question(message.replace(*self._names), actions)
            self._left.append(Text("  ↳ Allow", style="magenta"))

    def output(self, text: str, command: str | None) -> None:
        if command is not None:
            self._lines = [Text(f"$ {command}", style="bold")]
        self._lines += [Text.from_ansi(line) for line in text.split("\n")[:-1]]

    def exited(self, status: Json) -> None:
        return

    def call(self, call: Json) -> None:
        return

    def usage(self, usage: Json) -> None:
        return

    def answered(self, text: str) -> None:
        return

    def summary(self, files: Table, facts: Table, *, right: bool) -> None:
        shown = Group(*self._lines)
        panel = Panel(shown, title="terminal", title_align="left", box=box.ROUNDED)
        self._left.append(panel)
        self._keep(self._right)
        self._right.append(self._account(files, facts, right=right))
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=_COLUMN)
        grid.add_column(width=_COLUMN)
        grid.add_row(Group(*self._left), Group(*self._right))
        self._recorded.print(Padding(grid, (1, 0)))

    def _first(self, kind: str) -> bool:
        """Whether this is the first view of its kind."""
        new = kind not in self._kinds
        self._kinds.add(kind)
        return new

    def _keep(self, side: list[RenderableType]) -> None:
        self._side = side

    def _draw(self, what: RenderableType, after: int = 0) -> None:
        self._side.append(what)
