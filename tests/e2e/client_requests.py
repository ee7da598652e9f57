"""Drives the program "asks_client": steps go out as a prompt, answers come back as values."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.faulty import said
from tests.harness import Editor

Json = dict[str, Any]
READ, WRITE = "fs/read_text_file", "fs/write_text_file"
CREATE, OUTPUT = "terminal/create", "terminal/output"
WAIT, KILL, RELEASE = "terminal/wait_for_exit", "terminal/kill", "terminal/release"


async def asked(editor: Editor, *steps: Any, session: str | None = None) -> list[Any]:
    """Have the agent ask its client; what it was answered, in the order of asking."""
    return answers(await editor.turn(json.dumps(steps), **_in(session)))


async def asking(editor: Editor, *steps: Any, session: str | None = None) -> str:
    """As `asked`, without waiting for the end; gives the session."""
    return await editor.prompt(json.dumps(steps), **_in(session))


def answers(session: Json) -> list[Any]:
    """What the agent was answered in the last turn of a session."""
    decoder, text = json.JSONDecoder(), said(session)
    found: list[Any] = []
    while text:
        found, end = decoder.raw_decode(text)
        text = text[end:]
    return found


def _in(session: str | None) -> Json:
    return {} if session is None else {"sessionId": session}
