"""One message request at a time, in order, for editors without prompts of their own.

Shared by everything that asks the user by `window/showMessageRequest`. A prompt is inert at first:
a choice that comes sooner than a person can read was a key meant for something else, so it does
not count and the prompt comes again a little later.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from acp_sidecar.features.ports import Editor, Level, Withdraw

Clock = Callable[[], float]

MOST_EARLY_ANSWERS: Final = 5
"""After so many answers that came too early in a row, a program is answering: give up."""


@dataclass(eq=False, slots=True)
class Prompt:
    """A question with buttons.

    Attributes:
        on_choice: Called once with the index of the action, or `None` if it was dismissed.
        help: What to do about it in an editor that cannot show buttons.
    """

    level: Level
    message: str
    actions: Sequence[str]
    on_choice: Callable[[int | None], None]
    help: str = ""
    early: int = field(default=0, init=False)
    told: bool = field(default=False, init=False)


@dataclass(eq=False, slots=True)
class _Showing:
    prompt: Prompt
    since: float
    withdraw: Withdraw | None = None


class PromptQueue:
    """Shows prompts one after another; each is chosen, dismissed or withdrawn, once."""

    def __init__(self, editor: Editor, clock: Clock, inert: float) -> None:
        """Create an empty queue; `inert` is for how many seconds a prompt ignores choices."""
        self._editor = editor
        self._clock = clock
        self.inert = inert
        self._waiting: deque[Prompt] = deque()
        self._showing: _Showing | None = None
        self._not_before = 0.0

    def put(self, prompt: Prompt, *, first: bool = False) -> None:
        """Queue a prompt, at the front if it goes on from the one just answered."""
        if first:
            self._waiting.appendleft(prompt)
        else:
            self._waiting.append(prompt)
        self._advance()

    def withdraw(self, prompt: Prompt) -> None:
        """Take a prompt back; harmless if it is over."""
        if prompt in self._waiting:
            self._waiting.remove(prompt)
        showing = self._showing
        if showing is not None and showing.prompt is prompt:
            self._showing = None
            if showing.withdraw is not None:
                showing.withdraw()
            self._advance()

    def is_showing(self, prompt: Prompt) -> bool:
        """Whether it is the one on screen."""
        return self._showing is not None and self._showing.prompt is prompt

    def deadline(self) -> float | None:
        """When `tick` has something to do."""
        if not self._editor.abilities.message_actions:
            untold = self._showing is not None or not all(each.told for each in self._waiting)
            return self._clock() if untold else None
        return self._not_before if self._showing is None and self._waiting else None

    def tick(self) -> None:
        """Time has passed, or the editor's abilities have changed."""
        self._advance()

    def _advance(self) -> None:
        if not self._editor.abilities.message_actions:
            self._tell_all()
            return
        while self._showing is None and self._waiting and self._clock() >= self._not_before:
            self._show(self._waiting.popleft())

    def _show(self, prompt: Prompt) -> None:
        showing = _Showing(prompt, self._clock())
        self._showing = showing
        withdraw = self._editor.ask(
            prompt.level,
            prompt.message,
            prompt.actions,
            lambda index: self._answered(showing, index),
        )
        showing.withdraw = withdraw

    def _answered(self, showing: _Showing, index: int | None) -> None:
        if self._showing is not showing:
            return  # settled elsewhere meanwhile
        self._showing = None
        prompt = showing.prompt
        if index is not None and not 0 <= index < len(prompt.actions):
            index = None
        if self._clock() - showing.since < self.inert:
            self._came_early(prompt, index)
        else:
            prompt.on_choice(index)
        self._advance()

    def _came_early(self, prompt: Prompt, index: int | None) -> None:
        prompt.early += 1
        # An editor that cannot ask dismisses at once, and would do so for ever.
        limit = 2 if index is None else MOST_EARLY_ANSWERS
        if prompt.early >= limit:
            self._editor.log(
                Level.WARNING,
                "A prompt was answered faster than a person can read, again and again, and counts "
                "as dismissed. If a program answers, set permissions.inert to 0.",
            )
            prompt.on_choice(None)
            return
        self._waiting.appendleft(prompt)
        self._not_before = self._clock() + self.inert

    def _tell_all(self) -> None:
        """The editor has no buttons: say what is asked, and leave it to commands."""
        if self._showing is not None:  # it turned out only now
            self._waiting.appendleft(self._showing.prompt)
            self._showing = None
        for prompt in list(self._waiting):
            if not prompt.told:
                prompt.told = True
                self._editor.message(prompt.level, f"{prompt.message}\n{prompt.help}".strip())
