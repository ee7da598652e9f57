"""An ordinary agent, small and without any dependency; each program changes one thing about it.

It reads one message after the other and never waits for an answer, so that a program can say
anything at any time. What it is sent goes to the file that `RECORD` names, for tests to look at.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

OPTIONS = [
    {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]


def raw(data: bytes) -> None:
    """Send bytes at once."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(**message: Any) -> None:
    """Send one message at once."""
    raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def messages() -> Iterator[Json]:
    """Everything that comes, until the end of input."""
    record = os.environ.get("RECORD")
    for line in sys.stdin.buffer:
        if record:
            with open(record, "ab") as file:  # noqa: PTH123 - a path object is not needed
                file.write(line)
        yield json.loads(line)


class Agent:
    """Answers every method as it should; `turn` is what a prompt leads to.

    Methods are named after ACP's: `on_session_prompt` takes the request `session/prompt`.
    """

    version = 2
    capabilities: Json = {"session": {}}  # noqa: RUF012 - never changed
    session = f"session-{os.getpid()}"

    def serve(self) -> None:
        """Serve until the end of input."""
        for message in messages():
            if "method" in message:
                name = message["method"].replace("/", "_").replace("$", "")
                getattr(self, f"on_{name}", self.on_other)(message)
            else:
                self.on_answer(message)

    def on_initialize(self, request: Json) -> None:
        known = {"name": "faulty", "version": "1"}
        if self.version == 1:
            result = {"protocolVersion": 1, "agentInfo": known, "agentCapabilities": {}}
        else:
            result = {"protocolVersion": 2, "info": known, "capabilities": self.capabilities}
        say(id=request["id"], result={**result, "authMethods": []})

    def on_session_new(self, request: Json) -> None:
        say(id=request["id"], result={"sessionId": self.session})

    def on_session_prompt(self, request: Json) -> None:
        if self.version == 2:
            say(id=request["id"], result={"messageId": "u"})
            self.update(sessionUpdate="state_update", state="running")
        self.prompt_id = request["id"]
        self.turn(request)

    def turn(self, request: Json) -> None:
        self.message("done")
        self.end()

    def on_session_cancel(self, _notification: Json) -> None:
        self.end("cancelled")

    def on_answer(self, answer: Json) -> None:
        """An answer to a request of ours; by default it ends the turn, told in a message."""
        outcome = answer.get("result", answer.get("error"))
        self.message(f"answered {answer['id']}: {json.dumps(outcome)}")
        self.end()

    def on_other(self, message: Json) -> None:
        if "id" in message:
            error = {"code": -32601, "message": message["method"]}
            say(id=message["id"], error=error)

    def update(self, **update: Any) -> None:
        say(method="session/update", params={"sessionId": self.session, "update": update})

    def message(self, text: str) -> None:
        """A piece of the agent's message."""
        content = {"type": "text", "text": text}
        self.update(sessionUpdate="agent_message_chunk", messageId="m", content=content)

    def call(self, call_id: str, **fields: Any) -> None:
        """Announce a tool call or tell news of it."""
        self.update(sessionUpdate="tool_call_update", toolCallId=call_id, **fields)

    def ask(self, request_id: int | str, call_id: str, **more: Any) -> None:
        """Ask permission for a tool call."""
        subject = {"type": "tool_call", "toolCall": {"toolCallId": call_id, "title": "A call"}}
        params = {"sessionId": self.session, "title": "May I?", "subject": subject}
        say(
            id=request_id,
            method="session/request_permission",
            params={**params, "options": OPTIONS, **more},
        )

    def end(self, reason: str = "end_turn") -> None:
        """End the turn as the protocol version has it."""
        if self.version == 1:
            say(id=self.prompt_id, result={"stopReason": reason})
        else:
            self.update(sessionUpdate="state_update", state="idle", stopReason=reason)
