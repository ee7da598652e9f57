"""Goes on telling when its turn is over, and ends it twice."""

from tests.e2e.programs.agent import Agent, Json


class LateUpdates(Agent):
    def turn(self, request: Json) -> None:
        self.call("c", title="Outlives the turn", status="in_progress")
        self.end()
        self.call("c", status="completed")
        self.message("afterthought")
        self.end("refusal")
        self.update(sessionUpdate="session_info_update", title="Named late")


LateUpdates().serve()
