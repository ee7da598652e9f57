"""Prompts that are not in the conversation yet: in their order, and never lost in silence.

An agent that takes prompts at any time (v2) is sent them at once; they are here until it has taken
them. For others they wait for the end of the turn. When a turn was cancelled or failed, what waited
for it is held: the user may no longer want it, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from acp_sidecar.session.state import Session, Turn

Json = Any
QueueState = Literal["sent", "waiting", "held"]

UNWANTED_AFTER = frozenset({"cancelled", "error", "refusal"})
"""Stop reasons after which what waited for the turn may no longer be wanted."""

TOLD_TEXT = 2_000
"""Characters of a queued prompt that views are told."""


@dataclass(slots=True)
class QueuedPrompt:
    """One prompt.

    Attributes:
        prompt_id: The sidecar's own name for it.
        text: What the user said, for views.
        blocks: The prompt as content blocks, as it will be sent.
        state: "sent": the agent has it and has not taken it yet. "waiting": it is sent when the
            turn ends. "held": it is sent when the user says so.
        turn: The turn that ran when it was sent.
        after_cancel: It was given while the turn before it was being cancelled: that cancel was
            not meant for it.
    """

    prompt_id: str
    text: str
    blocks: list[Json] = field(repr=False)
    state: QueueState = "waiting"
    turn: Turn | None = field(default=None, repr=False)
    after_cancel: bool = False


def next_waiting(session: Session) -> QueuedPrompt | None:
    """Take the prompt that is to be sent now; None if a turn runs or nothing waits."""
    if session.busy:
        return None
    found = next((each for each in session.queued if each.state == "waiting"), None)
    if found is not None:
        session.queued.remove(found)
    return found


def hold(session: Session, *, also_new: bool = True) -> int:
    """Hold what waits, `also_new` what came after a cancel; returns how many prompts that were."""

    def unwanted(each: QueuedPrompt) -> bool:
        return each.state == "waiting" and (also_new or not each.after_cancel)

    return _move(session, unwanted, "held")


def hold_all(session: Session) -> int:
    """Hold also what was sent and not taken: the agent is gone."""
    return _move(session, lambda each: each.state != "held", "held")


def release(session: Session) -> int:
    """Let what is held wait again; returns how many prompts that were.

    While a turn is being cancelled, its end does not hold them once more.
    """
    for each in session.queued:
        if each.state == "held":
            each.after_cancel = session.cancelling
    return _move(session, lambda each: each.state == "held", "waiting")


def take_out(session: Session, prompt_id: str) -> QueuedPrompt | None:
    """Take a prompt out before it is sent; None if it is not there."""
    found = next((each for each in session.queued if each.prompt_id == prompt_id), None)
    if found is not None and found.state != "sent":
        session.queued.remove(found)
    return found


def _move(session: Session, which: Callable[[QueuedPrompt], bool], state: QueueState) -> int:
    chosen = [each for each in session.queued if which(each)]
    for each in chosen:
        each.state = state
        each.turn = None
    return len(chosen)


def queue_view(session: Session) -> list[Json]:
    """The queue as plain JSON, first in line first."""
    return [
        {"promptId": each.prompt_id, "text": each.text[:TOLD_TEXT], "state": each.state}
        for each in session.queued
    ]
