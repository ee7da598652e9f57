"""What all types of the vocabulary share: names, three-state fields, and what may be forgiven.

Field names are ACP v2's own, in Python's spelling; the JSON names are their camelCase. A field
of a patch has three states: omitted (not in `model_fields_set`), `None` (cleared) and a value.

Two markers repeat the schema's `x-deserialize-*` annotations. The types themselves are strict;
`wire.lenient` reads the markers and forgives what they allow, so a well-formed message pays
nothing for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag
from pydantic.alias_generators import to_camel


@dataclass(frozen=True, slots=True)
class DefaultOnError:
    """A bad value counts as omitted (`x-deserialize-default-on-error`)."""


@dataclass(frozen=True, slots=True)
class SkipInvalidItems:
    """Bad items of this list are left out one by one (`x-deserialize-skip-invalid-items`)."""


FORGIVE: Final = DefaultOnError()
SKIP_ITEMS: Final = SkipInvalidItems()

type_of_unknown: Final = "?"


class AcpModel(BaseModel):
    """A frozen value with ACP's JSON names. Unknown fields are ignored, as the protocol asks."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="ignore",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        hide_input_in_errors=True,
    )


Meta = Annotated[dict[str, Any] | None, Field(alias="_meta"), FORGIVE]
"""`_meta`: what agents and clients attach beyond the protocol; `None` and omitted may differ."""


class UnknownVariant(BaseModel):
    """A variant of an open union that this version of the protocol does not name.

    Kept whole, so that it can be stored, forwarded and shown in a generic way.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="allow", hide_input_in_errors=True)

    def raw(self) -> dict[str, Any]:
        """Everything the agent sent, as it sent it."""
        return self.model_dump(by_alias=True)


class UnknownByType(UnknownVariant):
    """An unknown variant of a union that is told apart by `type`."""

    type: str


def tagged(field: str, known: frozenset[str]) -> Discriminator:
    """Tell the variants of an open union apart by `field`.

    A name in `known` picks that variant (and its errors stay errors); any other string picks the
    variant tagged `type_of_unknown`; a missing or non-string tag is an error.
    """

    def pick(value: Any) -> str | None:
        tag = value.get(field) if isinstance(value, dict) else getattr(value, field, None)
        if not isinstance(tag, str):
            return None
        return tag if tag in known else type_of_unknown

    return Discriminator(pick)


__all__ = [
    "FORGIVE",
    "SKIP_ITEMS",
    "AcpModel",
    "DefaultOnError",
    "Meta",
    "SkipInvalidItems",
    "Tag",
    "UnknownByType",
    "UnknownVariant",
    "tagged",
    "type_of_unknown",
]
