"""Forms and links as payloads and as text for a person."""

from __future__ import annotations

from collections.abc import Mapping

from acp_sidecar.features.elicitation.form import Form, FormField
from acp_sidecar.features.elicitation.link import LONGEST, Link
from acp_sidecar.features.elicitation.messages import FieldPayload, FormPayload, LinkPayload
from acp_sidecar.features.ports import Json
from acp_sidecar.features.sanitize import visible_line, visible_text


def form_payload(form: Form, errors: Mapping[str, str]) -> FormPayload:
    """A form for a rich client."""
    return {
        "title": None if form.title is None else visible_line(form.title),
        "description": None if form.description is None else visible_text(form.description),
        "fields": [_field(field, errors.get(field.name)) for field in form.fields],
    }


def link_payload(link: Link) -> LinkPayload:
    """A link for a rich client."""
    return {
        "url": visible_line(link.url, LONGEST),
        "host": visible_line(link.host),
        "warnings": [visible_line(warning) for warning in link.warnings],
    }


def link_text(link: Link) -> str:
    """A link for one message: everything that must be seen before consenting."""
    warnings = [f"⚠ {visible_line(warning)}" for warning in link.warnings]
    whole = visible_line(link.url, LONGEST)
    return "\n".join([f"Host: {visible_line(link.host)}", f"Address: {whole}", *warnings])


def value_text(field: FormField, value: Json) -> str:
    """A value as a person would name it."""
    titles = {choice.value: choice.title for choice in field.choices}
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, list):
        return (
            ", ".join(visible_line(titles.get(str(each), str(each)), 80) for each in value)
            or "nothing"
        )
    return visible_line(titles.get(str(value), str(value)))


def _field(field: FormField, error: str | None) -> FieldPayload:
    return {
        "name": field.name,
        "type": field.type,
        "title": visible_line(field.title),
        "description": None if field.description is None else visible_text(field.description),
        "required": field.required,
        "default": field.default,
        "choices": [
            {
                "value": choice.value,
                "title": visible_line(choice.title),
                "description": None
                if choice.description is None
                else visible_text(choice.description),
            }
            for choice in field.choices
        ],
        "least": field.least,
        "most": field.most,
        "pattern": field.pattern,
        "format": field.format,
        "error": error,
    }
