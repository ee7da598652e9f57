"""Which of the agent's options a rule chooses, and what options are called in front of a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from acp_sidecar.features.sanitize import visible_line
from acp_sidecar.session.permissions import PermissionOption

KNOWN_KINDS: Final = frozenset({"allow_once", "allow_always", "reject_once", "reject_always"})
LABEL_LIMIT: Final = 80

_SOUNDS_HARMLESS: Final = frozenset(
    {
        "no",
        "not",
        "reject",
        "deny",
        "cancel",
        "decline",
        "abort",
        "stop",
        "dismiss",
        "never",
        "preview",
        "view",
        "show",
        "close",
        "later",
    }
)
_SOUNDS_ALLOWING: Final = frozenset(
    {"yes", "ok", "allow", "approve", "accept", "proceed", "continue", "run"}
)


def chosen_to_allow(options: Sequence[PermissionOption]) -> PermissionOption | None:
    """The first `allow_once`; never `allow_always`, never an option whose id another one has."""
    return _first(options, "allow_once")


def chosen_to_deny(options: Sequence[PermissionOption]) -> PermissionOption | None:
    """The first `reject_once`, else the first `reject_always`; none means cancelling."""
    return _first(options, "reject_once") or _first(options, "reject_always")


def option_by_id(options: Sequence[PermissionOption], option_id: str) -> PermissionOption | None:
    """The option, or the first of several with one id."""
    return next((option for option in options if option.option_id == option_id), None)


def labels(options: Sequence[PermissionOption], own: Iterable[str] = ()) -> list[str]:
    """Names for buttons: one line, short, no two alike, then `own` ones such as "Preview".

    A kind is added where the name hides it: an unknown kind, or a name that says the opposite.
    """
    return unique([*map(_label, options), *own])


def unique(names: Iterable[str]) -> list[str]:
    """The names, with a number added to one that was there before."""
    used: set[str] = set()
    result = []
    for name in names:
        candidate, number = name, 2
        while candidate.casefold() in used:
            candidate, number = f"{name} ({number})", number + 1
        used.add(candidate.casefold())
        result.append(candidate)
    return result


def _first(options: Sequence[PermissionOption], kind: str) -> PermissionOption | None:
    ids = [option.option_id for option in options]
    found = next((option for option in options if option.kind == kind), None)
    if found is None or ids.count(found.option_id) > 1:
        return None
    return found


def _label(option: PermissionOption) -> str:
    name = visible_line(option.name, LABEL_LIMIT).strip() or option.kind
    if option.kind in KNOWN_KINDS and not _contradicts(name, option.kind):
        return name
    return f"{name} [{visible_line(option.kind, 40).replace('_', ' ').strip()}]"


def _contradicts(name: str, kind: str) -> bool:
    first = "".join(char if char.isalpha() else " " for char in name.casefold()).split()[:1]
    opposite = _SOUNDS_HARMLESS if kind.startswith("allow") else _SOUNDS_ALLOWING
    # "Don't allow" begins with "don".
    return not opposite.isdisjoint(first) or (
        kind.startswith("allow") and first in (["don"], ["do"])
    )
