"""Shows in one turn everything that the Agent view can draw, and waits for a permission then.

It writes what it says that it has written, and stays at a place of the same file. Told `stop`, it
refuses.
"""

import difflib
from pathlib import Path

from tests.e2e.programs.agent import Agent, Json

WORDS = "tally/words.py"
OLD, NEW = '    """Count how often', '    """Count, whatever the case, how often'
STEPS = {"read the words": "completed", "count them": "in_progress", "tell of it": "pending"}
ANSWER = """\
# What I found

A [link](https://example.org/words), `code`, **bold** and *more*:

- [x] read `tally/words.py`
- [ ] count it

> as it was said before

| word | count |
| ---- | ----- |
| one  | 2     |

```python
def count(words):
    return len(words)
```
"""
COMMANDS: list[Json] = [
    {"type": "command", "name": "count", "description": "Count words"},
    {"type": "command", "name": "share", "description": "Tell the share of a word"},
]
MODES = [{"value": "ask", "name": "Ask first"}, {"value": "auto", "name": "Write at once"}]
OPTIONS: list[Json] = [
    {
        "type": "select",
        "configId": "mode",
        "name": "Mode",
        "category": "mode",
        "currentValue": "ask",
        "options": MODES,
    },
    {"type": "boolean", "configId": "loud", "name": "Loud", "currentValue": True},
]


def text(said: str) -> Json:
    return {"type": "text", "text": said}


class Shows(Agent):
    asked = False

    def on_session_new(self, request: Json) -> None:
        self.folder = Path(request["params"]["cwd"])
        super().on_session_new(request)
        self.update(sessionUpdate="available_commands_update", availableCommands=COMMANDS)
        self.update(sessionUpdate="config_option_update", configOptions=OPTIONS)

    def on_session_prompt(self, request: Json) -> None:
        if not self.asked:  # else it waits until there is an answer
            super().on_session_prompt(request)

    def turn(self, request: Json) -> None:
        if request["params"]["prompt"][0]["text"] == "stop":
            self.end("refusal")
            return
        self.say_much()
        self.change()
        self.call_tools()
        self.plan()
        self.ask_for_a_command()

    def say_much(self) -> None:
        said = [text("Count the words.")]
        self.update(sessionUpdate="user_message", messageId="u", content=said)
        for severity in ("info", "warning", "error"):
            self.update(sessionUpdate="notice", severity=severity, title=f"Some {severity}")
        thought = text("First I *read* it.")
        self.update(sessionUpdate="agent_thought_chunk", messageId="t", content=thought)
        self.message(ANSWER)
        self.update(sessionUpdate="usage_update", used=50_000, size=200_000)

    def change(self) -> None:
        """Write a file, and tell what of it has changed."""
        path = self.folder / WORDS
        before = path.read_text(encoding="utf-8")
        after = before.replace(OLD, NEW)
        path.write_text(after, encoding="utf-8")
        old, new = (each.splitlines(keepends=True) for each in (before, after))
        patch = f"diff --git {path} {path}\n"
        patch += "".join(difflib.unified_diff(old, new, str(path), str(path)))
        changes = [{"operation": "modify", "path": str(path), "fileType": "text"}]
        form = {"format": "git_patch", "text": patch}
        diff = {"type": "diff", "changes": changes, "patch": form}
        self.call("edit", title="Edit the words", kind="edit", status="completed", content=[diff])

    def call_tools(self) -> None:
        content = [{"type": "content", "content": text("It `says` so.")}]
        for status in ("pending", "completed", "failed", "cancelled"):
            kind = "search" if status == "failed" else "think"
            self.call(status, title=f"A {status} call", kind=kind, status=status, content=content)
        cwd = str(self.folder)
        output = {"data": "bWFkZQo="}
        self.update(
            sessionUpdate="terminal_update",
            terminalId="tea",
            command="make tea",
            cwd=cwd,
            output=output,
        )
        terminal = [{"type": "terminal", "terminalId": "tea"}]
        title = "Make tea"
        self.call("tea", title=title, kind="execute", status="in_progress", content=terminal)
        place = {"path": str(self.folder / WORDS), "line": 10}
        title = "Look at the words"
        self.call("look", title=title, kind="read", status="in_progress", locations=[place])

    def plan(self) -> None:
        entries = [
            {"content": step, "status": status, "priority": "high"}
            for step, status in STEPS.items()
        ]
        plan = {"type": "items", "planId": "plan", "entries": entries}
        self.update(sessionUpdate="plan_update", plan=plan)

    def ask_for_a_command(self) -> None:
        self.asked = True
        subject = {"type": "command", "command": "make tea", "cwd": str(self.folder.parent)}
        more = {"title": "Make tea?", "description": "It is five."}
        self.ask("permission", "tea", subject=subject, **more)

    def on_answer(self, _answer: Json) -> None:
        for call in ("tea", "look"):
            self.call(call, status="completed")
        self.update(sessionUpdate="agent_message", messageId="done", content=[text("It is made.")])
        self.end()


Shows().serve()
