"""The agent's part of a trace, played to a live client. Sans-IO: messages in, lines out.

The player goes through the script step by step: it says what the agent said, and waits where the
client said something. The client need not be the recorded one. Its requests are matched by method
and in order, whatever their ids; what it leaves out is waited for only as long as it may still
come; what it adds is answered. So no difference can hang a session:

- A request that the recording has next lets the play go on. If the recording has others before
  it that may be left out (setting an option, listing), those count as left out.
- `session/prompt` begins the next turn, so everything before it that never came is left out.
- Any other request that the recording has only later, or had earlier, is answered at once with
  the recorded answer, and the play stays where it is.
- A request that the recording does not have at all gets the error "method not found".
- When the client closes its end, the rest is said and nothing more is waited for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, TypeAlias, cast

from acp_sidecar.replay.differences import Difference, first_difference, params_difference
from acp_sidecar.replay.roots import Roots
from acp_sidecar.replay.script import (
    Expects,
    ExpectsAnswer,
    ExpectsNotification,
    ExpectsRequest,
    Says,
    Step,
    answer_of,
    is_answer,
)
from acp_sidecar.wire.json_rpc import METHOD_NOT_FOUND
from acp_sidecar.wire.json_text import dump

_BEGINS_TURN: Final = "session/prompt"
_NEVER_LEFT_OUT: Final = frozenset(
    {
        "initialize",
        "session/new",
        "session/load",
        "session/resume",
        _BEGINS_TURN,
        "session/cancel",
    }
)

_Key: TypeAlias = tuple[str, str]


class Player:
    """Plays one script to one client, once."""

    def __init__(self, script: list[Step], roots: Roots) -> None:
        self._script = script
        self._roots = roots
        self._back = roots.reversed()
        self._position = 0
        self._expected = {i: step for i, step in enumerate(script) if not isinstance(step, Says)}
        self._open = dict(self._expected)
        self._answers = _answers(script)
        self._answered_early: set[int] = set()
        self._live_ids: dict[_Key, Any] = {}
        self._matched: set[int] = set()
        self._asked: dict[_Key, str] = {}
        self._differences: list[Difference] = []
        self._lines: list[bytes] = []

    def start(self) -> list[bytes]:
        """What the agent said before it heard anything."""
        self._play()
        return self._taken()

    def receive(self, message: Any) -> list[bytes]:
        """Take the client's next message or batch; give the lines to say now."""
        for item in message if isinstance(message, list) else [message]:
            if isinstance(item, dict):
                self._receive(item)
            else:
                self._differ(0, "the client sent JSON that is no message")
        self._play()
        return self._taken()

    def close(self) -> list[bytes]:
        """The client closed its end: give all that is left to say."""
        for step in self._open.values():
            self._differ(step.line, f"the client never sent {_name(step)}")
        self._open.clear()
        self._play()
        return self._taken()

    def take_differences(self) -> list[Difference]:
        """What the client did differently since the last call."""
        taken, self._differences = self._differences, []
        return taken

    # --- saying ---------------------------------------------------------------------------------

    def _play(self) -> None:
        """Go on until the client's turn comes or the script ends."""
        while self._position < len(self._script) and self._position not in self._open:
            step = self._script[self._position]
            if isinstance(step, Says) and self._position not in self._answered_early:
                self._say(step)
            self._position += 1

    def _say(self, step: Says) -> None:
        if step.noise:
            self._lines.append(step.message.encode("utf-8", "replace") + b"\n")
            return
        batch = step.message if isinstance(step.message, list) else [step.message]
        live = [message for item in batch if (message := self._live(item)) is not None]
        if live:
            self._send(live if isinstance(step.message, list) else live[0])

    def _live(self, message: Any) -> Any:
        """A recorded message with the live request's id; None for an answer that nobody awaits."""
        if not isinstance(message, dict) or "id" not in message:
            return message
        key = _key(message["id"])
        if not is_answer(message):
            self._asked[key] = str(message.get("method"))
            return message
        if key in self._live_ids:
            return {**message, "id": self._live_ids[key]}
        # Left out only if the recorded client asked and this one did not; a stray answer is said.
        asked_then = any(
            isinstance(step, ExpectsRequest) and _key(step.id) == key
            for step in self._expected.values()
        )
        return None if asked_then else message

    def _send(self, message: Any) -> None:
        self._lines.append(dump(self._roots.map(message)) + b"\n")

    def _taken(self) -> list[bytes]:
        taken, self._lines = self._lines, []
        return taken

    # --- hearing --------------------------------------------------------------------------------

    def _receive(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if isinstance(method, str) and "id" in message:
            self._receive_request(method, message)
        elif isinstance(method, str):
            self._receive_notification(method, message)
        elif "id" in message:
            self._receive_answer(message)
        else:
            self._differ(0, "the client sent an object that is no message")

    def _receive_request(self, method: str, message: dict[str, Any]) -> None:
        index = self._matching_request(method)
        if index is None:
            self._differ(0, f"the client sent {method}, which the recording does not have here")
            error = {"code": METHOD_NOT_FOUND, "message": f"not in the recording: {method}"}
            self._send({"jsonrpc": "2.0", "id": message["id"], "error": error})
            return
        step = cast("ExpectsRequest", self._expected[index])
        self._open.pop(index, None)
        self._matched.add(index)
        self._live_ids[_key(step.id)] = message["id"]
        self._compare(step, message.get("params"))
        before = {i: other for i, other in self._open.items() if i < index}
        if index < self._position or not _may_leave_out(step, before.values()):
            self._answer_early(index, step)
        else:
            self._leave_out(before)

    def _matching_request(self, method: str) -> int | None:
        """The recorded request that a live one is: the next of its method, or one left out."""
        unmatched = [
            index
            for index, step in self._expected.items()
            if isinstance(step, ExpectsRequest)
            and step.method == method
            and index not in self._matched
        ]
        still_open = [index for index in unmatched if index in self._open]
        return next(iter(still_open or unmatched), None)

    def _receive_notification(self, method: str, message: dict[str, Any]) -> None:
        for index, step in self._open.items():
            if isinstance(step, ExpectsNotification) and step.method == method:
                del self._open[index]
                self._compare(step, message.get("params"))
                return
        self._differ(0, f"the client sent {method}, which the recording does not have here")

    def _receive_answer(self, message: dict[str, Any]) -> None:
        key = _key(message["id"])
        method = self._asked.get(key, "a request that was never made")
        for index, step in self._open.items():
            if isinstance(step, ExpectsAnswer) and _key(step.id) == key and key in self._asked:
                del self._open[index]
                live = self._back.map(answer_of(message))
                if found := first_difference(step.answer, live, "the answer"):
                    self._differ(step.line, f"{method}: {found}")
                return
        self._differ(0, f"the client answered {method}, which it did not in the recording")

    # --- keeping step ---------------------------------------------------------------------------

    def _compare(self, step: ExpectsRequest | ExpectsNotification, params: Any) -> None:
        if found := params_difference(step.method, step.params, self._back.map(params)):
            self._differ(step.line, f"{step.method}: {found}")

    def _leave_out(self, steps: dict[int, Expects]) -> None:
        for index, step in steps.items():
            self._differ(step.line, f"the client did not send {_name(step)}")
            del self._open[index]

    def _answer_early(self, index: int, step: ExpectsRequest) -> None:
        """Answer out of turn, with what the recording has for this request."""
        self._differ(step.line, f"the client sent {step.method} out of turn")
        answer = self._answers.get(index)
        if answer is not None:
            self._answered_early.add(answer)
            self._say(cast("Says", self._script[answer]))

    def _differ(self, line: int, text: str) -> None:
        self._differences.append(Difference(line, text))


def _answers(script: list[Step]) -> dict[int, int]:
    """Where the agent answers: index of the client's request to index of the answer."""
    waiting: dict[_Key, int] = {}
    answers: dict[int, int] = {}
    for index, step in enumerate(script):
        if isinstance(step, ExpectsRequest):
            waiting[_key(step.id)] = index
        elif isinstance(step, Says) and is_answer(step.message):
            request = waiting.pop(_key(step.message["id"]), None)
            if request is not None:
                answers[request] = index
    return answers


def _may_leave_out(step: ExpectsRequest, before: Iterable[Expects]) -> bool:
    """Whether the client's sending `step` now means that it will never send what came before."""
    if step.method == _BEGINS_TURN:
        return True
    return not any(
        isinstance(other, ExpectsAnswer) or other.method in _NEVER_LEFT_OUT for other in before
    )


def _key(request_id: Any) -> _Key:
    """An id as a key: 1, "1" and true are different, and a client may send even a list."""
    return type(request_id).__name__, json.dumps(request_id)


def _name(step: Expects) -> str:
    return f"an answer to request {step.id}" if isinstance(step, ExpectsAnswer) else step.method
