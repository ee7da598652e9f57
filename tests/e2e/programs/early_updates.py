"""Tells and asks in its session before the client can know of it."""

import sys

from tests.e2e.programs.agent import Agent, Json

ASKS = sys.argv[1:] == ["asks"]


class EarlyUpdates(Agent):
    def on_session_new(self, request: Json) -> None:
        self.update(sessionUpdate="session_info_update", title="Named early")
        self.call("early", title="An early call", status="completed")
        if ASKS:
            self.ask(1, "early")
        else:
            super().on_session_new(request)
        self.opening = request

    def on_answer(self, answer: Json) -> None:
        """Only an answer to the early question lets the session come about."""
        super().on_session_new(self.opening)


EarlyUpdates().serve()
