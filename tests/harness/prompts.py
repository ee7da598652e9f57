"""How the user of a test answers `window/showMessageRequest`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

Json = dict[str, Any]
Choice = str | Callable[[Json], str | None]


class _Mark:
    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


NEVER: Final = _Mark("NEVER")  # the user does not react: the request stays open
DISMISS: Final = _Mark("DISMISS")  # the user closes the prompt: the answer is null


class Answers:
    """A script: one entry answers one prompt, in the order in which the prompts arrive.

    An entry is the title of an action, a function from the request's parameters to a title (or
    None), `DISMISS`, or `NEVER`. When the script is used up, its last entry answers all further
    prompts. An empty script leaves every prompt open.
    """

    def __init__(self, *entries: Choice | _Mark) -> None:
        self._entries = list(entries or (NEVER,))

    async def answer(self, params: Json) -> Json | None:
        """Answer one request; does not return where the script says `NEVER`."""
        entry = self._entries.pop(0) if len(self._entries) > 1 else self._entries[0]
        if entry is NEVER:
            await asyncio.Event().wait()
        if isinstance(entry, _Mark):
            return None
        title = entry(params) if callable(entry) else entry
        if title is None:
            return None
        actions: list[Json] = params.get("actions") or []
        chosen = next((action for action in actions if action["title"] == title), None)
        offered = [action["title"] for action in actions]
        assert chosen is not None, f"no action {title!r} among {offered} of {params['message']!r}"
        return chosen
