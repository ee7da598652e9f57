"""Asks permission for a call that was never announced, and for a session that does not exist."""

import sys

from tests.e2e.programs.agent import Agent, Json


class AsksAboutStrangers(Agent):
    def turn(self, request: Json) -> None:
        if sys.argv[1] == "call":
            self.ask("of-a-call", "never-announced")
        else:
            self.ask("of-a-session", "c", sessionId="nobody's")


AsksAboutStrangers().serve()
