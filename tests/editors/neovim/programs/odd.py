"""Does what its prompt names, word for word: pages, withdrawals, cleared texts, whole files."""

import base64
from pathlib import Path

from tests.e2e.programs.agent import Agent, Json, say

GROUPS = [
    {"groupId": "fast", "name": "Fast", "options": [{"value": "m1", "name": "Small"}]},
    {"groupId": "slow", "name": "Slow", "options": [{"value": "m2", "name": "Large"}]},
]
OPTIONS: list[Json] = [
    {"type": "select", "configId": "model", "name": "Model", "currentValue": "m1",
     "category": "model", "options": GROUPS},
    {"type": "boolean", "configId": "loud", "name": "Loud", "currentValue": True},
    {"type": "_dial", "configId": "dial", "name": "Dial", "currentValue": 7},
]  # fmt: skip


class Odd(Agent):
    def turn(self, request: Json) -> None:
        word = request["params"]["prompt"][0]["text"].strip()
        getattr(self, f"do_{word}")(Path.cwd())

    def elicit(self, request_id: str, **more: object) -> None:
        params = {"sessionId": self.session, "message": "Please sign."}
        say(id=request_id, method="elicitation/create", params={**params, **more})

    def do_page(self, _folder: Path) -> None:
        self.elicit(
            "page", mode="url", elicitationId="e1", url="https://forms.example.org/sign?x=1"
        )

    def do_form(self, _folder: Path) -> None:
        properties = {"first": {"type": "string"}, "second": {"type": "string"}}
        schema = {"type": "object", "properties": properties, "required": ["first", "second"]}
        self.elicit("form", mode="form", requestedSchema=schema)

    def do_options(self, _folder: Path) -> None:
        self.update(sessionUpdate="config_option_update", configOptions=OPTIONS)
        self.end()

    def on_session_set_config_option(self, request: Json) -> None:
        given = request["params"]
        for option in OPTIONS:
            if option["configId"] == given["configId"]:
                option["currentValue"] = given["value"]
        say(id=request["id"], result={"configOptions": OPTIONS})

    painted = 0

    def do_repaint(self, _folder: Path) -> None:
        lines = "".join(f"line {self.painted + number};\r\n" for number in range(60))
        output = {"data": base64.b64encode(lines.encode()).decode()}
        self.painted += 100
        self.update(sessionUpdate="terminal_update", terminalId="t", command="top", output=output)
        self.end()

    def do_told(self, _folder: Path) -> None:
        self.update(sessionUpdate="session_info_update", title="A title")
        self.update(sessionUpdate="usage_update", used=50, size=100)
        self.end()

    def do_cleared(self, _folder: Path) -> None:
        self.update(sessionUpdate="session_info_update", title=None)
        self.end()

    def do_files(self, folder: Path) -> None:
        changes = [
            {"operation": "add", "path": str(folder / "new.py")},
            {"operation": "delete", "path": str(folder / "README.md")},
            {"operation": "move", "oldPath": str(folder / "docs/usage.txt"),
             "path": str(folder / "docs/usage.md")},
            {"operation": "add", "path": str(folder / "logo.png"), "fileType": "binary"},
        ]  # fmt: skip
        patch = (
            "diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n"
            "@@ -0,0 +1,2 @@\n+one = 1\n+two = 2\n"
        )
        diff = {"type": "diff", "changes": changes, "patch": {"format": "git_patch", "text": patch}}
        self.call("call-1", title="Tidy up", kind="edit", status="pending", content=[diff])
        self.ask("files", "call-1")

    def on_session_cancel(self, _notification: Json) -> None:
        say(method="$/cancel_request", params={"requestId": "form"})
        self.end("cancelled")


Odd().serve()
