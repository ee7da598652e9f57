"""One turn: what a script can say and do in it, and how it ends.

Nothing here knows a protocol version, and nothing here decides what the demo does.
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeAlias, Unpack

from acp_sidecar.demo.agent.commands import Prompt
from acp_sidecar.demo.agent.dialect import Dialect, Question
from acp_sidecar.demo.agent.events import (
    Event,
    Json,
    MessageChunk,
    NoticeShown,
    PlanChanged,
    PlanEntry,
    StateChanged,
    Text,
    ToolCallChanged,
    ToolCallFields,
    UsageChanged,
)
from acp_sidecar.demo.agent.params import Refusal
from acp_sidecar.demo.agent.session import CONTEXT_WINDOW, Outcome, Session
from acp_sidecar.demo.agent.workspace import Unusable

_CHARACTERS_PER_TOKEN: Final = 4
_DOLLARS_PER_TOKEN: Final = 3e-6
_OPTION_KINDS: Final = ("allow_once", "allow_always", "reject_once", "reject_always")


class Client(Protocol):
    """What a turn needs of the connection."""

    @property
    def dialect(self) -> Dialect: ...

    @property
    def delay(self) -> float: ...

    def emit(self, session: Session, event: Event) -> None: ...

    async def request(self, method: str, params: Json) -> Any: ...

    async def drained(self) -> None: ...


class TurnCancelled(Exception):
    """The client answered a permission with "cancelled": the user wants no more of this turn."""


class TurnFailed(Exception):
    """The turn cannot go on; the text says why."""


class ToolFailed(Exception):
    """The tool call failed; the text says why. The turn goes on."""


class NotAllowed(ToolFailed):
    """The user said no."""


class BadExit(ToolFailed):
    """The command ran and did not end with 0: a result, which the script may have wanted."""


Work: TypeAlias = Callable[["ToolCall"], Awaitable[None]]
Script: TypeAlias = Callable[["Turn"], Awaitable[None]]


@dataclass(slots=True, eq=False)
class Turn:
    """The script's hands. `left_out` collects what was not done, for the closing words."""

    session: Session
    client: Client
    prompt: Prompt
    left_out: list[str]
    plan_entries: tuple[PlanEntry, ...] = ()

    def emit(self, event: Event) -> None:
        self.client.emit(self.session, event)

    async def pause(self, steps: float = 1.0) -> None:
        """Let a person follow, the client read, and a cancellation in."""
        await self.client.drained()
        await asyncio.sleep(self.client.delay * steps)

    async def think(self, text: str) -> None:
        if self.session.options.thoughts and self.session.options.model == "script":
            await self._stream("thought", text)

    async def say(self, text: str) -> None:
        await self._stream("agent", text)

    async def _stream(self, role: Any, text: str) -> None:
        """A message in pieces, as a model would stream it."""
        self.session.characters += len(text)
        message_id = self.session.new_id("msg")
        for piece in _pieces(text, 24 if self.session.options.model == "script" else 10_000):
            self.emit(MessageChunk(role, message_id, ({"type": "text", "text": piece},)))
            await self.pause(0.3)

    async def plan(self, *contents: str) -> None:
        """Make a plan; its first entry is begun."""
        entries = [PlanEntry(content, "medium") for content in contents]
        entries[0] = replace(entries[0], priority="high", status="in_progress")
        self._show_plan(entries)
        await self.pause()

    async def advance(self) -> None:
        """The entry in progress is completed, and the next begun."""
        entries = list(self.plan_entries)
        for number, entry in enumerate(entries):
            if entry.status == "in_progress":
                entries[number] = replace(entry, status="completed")
                if number + 1 < len(entries):
                    entries[number + 1] = replace(entries[number + 1], status="in_progress")
                break
        self._show_plan(entries)
        await self.pause()

    def abandon_plan(self) -> None:
        """What is not completed will not be."""
        if any(entry.status != "completed" for entry in self.plan_entries):
            self._show_plan(
                entry if entry.status == "completed" else replace(entry, status="cancelled")
                for entry in self.plan_entries
            )

    def _show_plan(self, entries: Iterable[PlanEntry]) -> None:
        self.plan_entries = tuple(entries)
        self.emit(PlanChanged(self.plan_entries))

    def report_usage(self) -> None:
        """What a model would have been charged for, by the usual four characters a token."""
        used = self.session.characters // _CHARACTERS_PER_TOKEN
        cost = round(used * _DOLLARS_PER_TOKEN, 6)
        self.emit(UsageChanged(min(used, CONTEXT_WINDOW), CONTEXT_WINDOW, cost))

    def notice(self, title: str, description: str) -> None:
        self.emit(NoticeShown("info", title, description))

    async def call(self, work: Work, **fields: Unpack[ToolCallFields]) -> bool:
        """Announce a tool call and see it through; True if it completed."""
        call = ToolCall(self, self.session.new_id("call"), fields.get("title", ""))
        first: ToolCallFields = {**fields, "status": "pending", "cancellable": True}
        self.emit(ToolCallChanged(call.tool_call_id, first=True, fields=first))
        completed = await call.run(work)
        await self.pause()
        return completed

    async def permitted(self, question: Question) -> bool:
        """Ask the user, unless the mode or an earlier answer says already.

        Raises:
            TurnCancelled: The client says that the turn is cancelled.
        """
        subject = "commands" if question.kind == "execute" else "edits"
        if self.session.options.mode == "auto-accept":
            return True
        if (remembered := self.session.decisions.get(subject)) is not None:
            return remembered
        self.emit(StateChanged("requires_action"))
        try:
            answer = await self._ask(question, subject)
        finally:
            self.emit(StateChanged("running"))
        if answer.endswith("_always"):
            self.session.decisions[subject] = answer == "allow_always"
        return answer.startswith("allow_")

    async def filled_in(self, message: str, schema: Json) -> Json | None:
        """Ask the user with a form (`elicitation/create`); None if it was declined or dismissed.

        Raises:
            TurnFailed: The client cannot show forms, or failed.
        """
        if not self.client.dialect.asks_forms:
            raise TurnFailed("Your editor cannot show forms.")
        params = {"sessionId": self.session.session_id, "mode": "form", "message": message}
        self.emit(StateChanged("requires_action"))
        try:
            answer = await self.client.request(
                "elicitation/create", {**params, "requestedSchema": schema}
            )
        except Refusal as refusal:
            raise TurnFailed(f"I could not ask: {refusal.message}") from refusal
        finally:
            self.emit(StateChanged("running"))
        accepted = isinstance(answer, dict) and answer.get("action") == "accept"
        return (answer.get("content") or {}) if accepted else None

    async def _ask(self, question: Question, subject: str) -> str:
        """The kind of the option chosen; an answer that makes no sense is a "reject_once"."""
        names = (
            "Allow",
            f"Allow all {subject} in this session",
            "Reject",
            f"Reject all {subject} in this session",
        )
        options = [
            {"optionId": kind.replace("_", "-"), "name": name, "kind": kind}
            for kind, name in zip(_OPTION_KINDS, names, strict=True)
        ]
        shown = self.client.dialect.permission(question, self.session)
        params = {"sessionId": self.session.session_id, **shown, "options": options}
        try:
            result = await self.client.request("session/request_permission", params)
        except Refusal as refusal:
            raise ToolFailed(f"I could not ask: {refusal.message}") from refusal
        outcome = result.get("outcome") if isinstance(result, dict) else None
        if not isinstance(outcome, dict):
            return "reject_once"
        if outcome.get("outcome") == "cancelled":
            raise TurnCancelled
        chosen = {option["optionId"]: option["kind"] for option in options}
        selected = outcome.get("outcome") == "selected"
        return (
            chosen.get(str(outcome.get("optionId")), "reject_once") if selected else "reject_once"
        )


