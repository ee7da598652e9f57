"""Taking what is wrong out of JSON, and as little else as possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Location = tuple[int | str, ...]
"""Where something stands: keys and indexes from the outside in."""


def without(raw: dict[str, Any], locations: Sequence[Location]) -> tuple[Any, bool]:
    """A copy without what stands at the locations (or the nearest parent that can go)."""
    return _prune(raw, [loc for loc in locations if loc])


def _prune(value: Any, locations: Sequence[Location]) -> tuple[Any, bool]:
    here = {loc[0] for loc in locations if len(loc) == 1}
    deeper: dict[int | str, list[Location]] = {}
    for loc in locations:
        if len(loc) > 1 and loc[0] not in here:
            deeper.setdefault(loc[0], []).append(loc[1:])
    if isinstance(value, dict):
        return _prune_dict(value, here, deeper)
    if isinstance(value, list):
        return _prune_list(value, here, deeper)
    return value, False


def _prune_dict(
    value: dict[str, Any],
    here: set[int | str],
    deeper: dict[int | str, list[Location]],
) -> tuple[dict[str, Any], bool]:
    kept, found = {}, False
    for key, item in value.items():
        if key in here:
            found = True
            continue
        if key in deeper:
            pruned, inside = _prune(item, deeper[key])
            found = True
            if not inside:
                continue  # nothing smaller could be taken out: the whole setting goes
            item = pruned  # noqa: PLW2901 - the loop's own copy
        kept[key] = item
    return kept, found


def _prune_list(
    value: list[Any], here: set[int | str], deeper: dict[int | str, list[Location]]
) -> tuple[list[Any], bool]:
    # An item of a list that is wrong anywhere goes as a whole: half a rule is not a rule.
    bad = here | deeper.keys()
    kept = [item for index, item in enumerate(value) if index not in bad]
    return kept, len(kept) != len(value)
