"""A v1 agent that announces one call twice, as if it were new each time."""

from tests.e2e.programs.agent import Agent, Json


class AnnouncesTwice(Agent):
    version = 1

    def turn(self, request: Json) -> None:
        call = {"sessionUpdate": "tool_call", "toolCallId": "c", "kind": "read"}
        self.update(**call, title="First", status="in_progress")
        self.update(**call, title="Second", status="completed")
        self.end()


AnnouncesTwice().serve()
