"""Takes texts, images and sounds in prompts, and tells what it is sent; `v1` speaks that."""

from __future__ import annotations

import json
import sys

from tests.e2e.programs.agent import Agent, Json, say

CAPABILITIES: Json = {"embeddedContext": {}, "image": {}, "audio": {}}


class TakesMedia(Agent):
    version = 1 if sys.argv[1:] == ["v1"] else 2
    capabilities = {"session": {"prompt": CAPABILITIES}}  # noqa: RUF012 - never changed

    def on_initialize(self, request: Json) -> None:
        if self.version == 2:
            super().on_initialize(request)
            return
        taken = {"promptCapabilities": dict.fromkeys(CAPABILITIES, True)}
        say(id=request["id"], result={"protocolVersion": 1, "agentCapabilities": taken})

    def turn(self, request: Json) -> None:
        self.message(json.dumps(request["params"]["prompt"]))
        self.end()


TakesMedia().serve()
