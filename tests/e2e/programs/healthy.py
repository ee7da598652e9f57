"""Does nothing wrong."""

from tests.e2e.programs.agent import Agent

Agent().serve()
