"""Answers with a version that nobody offered."""

from tests.e2e.programs.agent import Agent, Json, say


class VersionThree(Agent):
    def on_initialize(self, request: Json) -> None:
        known = {"name": "faulty", "version": "1"}
        say(id=request["id"], result={"protocolVersion": 3, "info": known, "capabilities": {}})


VersionThree().serve()
