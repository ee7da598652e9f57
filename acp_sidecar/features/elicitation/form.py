"""Forms: ACP's subset of JSON Schema (flat objects of simple fields) read, and answers checked."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any, Final, Literal
from urllib.parse import urlsplit

Json = Any
FieldType = Literal["string", "number", "integer", "boolean", "choice", "choices", "unknown"]

MOST_FIELDS: Final = 100
MOST_CHOICES: Final = 500

_FORMATS: Final = {
    "email": re.compile(r"[^@\s]+@[^@\s]+"),
    "date": re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    "date-time": re.compile(
        r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]"
        r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-][0-2]\d:[0-5]\d)"
    ),
}
_SECRET: Final = re.compile(
    r"pass(word|wd|phrase|code)|secret|credential|api[ _-]?key|private[ _-]?key|\bpin\b|\bcvv\b|"
    r"(access|auth|refresh|bearer|api|session|id)[ _-]?token|recovery[ _-]?(code|phrase)|"
    r"seed[ _-]?phrase|\A\s*token\s*\Z|(card|account)[ _-]?number|\botp\b|one[ _-]?time",
    re.IGNORECASE,
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    title: str
    description: str | None = None


@dataclass(frozen=True, slots=True)
class FormField:
    """One field.

    Attributes:
        least: Smallest number, length or count of choices; `most` is the largest.
        pattern: For the form to check: never run here, it comes from the agent and may not end.
    """

    name: str
    type: FieldType
    title: str
    description: str | None = None
    required: bool = False
    default: Json = None
    choices: tuple[Choice, ...] = ()
    least: float | None = None
    most: float | None = None
    pattern: str | None = None
    format: str | None = None

    @property
    def asks_secret(self) -> bool:
        """Free text that seems to be a password or the like: forms must never ask for those."""
        if self.type != "string":
            return False
        names = (_CAMEL.sub(" ", self.name).replace("_", " "), self.title)
        return self.format == "password" or any(map(_SECRET.search, names))


@dataclass(frozen=True, slots=True)
class Form:
    title: str | None
    description: str | None
    fields: tuple[FormField, ...]


def read_form(schema: Json) -> Form | str:
    """The form, or why it cannot be one. Never raises."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or schema.get("type", "object") != "object":
        return "its form is no flat object"
    if len(properties) > MOST_FIELDS:
        return "its form has too many fields"
    required = schema.get("required") or []
    if not isinstance(required, list) or any(name not in properties for name in map(str, required)):
        return "its form requires a field that it does not describe"
    fields = tuple(_field(name, raw, name in required) for name, raw in properties.items())
    return Form(_text(schema.get("title")), _text(schema.get("description")), fields)


def checked(form: Form, content: Json) -> tuple[dict[str, Json], dict[str, str]]:
    """The content that the form describes, and what is wrong by name of field."""
    given = content if isinstance(content, dict) else {}
    kept: dict[str, Json] = {}
    errors: dict[str, str] = {}
    for field in form.fields:
        value = given.get(field.name)
        if value is None or field.type == "unknown":
            if field.required:
                errors[field.name] = "This is required."
            continue
        if field.type == "integer" and isinstance(value, float) and value.is_integer():
            value = int(value)
        if error := error_of(field, value):
            errors[field.name] = error
        else:
            kept[field.name] = value
    return kept, errors


def error_of(field: FormField, value: Json) -> str:
    """What is wrong with a value, for a person; empty if nothing is."""
    match field.type:
        case "boolean":
            return "" if isinstance(value, bool) else "This is yes or no."
        case "integer" | "number":
            return _number_error(field, value)
        case "choice":
            known = {choice.value for choice in field.choices}
            return "" if isinstance(value, str) and value in known else "This is not a choice."
        case "choices":
            return _choices_error(field, value)
        case "string":
            return _string_error(field, value)
        case _:
            return "This field is of an unknown type."


def _number_error(field: FormField, value: Json) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "This is a number."
    if field.type == "integer" and isinstance(value, float):
        return "This is a whole number."
    if isinstance(value, float) and not math.isfinite(value):
        return "This is a number."
    return _size_error(field, value, "")


def _choices_error(field: FormField, value: Json) -> str:
    known = {choice.value for choice in field.choices}
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return "This is a list of choices."
    if not known.issuperset(value) or len(set(value)) != len(value):
        return "This is not a choice."
    return _size_error(field, len(value), " choices")


def _string_error(field: FormField, value: Json) -> str:
    if not isinstance(value, str):
        return "This is text."
    if error := _size_error(field, len(value), " characters"):
        return error
    if field.format == "uri":
        return "" if _is_uri(value) else "This is no address."
    form = _FORMATS.get(field.format or "")
    return "" if form is None or form.fullmatch(value) else f"This is no {field.format}."


def _is_uri(value: str) -> bool:
    try:
        return bool(urlsplit(value).scheme) and not re.search(r"\s", value)
    except ValueError:
        return False


def _size_error(field: FormField, size: float, unit: str) -> str:
    if field.least is not None and size < field.least:
        return f"At least {field.least:g}{unit}."
    if field.most is not None and size > field.most:
        return f"At most {field.most:g}{unit}."
    return ""


def _field(name: str, raw: Json, required: bool) -> FormField:
    title = _text(raw.get("title")) if isinstance(raw, dict) else None
    if not isinstance(raw, dict):
        return FormField(name, "unknown", name, required=required)
    field_type, choices = _type(raw)
    least, most = _bounds(raw, field_type)
    field = FormField(
        name,
        field_type,
        title or name,
        _text(raw.get("description")),
        required,
        choices=choices,
        least=least,
        most=most,
        pattern=_text(raw.get("pattern")),
        format=_text(raw.get("format")),
    )
    default = raw.get("default")
    if default is None or error_of(field, default):
        return field  # a bad default counts as none
    return replace(field, default=default)


def _type(raw: dict[str, Json]) -> tuple[FieldType, tuple[Choice, ...]]:
    match raw.get("type"):
        case "boolean" | "integer" | "number" as simple:
            return simple, ()
        case "string" if raw.get("enum") is not None or raw.get("oneOf") is not None:
            return _choice_type("choice", raw.get("enum"), raw.get("oneOf"))
        case "string":
            return "string", ()
        case "array" if isinstance(items := raw.get("items"), dict):
            return _choice_type("choices", items.get("enum"), items.get("anyOf"))
        case _:
            return "unknown", ()


def _choice_type(
    field_type: FieldType, plain: Json, titled: Json
) -> tuple[FieldType, tuple[Choice, ...]]:
    found: dict[str, Choice] = {}
    for each in plain if isinstance(plain, list) else ():
        if isinstance(each, str):
            found[each] = Choice(each, each)
    for each in titled if isinstance(titled, list) else ():
        value = each.get("const") if isinstance(each, dict) else None
        if isinstance(value, str):
            title = _text(each.get("title")) or value
            found[value] = Choice(value, title, _text(each.get("description")))
    if not found or len(found) > MOST_CHOICES:
        return "unknown", ()
    return field_type, tuple(found.values())


def _bounds(raw: dict[str, Json], field_type: FieldType) -> tuple[float | None, float | None]:
    keys = {
        "string": ("minLength", "maxLength"),
        "choices": ("minItems", "maxItems"),
        "integer": ("minimum", "maximum"),
        "number": ("minimum", "maximum"),
    }.get(field_type)
    if keys is None:
        return None, None
    return _finite(raw.get(keys[0])), _finite(raw.get(keys[1]))


def _finite(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:  # an integer beyond what a float holds
        return None


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None
