"""`acp/elicitation` and its kin: for a client that offers `elicitation: true`.

Texts for people are made safe to show; show them as text, never as links or markup. Names and
values of fields and choices are the agent's own and go back unchanged.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypedDict

ELICITATION: Final = "acp/elicitation"
ELICITATION_SETTLED: Final = "acp/elicitationSettled"
ELICITATION_COMPLETED: Final = "acp/elicitationCompleted"

Action = Literal["accept", "decline", "cancel"]


class ChoicePayload(TypedDict):
    """One choice of a field.

    Attributes:
        value: Goes into the answer.
        title: What to show.
    """

    value: str
    title: str
    description: str | None


class FieldPayload(TypedDict):
    """A field of a form.

    Attributes:
        type: string, number, integer, boolean, choice (one string of `choices`), choices (a list of
            strings of `choices`), or unknown (leave it out).
        name: Goes into the answer.
        title: What to show.
        required: The answer must have it.
        default: To start with, or null.
        choices: Of a choice; empty otherwise.
        least: Smallest number, length or count; null is any.
        most: Largest number, length or count; null is any.
        pattern: A regular expression of the agent's that text should match; run it with care.
        format: email, uri, date, date-time, another, or null.
        error: What was wrong with the last answer, or null.
    """

    name: str
    type: Literal["string", "number", "integer", "boolean", "choice", "choices", "unknown"]
    title: str
    description: str | None
    required: bool
    default: Any
    choices: list[ChoicePayload]
    least: float | None
    most: float | None
    pattern: str | None
    format: str | None
    error: str | None


class FormPayload(TypedDict):
    """A form, to be reviewed by the user before it is sent."""

    title: str | None
    description: str | None
    fields: list[FieldPayload]


class LinkPayload(TypedDict):
    """An address to be opened, only by the user's choice, with all of it and its host in sight.

    Attributes:
        url: The whole address, made safe to show. The sidecar opens it after consent.
        host: What it really leads to; show it apart.
        warnings: What a person should look at first.
    """

    url: str
    host: str
    warnings: list[str]


class ElicitationQuestion(TypedDict):
    """What prompts and `acp.state` share; exactly one of `form` and `link` is there.

    Attributes:
        elicitationId: The sidecar's own id.
        sessionId: The session, or null if it belongs to none.
        mode: Whether there is a form or a link.
    """

    elicitationId: str
    sessionId: str | None
    agent: str
    message: str
    toolCallId: str | None
    mode: Literal["form", "url"]
    form: FormPayload | None
    link: LinkPayload | None


class ElicitationParams(ElicitationQuestion):
    """Params of the request `acp/elicitation`.

    Attributes:
        inert: Seconds after it appears for which a prompt must ignore keys and clicks.
    """

    inert: float


class ElicitationAnswer(TypedDict):
    """Result of `acp/elicitation`; null is cancel.

    Attributes:
        action: What the user wants.
        content: Values by name of field, for a form that is accepted.
    """

    action: Action
    content: NotRequired[dict[str, Any] | None]


class ElicitationSettledParams(TypedDict):
    """Params of the notification `acp/elicitationSettled`: it is over, close any view of it.

    The content is never told.

    Attributes:
        action: How it ended; null if the agent withdrew it or is gone.
    """

    elicitationId: str
    action: Action | None
    reason: str


class ElicitationCompletedParams(TypedDict):
    """Params of the notification `acp/elicitationCompleted`: the page did what it was for."""

    elicitationId: str


class ElicitationView(ElicitationQuestion):
    """An entry of `elicitations` in `acp.state`. Never holds what the user typed.

    Attributes:
        age: Seconds since the agent asked.
    """

    age: float
