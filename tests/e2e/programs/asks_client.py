"""Asks of its client what a prompt spells out as JSON, and tells what it was answered.

A prompt is a list of steps `[method, params]`; each is answered before the next is asked. A step
`["later", method, params]` is not waited for. A step may name the terminal that it makes, as a last
item; `"$name"` in later params stands for its id. A step `[{"update": ...}]` is a session update,
any other of one item is a notification as it stands. All answers are told in a message, as a JSON
list.
"""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.programs.agent import Agent, Json, say


class AsksClient(Agent):
    version = 1

    def turn(self, request: Json) -> None:
        self.steps: list[Any] = json.loads(request["params"]["prompt"][0]["text"])
        self.answers: dict[int, Any] = {}
        self.open: dict[int, str] = {}
        self.terminals: dict[str, str] = {}
        self.waits: int | None = None
        self.count = 0
        self.go_on()

    def go_on(self) -> None:
        while self.steps and self.waits is None:
            step = self.steps.pop(0)
            if len(step) == 1:
                self.tell(step[0])
                continue
            later = step[0] == "later"
            method, params, *name = step[1:] if later else step
            self.count += 1
            self.open[self.count] = name[0] if name else ""
            self.waits = None if later else self.count
            known = {key: self.terminals.get(str(value), value) for key, value in params.items()}
            say(id=self.count, method=method, params={"sessionId": self.session, **known})
        if not self.steps and not self.open:
            self.message(json.dumps([self.answers[key] for key in sorted(self.answers)]))
            self.end()

    def tell(self, told: Json) -> None:
        if "update" in told:
            self.update(**told["update"])
        else:
            say(**told)

    def on_answer(self, answer: Json) -> None:
        name = self.open.pop(answer["id"])
        self.answers[answer["id"]] = answer.get("result", answer.get("error"))
        if name:
            self.terminals[f"${name}"] = answer["result"]["terminalId"]
        if self.waits == answer["id"]:
            self.waits = None
        self.go_on()


AsksClient().serve()
