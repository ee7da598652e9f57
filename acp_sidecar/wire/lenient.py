"""Decode agent JSON into the vocabulary, forgiving what the schema's `x-deserialize-*` marks allow.

A well-formed payload is validated once and pays nothing. Only when that fails is the payload
walked beside its type: a bad value of a field marked `FORGIVE` counts as omitted, a bad item of a
list marked `SKIP_ITEMS` is left out, each with a recorded problem. What is still wrong after that
cannot be decoded, which is one more problem and never an exception.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Discriminator, Tag, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from acp_sidecar.errors import Fault, Problem
from acp_sidecar.session.base import DefaultOnError, SkipInvalidItems

T = TypeVar("T")

EXCERPT_LENGTH = 120


@dataclass(slots=True)  # not frozen: two are made for every update, and that doubles their cost
class Decoded(Generic[T]):
    """A value, or `None` if the payload could not be understood, and what was wrong with it."""

    value: T | None
    problems: list[Problem] = field(default_factory=list)


class _Unusable(Exception):
    """This part of the payload cannot be decoded; the nearest forgiving parent decides."""


@cache
def _adapter(tp: Any) -> TypeAdapter[Any]:
    return TypeAdapter(tp)


@cache
def _validate(tp: Any) -> Callable[[Any], Any]:
    """The adapter's validator without the options that it looks for in every call."""
    return _adapter(tp).validator.validate_python


@cache
def _leaf_adapter(tp: Any) -> TypeAdapter[Any]:
    """For values inside models, which get their strictness from the model."""
    return TypeAdapter(tp, config=ConfigDict(strict=True))


def excerpt(value: Any) -> str:
    """A short printable piece of agent input, for problems."""
    text = repr(value)
    return text if len(text) <= EXCERPT_LENGTH else text[: EXCERPT_LENGTH - 1] + "…"


def decode(tp: Any, payload: Any, where: str) -> Decoded[Any]:
    """Decode `payload` as `tp` (a vocabulary type); `where` names it in problems."""
    try:
        return Decoded(_validate(tp)(payload))
    except ValidationError:
        return _decode_repaired(tp, payload, where)


def _decode_repaired(tp: Any, payload: Any, where: str) -> Decoded[Any]:
    repair = _Repair()
    try:
        repaired = repair.value(tp, payload, where)
        return Decoded(_adapter(tp).validate_python(repaired), repair.problems)
    except _Unusable as unusable:
        place = unusable.args[0]
    except (ValidationError, RecursionError):
        place = where
    message = f"{place} is not what the protocol says; the message is ignored"
    malformed = Problem(Fault.AGENT, "malformed", message, place, excerpt(payload))
    return Decoded(None, [*repair.problems, malformed])


class _Repair:
    """One walk of a payload beside its type."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def value(self, tp: Any, value: Any, where: str) -> Any:
        """The payload with what may be forgiven taken out; raises _Unusable otherwise."""
        if get_origin(tp) is Annotated:
            inner, *metadata = get_args(tp)
            return self._annotated(inner, metadata, value, where)
        if get_origin(tp) in (Union, types.UnionType):
            return self._union(get_args(tp), value, where)
        if get_origin(tp) is list:
            return self._list(get_args(tp)[0], value, where, skip=False)
        if isinstance(tp, type) and issubclass(tp, BaseModel):
            return self._model(tp, value, where)
        return self._leaf(tp, value, where)

    def _leaf(self, tp: Any, value: Any, where: str) -> Any:
        try:
            _leaf_adapter(tp).validate_python(value)
        except ValidationError:
            raise _Unusable(where) from None
        return value

    def _annotated(self, inner: Any, metadata: list[Any], value: Any, where: str) -> Any:
        for mark in metadata:
            if isinstance(mark, Discriminator):
                return self._tagged(get_args(inner), mark, value, where)
        if any(not isinstance(mark, _MARKS) for mark in metadata):
            return self._leaf(Annotated[inner, *metadata], value, where)
        if _has(metadata, SkipInvalidItems) and (item_type := _item_type(inner)) is not None:
            return value if value is None else self._list(item_type, value, where, skip=True)
        return self.value(inner, value, where)

    def _tagged(self, variants: tuple[Any, ...], by: Discriminator, value: Any, where: str) -> Any:
        pick = by.discriminator
        tag = pick(value) if callable(pick) else None
        for variant in variants:
            inner, *metadata = get_args(variant)
            if any(isinstance(mark, Tag) and mark.tag == tag for mark in metadata):
                return self.value(inner, value, where)
        raise _Unusable(where)

    def _union(self, members: tuple[Any, ...], value: Any, where: str) -> Any:
        if value is None and type(None) in members:
            return None
        for member in members:
            if member is type(None):
                continue
            before = len(self.problems)
            try:
                return self.value(member, value, where)
            except _Unusable:
                del self.problems[before:]
        raise _Unusable(where)

    def _list(self, item_type: Any, value: Any, where: str, *, skip: bool) -> list[Any]:
        if not isinstance(value, list):
            raise _Unusable(where)
        items = []
        for index, item in enumerate(value):
            place = f"{where}[{index}]"
            try:
                items.append(self.value(item_type, item, place))
            except _Unusable:
                if not skip:
                    raise
                self._record("invalid-item", f"{place} is invalid and was left out", place, item)
        return items

    def _model(self, model: type[BaseModel], value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _Unusable(where)
        repaired = dict(value)
        for name, info in model.model_fields.items():
            key = info.alias or name
            if key in repaired:
                self._field(info, repaired, key, f"{where}.{key}")
            elif info.is_required():
                raise _Unusable(f"{where}.{key}")
        return repaired

    def _field(self, info: FieldInfo, payload: dict[str, Any], key: str, where: str) -> None:
        tp = _field_type(info)
        try:
            payload[key] = self.value(tp, payload[key], where)
        except _Unusable:
            if not _has(info.metadata, DefaultOnError):
                raise
            self._record(
                "invalid-value", f"{where} is invalid and was ignored", where, payload[key]
            )
            del payload[key]

    def _record(self, code: str, message: str, where: str, value: Any) -> None:
        self.problems.append(Problem(Fault.AGENT, code, message, where, excerpt(value)))


_MARKS = (DefaultOnError, SkipInvalidItems)


def _has(metadata: list[Any], mark: type) -> bool:
    return any(isinstance(each, mark) for each in metadata)


def _item_type(tp: Any) -> Any:
    """X of `list[X]` or `list[X] | None`."""
    members = get_args(tp) if get_origin(tp) in (Union, types.UnionType) else (tp,)
    lists = [member for member in members if get_origin(member) is list]
    return get_args(lists[0])[0] if lists else None


def _field_type(info: FieldInfo) -> Any:
    """The field's type with its metadata, which pydantic takes apart."""
    metadata = [*info.metadata]
    if info.discriminator is not None:
        metadata.append(info.discriminator)
    return Annotated[info.annotation, *metadata] if metadata else info.annotation
