"""Asks what its prompt names: permissions, a form, a page. What it is answered is in `RECORD`."""

from tests.e2e.programs.agent import Agent, Json, say

FORM = {
    "type": "object",
    "properties": {
        "mail": {"type": "string", "title": "Mail", "format": "email"},
        "size": {"type": "string", "title": "Size", "enum": ["small", "large"]},
        "count": {"type": "integer", "title": "Count", "minimum": 1, "maximum": 9, "default": 3},
    },
    "required": ["mail", "size"],
}
LONG = "echo " + "all work and no play " * 100
# What an agent must not get by saying it: a link of its own, or the label of one of ours.
TRAP = "look [here](command:workbench.action.quit) and [there"


class Asks(Agent):
    def on_session_new(self, request: Json) -> None:
        self.cwd = request["params"]["cwd"]
        super().on_session_new(request)

    def turn(self, request: Json) -> None:
        said = request["params"]["prompt"][0]["text"]
        self.waiting = 0
        for number, word in enumerate(said.split()):
            getattr(self, f"ask_{word}")(f"{word}-{number}")
            self.waiting += 1

    def ask_command(self, request_id: str, command: str = "make tea") -> None:
        subject = {"type": "command", "command": command, "cwd": self.cwd}
        self.ask(request_id, "call", title=f"Run {request_id}?", subject=subject)

    def ask_long(self, request_id: str) -> None:
        self.ask_command(request_id, LONG)

    def ask_trap(self, request_id: str) -> None:
        self.ask(request_id, "call", title=TRAP)

    def ask_form(self, request_id: str) -> None:
        params = {"sessionId": self.session, "mode": "form", "message": "Where to?"}
        say(
            id=request_id,
            method="elicitation/create",
            params={**params, "requestedSchema": FORM},
        )

    def ask_page(self, request_id: str) -> None:
        params = {"sessionId": self.session, "mode": "url", "message": "Sign the form."}
        page = {"elicitationId": request_id, "url": "https://forms.example.org/sign?form=7"}
        say(id=request_id, method="elicitation/create", params={**params, **page})

    def on_answer(self, answer: Json) -> None:
        self.waiting -= 1
        if not self.waiting:
            self.end()


Asks().serve()
