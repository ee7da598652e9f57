"""Exits with status 3 at the stage that is its argument, with last words on stderr."""

import sys

from tests.e2e.programs.agent import Agent, Json

STAGE = sys.argv[1]


def reached(stage: str) -> None:
    """End here, if this is the stage."""
    if stage == STAGE:
        sys.stderr.write(f"fatal: leaving at {STAGE}\n")
        sys.exit(3)


class Exits(Agent):
    def on_initialize(self, request: Json) -> None:
        reached("initialize")
        super().on_initialize(request)
        reached("initialized")

    def on_session_new(self, request: Json) -> None:
        reached("session/new")
        super().on_session_new(request)

    def turn(self, request: Json) -> None:
        self.message("begun")
        self.call("c", title="A long call", status="in_progress")
        reached("turn")
        self.ask(1, "c")
        reached("permission")


reached("start")
Exits().serve()
