"""Says what its prompt is, as an agent's message; what it is sent is in `RECORD`.

It speaks the version that `VERSION` names, 2 without it. `many COUNT` makes so many tool calls,
`slowly TEXT` says a text word by word without an end of the turn, until the turn is cancelled;
`read LINE` likewise reads there; `plan ONE, TWO` likewise has a plan, which is done then.
`use TOKENS` tells of used context.
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
    steps: list[str] = []  # noqa: RUF012 - never changed, but replaced
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
        elif word == "read":
            place = {"path": f"{self.cwd}/tally/words.py", "line": int(rest)}
            title = f"Read tally/words.py (line {rest})"
            self.call("call", title=title, kind="read", status="in_progress", locations=[place])
            return
        elif word == "plan":
            self.steps = rest.split(", ")
            self.plan("pending")
            return
        elif word == "use":
            cost = {"amount": 1.5, "currency": "EUR"}
            self.update(sessionUpdate="usage_update", used=int(rest), size=200_000, cost=cost)
        else:
            self.message(said)
        self.end()

    def plan(self, status: str) -> None:
        entries = [{"content": step, "status": status, "priority": "high"} for step in self.steps]
        if status == "pending":
            entries[0]["status"] = "in_progress"
        plan = {"type": "items", "planId": "plan", "entries": entries}
        self.update(sessionUpdate="plan_update", plan=plan)

    def on_session_cancel(self, notification: Json) -> None:
        if self.steps:
            self.plan("completed")
        super().on_session_cancel(notification)

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
