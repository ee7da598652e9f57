"""Answers an offer of version 2 with 2, in the words of version 1, which alone it speaks."""

from tests.e2e.programs.agent import Agent, Json, say


class ClaimsTwo(Agent):
    version = 1

    def on_initialize(self, request: Json) -> None:
        version = request["params"]["protocolVersion"]
        known = {"name": "faulty", "version": "1"}
        result = {"protocolVersion": version, "agentInfo": known, "agentCapabilities": {}}
        say(id=request["id"], result=result)


ClaimsTwo().serve()
