"""How the demo looks in the terminal: an editor's views, one below the other as things happen.

Only drawing is here; what to draw, and when, is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from rich import box
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

Json: TypeAlias = dict[str, Any]

_CONTEXT: Final = 3
_MOST_LINES: Final = 14
_WIDTH: Final = 100
_ACCENT: Final = "cyan"
_PLAN_MARKS: Final = {
    "completed": ("✔", "green"),
    "in_progress": ("▶", "yellow"),
    "cancelled": ("✘", "red"),
}
_PENDING: Final = ("·", "dim")
_STATUS_MARKS: Final = {
    "completed": ("✔", "green"),
    "failed": ("✘", "red"),
    "cancelled": ("■", "yellow"),
}
_DIFF_STYLES: Final = {"+": "green", "-": "red", "\\": "dim italic"}


class Screen:
    """Draws on a console. Text that comes in pieces stays on an open line until it is whole."""

    def __init__(self, console: Console, root: Path) -> None:
        self._console = console
        self._root = root
        self._open: str | None = None
        self._plan_length = 0
        self._column = 0

    # --- what happens in the session ----------------------------------------------------------

    def start(self, agent: str, project: Path) -> None:
        """The first lines: what this is."""
        # The first use of the highlighter takes a second, which is better spent before the turn.
        Syntax.guess_lexer("start.py", "")
        self._draw(Rule(Text("acp-sidecar demo", style=f"bold {_ACCENT}"), style=_ACCENT))
        lines = (
            ("editor", "this terminal, as a plain LSP client"),
            ("agent", agent),
            ("project", str(project)),
        )
        table = Table.grid(padding=(0, 2))
        for name, value in lines:
            table.add_row(Text(name, style="dim"), Text(value))
        self._draw(Padding(table, (0, 0, 1, 2)))

    def said(self, role: str, text: str, *, begins: bool) -> None:
        """A piece of a message; pieces that follow continue its line."""
        if role == "user":
            self._draw(Padding(Text(f"» {text}", style="bold"), (0, 0, 1, 0)))
            return
        if begins or self._open != role:
            self.close_line()
            self._piece("● " if role == "agent" else "○ ", _ACCENT if role == "agent" else "dim")
        self._open = role
        for word in _words(text):
            self._piece(word, "" if role == "agent" else "dim italic")

    def _piece(self, word: str, style: str) -> None:
        """Print without ending the line, wrapped by words."""
        if "\n" in word or self._column + len(word.rstrip()) > self._width - 2:
            self._console.print("\n  ", end="", highlight=False)
            word, self._column = word.strip("\n"), 2
            word = word.lstrip(" ")
        self._console.print(Text(word, style=style), end="", highlight=False)
        self._column += len(word)

    def close_line(self) -> None:
        """End the line that a message has left open."""
        if self._open is not None:
            self._console.print("\n")
            self._open = None
        self._column = 0

    def plan(self, entries: Sequence[Json]) -> None:
        """The plan: whole when it is made, later one line that says how far it has come."""
        if len(entries) != self._plan_length:
            self._plan_length = len(entries)
            lines = [_plan_line(entry) for entry in entries]
            self._draw(self._panel(Group(*lines), "plan", "blue"))
            return
        done = sum(entry["status"] == "completed" for entry in entries)
        line = Text(f"☰ {done}/{len(entries)} ", style="blue")
        for entry in entries:
            line.append(*_PLAN_MARKS.get(entry["status"], _PENDING))
        now = [entry["content"] for entry in entries if entry["status"] == "in_progress"]
        self._draw(line.append(f" {now[0]}" if now else ""))

    def call(self, call: Json) -> None:
        """One line for a tool call that is over."""
        mark, style = _STATUS_MARKS.get(call["status"], ("…", "dim"))
        line = Text(f"{mark} ", style=style).append(call["title"] or call["kind"])
        reason = (call.get("rawOutput") or {}).get("error")
        if reason:
            line.append(f"  {reason}", style="dim")
        self._draw(line)

    def output(self, text: str, command: str | None) -> None:
        """Lines of a command's output, in their own colours, behind a bar."""
        if command is not None:
            self._draw(Text.assemble(("┌ $ ", "magenta"), (command, "bold")))
        self.close_line()
        for line in text.split("\n")[:-1]:
            shown = Text("│ ", style="magenta").append_text(Text.from_ansi(line))
            self._console.print(shown, highlight=False)

    def exited(self, status: Json) -> None:
        """The end of a command's output."""
        code, signal = status.get("exitCode"), status.get("signal")
        end = f"ended by {signal}" if signal else f"exit code {code}"
        style = "green" if code == 0 else "red"
        self._draw(Text.assemble(("└ ", "magenta"), (end, style)), after=1)

    def usage(self, usage: Json) -> None:
        """How much of the context window is used, and for how much."""
        text = f"{usage['used']:,} of {usage['size']:,} tokens"
        if cost := usage.get("cost"):
            text += f", {cost['amount']:.4f} {cost['currency']}"
        self._draw(Text(f"◔ {text}", style="dim"))

    def notice(self, text: str, style: str = "yellow") -> None:
        """A line of the demo's own, or of the server's."""
        self._draw(Text(text, style=style))

    # --- what the editor is asked to do -------------------------------------------------------

    def follow(self, path: Path, text: str, first: int, last: int) -> None:
        """The place that the editor shows now: the lines around, and the range marked.

        Lines count from 1, `last` is included.
        """
        count = text.count("\n") + 1
        shown_last = min(last, first + _MOST_LINES, count)
        around = (max(1, first - _CONTEXT), min(count, shown_last + _CONTEXT))
        marked = set(range(first, shown_last + 1))
        code = Syntax(
            text,
            Syntax.guess_lexer(str(path), text),
            theme="ansi_dark",
            line_numbers=True,
            line_range=around,
            highlight_lines=marked,
            word_wrap=False,
        )
        place = f"{self._shown(path)}:{first}" + (f"-{last}" if last > first else "")
        self._draw(self._panel(code, f"→ {place}", _ACCENT))

    def document(self, path: Path, text: str) -> None:
        """A document that is no file of the project, such as a preview."""
        lexer = Syntax.guess_lexer(str(path), text)
        self._draw(self._panel(Syntax(text, lexer, theme="ansi_dark"), path.name, "yellow"))

    def diff(self, file: Json) -> None:
        """One file of a change set, hunk by hunk."""
        parts: list[RenderableType] = []
        for number, hunk in enumerate(file["hunks"], start=1):
            head = f"hunk {number} of {len(file['hunks'])}, line {hunk['oldStart']}"
            parts.append(Text(head, style="cyan"))
            parts += [_diff_line(line) for line in hunk["lines"]]
        if not parts:
            parts.append(Text("no change of the text", style="dim italic"))
        title = f"{file['operation']} {self._shown(Path(file['path']))}"
        if file.get("oldPath"):
            title += f" ← {self._shown(Path(file['oldPath']))}"
        counts = f"[green]+{file['added']}[/] [red]-{file['removed']}[/]"
        self._draw(self._panel(Group(*parts), f"± {title}", "yellow", counts))

    def question(self, message: str, actions: Sequence[str]) -> None:
        """What is asked, with the answers numbered."""
        head, _, rest = message.partition("\n")
        lines: list[RenderableType] = [Text(head, style="bold")]
        if rest:
            lines.append(Text(rest, style="dim"))
        lines.append(Text())
        for number, action in enumerate(actions, start=1):
            lines.append(Text.assemble((f" {number} ", "reverse"), f" {action}"))
        self._draw(self._panel(Group(*lines), "? permission", "magenta"))

    def ask_for_number(self, count: int) -> None:
        """The line on which the person types."""
        self.close_line()
        self._console.print(f"  [bold]1-{count}[/], Enter to dismiss: ", end="")

    def answered(self, text: str) -> None:
        """What the answer was."""
        self._draw(Text(f"  ↳ {text}", style="magenta"), after=1)

    def summary(self, files: Table, facts: Table, *, right: bool) -> None:
        """The account at the end."""
        self._draw(Rule(style=_ACCENT))
        self._draw(self._account(files, facts, right=right))

    def finish(self) -> None:
        """Nothing more will be drawn."""
        self.close_line()

    # --- helpers --------------------------------------------------------------------------------

    def _account(self, files: Table, facts: Table, *, right: bool) -> Panel:
        border = "green" if right else "red"
        return self._panel(Group(files, Text(), facts), "the account", border)

    @property
    def _width(self) -> int:
        return min(self._console.width, _WIDTH)

    def _draw(self, what: RenderableType, after: int = 0) -> None:
        self.close_line()
        self._console.print(what, width=self._width, highlight=False)
        for _ in range(after):
            self._console.print()

    def _panel(
        self, what: RenderableType, title: str, style: str, subtitle: str | None = None
    ) -> Panel:
        return Panel(
            what,
            title=f"[bold]{escape(title)}[/]",
            subtitle=subtitle,
            title_align="left",
            subtitle_align="right",
            border_style=style,
            box=box.ROUNDED,
            padding=(0, 1),
        )

    def _shown(self, path: Path) -> str:
        return (
            path.relative_to(self._root).as_posix()
            if path.is_relative_to(self._root)
            else str(path)
        )


def _plan_line(entry: Json) -> Text:
    mark, style = _PLAN_MARKS.get(entry["status"], _PENDING)
    return Text.assemble((f"{mark} ", style), entry["content"])


def _words(text: str) -> list[str]:
    """Words with the white space behind them; a line break is a word of its own."""
    words: list[str] = []
    for number, line in enumerate(text.split("\n")):
        if number:
            words.append("\n")
        words += [word + " " for word in line.split(" ")]
        words[-1] = words[-1][:-1]
    return [word for word in words if word]


def _diff_line(line: str) -> Text:
    """A line of a hunk in the colour of its mark."""
    return Text(
        line.rstrip("\r"),
        style=_DIFF_STYLES.get(line[:1], "dim"),
        overflow="ellipsis",
        no_wrap=True,
    )
