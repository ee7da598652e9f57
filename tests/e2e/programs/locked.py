"""Wants a sign-in: `locked.py VERSION KEYFILE [WAYS...]`; signed in is who has the key file.

Ways: "web" (done by the agent), "tty" (its program run with `--sign-in`), "never" (the agent does
not answer). The prompt "Sign out" has it lock itself: from then on prompts are refused.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.e2e.programs.agent import Agent, Json, say

AUTH_REQUIRED = -32000
KEY = Path(sys.argv[2])


class Locked(Agent):
    version = int(sys.argv[1])
    session = "kept"

    def on_initialize(self, request: Json) -> None:
        known = {"name": "locked", "version": "1"}
        ways = [self.way(name) for name in sys.argv[3:] or ["web"]]
        if self.version == 1:
            can: Json = {"sessionCapabilities": {"resume": {}}, "auth": {"logout": {}}}
            result = {"protocolVersion": 1, "agentInfo": known, "agentCapabilities": can}
        else:
            result = {"protocolVersion": 2, "info": known, "capabilities": {"session": {}}}
        say(id=request["id"], result={**result, "authMethods": ways})

    def way(self, name: str) -> Json:
        identity = {"id": name} if self.version == 1 else {"methodId": name}
        way: Json = {**identity, "name": f"By {name}", "type": "agent"}
        if name == "tty":
            secret = {"LOCKED_PIN": "pin-1234"}
            pairs = [{"name": key, "value": value} for key, value in secret.items()]
            env = secret if self.version == 1 else pairs
            way |= {"type": "terminal", "args": ["--sign-in"], "env": env}
        return way

    def on_authenticate(self, request: Json) -> None:
        if request["params"]["methodId"] == "web":
            KEY.touch()
            say(id=request["id"], result={})

    on_auth_login = on_authenticate

    def on_logout(self, request: Json) -> None:
        KEY.unlink(missing_ok=True)
        say(id=request["id"], result={})

    on_auth_logout = on_logout

    def on_session_new(self, request: Json) -> None:
        if self.open_for(request):
            say(id=request["id"], result={"sessionId": self.session})

    def on_session_resume(self, request: Json) -> None:
        if self.open_for(request):
            say(id=request["id"], result={})

    def on_session_prompt(self, request: Json) -> None:
        if "Sign out" in request["params"]["prompt"][0]["text"] and KEY.exists():
            KEY.unlink()
        if self.open_for(request):
            super().on_session_prompt(request)

    def open_for(self, request: Json) -> bool:
        """Whether it is signed in; refuses the request if not."""
        if not KEY.exists():
            error = {"code": AUTH_REQUIRED, "message": "Authentication required"}
            say(id=request["id"], error=error)
        return KEY.exists()


if "--sign-in" in sys.argv:
    if os.environ.get("LOCKED_PIN") != "pin-1234":
        sys.exit("wrong pin")
    KEY.touch()
else:
    Locked().serve()
