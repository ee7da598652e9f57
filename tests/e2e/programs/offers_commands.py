"""Offers slash commands, one with input of a kind that is not known; tells what it is sent."""

from __future__ import annotations

import json

from tests.e2e.programs.agent import Agent, Json

COMMANDS = [
    {"name": "plan", "description": "Makes a plan."},
    {"name": "web", "description": "Looks it up.", "input": {"type": "text", "hint": "what for"}},
    {"name": "wheel", "description": "Turns.", "input": {"type": "_wheel", "spokes": 3}},
    {"type": "_macro", "name": "later", "description": "Is of a kind of the future."},
]


class OffersCommands(Agent):
    capabilities = {"session": {"prompt": {"embeddedContext": {}}}}  # noqa: RUF012 - never changed

    def turn(self, request: Json) -> None:
        self.update(sessionUpdate="available_commands_update", availableCommands=COMMANDS)
        self.message(json.dumps(request["params"]["prompt"]))
        self.end()


OffersCommands().serve()
