"""Does nothing wrong; takes embedded context if its argument is "embedded"."""

import sys

from tests.e2e.programs.agent import Agent


class Healthy(Agent):
    if sys.argv[1:] == ["embedded"]:
        capabilities = {"session": {"prompt": {"embeddedContext": {}}}}


Healthy().serve()
