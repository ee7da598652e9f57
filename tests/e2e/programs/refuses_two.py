"""Refuses an offer of version 2 with an error instead of answering with what it speaks."""

from tests.e2e.programs.agent import Agent, Json, say


class RefusesTwo(Agent):
    version = 1

    def on_initialize(self, request: Json) -> None:
        if request["params"]["protocolVersion"] != 1:
            say(id=request["id"], error={"code": -32602, "message": "unsupported version"})
        else:
            super().on_initialize(request)


RefusesTwo().serve()
