"""A client that switches everything on, answers what it is asked, and keeps all that was said."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any, Final

from acp_sidecar.lsp.abilities import RICH
from tests.harness import PLAIN, Editor
from tests.lsp.contract import answer_faults, command_faults, message_faults

Json = dict[str, Any]

EVERYTHING: Final[Json] = {**PLAIN, "experimental": {"acp": dict.fromkeys(sorted(RICH), True)}}

FILLED_IN: Final[Mapping[str, Any]] = {
    "string": "text",
    "integer": 3,
    "number": 1.5,
    "boolean": True,
}


class RichClient:
    """Drives an editor and notes every fault of what passes between it and the server.

    Attributes:
        allow: How permissions are answered: by an allowing option, or by a rejecting one.
        remember: What the answers carry to become rules.
        silent: Leave requests open, for somebody to answer them by command.
    """

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.allow = True
        self.remember: Json | None = None
        self.silent = False
        self.commands: dict[str, list[tuple[Json, Any]]] = {}
        self.answers: dict[str, list[Any]] = {}
        self.faults: list[str] = []
        editor.handlers["acp/permission"] = self._permission
        editor.handlers["acp/elicitation"] = self._elicitation
        editor.handlers["acp/runInTerminal"] = self._run_in_terminal

    async def command(self, name: str, **arguments: Any) -> Any:
        """Run a command; its argument and its result must be of their types."""
        result = await self.editor.command(name, arguments)
        self.commands.setdefault(name, []).append((arguments, result))
        self.faults += command_faults(name, arguments, result)
        return result

    async def turn(self, text: str) -> Json:
        """Send a prompt and wait for the end of its turn; returns the session."""
        session = await self.command("acp.prompt", text=text)
        return await self.editor.idle(session["sessionId"])

    async def _permission(self, params: Json) -> Json | None:
        if self.silent:
            await asyncio.Event().wait()
        kind = "allow_once" if self.allow else "reject_once"
        option = next(each for each in params["options"] if each["kind"] == kind)
        answer = {"optionId": option["optionId"]}
        if self.remember is not None:
            answer["remember"] = self.remember
        return self._answered("acp/permission", answer)

    async def _elicitation(self, params: Json) -> Json | None:
        if self.silent:
            await asyncio.Event().wait()
        answer: Json = {"action": "accept"}
        if params["form"] is not None:
            fields = params["form"]["fields"]
            answer["content"] = {each["name"]: filled_in(each) for each in fields}
        return self._answered("acp/elicitation", answer)

    async def _run_in_terminal(self, params: Json) -> Json | None:
        """Really run it, with nobody at the keyboard."""
        process = await asyncio.create_subprocess_exec(
            params["command"],
            *params["args"],
            cwd=params["cwd"],
            env={**os.environ, **params["env"]},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
        )
        return self._answered("acp/runInTerminal", {"exitCode": await process.wait()})

    def _answered(self, method: str, answer: Json) -> Json:
        self.answers.setdefault(method, []).append(answer)
        self.faults += answer_faults(method, answer)
        return answer

    def check_received(self) -> set[str]:
        """Note the faults of all messages that came; returns their methods."""
        received = [each for each in self.editor.received if each.method.startswith("acp/")]
        for each in received:
            self.faults += message_faults(each.method, each.params)
        return {each.method for each in received}


def filled_in(field: Json) -> Any:
    """A value that a field takes."""
    if field["default"] is not None:
        return field["default"]
    if field["type"] == "choice":
        return field["choices"][0]["value"]
    if field["type"] == "choices":
        return [choice["value"] for choice in field["choices"]]
    return FILLED_IN[field["type"]]
