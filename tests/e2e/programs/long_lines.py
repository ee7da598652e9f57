"""Says one message of as many bytes as its argument says, and then another."""

import sys

from tests.e2e.programs.agent import Agent, Json

SIZE = int(sys.argv[1])


class LongLines(Agent):
    def turn(self, request: Json) -> None:
        self.message("x" * SIZE)
        self.message("after it")
        self.end()


LongLines().serve()
