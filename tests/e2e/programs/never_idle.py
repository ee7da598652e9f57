"""Never ends a turn, not even when it is cancelled."""

from tests.e2e.programs.agent import Agent, Json


class NeverIdle(Agent):
    def turn(self, request: Json) -> None:
        self.call("c", title="For ever", status="in_progress")

    def on_session_cancel(self, notification: Json) -> None:
        self.message("no")


NeverIdle().serve()