@dataclass(frozen=True, slots=True, eq=False)
class ToolCall:
    """A call that was announced; `update` tells what is new about it."""

    turn: Turn
    tool_call_id: str
    title: str

    def update(self, **fields: Unpack[ToolCallFields]) -> None:
        self.turn.emit(ToolCallChanged(self.tool_call_id, first=False, fields=fields))

    async def run(self, work: Work) -> bool:
        """Do the work in a task of its own, so that the call alone can be cancelled."""
        calls = self.turn.session.calls
        task = calls[self.tool_call_id] = asyncio.ensure_future(_awaited(work(self)))
        try:
            await task
        except BadExit:
            self.update(status="failed", cancellable=False)
        except (ToolFailed, Unusable) as failure:
            self._leave_out("failed", str(failure))
        except TurnCancelled:
            self._leave_out("cancelled", "Cancelled.")
            raise
        except asyncio.CancelledError:
            self._leave_out("cancelled", "Cancelled.")
            current = asyncio.current_task()
            if current and current.cancelling():
                raise
        else:
            self.update(status="completed", cancellable=False)
            return True
        finally:
            del calls[self.tool_call_id]
        return False

    def _leave_out(self, status: str, reason: str) -> None:
        self.turn.left_out.append(f"{self.title}: {reason}")
        self.update(status=status, cancellable=False, raw_output={"error": reason})

    def fail_with(self, reason: str) -> ToolFailed:
        """Show the reason as the call's content and make it an error to raise."""
        self.update(content=(Text(reason),))
        return ToolFailed(reason)


async def play(turn: Turn, script: Script) -> Outcome:
    """Run the script to its end, whatever that is, and report the end as the last thing."""
    turn.emit(StateChanged("running"))
    outcome = await _outcome(turn, script)
    if outcome.stop_reason != "end_turn":
        turn.abandon_plan()
    turn.report_usage()
    turn.session.touch()
    turn.emit(StateChanged("idle", outcome.stop_reason, outcome.error))
    return outcome


async def _outcome(turn: Turn, script: Script) -> Outcome:
    try:
        await script(turn)
    except (asyncio.CancelledError, TurnCancelled):
        return Outcome("cancelled")
    except TurnFailed as failure:
        return Outcome("error", str(failure))
    except Exception:  # noqa: BLE001 - a bug of a script ends its turn, not the agent
        traceback.print_exc(file=sys.stderr)
        return Outcome("error", "The demo agent has a bug; see its stderr.")
    return Outcome("end_turn")


async def _awaited(work: Awaitable[None]) -> None:
    await work


def _pieces(text: str, size: int) -> list[str]:
    """Cut at the ends of words, into pieces of about this many characters."""
    pieces = [""]
    for word in text.split(" "):
        if len(pieces[-1]) >= size:
            pieces.append("")
        pieces[-1] += word + " "
    pieces[-1] = pieces[-1][:-1]
    return [piece for piece in pieces if piece]
