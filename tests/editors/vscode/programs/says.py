"""Says what its prompt is, as an agent's message; what it is sent is in `RECORD`.

It speaks the version that `VERSION` names, 2 without it. `many COUNT` makes so many tool calls,
`slowly TEXT` says a text word by word without an end of the turn, until the turn is cancelled.
"""

import os

from tests.e2e.programs.agent import Agent, Json

COMMANDS = [
    {
        "type": "command",
        "name": "many",
        "description": "Make many tool calls",
        "input": {"type": "text", "hint": "how many"},
    },
    {"type": "command", "name": "stop", "description": "Do nothing"},
]


class Says(Agent):
    version = int(os.environ.get("VERSION", "2"))
    capabilities: Json = {"session": {"prompt": {"image": {}}}}  # noqa: RUF012 - never changed

    def on_session_new(self, request: Json) -> None:
        self.cwd = request["params"]["cwd"]
        super().on_session_new(request)
        self.update(sessionUpdate="available_commands_update", availableCommands=COMMANDS)

    def turn(self, request: Json) -> None:
        said = request["params"]["prompt"][0].get("text", "")
        word, _, rest = said.partition(" ")
        if word in ("many", "/many"):
            self.many(int(rest))
        elif word == "slowly":
            for piece in rest.split(" "):
                self.message(f"{piece} ")
            return
        else:
            self.message(said)
        self.end()

    def many(self, count: int) -> None:
        for number in range(count):
            text = {"type": "text", "text": f"line {number}\n" * (1 + number % 5)}
            self.call(
                f"call-{number}",
                title=f"Read {number}",
                kind="read",
                status="completed",
                content=[{"type": "content", "content": text}],
                locations=[{"path": f"{self.cwd}/tally/words.py", "line": 1 + number % 9}],
            )


Says().serve()
