"""What differs between ACP v1 and v2, as seen by the rest of the agent."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from acp_sidecar import __version__
from acp_sidecar.demo.agent.events import Event, Json, ToolCallFields
from acp_sidecar.demo.agent.session import Choice, Session

AGENT_INFO: Final[Json] = {
    "name": "acp-sidecar-demo",
    "title": "Demo Agent (scripted)",
    "version": __version__,
}
LOGIN_METHOD: Final = "demo"
LOGIN_NAME: Final = "Demo login"
LOGIN_DESCRIPTION: Final = "Always succeeds; nothing is sent anywhere."


@dataclass(frozen=True, slots=True)
class Question:
    """A permission that the agent asks for.

    Attributes:
        tool_call_id: The call that waits for it.
        kind: The call's kind, for which "always" is remembered.
        title: The question itself.
        description: What happens if it is allowed, where the rest does not say it.
        fields: What the user should see of the call, with the diff.
        command: The command line, if this is about running one.
        terminal_id: Where its output will be seen.
    """

    tool_call_id: str
    kind: str
    title: str
    description: str | None
    fields: ToolCallFields
    command: str | None = None
    terminal_id: str | None = None


class Dialect(Protocol):
    """One version of ACP on one connection: events as its updates, answers as its results."""

    @property
    def version(self) -> int:
        """The version's number."""

    @property
    def prompt_waits_for_the_turn(self) -> bool:
        """Whether `session/prompt` is answered at the end of the turn, or when it is accepted."""

    @property
    def runs_commands_at_client(self) -> bool:
        """Whether commands are run by the client, in terminals of its own."""

    @property
    def asks_forms(self) -> bool:
        """Whether the client lets us ask the user with a form."""

    def initialized(self) -> Json:
        """The result of `initialize`."""

    def opened(self, session: Session) -> Json:
        """What the results of opening a session say about it, except its id."""

    def updates(self, event: Event, session: Session, *, replay: bool = False) -> list[Json]:
        """The `update` objects of `session/update` notifications that tell the event."""

    def permission(self, question: Question, session: Session) -> Json:
        """The parameters of `session/request_permission`, without the options."""

    def options(self, session: Session) -> list[Json]:
        """The session's configuration options."""

    def option_value(self, params: Json) -> Any:
        """The value in the parameters of `session/set_config_option`."""


def choices(all_choices: tuple[Choice, ...]) -> list[Json]:
    """The options of a select."""
    return [
        {"value": choice.value, "name": choice.name, "description": choice.description}
        for choice in all_choices
    ]


def mime_type(path: Path) -> str:
    """The media type that a file's name suggests."""
    return mimetypes.guess_type(path.name)[0] or "text/plain"


def takes_forms(capabilities: Json) -> bool:
    """Whether a client with these capabilities lets an agent ask with a form, in v1 and v2."""
    elicitation = capabilities.get("elicitation")
    return isinstance(elicitation, dict) and isinstance(elicitation.get("form"), dict)


def text_block(text: str) -> Json:
    """Plain text as a content block."""
    return {"type": "text", "text": text}
