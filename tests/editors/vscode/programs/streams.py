"""Streams 10 000 updates when told to `go on`: text, thoughts, tool calls at places, their ends."""

import json

from tests.e2e.programs.agent import Agent, Json, raw

COUNT = 10_000
PIECE = 50
PLACES = 30


class Streams(Agent):
    def on_session_new(self, request: Json) -> None:
        self.cwd = request["params"]["cwd"]
        super().on_session_new(request)

    def turn(self, request: Json) -> None:
        said = request["params"]["prompt"][0]["text"]
        for start in range(0, COUNT if said == "go on" else 0, PIECE):
            raw(b"".join(self.line(number) for number in range(start, start + PIECE)))
        self.message("that is all")
        self.end()

    def line(self, number: int) -> bytes:
        kind = number % 10
        if kind == 8:
            update = self.reading(number, "in_progress")
        elif kind == 9:
            update = self.reading(number - 1, "completed")
        else:
            name = "agent_thought_chunk" if kind == 7 else "agent_message_chunk"
            content = {"type": "text", "text": f"word {number} " + "\n\n" * (kind == 6)}
            update = {"sessionUpdate": name, "messageId": f"m{number // 100}", "content": content}
        params = {"sessionId": self.session, "update": update}
        message = {"jsonrpc": "2.0", "method": "session/update", "params": params}
        return json.dumps(message).encode() + b"\n"

    def reading(self, number: int, status: str) -> Json:
        place = {"path": f"{self.cwd}/tally/words.py", "line": 1 + number % PLACES}
        return {
            "sessionUpdate": "tool_call_update",
            "toolCallId": f"call-{number}",
            "title": f"Read {number}",
            "kind": "read",
            "status": status,
            "locations": [place],
        }


Streams().serve()
