"""An ordinary agent that does in its turns what a test tells it by a socket (see `conductor`)."""

import json
import socket
import sys
import threading
from typing import Any

from tests.e2e.programs.agent import Agent, Json, say

conductor = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
lines = conductor.makefile("rwb", buffering=0)


class Conducted(Agent):
    def tell(self, **news: Any) -> None:
        """Tell the test what came."""
        lines.write(json.dumps(news).encode() + b"\n")

    def conduct(self) -> None:
        for line in lines:
            step = json.loads(line)
            getattr(self, step.pop("do"))(**step)

    def send(self, **message: Any) -> None:
        """A message as it is."""
        say(**message)

    def turn(self, request: Json) -> None:
        self.tell(prompt=request["params"])

    def on_session_cancel(self, _notification: Json) -> None:
        self.tell(cancelled=True)

    def on_answer(self, answer: Json) -> None:
        self.tell(**answer)

    def on_session_resume(self, request: Json) -> None:
        self.session = request["params"]["sessionId"]
        self.tell(resume=request["params"])
        self.resume_id = request["id"]

    def resumed(self) -> None:
        say(id=self.resume_id, result={})


conducted = Conducted()
threading.Thread(target=conducted.conduct, daemon=True).start()
conducted.serve()
