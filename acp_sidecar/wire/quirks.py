"""Deviations of single agents that show nothing to go by, as data.

What can be recognised by itself is tolerated of every agent, in the adapters; here is only what
would be wrong for the others. An agent is known by the name that it gives in `initialize`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from acp_sidecar.session.handshake import InitializeResult
from acp_sidecar.wire.protocol import RESOURCE_NOT_FOUND

Json = Any


@dataclass(frozen=True, slots=True)
class Quirk:
    """An error that an agent does not understand, and what it is answered in its place.

    Attributes:
        agent: `info.name` of its answer to `initialize`.
        method: Of the agent's request.
        code: Of the error.
        answer: The result that means the same to it.
        why: What happens without.
    """

    agent: str
    method: str
    code: int
    answer: Json
    why: str


QUIRKS: Final = (
    Quirk(
        "gemini-cli",
        "fs/read_text_file",
        RESOURCE_NOT_FOUND,
        {"content": ""},
        "It looks for words in an error that is no Error object, finds none, and so takes a "
        "missing file for one that cannot be read: it can make no new file.",
    ),
)


def answer_instead(info: InitializeResult | None, method: str, code: int) -> Json | None:
    """What this agent is answered in place of an error, or None: the error."""
    name = None if info is None else info.info.name
    for quirk in QUIRKS:
        if (quirk.agent, quirk.method, quirk.code) == (name, method, code):
            return quirk.answer
    return None
