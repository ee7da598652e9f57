"""Wants a sign-in: its own program, run with `--sign-in`, asks for a PIN in a terminal.

Signed in is who has the file that `KEY` names.
"""

import os
import sys
from pathlib import Path

from tests.e2e.programs.agent import Agent, Json, say

KEY = Path(os.environ["KEY"])
AUTH_REQUIRED = -32000


class Pin(Agent):
    def on_initialize(self, request: Json) -> None:
        way = {"type": "terminal", "methodId": "pin", "name": "By PIN", "args": ["--sign-in"]}
        known = {"name": "pin", "version": "1"}
        result = {"protocolVersion": 2, "info": known, "capabilities": {"session": {}}}
        say(id=request["id"], result={**result, "authMethods": [way]})

    def on_session_new(self, request: Json) -> None:
        if KEY.exists():
            super().on_session_new(request)
        else:
            error = {"code": AUTH_REQUIRED, "message": "Authentication required"}
            say(id=request["id"], error=error)


if "--sign-in" in sys.argv:
    if input("Your PIN: ") != "1234":
        sys.exit("That is not your PIN.")
    KEY.touch()
else:
    Pin().serve()
