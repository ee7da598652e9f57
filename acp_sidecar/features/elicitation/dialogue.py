"""A form asked field by field, by message requests: all that plain LSP has.

Plain LSP has no text input. A free text field is answered by its default or skipped where the form
allows it; a form that needs typing is declined before anything is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from acp_sidecar.features.elicitation.form import Form, FormField
from acp_sidecar.features.elicitation.messages import Action
from acp_sidecar.features.elicitation.show import value_text
from acp_sidecar.features.permission.choices import LABEL_LIMIT, unique
from acp_sidecar.features.permission.prompts import Prompt, PromptQueue
from acp_sidecar.features.ports import Json, Level
from acp_sidecar.features.sanitize import visible_line, visible_text

Done = Callable[[Action, dict[str, Json] | None], None]
_Button = tuple[str, Callable[[], None]]


def needs_typing(form: Form) -> str | None:
    """The title of a field that can only be typed, if there is one."""
    for field in form.fields:
        typed = field.type in {"string", "integer", "number"} and field.default is None
        if field.required and (typed or field.type == "unknown"):
            return field.title
    return None


@dataclass(eq=False, slots=True)
class Dialogue:
    """One form on its way through the prompts. `close` ends it without calling `done`."""

    form: Form
    heading: str
    prompts: PromptQueue
    done: Done
    help: str
    values: dict[str, Json]
    prompt: Prompt | None = None
    closed: bool = False

    def start(self) -> None:
        """Ask the first field."""
        self._ask_field(0, first=False)

    def close(self) -> None:
        """Settled elsewhere."""
        self.closed = True
        if self.prompt is not None:
            self.prompts.withdraw(self.prompt)

    def _ask_field(self, index: int, *, first: bool = True) -> None:
        while index < len(self.form.fields):
            field = self.form.fields[index]
            if field.type == "choices":
                chosen = [] if field.default is None else list(field.default)
                self._ask_choices(index, chosen, first=first)
                return
            if buttons := self._buttons(index, field):
                self._ask(self._text(index, field), buttons, first=first)
                return
            index += 1  # optional, and nothing that buttons could say
        self._review(first=first)

    def _buttons(self, index: int, field: FormField) -> list[_Button]:
        match field.type:
            case "boolean":
                answers: Sequence[Json] = (True, False)
            case "choice":
                answers = [choice.value for choice in field.choices]
            case _:
                answers = [] if field.default is None else [field.default]
        buttons: list[_Button] = [
            (self._label(field, value), self._setting(index, field, value)) for value in answers
        ]
        if buttons and not field.required:
            buttons.append(("Skip", self._setting(index, field, None)))
        return buttons

    def _label(self, field: FormField, value: Json) -> str:
        name = visible_line(value_text(field, value), LABEL_LIMIT)
        return f"{name} (default)" if value == field.default else name

    def _setting(self, index: int, field: FormField, value: Json) -> Callable[[], None]:
        def set_value() -> None:
            self.values.pop(field.name, None)
            if value is not None:
                self.values[field.name] = value
            self._ask_field(index + 1)

        return set_value

    def _ask_choices(self, index: int, chosen: list[str], *, first: bool = True) -> None:
        """Several choices: each button takes one in or out, until they are enough."""
        field = self.form.fields[index]
        buttons: list[_Button] = []
        for choice in field.choices:
            taken = choice.value in chosen
            if not taken and field.most is not None and len(chosen) >= field.most:
                continue
            after = [each for each in chosen if each != choice.value]
            after += [] if taken else [choice.value]
            label = visible_line(choice.title, LABEL_LIMIT)
            mark = "✓ " if taken else ""
            buttons.append((f"{mark}{label}", self._choosing(index, after)))
        if len(chosen) >= (field.least or 0):
            value = chosen if chosen or field.required else None
            buttons.append(("Done", self._setting(index, field, value)))
        text = f"{self._text(index, field)}\nChosen: {value_text(field, chosen)}"
        self._ask(text, buttons, first=first)

    def _choosing(self, index: int, chosen: list[str]) -> Callable[[], None]:
        return lambda: self._ask_choices(index, chosen)

    def _text(self, index: int, field: FormField) -> str:
        place = f"{index + 1} of {len(self.form.fields)}: {visible_line(field.title)}"
        description = visible_text(field.description) if field.description else ""
        return "\n".join(part for part in (self.heading, place, description) if part)

    def _review(self, *, first: bool) -> None:
        lines = [
            f"{visible_line(field.title)}: {value_text(field, self.values[field.name])}"
            for field in self.form.fields
            if field.name in self.values
        ]
        text = "\n".join([self.heading, *(lines or ["No field is filled in."]), "Send this?"])
        buttons: list[_Button] = [("Change", lambda: self._ask_field(0))] if lines else []
        self._ask(text, [*buttons, ("Send", self._send)], first=first)

    def _send(self) -> None:
        self._end("accept", dict(self.values))

    def _ask(self, text: str, buttons: list[_Button], *, first: bool) -> None:
        buttons = [*buttons, ("Decline", lambda: self._end("decline", None))]
        self.prompt = Prompt(
            Level.INFO,
            text,
            unique([label for label, _ in buttons]),
            lambda index: self._chosen(buttons, index),
            self.help,
        )
        self.prompts.put(self.prompt, first=first)

    def _chosen(self, buttons: list[_Button], index: int | None) -> None:
        if self.closed:
            return
        if index is None:
            self._end("cancel", None)
        else:
            buttons[index][1]()

    def _end(self, action: Action, content: dict[str, Json] | None) -> None:
        self.closed = True
        self.values.clear()
        self.done(action, content)
